//! A traffic light: a stand that shows a screen of 9 to 16, leaning back, with a red and a green lamp on it.
//!
//! The simulator recolours the lamps by their names and lays a yellow disc over the middle of the screen. It looks along +x.

use super::solids;
use super::surface::{Paint, Surface};
use super::track::Color;

const WIDTH_M: f64 = 0.18;
const TILT_DEG: f64 = 15.0;
/// Height of the screen over its width.
const ASPECT: f64 = 16.0 / 9.0;
const BODY: Color = Color([58, 64, 74]);
const SCREEN: Color = Color([16, 18, 22]);
const RED: Color = Color([72, 14, 14]);
const GREEN: Color = Color([30, 224, 92]);
const SCREEN_M: f64 = 0.012;
const HOUSING_M: f64 = 0.012;
const FOOT_M: [f64; 2] = [0.13, 0.012];
const LAMP_M: f64 = 0.004;
/// The rim of the housing around the screen.
const RIM_M: f64 = 0.008;

#[derive(Debug, Clone, PartialEq)]
pub struct TrafficLight {
    width: f64,
    tilt: f64,
    body: Color,
}

/// A piece of it, which is a visual of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub name: &'static str,
    /// Its middle; y is 0 for all.
    pub x: f64,
    pub z: f64,
    /// About y; positive leans forward.
    pub pitch: f64,
    pub form: Form,
    pub color: Color,
    pub is_lamp: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Box([f64; 3]),
    Disc { radius: f64, length: f64 },
}

impl TrafficLight {
    pub fn new(width: Option<f64>, tilt_deg: Option<f64>, body: Option<Color>) -> Self {
        Self {
            width: width.unwrap_or(WIDTH_M),
            tilt: tilt_deg.unwrap_or(TILT_DEG).to_radians(),
            body: body.unwrap_or(BODY),
        }
    }

    fn screen_height(&self) -> f64 {
        self.width * ASPECT
    }

    /// Lowest edge of the screen.
    fn foot(&self) -> f64 {
        FOOT_M[1] + RIM_M
    }

    pub fn parts(&self) -> Vec<Part> {
        let (sin, cos) = libm::sincos(self.tilt);
        let height = self.screen_height();
        let centre = self.foot() + height / 2.0 * cos;
        // A point on the screen: so far up along it and so far out of it.
        let on_screen = |up: f64, out: f64| (out * cos - up * sin, centre + up * cos + out * sin);
        let part = |name, (x, z): (f64, f64), pitch: f64, form, color: Color| Part {
            name,
            x,
            z,
            pitch,
            form,
            color,
            is_lamp: false,
        };
        let housing = [HOUSING_M, self.width + 2.0 * RIM_M, height + 2.0 * RIM_M];
        let brace_x = -0.035;
        let brace_height = (centre - brace_x * cos / sin.max(0.05)).min(centre + height * 0.3) - FOOT_M[1];
        let brace = [0.02, self.width * 0.25, brace_height];
        let lamp = |name, up: f64, color| Part {
            is_lamp: true,
            ..part(
                name,
                on_screen(up, (SCREEN_M + LAMP_M) / 2.0),
                std::f64::consts::FRAC_PI_2 - self.tilt,
                Form::Disc { radius: self.width / 4.0, length: LAMP_M },
                color,
            )
        };
        vec![
            part("foot", (0.0, FOOT_M[1] / 2.0), 0.0, Form::Box([FOOT_M[0], self.width, FOOT_M[1]]), self.body),
            part("brace", (brace_x, FOOT_M[1] + brace_height / 2.0), 0.0, Form::Box(brace), self.body),
            part("housing", on_screen(0.0, -HOUSING_M), -self.tilt, Form::Box(housing), self.body),
            part("screen", on_screen(0.0, 0.0), -self.tilt, Form::Box([SCREEN_M, self.width, height]), SCREEN),
            lamp("lamp_red", height * 0.3125, RED),
            lamp("lamp_green", -height * 0.3125, GREEN),
        ]
    }

    /// An upright box around everything, standing on the ground.
    pub fn bounds(&self) -> [f64; 3] {
        let (sin, cos) = libm::sincos(self.tilt);
        let height = self.screen_height() + RIM_M;
        let depth = (height * sin + 2.0 * (SCREEN_M + HOUSING_M)).max(FOOT_M[0]);
        [depth, self.width + 2.0 * RIM_M, self.foot() + height * cos]
    }

    pub fn surfaces(&self) -> Vec<Surface> {
        let mut surfaces = Vec::new();
        for part in self.parts() {
            let paint = Paint::Color(part.color);
            let (pieces, half) = match part.form {
                Form::Box(size) => (solids::cuboid(size, std::array::from_fn(|_| paint.clone())), size[2] / 2.0),
                Form::Disc { radius, length } => {
                    (solids::cylinder(radius, length, std::array::from_fn(|_| paint.clone())), length / 2.0)
                }
            };
            let (sin, cos) = libm::sincos(part.pitch);
            let turn = |[x, y, z]: [f64; 3]| [x * cos + z * sin, y, z * cos - x * sin];
            surfaces.extend(pieces.into_iter().map(|mut piece| {
                for position in &mut piece.positions {
                    let [x, y, z] = turn([position[0], position[1], position[2] - half]);
                    *position = [x + part.x, y, z + part.z];
                }
                piece.normals.iter_mut().for_each(|normal| *normal = turn(*normal));
                piece
            }));
        }
        surfaces
    }
}
