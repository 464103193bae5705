//! What a covered pixel shows.

use sim_api::domain::Pose;
use sim_api::render::{Background, Camera, Light, Material, Sky, Texture, Transform, shapes};

use super::*;

/// Vertical stripes of clearly different greys.
fn stripes(count: u32) -> Texture {
    let rgba: Vec<u8> = (0..count).flat_map(|i| [(i * 37 % 200) as u8, (i * 5) as u8, 40, 255]).collect();
    Texture::from_rgba(count, 1, &rgba).unwrap()
}

#[test]
fn texture_on_a_slanted_wall_is_seen_in_perspective() {
    let mut scene = empty_scene();
    let material = unlit(&mut scene, stripes(16));
    // From 1 m ahead on the left to 4 m ahead on the right.
    let (from, to) = ([1.0f32, 1.0], [4.0f32, -2.0]);
    let corner = |p: [f32; 2], z: f32| [p[0], p[1], z];
    add(&mut scene, quad([corner(from, -0.5), corner(to, -0.5), corner(to, 0.5), corner(from, 0.5)]), material);
    let picture = render(&scene, &camera());
    let focal = 240.0 / (FOV / 2.0).tan();
    let mut checked = 0;
    for x in 0..480 {
        // The line of sight y = slope * x meets the wall at this part of its length.
        let slope = -(f64::from(x) + 0.5 - 240.0) / focal;
        let along = (1.0 - slope) / (3.0 * slope + 3.0);
        let texel = along * 16.0;
        let inner = (texel - texel.floor() - 0.5).abs() < 0.05;
        if !(0.0..16.0).contains(&texel) || !inner {
            continue;
        }
        let i = texel as u32;
        let [r, g, _] = picture.pixel(x, 180).unwrap();
        assert!(r.abs_diff((i * 37 % 200) as u8) < 16, "column {x}: red {r} in stripe {i}");
        assert!(g.abs_diff((i * 5) as u8) < 6, "column {x}: green {g} in stripe {i}");
        checked += 1;
    }
    assert!(checked >= 10, "{checked} columns");
}

#[test]
fn texture_lies_upright_on_a_wall() {
    let mut scene = empty_scene();
    let (red, green, blue, white) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]);
    let texture = Texture::from_rgba(2, 2, &[red, green, blue, white].concat()).unwrap();
    let material = unlit(&mut scene, texture);
    add(&mut scene, wall(1.0, 0.5, 0.5), material);
    let picture = render(&scene, &camera());
    let at = |x: u32, y: u32| picture.pixel(x, y).unwrap();
    assert!(at(190, 130)[0] > 200 && at(190, 130)[1] < 60, "top left {:?}", at(190, 130));
    assert!(at(289, 130)[1] > 200 && at(289, 130)[0] < 60, "top right {:?}", at(289, 130));
    assert!(at(190, 229)[2] > 200 && at(190, 229)[0] < 60, "bottom left {:?}", at(190, 229));
    assert!(at(289, 229)[0] > 200 && at(289, 229)[2] > 200, "bottom right {:?}", at(289, 229));
}

#[test]
fn nearer_surface_wins_in_any_order_of_drawing() {
    let place =
        |angle: f64| Transform::from_pose(&Pose::from_xyz_xyzw([2.0, 0.0, 0.0], [0.0, 0.0, angle.sin(), angle.cos()]));
    let parts = [([1.0, 0.0, 0.0], 0.3), ([0.0, 1.0, 0.0], 0.8), ([0.0, 0.0, 1.0], 1.3)];
    let picture = |order: [usize; 3]| {
        let mut scene = empty_scene();
        let mesh = scene.add_mesh(road::mesh(&shapes::cuboid([1.5, 0.1, 1.0])));
        for i in order {
            scene.add_instance(mesh, Material::colour(parts[i].0), place(parts[i].1));
        }
        render(&scene, &camera())
    };
    let first = picture([0, 1, 2]);
    for order in [[2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        // Within a pixel of the line where two boxes pass through each other, both can be equally near.
        let differing = pixels(&first).zip(pixels(&picture(order))).filter(|(a, b)| a != b).count();
        assert!(differing <= 10, "{differing} pixels");
    }
}

#[test]
fn higher_layer_wins_in_one_plane() {
    for camera in [
        Camera::forward_from(&Pose::from_xyz_xyzw([0.0, 0.0, 0.12], [0.0, 0.05, 0.0, 1.0]), FOV, 480, 360),
        Camera::top_down([2.0, 0.0], 3.0, 1.0, 300, 300),
    ] {
        let count = |layer: u8| {
            let mut scene = empty_scene();
            let marking = quad([[0.5, -0.5, 0.0], [4.0, -0.3, 0.0], [4.0, 0.3, 0.0], [0.5, 0.3, 0.0]]);
            add(&mut scene, marking, Material { layer, ..Material::lamp([1.0, 0.0, 0.0]) });
            if layer > 0 {
                let floor = quad([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]]);
                add(&mut scene, floor, Material::lamp([0.0, 1.0, 0.0]));
            }
            pixels(&render(&scene, &camera)).filter(|p| *p == [255, 0, 0]).count()
        };
        assert!(count(0) > 1000);
        assert_eq!(count(1), count(0));
    }
}

