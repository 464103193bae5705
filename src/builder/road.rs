//! The floor: field, road, lines and start line, each a little above the one before, so that every renderer shows them in
//! this order. All heights are below what a wheel or a shadow would notice.

use super::path::{Path, Station};
use super::shared;
use super::surface::{Paint, Surface};
use super::track::{Color, Field, FieldPreset, Line, LineStyle, Track};

/// Of the road's surface; the field lies at 0.
const ROAD_Z_M: f64 = 0.001;
const CENTRE_LINE_Z_M: f64 = 0.0015;
const EDGE_LINE_Z_M: f64 = 0.002;
const START_LINE_Z_M: f64 = 0.0025;
/// Of the first decal.
pub const DECAL_Z_M: f64 = 0.003;
/// The side of one piece of the field.
const CELL_M: f64 = 1.0;
/// How finely the ends of a line at a crossing are found.
const CROSSING_STEP_M: f64 = 0.01;

/// `field_image` is the bundle's path of the field's own picture.
pub fn floor(track: &Track, path: &Path, field_image: Option<&str>) -> Vec<Surface> {
    let half = track.road.width_m / 2.0;
    let mut surfaces = vec![field(&track.field, track.size_m, field_image), road(path, half)];
    let edges = &track.road.edge_lines;
    let middle = track.road.centre_line.width_m / 2.0;
    surfaces.push(line("centre_line", &track.road.centre_line, path, half, &[[-middle, middle]], CENTRE_LINE_Z_M));
    let sides = [[-half, edges.width_m - half], [half - edges.width_m, half]];
    surfaces.push(line("edge_lines", edges, path, half, &sides, EDGE_LINE_Z_M));
    if track.start_line.enabled {
        let clear = if edges.style == LineStyle::None { half } else { half - edges.width_m };
        surfaces.push(start_line(path, clear, track.start_line.depth_m));
    }
    surfaces.retain(|surface| !surface.is_empty());
    surfaces
}

fn field(field: &Field, size: [f64; 2], image: Option<&str>) -> Surface {
    let preset = match field.preset.unwrap_or_default() {
        FieldPreset::Carpet => shared::CARPET,
        FieldPreset::Grass => shared::GRASS,
    };
    let mut surface = Surface::new("field", Paint::Texture(image.unwrap_or(preset).to_owned()));
    let [nx, ny] = size.map(|side| (side / CELL_M).ceil() as usize);
    let edge = |cell: usize, cells: usize, side: f64| side * (cell as f64 / cells as f64 - 0.5);
    for j in 0..ny {
        for i in 0..nx {
            let [x0, x1] = [i, i + 1].map(|cell| edge(cell, nx, size[0]));
            let [y0, y1] = [j, j + 1].map(|cell| edge(cell, ny, size[1]));
            surface.ground_quad([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 0.0);
        }
    }
    surface
}

/// The asphalt is mapped by place, not along the road: where the road crosses itself both surfaces are the same.
fn road(path: &Path, half: f64) -> Surface {
    let mut surface = Surface::new("road", Paint::Texture(shared::ASPHALT.to_owned()));
    surface.band(path.stations(), -half, half, ROAD_Z_M, |_, point, _| point);
    surface
}

fn line(name: &str, line: &Line, path: &Path, half: f64, sides: &[[f64; 2]], z: f64) -> Surface {
    let paint = if line.color == Color::WHITE {
        Paint::Texture(shared::WHITE_LINE.to_owned())
    } else {
        Paint::Color(line.color)
    };
    let mut surface = Surface::new(name, paint);
    if line.style == LineStyle::None {
        return surface;
    }
    for [right, left] in sides {
        let free = free_parts(path, right.midpoint(*left), half - line.width_m);
        let parts = match line.style {
            LineStyle::Dashed => dashes(path, line, &free),
            LineStyle::Solid | LineStyle::None => free,
        };
        for (from, to) in parts {
            let uv = |station: &Station, _: [f64; 2], is_left: bool| {
                [station.s / (left - right), if is_left { 1.0 } else { 0.0 }]
            };
            surface.band(&path.between(from, to), *right, *left, z, uv);
        }
    }
    surface
}

/// The parts of a line at this distance to the left that do not lie on another part of the road, as (from, to).
fn free_parts(path: &Path, left: f64, clear: f64) -> Vec<(f64, f64)> {
    let length = path.length();
    let steps = (length / CROSSING_STEP_M).ceil() as usize;
    let step = length / steps as f64;
    let is_free = |index: usize| {
        let station = path.at(index as f64 * step);
        path.distance_elsewhere(station.left(left), station.s, 4.0 * clear) >= clear
    };
    let free: Vec<bool> = (0..steps).map(is_free).collect();
    let Some(first_hidden) = free.iter().position(|free| !free) else { return vec![(0.0, length)] };
    // Once around from a hidden place, so that no part is cut at the start of the path.
    let mut parts = Vec::new();
    let mut open: Option<usize> = None;
    for index in first_hidden..=first_hidden + steps {
        match (free[index % steps], open) {
            (true, None) => open = Some(index),
            (false, Some(from)) => {
                parts.push((from as f64 * step, (index - 1) as f64 * step));
                open = None;
            }
            _ => {}
        }
    }
    parts.retain(|(from, to)| to > from);
    parts
}

/// Dashes of which a whole number fits into the lap; those that do not lie wholly in a free part are left out.
fn dashes(path: &Path, line: &Line, free: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let length = path.length();
    let count = (length / (line.dash_m + line.gap_m)).round().max(1.0);
    let period = length / count;
    let dash = period * line.dash_m / (line.dash_m + line.gap_m);
    let all = (0..count as usize).map(|index| {
        let from = index as f64 * period + (period - dash) / 2.0;
        (from, from + dash)
    });
    let is_inside = |(from, to): (f64, f64)| {
        free.iter()
            .any(|(begin, end)| [0.0, length].iter().any(|lap| from + lap >= *begin - 1e-9 && to + lap <= *end + 1e-9))
    };
    all.filter(|dash| is_inside(*dash)).collect()
}

/// Squares in two rows or more, as near to square as the width of the road allows.
fn start_line(path: &Path, half: f64, depth: f64) -> Surface {
    let mut surface = Surface::new("start_line", Paint::Texture(shared::CHECKER.to_owned()));
    let across = (4.0 * half / depth).round().max(2.0);
    let uv = |station: &Station, _: [f64; 2], is_left: bool| {
        // One picture holds two squares a side.
        [if is_left { across / 2.0 } else { 0.0 }, 0.5 + station.s / depth]
    };
    surface.band(&path.between(-depth / 2.0, depth / 2.0), -half, half, START_LINE_Z_M, uv);
    surface
}
