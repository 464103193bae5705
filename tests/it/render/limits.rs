//! Strange input gives a picture or an error, never a panic.

use sim_api::render::{Camera, Instance, Material, Mesh, MeshData, MeshError, Projection, Texture, Transform, shapes};

use super::*;

fn draws_something(scene: &Scene) -> bool {
    pixels(&render(scene, &camera())).any(|p| p != BACKGROUND)
}

#[test]
fn transform_that_is_not_finite_or_flat_hides_its_instance() {
    let mut scene = empty_scene();
    let mesh = scene.add_mesh(road::mesh(&shapes::cuboid([1.0; 3])));
    for bad in [f64::NAN, f64::INFINITY, 1e300, -1e38] {
        scene.add_instance(mesh, Material::WHITE, Transform::from_translation([bad, 0.0, 0.0]));
        scene.add_instance(mesh, Material::WHITE, Transform::IDENTITY.scaled([bad, 1.0, 1.0]));
    }
    render(&scene, &camera());
    let mut flat = empty_scene();
    let mesh = flat.add_mesh(road::mesh(&shapes::cuboid([1.0; 3])));
    flat.add_instance(mesh, Material::WHITE, Transform::from_translation([2.0, 0.0, 0.0]).scaled([0.0; 3]));
    assert!(!draws_something(&flat));
}

#[test]
fn camera_inside_a_solid_sees_out() {
    let mut scene = empty_scene();
    let mesh = scene.add_mesh(road::mesh(&shapes::cuboid([1.0; 3])));
    scene.add_instance(mesh, Material::WHITE, Transform::IDENTITY);
    assert!(!draws_something(&scene));
}

#[test]
fn huge_and_tiny_triangles_are_drawn() {
    for scale in [1e-2f32, 1.0, 1e6, 1e12, 1e30] {
        let mut scene = empty_scene();
        add(&mut scene, wall(2.0, scale, scale), Material::WHITE);
        assert!(draws_something(&scene), "scale {scale}");
    }
}

#[test]
fn random_triangles_around_the_camera_do_no_harm() {
    let mut state = 1;
    for size in [0.02f32, 1.0, 1e4, 1e9] {
        let mut data = MeshData::default();
        for i in 0..600 {
            data.positions.push([0; 3].map(|_| (noise(&mut state) - 0.5) * size));
            data.uvs.push([0; 2].map(|_| (noise(&mut state) - 0.5) * size * 1e3));
            data.indices.push(i);
        }
        let mut scene = empty_scene();
        let texture = scene.add_texture(Texture::from_rgba(3, 5, &[90; 60]).unwrap());
        let material = Material { two_sided: true, ..Material::textured(texture) };
        add(&mut scene, Mesh::new(&data).unwrap(), material);
        render(&scene, &camera());
        render(&scene, &Camera::top_down([0.0, 0.0], 0.0, 1.0, 333, 77));
    }
}

#[test]
fn camera_without_sense_gives_an_empty_picture() {
    let scene = road::scene(2);
    let cameras = [
        Camera { width: 0, ..camera() },
        Camera { height: 0, ..camera() },
        Camera { width: 100_000, ..camera() },
        Camera { world_from_optical: Transform::from_translation([f64::NAN; 3]), ..camera() },
        Camera { world_from_optical: Transform::IDENTITY.scaled([0.0; 3]), ..camera() },
        Camera { projection: Projection::Perspective { horizontal_fov_rad: 4.0 }, ..camera() },
        Camera { projection: Projection::Perspective { horizontal_fov_rad: 0.0 }, ..camera() },
        Camera { projection: Projection::Orthographic { width_m: f64::NAN }, ..camera() },
        Camera { far_m: -1.0, ..camera() },
    ];
    for camera in cameras {
        assert_eq!(render(&scene, &camera), Picture::default(), "{camera:?}");
    }
}

#[test]
fn ids_of_another_scene_are_not_drawn() {
    let mut other = road::scene(2);
    let ids: Vec<_> = other.instances().iter().map(|i| i.mesh).collect();
    let texture = other.add_texture(Texture::from_rgba(1, 1, &[9; 4]).unwrap());
    let mut scene = empty_scene();
    for mesh in ids {
        scene.add_instance(mesh, Material::textured(texture), Transform::IDENTITY);
    }
    assert!(!draws_something(&scene));
    let id = other.add_instance(other.instances()[0].mesh, Material::WHITE, Transform::IDENTITY);
    assert_eq!(scene.instance_mut(id), None::<&mut Instance>);
}

#[test]
fn colours_and_light_that_are_not_numbers_do_no_harm() {
    let mut scene = empty_scene();
    scene.light.sun_direction = [f32::NAN; 3];
    scene.light.ambient = [f32::INFINITY, f32::NAN, -1.0];
    add(&mut scene, wall(1.0, 0.5, 0.5), Material { emissive: [f32::INFINITY; 3], ..Material::colour([f32::NAN; 3]) });
    let mut renderer = Renderer::new(RenderOptions { threads: 0, supersample: 0, brightness: f32::NAN });
    assert_eq!(renderer.render(&scene, &camera()).rgb.len(), 480 * 360 * 3);
}

#[test]
fn broken_meshes_are_refused_and_bad_triangles_dropped() {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [f32::NAN; 3]];
    let build = |indices: Vec<u32>, uvs: Vec<[f32; 2]>| {
        Mesh::new(&MeshData { positions: positions.clone(), uvs, indices, ..MeshData::default() })
    };
    assert_eq!(build(vec![0, 1], vec![]).unwrap_err(), MeshError::NotTriangles { count: 2 });
    assert_eq!(build(vec![0, 1, 4], vec![]).unwrap_err(), MeshError::IndexOutOfRange { index: 4, count: 4 });
    assert!(matches!(build(vec![0, 1, 2], vec![[0.0; 2]]).unwrap_err(), MeshError::CountMismatch { count: 1, .. }));
    assert_eq!(build(vec![0, 1, 2, 0, 0, 1, 0, 1, 3], vec![]).unwrap().triangle_count(), 1);
    assert_eq!(Mesh::new(&MeshData::default()).unwrap().triangle_count(), 0);
}
