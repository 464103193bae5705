//! Which pixels a surface covers.

use sim_api::domain::Pose;
use sim_api::render::{Camera, Material, MeshData, Transform, shapes};

use super::*;

const WHITE: [u8; 3] = [255; 3];

#[test]
fn wall_covers_the_pixels_that_geometry_predicts() {
    let mut scene = empty_scene();
    add(&mut scene, wall(2.0, 0.5, 0.3), Material::lamp([1.0; 3]));
    let picture = render(&scene, &camera());
    let focal = 240.0 / (FOV / 2.0).tan();
    let inside = |pixel: f64, centre: f64, half: f64| (pixel + 0.5 - centre).abs() < half / 2.0 * focal;
    for y in 0..360 {
        for x in 0..480 {
            let expected = inside(f64::from(x), 240.0, 0.5) && inside(f64::from(y), 180.0, 0.3);
            let colour = if expected { WHITE } else { BACKGROUND };
            assert_eq!(picture.pixel(x, y), Some(colour), "at {x}, {y}");
        }
    }
}

#[test]
fn intrinsics_describe_the_picture() {
    let k = camera().intrinsics();
    let mut scene = empty_scene();
    let [x, y, z] = [3.0f32, -0.8, 0.5];
    let s = 0.02;
    add(
        &mut scene,
        quad([[x, y + s, z - s], [x, y - s, z - s], [x, y - s, z + s], [x, y + s, z + s]]),
        Material::lamp([1.0; 3]),
    );
    let picture = render(&scene, &camera());
    let (u, v) = (k.cx + k.fx * f64::from(-y / x), k.cy + k.fy * f64::from(-z / x));
    assert_eq!(picture.pixel(u.round() as u32, v.round() as u32), Some(WHITE));
    assert!(pixels(&picture).filter(|p| *p == WHITE).count() < 16);
}

#[test]
fn neighbouring_triangles_leave_no_gap() {
    let cells = 90;
    let mut state = 7;
    let mut data = MeshData::default();
    for j in 0..=cells {
        for i in 0..=cells {
            let mut along = |k: u32| (k as f32 + 0.8 * (noise(&mut state) - 0.5)) / cells as f32 - 0.5;
            let (y, z) = (along(i) * 4.0, along(j) * 4.0);
            data.positions.push([1.0 + 0.3 * noise(&mut state), -y, z]);
        }
    }
    for j in 0..cells {
        for i in 0..cells {
            let a = j * (cells + 1) + i;
            let c = a + cells + 1;
            data.indices.extend([a, a + 1, c + 1, a, c + 1, c]);
        }
    }
    let mut scene = empty_scene();
    let mesh = scene.add_mesh(road::mesh(&data));
    scene.add_instance(mesh, Material { two_sided: true, ..Material::WHITE }, Transform::IDENTITY);
    let narrow = Camera::forward_from(&Pose::default(), 1.4, 640, 480);
    assert_eq!(pixels(&render(&scene, &narrow)).filter(|p| *p == BACKGROUND).count(), 0);
}

#[test]
fn every_pixel_on_a_common_edge_is_drawn_once() {
    // Corners exactly on pixel centres: 1 m is 100 pixels, and the picture's middle is a corner of pixels.
    let mut scene = empty_scene();
    let square = |x: f32, y: f32| {
        let s = 0.095 - 0.005;
        quad([[x, y, 0.0], [x + s, y, 0.0], [x + s, y + s, 0.0], [x, y + s, 0.0]])
    };
    add(&mut scene, square(0.005, 0.005), Material::lamp([1.0; 3]));
    let picture = render(&scene, &Camera::top_down([0.0, 0.0], 1.0, 1.0, 100, 100));
    assert_eq!(pixels(&picture).filter(|p| *p == WHITE).count(), 9 * 9);
}

#[test]
fn ground_reaches_from_under_the_camera_to_the_horizon() {
    let mut scene = empty_scene();
    let s = 5000.0;
    add(&mut scene, quad([[-s, -s, -0.12], [s, -s, -0.12], [s, s, -0.12], [-s, s, -0.12]]), Material::lamp([1.0; 3]));
    for yaw in [0.0, 0.3, 0.785, 2.0] {
        let picture = render(&scene, &Camera::forward_from(&Pose::upright(0.0, 0.0, 0.0, yaw), FOV, 480, 360));
        for y in 0..360 {
            let expected = if y < 180 { BACKGROUND } else { WHITE };
            assert!((0..480).all(|x| picture.pixel(x, y) == Some(expected)), "row {y}, yaw {yaw}");
        }
    }
}

#[test]
fn top_down_picture_has_its_scale_and_north_up() {
    let mut scene = empty_scene();
    add(
        &mut scene,
        quad([[1.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, 4.0, 0.0], [1.0, 4.0, 0.0]]),
        Material::lamp([1.0; 3]),
    );
    let picture = render(&scene, &Camera::top_down([0.0, 0.0], 5.0, 10.0, 1000, 1000));
    for y in 0..1000 {
        for x in 0..1000 {
            let expected = (600..700).contains(&x) && (100..300).contains(&y);
            assert_eq!(picture.pixel(x, y), Some(if expected { WHITE } else { BACKGROUND }), "at {x}, {y}");
        }
    }
}

#[test]
fn closed_solids_look_the_same_without_their_far_sides() {
    let solids = [
        shapes::cuboid([0.5, 0.7, 0.4]),
        shapes::sphere(0.4, 20),
        shapes::cylinder(0.3, 0.6, 17),
        shapes::frustum(0.4, 0.0, 0.7, 12),
    ];
    for data in &solids {
        for mirror in [1.0, -1.0] {
            let pictures = [false, true].map(|two_sided| {
                let mut scene = empty_scene();
                let mesh = scene.add_mesh(road::mesh(data));
                let place = Transform::from_pose(&Pose::from_xyz_xyzw([1.2, 0.1, 0.2], [0.3, -0.5, 0.2, 0.8]));
                scene.add_instance(mesh, Material { two_sided, ..Material::WHITE }, place.scaled([1.0, mirror, 1.0]));
                render(&scene, &camera())
            });
            let covered = pixels(&pictures[0]).filter(|p| *p != BACKGROUND).count();
            assert!(covered > 5000, "{covered} pixels");
            // Where a near and a far side meet in one pixel, either may be a hair nearer.
            let differing = pixels(&pictures[0]).zip(pixels(&pictures[1])).filter(|(a, b)| a != b).count();
            assert!(differing < covered / 100, "{differing} of {covered} pixels");
        }
    }
}

#[test]
fn surface_that_looks_away_is_seen_only_if_two_sided() {
    for two_sided in [false, true] {
        let mut scene = empty_scene();
        let [a, b, c, d] = [[2.0, 1.0, -1.0], [2.0, -1.0, -1.0], [2.0, -1.0, 1.0], [2.0, 1.0, 1.0]];
        add(&mut scene, quad([d, c, b, a]), Material { two_sided, ..Material::lamp([1.0; 3]) });
        let expected = if two_sided { WHITE } else { BACKGROUND };
        assert_eq!(render(&scene, &camera()).pixel(240, 180), Some(expected));
    }
}