#[test]
fn distant_pattern_melts_into_its_average_light() {
    let mut scene = empty_scene();
    let rgba: Vec<u8> = (0..64 * 64u32)
        .flat_map(|i| [if (i + i / 64) % 2 == 0 { 0 } else { 255 }; 3].into_iter().chain([255]))
        .collect();
    let material = unlit(&mut scene, Texture::from_rgba(64, 64, &rgba).unwrap());
    add(&mut scene, wall(8.0, 0.5, 0.5), material);
    let picture = render(&scene, &camera());
    // Half the light is not half the value: 255 * 0.5^(1 / 2.2).
    for (x, y) in [(232, 172), (240, 180), (235, 188), (247, 177)] {
        assert!(picture.pixel(x, y).unwrap()[0].abs_diff(186) <= 2, "{:?}", picture.pixel(x, y));
    }
}

#[test]
fn holes_of_a_texture_are_seen_through() {
    let mut scene = empty_scene();
    let rgba: Vec<u8> = (0..16u32).flat_map(|i| [200, 100, 50, if i % 4 < 2 { 255 } else { 0 }]).collect();
    let material = unlit(&mut scene, Texture::from_rgba(4, 4, &rgba).unwrap());
    add(&mut scene, wall(1.0, 0.5, 0.5), material);
    let picture = render(&scene, &camera());
    assert_eq!(picture.pixel(215, 180), Some([200, 100, 50]));
    assert_eq!(picture.pixel(265, 180), Some(BACKGROUND));
}

#[test]
fn lamp_shines_the_same_in_any_light() {
    let picture = |ambient: f32, sun: f32| {
        let mut scene = empty_scene();
        scene.light = Light { ambient: [ambient; 3], sun: [sun; 3], ..Light::default() };
        let ball = scene.add_mesh(road::mesh(&shapes::sphere(0.3, 16)));
        scene.add_instance(ball, Material::lamp([1.0, 0.8, 0.0]), Transform::from_translation([1.0, 0.0, 0.0]));
        render(&scene, &camera())
    };
    let bright = picture(1.0, 2.0);
    assert_eq!(bright.pixel(240, 180), Some([255, 204, 0]));
    assert_eq!(bright, picture(0.0, 0.0));
}

#[test]
fn sun_lights_the_side_that_faces_it() {
    let mut scene = empty_scene();
    scene.light = Light { sun_direction: [0.0, 0.0, -3.0], sun: [0.6; 3], ambient: [0.4; 3] };
    add(&mut scene, quad([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]), Material::WHITE);
    let down = Camera::top_down([0.0, 0.0], 1.0, 1.0, 10, 10);
    assert_eq!(render(&scene, &down).pixel(5, 5), Some([255; 3]));
    // Light that only grazes the surface leaves the ambient part: 255 * 0.4^(1 / 2.2).
    scene.light.sun_direction = [1.0, 0.0, 0.0];
    let [grey, ..] = render(&scene, &down).pixel(5, 5).unwrap();
    assert!(grey.abs_diff(168) <= 1, "{grey}");
}

#[test]
fn sky_goes_from_ground_over_horizon_to_zenith() {
    let sky = Sky { zenith: [10, 20, 200], horizon: [200, 210, 220], ground: [50, 40, 30] };
    let mut scene = Scene::new();
    scene.background = Background::Sky(sky);
    let half = std::f64::consts::FRAC_PI_4;
    let look = |pitch: f64| {
        let pose = Pose::from_xyz_xyzw([0.0; 3], [0.0, pitch.sin(), 0.0, pitch.cos()]);
        render(&scene, &Camera::forward_from(&pose, 0.1, 101, 101)).pixel(50, 50).unwrap()
    };
    assert_eq!(look(-half), sky.zenith);
    assert_eq!(look(0.0), sky.horizon);
    assert_eq!(look(half), sky.ground);
    let between = look(-0.1);
    assert!(between[0] < sky.horizon[0] && between[0] > sky.zenith[0]);
}

#[test]
fn shadow_falls_where_the_sun_throws_it_and_only_once() {
    let mut scene = empty_scene();
    scene.light = Light { sun_direction: [1.0, 0.0, -1.0], sun: [0.6; 3], ambient: [0.4; 3] };
    scene.shadow_plane_m = Some(0.0);
    add(&mut scene, quad([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [3.0, 3.0, 0.0], [-3.0, 3.0, 0.0]]), Material::WHITE);
    let plate = scene.add_mesh(road::mesh(&shapes::cuboid([0.5, 0.5, 0.001])));
    for height in [1.0, 1.2] {
        let id = scene.add_instance(plate, Material::WHITE, Transform::from_translation([0.0, 0.0, height]));
        scene.instance_mut(id).unwrap().casts_shadow = true;
    }
    let picture = render(&scene, &Camera::top_down([0.0, 0.0], 5.0, 6.0, 600, 600));
    let at = |x: f64, y: f64| picture.pixel((300.0 + x * 100.0) as u32, (300.0 - y * 100.0) as u32).unwrap();
    let (lit, shaded) = (at(2.0, 0.0), at(1.1, 0.1));
    assert!(shaded[0] < lit[0] - 50, "{shaded:?} in the shadow, {lit:?} beside it");
    // The first shadow alone, both, and the second alone.
    for x in [0.8, 1.1, 1.4] {
        assert_eq!(at(x, 0.1), shaded, "at {x}");
    }
    for (x, y) in [(0.7, 0.0), (1.5, 0.0), (1.1, 0.3), (-1.0, 0.0)] {
        assert_eq!(at(x, y), lit, "at {x}, {y}");
    }
    scene.light.sun_direction = [1.0, 0.0, 0.1];
    assert_eq!(pixels(&render(&scene, &camera())).count(), 480 * 360);
}
