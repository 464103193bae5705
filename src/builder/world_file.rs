//! The world file: SDF 1.7 with the track, the fence's collision markers and the objects as inline models.
//!
//! Objects follow the conventions of published worlds: the name of the link marks the kind (`object`, `light`, `wall`), a
//! collision named `cone` a cone, and the visuals `lamp_red`, `lamp_green` and `screen` what a traffic light shows.

use super::fence::{self, Board};
use super::markup::Markup;
use super::numbers::{fixed, list};
use super::objects::{Look, Object, Shape};
use super::track::{Color, Track};
use super::traffic_light::{Form, TrafficLight};

const DECIMALS: usize = 5;
/// Moments of small objects are small.
const INERTIA_DECIMALS: usize = 9;
const FRICTION: f64 = 0.7;
const GROUND_FRICTION: f64 = 1.0;
/// Height of a cone's centre of mass, in parts of its height: the plate is heavy.
const CONE_MASS_HEIGHT: f64 = 0.25;

pub fn write(track: &Track, objects: &[Object]) -> String {
    let mut out = Markup::new();
    out.element("sdf", &[("version", "1.7")], |out| {
        out.element("world", &[("name", &track.name)], |out| {
            environment(out);
            racetrack(out, track);
            for (index, board) in fence::boards(track).iter().enumerate() {
                wall(out, index, board);
            }
            for object in objects {
                model(out, track, object);
            }
        });
    });
    out.finish()
}

fn environment(out: &mut Markup) {
    out.element("physics", &[("name", "default"), ("type", "ode")], |out| {
        out.leaf("max_step_size", "0.005");
        out.leaf("real_time_factor", "1");
    });
    out.leaf("gravity", "0 0 -9.81");
    out.element("scene", &[], |out| {
        out.leaf("ambient", "0.62 0.64 0.68 1");
        out.leaf("background", "0.72 0.82 0.92 1");
        out.empty("sky");
        out.leaf("shadows", "true");
    });
    out.element("light", &[("name", "sun"), ("type", "directional")], |out| {
        out.leaf("pose", "0 0 10 0 0 0");
        out.leaf("diffuse", "0.86 0.85 0.82 1");
        out.leaf("specular", "0.2 0.2 0.2 1");
        out.leaf("direction", "-0.4 0.25 -0.88");
        out.leaf("cast_shadows", "true");
    });
}

fn racetrack(out: &mut Markup, track: &Track) {
    out.element("model", &[("name", "racetrack")], |out| {
        out.leaf("static", "true");
        out.element("link", &[("name", "racetrack")], |out| {
            out.element("collision", &[("name", "ground")], |out| {
                out.element("geometry", &[], |out| {
                    out.element("plane", &[], |out| {
                        out.leaf("normal", "0 0 1");
                        out.leaf("size", &list(&track.size_m, DECIMALS));
                    });
                });
                surface(out, GROUND_FRICTION, None);
            });
            out.element("visual", &[("name", "track")], |out| {
                mesh(out, &track_mesh(&track.name), [1.0; 3]);
                out.leaf("cast_shadows", "false");
            });
            if track.fence.enabled {
                out.element("visual", &[("name", "fence")], |out| mesh(out, &fence_mesh(&track.name), [1.0; 3]));
            }
        });
    });
}

/// The path of the track's mesh in the bundle.
pub fn track_mesh(world: &str) -> String {
    format!("meshes/{world}/track.dae")
}

pub fn fence_mesh(world: &str) -> String {
    format!("meshes/{world}/fence.dae")
}

/// Of an object with a skin of its own.
pub fn object_mesh(world: &str, object: &str) -> String {
    format!("meshes/{world}/{object}.dae")
}

fn wall(out: &mut Markup, index: usize, board: &Board) {
    out.element("model", &[("name", &format!("wall_{index}"))], |out| {
        out.leaf("static", "true");
        out.leaf("pose", &pose(board.at[0], board.at[1], 0.0, 0.0, 0.0));
        out.element("link", &[("name", "wall")], |out| {
            out.element("collision", &[("name", "wall")], |out| {
                out.leaf("pose", &pose(0.0, 0.0, board.size[2] / 2.0, 0.0, 0.0));
                cuboid(out, board.size);
            });
        });
    });
}

fn model(out: &mut Markup, track: &Track, object: &Object) {
    out.element("model", &[("name", &object.name)], |out| {
        if object.is_static {
            out.leaf("static", "true");
        }
        let [x, y] = object.place.at;
        out.leaf("pose", &pose(x, y, object.z(), 0.0, object.place.yaw_rad));
        let marker = if matches!(object.shape, Shape::Light(_)) { "light" } else { "object" };
        out.element("link", &[("name", marker)], |out| {
            if !object.is_static {
                inertial(out, object);
            }
            collision(out, object);
            visuals(out, track, object);
        });
    });
}

