//! A world to look at: an oval road on a field with boxes, cones, a ball and a fence, made of nothing but arithmetic.

use sim_api::domain::Pose;
use sim_api::render::{Camera, Material, Mesh, MeshData, Scene, Texture, Transform, shapes};

/// Side of the field in metres and of its texture in pixels.
const FIELD_M: f64 = 6.0;
const TEXELS: u32 = 2048;

pub fn mesh(data: &MeshData) -> Mesh {
    Mesh::new(data).unwrap()
}

/// Signed distance from the centre line of the oval (two straights and two half circles), and the way along it.
fn lane(x: f64, y: f64) -> (f64, f64) {
    let (half_straight, radius) = (0.9, 1.4);
    if x.abs() <= half_straight {
        return (y.abs() - radius, x);
    }
    let dx = x.abs() - half_straight;
    (dx.hypot(y) - radius, radius * y.atan2(dx))
}

fn ground_texture() -> Texture {
    let mut rgba = Vec::with_capacity((TEXELS * TEXELS * 4) as usize);
    for row in 0..TEXELS {
        for column in 0..TEXELS {
            let place = |i: u32| (f64::from(i) + 0.5) / f64::from(TEXELS) * FIELD_M - FIELD_M / 2.0;
            let (x, y) = (place(column), -place(row));
            let (across, along) = lane(x, y);
            // A grain that is the same in every run.
            let grain =
                (column.wrapping_mul(0x9e37_79b1) ^ row.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 28;
            let grain = grain as u8;
            let border = (across.abs() - 0.35).abs() < 0.02;
            let dash = across.abs() < 0.0125 && along.rem_euclid(0.3) < 0.15;
            let [r, g, b] = match () {
                () if border || dash => [235, 235, 230],
                () if across.abs() < 0.4 => [52 + grain, 53 + grain, 56 + grain],
                () => [70 + grain, 118 + grain, 52 + grain],
            };
            rgba.extend([r, g, b, 255]);
        }
    }
    Texture::from_rgba(TEXELS, TEXELS, &rgba).unwrap()
}

/// Slats with holes between them.
fn fence_texture() -> Texture {
    let mut rgba = Vec::new();
    for y in 0..64u32 {
        for x in 0..64u32 {
            let solid = x % 32 < 18 || (8..16).contains(&y) || (46..54).contains(&y);
            rgba.extend([168, 120, 72, if solid { 255 } else { 0 }]);
        }
    }
    Texture::from_rgba(64, 64, &rgba).unwrap()
}

fn skin_texture() -> Texture {
    let mut rgba = Vec::new();
    for y in 0..100u32 {
        for x in 0..100u32 {
            let edge = x.min(y).min(99 - x).min(99 - y) < 6 || x.abs_diff(y) < 5;
            rgba.extend(if edge { [120, 84, 48, 255] } else { [196, 150, 96, 255] });
        }
    }
    Texture::from_rgba(100, 100, &rgba).unwrap()
}

/// `cells`: parts of the ground a side, so 2 * cells² triangles.
pub fn scene(cells: u32) -> Scene {
    let mut scene = Scene::new();
    scene.shadow_plane_m = Some(0.0);
    let ground = scene.add_texture(ground_texture());
    let fence = scene.add_texture(fence_texture());
    let skin = scene.add_texture(skin_texture());

    let field = scene.add_mesh(mesh(&shapes::plane([FIELD_M as f32; 2], cells, [1.0, 1.0])));
    scene.add_instance(field, Material::textured(ground), Transform::IDENTITY);

    let panel = scene.add_mesh(mesh(&MeshData {
        positions: vec![[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 0.0, 0.25], [-3.0, 0.0, 0.25]],
        uvs: vec![[0.0, 0.0], [40.0, 0.0], [40.0, 1.0], [0.0, 1.0]],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..MeshData::default()
    }));
    for side in 0..4 {
        let turn = f64::from(side) * std::f64::consts::FRAC_PI_2;
        let pose = Pose::upright(3.0 * turn.sin(), -3.0 * turn.cos(), 0.0, turn);
        let material = Material { two_sided: true, ..Material::textured(fence) };
        scene.add_instance(panel, material, Transform::from_pose(&pose));
    }

    let cube = scene.add_mesh(mesh(&shapes::cuboid([0.2, 0.2, 0.2])));
    let cone = scene.add_mesh(mesh(&shapes::frustum(0.08, 0.012, 0.24, 24)));
    let foot = scene.add_mesh(mesh(&shapes::cuboid([0.2, 0.2, 0.02])));
    let ball = scene.add_mesh(mesh(&shapes::sphere(0.1, 24)));
    let pole = scene.add_mesh(mesh(&shapes::cylinder(0.02, 0.5, 16)));
    let lamp = scene.add_mesh(mesh(&shapes::sphere(0.05, 16)));
    let orange = Material::colour([0.95, 0.42, 0.1]);
    for i in 0..6 {
        let (x, side) = (-1.5 + 0.6 * f64::from(i), if i % 2 == 0 { 1.0 } else { -1.0 });
        let at = |y: f64, z: f64| Transform::from_pose(&Pose::upright(x, y, z, 0.4 * f64::from(i)));
        let mut stand = |mesh, material, place| {
            let id = scene.add_instance(mesh, material, place);
            scene.instance_mut(id).unwrap().casts_shadow = true;
        };
        stand(cube, Material::textured(skin), at(side * 2.1, 0.1));
        stand(cone, orange, at(-1.4 + 0.5 * side, 0.13));
        stand(foot, orange, at(-1.4 + 0.5 * side, 0.01));
        stand(ball, Material::colour([0.85, 0.2, 0.2]), at(side * 0.4, 0.1));
    }
    for (x, y, colour) in [(1.2, -0.85, [1.0, 0.1, 0.05]), (0.2, -1.95, [0.1, 1.0, 0.2]), (-1.0, 1.9, [1.0, 0.85, 0.1])]
    {
        scene.add_instance(pole, Material::colour([0.3; 3]), Transform::from_translation([x, y, 0.25]));
        scene.add_instance(lamp, Material::lamp(colour), Transform::from_translation([x, y, 0.52]));
    }
    scene
}

/// The car's camera in the right lane, `along` metres round the oval from the middle of the lower straight, turned by
/// `yaw` from the direction of the road and looking slightly down.
pub fn car_camera(along: f64, yaw: f64) -> Camera {
    let (half_straight, radius) = (0.9, 1.55);
    let (straight, bend) = (2.0 * half_straight, std::f64::consts::PI * radius);
    let half = (along + half_straight).rem_euclid(2.0 * (straight + bend));
    let (turns, rest) = if half < straight + bend { (0.0, half) } else { (1.0, half - straight - bend) };
    let (x, y, heading) = if rest < straight {
        (rest - half_straight, -radius, 0.0)
    } else {
        let angle = (rest - straight) / radius;
        (half_straight + radius * angle.sin(), -radius * angle.cos(), angle)
    };
    let sign = 1.0 - 2.0 * turns;
    let mut pose = Pose::upright(x * sign, y * sign, 0.12, heading + turns * std::f64::consts::PI + yaw);
    let down = Pose::from_xyz_xyzw([0.0; 3], [0.0, (0.12f64 / 2.0).sin(), 0.0, (0.12f64 / 2.0).cos()]);
    pose.orientation *= down.orientation;
    Camera::forward_from(&pose, 100f64.to_radians(), 480, 360)
}

pub fn map_camera(pixels: u32) -> Camera {
    Camera::top_down([0.0, 0.0], 5.0, FIELD_M, pixels, pixels)
}
