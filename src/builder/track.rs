//! A track description: the YAML file that a world is built from.
//!
//! Lengths are metres and angles degrees, as their names say. The origin is the middle of the field, x to the east (right in
//! the picture), y to the north. A key that is not known is refused with its line; `docs/howto/build-a-world.md` explains all.

mod check;
mod color;
mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_saphyr::Spanned;

pub use color::Color;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Of the world and of its files.
    pub name: String,
    /// For people; the name, when absent.
    pub display: Option<String>,
    /// Of the field: along x and along y.
    pub size_m: [f64; 2],
    #[serde(default)]
    pub field: Field,
    pub road: Road,
    #[serde(default)]
    pub start_line: StartLine,
    #[serde(default)]
    pub fence: Fence,
    #[serde(default)]
    pub objects: Vec<Spanned<Object>>,
    /// Later ones cover earlier ones.
    #[serde(default)]
    pub decals: Vec<Spanned<Decal>>,
    pub evaluation: Option<Evaluation>,
}

/// What the ground is covered with, once per metre.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Field {
    pub preset: Option<FieldPreset>,
    /// PNG or JPEG, relative to the track's file.
    pub image: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldPreset {
    #[default]
    Carpet,
    Grass,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Road {
    pub width_m: f64,
    /// Corners of the centre line, each `[x, y]` or `[x, y, radius]`. The route starts halfway from the first to the second.
    pub corners: Option<Vec<Vec<f64>>>,
    /// Of corners that do not say their own.
    pub corner_radius_m: Option<f64>,
    /// Instead of corners: points that a smooth centre line (Catmull-Rom) goes through; the route starts at the first.
    pub spline: Option<Vec<[f64; 2]>>,
    #[serde(default = "edge_line")]
    pub edge_lines: Line,
    #[serde(default = "centre_line")]
    pub centre_line: Line,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub style: LineStyle,
    #[serde(default = "line_width")]
    pub width_m: f64,
    #[serde(default)]
    pub color: Color,
    /// Of a dashed line.
    #[serde(default = "dash")]
    pub dash_m: f64,
    #[serde(default = "dash")]
    pub gap_m: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineStyle {
    Solid,
    Dashed,
    None,
}

/// A checkered band across the road at waypoint 0.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StartLine {
    pub enabled: bool,
    /// Along the road.
    pub depth_m: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fence {
    pub enabled: bool,
    pub height_m: f64,
    pub color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectKind {
    Box,
    Cylinder,
    Sphere,
    Cone,
    Light,
}

/// Which measures a kind has is checked; what is absent has the default of its kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    pub kind: ObjectKind,
    pub name: Option<String>,
    pub at: Option<[f64; 2]>,
    pub along_m: Option<f64>,
    pub across_m: Option<f64>,
    #[serde(default)]
    pub yaw_deg: f64,
    /// Of a box: depth (x), width (y), height.
    pub size_m: Option<[f64; 3]>,
    /// Of a cylinder or a sphere.
    pub diameter_m: Option<f64>,
    /// Of a cylinder or a cone.
    pub height_m: Option<f64>,
    /// Edge of a cone's base plate.
    pub base_m: Option<f64>,
    /// Of a light's screen.
    pub width_m: Option<f64>,
    /// How far a light leans back.
    pub tilt_deg: Option<f64>,
    pub mass_kg: Option<f64>,
    pub color: Option<Color>,
    /// Picture files by the part that they cover.
    #[serde(default)]
    pub textures: BTreeMap<String, PathBuf>,
    #[serde(rename = "static")]
    pub is_static: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecalKind {
    Arrow,
    Text,
    Image,
    /// A plain rectangle.
    Area,
    /// Bars along the direction, side by side.
    Crosswalk,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decal {
    pub kind: DecalKind,
    pub at: Option<[f64; 2]>,
    pub along_m: Option<f64>,
    pub across_m: Option<f64>,
    #[serde(default)]
    pub yaw_deg: f64,
    /// Length along its direction and width across it.
    pub size_m: Option<[f64; 2]>,
    /// Of the letters of a text.
    pub height_m: Option<f64>,
    pub text: Option<String>,
    pub image: Option<PathBuf>,
    #[serde(default)]
    pub color: Color,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    pub description: String,
    #[serde(default)]
    pub better: Better,
    pub time_limit_s: f64,
    #[serde(default = "robot")]
    pub robot: String,
    #[serde(default = "laps")]
    pub laps: u32,
    /// The light that starts the run; without one the clock starts at the start line.
    pub start_light: Option<String>,
    /// The judging script, relative to the track's file; the lap-time template, when absent.
    pub script: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    #[default]
    Lower,
    Higher,
}

impl Default for StartLine {
    fn default() -> Self {
        Self { enabled: true, depth_m: 0.1 }
    }
}

impl Default for Fence {
    fn default() -> Self {
        Self { enabled: true, height_m: 0.25, color: Color([216, 221, 226]) }
    }
}

impl ObjectKind {
    /// What the automatic names begin with.
    pub fn stem(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Cylinder => "cylinder",
            Self::Sphere => "sphere",
            Self::Cone => "cone",
            Self::Light => "signal",
        }
    }
}

impl Better {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
        }
    }
}

fn edge_line() -> Line {
    Line { style: LineStyle::Solid, width_m: line_width(), color: Color::WHITE, dash_m: dash(), gap_m: dash() }
}

fn centre_line() -> Line {
    Line { style: LineStyle::Dashed, color: Color([242, 196, 48]), width_m: 0.02, ..edge_line() }
}

fn line_width() -> f64 {
    0.03
}

fn dash() -> f64 {
    0.2
}

fn robot() -> String {
    "vehicle".to_owned()
}

fn laps() -> u32 {
    1
}
