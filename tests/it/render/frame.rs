//! Whole frames: threads, brightness, supersampling, reuse, and pictures to look at.

use sim_api::render::{Material, Picture, RenderOptions, Renderer, Transform, shapes};

use super::*;

#[test]
fn picture_is_the_same_on_any_number_of_threads() {
    let scene = road::scene(100);
    for camera in [road::car_camera(0.7, 0.2), road::map_camera(401)] {
        let picture = |threads| Renderer::new(RenderOptions { threads, ..Default::default() }).render(&scene, &camera);
        let one = picture(1);
        for threads in [2, 3, 7] {
            assert!(picture(threads) == one, "{threads} threads");
        }
    }
}

#[test]
fn second_frame_of_a_renderer_shows_nothing_of_the_first() {
    let mut scene = road::scene(20);
    let mut renderer = Renderer::new(RenderOptions { threads: 2, ..Default::default() });
    let mut picture = renderer.render(&scene, &road::map_camera(700));
    let lamp = scene.add_mesh(road::mesh(&shapes::sphere(0.1, 16)));
    let lamp = scene.add_instance(lamp, Material::lamp([1.0, 0.0, 0.0]), Transform::from_translation([1.2, -1.5, 0.1]));
    renderer.render_into(&scene, &road::car_camera(0.0, 0.0), &mut picture);
    assert!(picture == render(&scene, &road::car_camera(0.0, 0.0)));

    let red = picture.clone();
    scene.instance_mut(lamp).unwrap().material = Material::lamp([0.0, 1.0, 0.0]);
    renderer.render_into(&scene, &road::car_camera(0.0, 0.0), &mut picture);
    let changed: Vec<_> = pixels(&red).zip(pixels(&picture)).filter(|(a, b)| a != b).collect();
    assert!(changed.len() > 20);
    assert!(changed.iter().all(|(a, b)| *a == [255, 0, 0] && *b == [0, 255, 0]));
}

#[test]
fn brightness_multiplies_and_clamps_every_value() {
    let scene = road::scene(10);
    let camera = road::car_camera(3.0, 0.0);
    let plain = render(&scene, &camera);
    let mut renderer = Renderer::new(RenderOptions::default());
    for factor in [0.0, 0.25, 0.5, 1.0, 1.3, 100.0] {
        renderer.set_brightness(factor);
        let picture = renderer.render(&scene, &camera);
        for (before, after) in plain.rgb.iter().zip(&picture.rgb) {
            assert_eq!(f32::from(*after), (f32::from(*before) * factor).round().min(255.0), "{before} * {factor}");
        }
    }
}

#[test]
fn supersampling_softens_edges_and_keeps_the_scale() {
    let mut scene = empty_scene();
    add(&mut scene, wall(2.0, 0.5, 0.3), Material::lamp([1.0; 3]));
    for supersample in [2, 3, 4] {
        let fine = Renderer::new(RenderOptions { supersample, ..Default::default() }).render(&scene, &camera());
        let coarse = render(&scene, &camera());
        assert_eq!((fine.width, fine.height, fine.rgb.len()), (480, 360, 480 * 360 * 3));
        let green = |p: &Picture| pixels(p).map(|p| f64::from(p[1]) / 255.0).sum::<f64>();
        assert!((green(&fine) / green(&coarse) - 1.0).abs() < 0.02);
        assert!(pixels(&fine).any(|p| p[1] > 0 && p[1] < 255));
    }
}

/// Leaves pictures under the build folder for a person to look at, and checks what a lane follower needs.
#[test]
fn road_has_white_lines_on_dark_asphalt_as_far_as_the_bend() {
    let scene = road::scene(100);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, along, yaw) in [("straight", 0.0, 0.0), ("bend", 2.5, 0.0), ("boxes", 6.5, -0.2)] {
        let picture = render(&scene, &road::car_camera(along, yaw));
        std::fs::write(folder.join(format!("road_{name}.png")), picture.encode_png().unwrap()).unwrap();
    }
    let options = RenderOptions { threads: 2, supersample: 2, ..Default::default() };
    let map = Renderer::new(options).render(&scene, &road::map_camera(800));
    std::fs::write(folder.join("road_map.png"), map.encode_png().unwrap()).unwrap();

    let picture = render(&scene, &road::car_camera(0.0, 0.0));
    let light = |p: [u8; 3]| p.iter().all(|v| *v > 150);
    for row in [190, 210, 240, 280] {
        let line: Vec<_> = (0..480).map(|x| picture.pixel(x, row).unwrap()).collect();
        let dark = line.iter().filter(|p| p.iter().all(|v| *v < 90)).count();
        assert!(dark > 60, "row {row}: {dark} dark pixels");
        assert!(line[240..].iter().any(|p| light(*p)), "row {row}: no border on the right");
    }
}
