//! The shapes of objects as surfaces, standing on z = 0 unless told otherwise.

use std::f64::consts::TAU;

use super::surface::{Paint, Surface};

/// Around an upright axis.
const SEGMENTS: usize = 24;
/// Of a cone's base plate, at the default height of a cone.
const PLATE_PART: f64 = 0.052;
/// Of a cone at the plate and at its cut top, in parts of the plate's edge.
const CONE_RADII: [f64; 2] = [0.40, 0.115];

/// The faces of a box, in the order of [`FACES`].
pub const FACES: [&str; 6] = ["front", "back", "left", "right", "top", "bottom"];

/// One surface for each face; `front` looks along +x, `left` along +y. Every face shows the whole of its picture.
pub fn cuboid(size: [f64; 3], paints: [Paint; 6]) -> Vec<Surface> {
    let [hx, hy, h] = [size[0] / 2.0, size[1] / 2.0, size[2]];
    let corner = |x: f64, y: f64, z: f64| [x * hx, y * hy, z * h];
    // Seen from outside: bottom left, bottom right, top right, top left.
    let faces = [
        ([1., 0., 0.], [corner(1., -1., 0.), corner(1., 1., 0.), corner(1., 1., 1.), corner(1., -1., 1.)]),
        ([-1., 0., 0.], [corner(-1., 1., 0.), corner(-1., -1., 0.), corner(-1., -1., 1.), corner(-1., 1., 1.)]),
        ([0., 1., 0.], [corner(1., 1., 0.), corner(-1., 1., 0.), corner(-1., 1., 1.), corner(1., 1., 1.)]),
        ([0., -1., 0.], [corner(-1., -1., 0.), corner(1., -1., 0.), corner(1., -1., 1.), corner(-1., -1., 1.)]),
        ([0., 0., 1.], [corner(-1., -1., 1.), corner(1., -1., 1.), corner(1., 1., 1.), corner(-1., 1., 1.)]),
        ([0., 0., -1.], [corner(-1., 1., 0.), corner(1., 1., 0.), corner(1., -1., 0.), corner(-1., -1., 0.)]),
    ];
    let mut surfaces: Vec<Surface> = Vec::new();
    for ((name, paint), (normal, corners)) in FACES.iter().zip(paints).zip(faces) {
        let mut surface = match surfaces.iter().position(|other| other.paint == paint) {
            Some(known) => surfaces.remove(known),
            None => Surface::new(name, paint),
        };
        surface.quad(corners, normal, [[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
        surfaces.push(surface);
    }
    surfaces
}

/// Side, top and bottom; the picture of the side goes once around.
pub fn cylinder(radius: f64, height: f64, [side, top, bottom]: [Paint; 3]) -> Vec<Surface> {
    vec![
        mantle("side", side, [radius, radius], [0.0, height]),
        disc("top", top, radius, height, true),
        disc("bottom", bottom, radius, 0.0, false),
    ]
}

/// Around the origin; the picture is laid around like a map of the world.
pub fn sphere(radius: f64, paint: Paint) -> Vec<Surface> {
    let mut surface = Surface::new("surface", paint);
    let rings = SEGMENTS / 2;
    for ring in 0..=rings {
        let v = ring as f64 / rings as f64;
        let (sin_up, cos_up) = libm::sincos((v - 0.5) * TAU / 2.0);
        for segment in 0..=SEGMENTS {
            let (sin, cos) = around(segment);
            let normal = [cos_up * cos, cos_up * sin, sin_up];
            surface.vertex(normal.map(|part| part * radius), normal, [segment as f64 / SEGMENTS as f64, v]);
        }
    }
    let row = SEGMENTS as u32 + 1;
    for ring in 0..rings as u32 {
        for segment in 0..SEGMENTS as u32 {
            let (a, c) = (ring * row + segment, (ring + 1) * row + segment);
            // At the poles one of the two has no area.
            if ring > 0 {
                surface.triangles.push([a, a + 1, c + 1]);
            }
            if ring + 1 < rings as u32 {
                surface.triangles.push([a, c + 1, c]);
            }
        }
    }
    vec![surface]
}

/// A square base plate and a truncated cone on it; `side` is laid around the slanted side, `body` is the rest.
pub fn cone(base: f64, height: f64, side: Paint, body: Paint) -> Vec<Surface> {
    let plate = height * PLATE_PART;
    let [low, high] = CONE_RADII.map(|part| part * base);
    let mut rest = cuboid([base, base, plate], std::array::from_fn(|_| body.clone())).remove(0);
    let top = disc("top", body, high, height, true);
    let first = rest.positions.len() as u32;
    rest.positions.extend(top.positions);
    rest.normals.extend(top.normals);
    rest.uvs.extend(top.uvs);
    rest.triangles.extend(top.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
    rest.name = "base".to_owned();
    vec![mantle("side", side, [low, high], [plate, height]), rest]
}

fn mantle(name: &str, paint: Paint, radii: [f64; 2], heights: [f64; 2]) -> Surface {
    let mut surface = Surface::new(name, paint);
    let (rise, run) = (heights[1] - heights[0], radii[0] - radii[1]);
    let slant = (rise * rise + run * run).sqrt();
    for segment in 0..=SEGMENTS {
        let (sin, cos) = around(segment);
        let normal = [cos * rise / slant, sin * rise / slant, run / slant];
        let u = segment as f64 / SEGMENTS as f64;
        for (radius, height, v) in [(radii[0], heights[0], 0.0), (radii[1], heights[1], 1.0)] {
            surface.vertex([radius * cos, radius * sin, height], normal, [u, v]);
        }
    }
    for segment in 0..SEGMENTS as u32 {
        let a = segment * 2;
        surface.triangles.extend([[a, a + 2, a + 3], [a, a + 3, a + 1]]);
    }
    surface
}

fn disc(name: &str, paint: Paint, radius: f64, height: f64, up: bool) -> Surface {
    let mut surface = Surface::new(name, paint);
    let normal = [0.0, 0.0, if up { 1.0 } else { -1.0 }];
    let middle = surface.vertex([0.0, 0.0, height], normal, [0.5, 0.5]);
    for segment in 0..SEGMENTS {
        let (sin, cos) = around(segment);
        let u = if up { cos } else { -cos };
        surface.vertex([radius * cos, radius * sin, height], normal, [0.5 + u / 2.0, 0.5 + sin / 2.0]);
    }
    for segment in 0..SEGMENTS as u32 {
        let (a, b) = (middle + 1 + segment, middle + 1 + (segment + 1) % SEGMENTS as u32);
        surface.triangles.push(if up { [middle, a, b] } else { [middle, b, a] });
    }
    surface
}

/// The last one repeats the first exactly, so that the seam is closed.
fn around(segment: usize) -> (f64, f64) {
    libm::sincos((segment % SEGMENTS) as f64 / SEGMENTS as f64 * TAU)
}