/// Of bodies of even density; a cone counts as a cylinder that is as wide as its middle.
fn inertial(out: &mut Markup, object: &Object) {
    let m = object.mass_kg;
    let block =
        |[x, y, z]: [f64; 3]| [m / 12.0 * (y * y + z * z), m / 12.0 * (x * x + z * z), m / 12.0 * (x * x + y * y)];
    let round = |r: f64, h: f64| {
        let across = m / 12.0 * (3.0 * r * r + h * h);
        [across, across, m / 2.0 * r * r]
    };
    let (z, [xx, yy, zz]) = match &object.shape {
        Shape::Box { size } => (size[2] / 2.0, block(*size)),
        Shape::Cylinder { radius, height } => (height / 2.0, round(*radius, *height)),
        Shape::Sphere { radius } => (0.0, [0.4 * m * radius * radius; 3]),
        Shape::Cone { base, height } => (height * CONE_MASS_HEIGHT, round(base * 0.35, *height)),
        Shape::Light(light) => (light.bounds()[2] * 0.4, block(light.bounds())),
    };
    out.element("inertial", &[], |out| {
        out.leaf("pose", &pose(0.0, 0.0, z, 0.0, 0.0));
        out.leaf("mass", &fixed(m, DECIMALS));
        out.element("inertia", &[], |out| {
            for (name, value) in [("ixx", xx), ("iyy", yy), ("izz", zz), ("ixy", 0.0), ("ixz", 0.0), ("iyz", 0.0)] {
                out.leaf(name, &fixed(value, INERTIA_DECIMALS));
            }
        });
    });
}

fn collision(out: &mut Markup, object: &Object) {
    let name = if matches!(object.shape, Shape::Cone { .. }) { "cone" } else { "collision" };
    out.element("collision", &[("name", name)], |out| {
        let middle = |out: &mut Markup, height: f64| out.leaf("pose", &pose(0.0, 0.0, height / 2.0, 0.0, 0.0));
        match &object.shape {
            Shape::Box { size } => {
                middle(out, size[2]);
                cuboid(out, *size);
            }
            Shape::Cylinder { radius, height } => {
                middle(out, *height);
                cylinder(out, *radius, *height);
            }
            Shape::Sphere { radius } => sphere(out, *radius),
            Shape::Cone { base, height } => {
                middle(out, *height);
                cuboid(out, [*base, *base, *height]);
            }
            Shape::Light(light) => {
                middle(out, light.bounds()[2]);
                cuboid(out, light.bounds());
            }
        }
        let bounce = matches!(object.shape, Shape::Sphere { .. }).then_some(0.4);
        surface(out, FRICTION, bounce);
    });
}

fn visuals(out: &mut Markup, track: &Track, object: &Object) {
    if let Shape::Light(light) = &object.shape {
        return light_visuals(out, light);
    }
    out.element("visual", &[("name", "visual")], |out| match &object.look {
        Look::Shared { mesh: path, scale } => mesh(out, path, *scale),
        Look::Own | Look::Parts => mesh(out, &object_mesh(&track.name, &object.name), [1.0; 3]),
        Look::Plain(color) => {
            match &object.shape {
                Shape::Box { size } => {
                    out.leaf("pose", &pose(0.0, 0.0, size[2] / 2.0, 0.0, 0.0));
                    cuboid(out, *size);
                }
                Shape::Cylinder { radius, height } => {
                    out.leaf("pose", &pose(0.0, 0.0, height / 2.0, 0.0, 0.0));
                    cylinder(out, *radius, *height);
                }
                Shape::Sphere { radius } => sphere(out, *radius),
                Shape::Cone { .. } | Shape::Light(_) => mesh(out, &object_mesh(&track.name, &object.name), [1.0; 3]),
            }
            material(out, *color, false);
        }
    });
}

fn light_visuals(out: &mut Markup, light: &TrafficLight) {
    for part in light.parts() {
        out.element("visual", &[("name", part.name)], |out| {
            out.leaf("pose", &pose(part.x, 0.0, part.z, part.pitch, 0.0));
            match part.form {
                Form::Box(size) => cuboid(out, size),
                Form::Disc { radius, length } => cylinder(out, radius, length),
            }
            material(out, part.color, part.is_lamp);
        });
    }
}

fn pose(x: f64, y: f64, z: f64, pitch: f64, yaw: f64) -> String {
    list(&[x, y, z, 0.0, pitch, yaw], DECIMALS)
}

fn cuboid(out: &mut Markup, size: [f64; 3]) {
    out.element("geometry", &[], |out| out.element("box", &[], |out| out.leaf("size", &list(&size, DECIMALS))));
}

fn cylinder(out: &mut Markup, radius: f64, length: f64) {
    out.element("geometry", &[], |out| {
        out.element("cylinder", &[], |out| {
            out.leaf("radius", &fixed(radius, DECIMALS));
            out.leaf("length", &fixed(length, DECIMALS));
        });
    });
}

fn sphere(out: &mut Markup, radius: f64) {
    out.element("geometry", &[], |out| {
        out.element("sphere", &[], |out| out.leaf("radius", &fixed(radius, DECIMALS)));
    });
}

fn mesh(out: &mut Markup, path: &str, scale: [f64; 3]) {
    out.element("geometry", &[], |out| {
        out.element("mesh", &[], |out| {
            out.leaf("uri", &format!("model://{path}"));
            if scale != [1.0; 3] {
                out.leaf("scale", &list(&scale, DECIMALS));
            }
        });
    });
}

fn surface(out: &mut Markup, friction: f64, bounce: Option<f64>) {
    out.element("surface", &[], |out| {
        out.element("friction", &[], |out| {
            out.element("ode", &[], |out| {
                out.leaf("mu", &fixed(friction, DECIMALS));
                out.leaf("mu2", &fixed(friction, DECIMALS));
            });
        });
        if let Some(bounce) = bounce {
            out.element("bounce", &[], |out| out.leaf("restitution_coefficient", &fixed(bounce, DECIMALS)));
        }
    });
}

/// A lamp shines by itself.
fn material(out: &mut Markup, color: Color, is_lamp: bool) {
    let written = format!("{} 1", list(&color.parts(), 4));
    out.element("material", &[], |out| {
        out.leaf("ambient", &written);
        out.leaf("diffuse", &written);
        if is_lamp {
            out.leaf("emissive", &written);
        }
    });
}
