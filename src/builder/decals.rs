//! Floor graphics: arrows, words, areas and pictures, baked into the track in the order of the file.

use super::lettering;
use super::place::Place;
use super::road::DECAL_Z_M;
use super::surface::{Paint, Surface};
use super::track::{Decal, DecalKind};

/// Between two decals, if they are few.
const LAYER_M: f64 = 0.000_3;
/// The highest decal lies no higher than this above the lowest.
const ALL_LAYERS_M: f64 = 0.001_5;
/// Length and width.
const ARROW_M: [f64; 2] = [0.5, 0.18];
const AREA_M: [f64; 2] = [0.5, 0.5];
const CROSSWALK_M: [f64; 2] = [0.3, 0.8];
/// Width of a bar and of the gap beside it, about.
const BAR_M: f64 = 0.06;
const LETTERS_M: f64 = 0.2;
/// Thickness of a stroke, in parts of the letters' height.
const STROKE: f64 = 0.16;

/// It is number `layer` (from 0) of `layers`; `image` is the bundle's path of its picture.
pub fn surface(decal: &Decal, [layer, layers]: [usize; 2], place: &Place, image: Option<&str>) -> Surface {
    let z = DECAL_Z_M + layer as f64 * LAYER_M.min(ALL_LAYERS_M / layers as f64);
    let paint = match image {
        Some(path) => Paint::Texture(path.to_owned()),
        None => Paint::Color(decal.color),
    };
    let mut surface = Surface::new(&format!("decal_{layer}"), paint);
    match decal.kind {
        DecalKind::Arrow => arrow(&mut surface, place, decal.size_m.unwrap_or(ARROW_M), z),
        DecalKind::Text => {
            let height = decal.height_m.unwrap_or(LETTERS_M);
            text(&mut surface, place, decal.text.as_deref().unwrap_or_default(), height, z);
        }
        DecalKind::Image | DecalKind::Area => rectangle(&mut surface, place, decal.size_m.unwrap_or(AREA_M), z),
        DecalKind::Crosswalk => crosswalk(&mut surface, place, decal.size_m.unwrap_or(CROSSWALK_M), z),
    }
    surface
}

/// Readable for someone who looks along its direction.
fn rectangle(surface: &mut Surface, place: &Place, [length, width]: [f64; 2], z: f64) {
    let (l, w) = (length / 2.0, width / 2.0);
    let corners = [[-l, w], [-l, -w], [l, -w], [l, w]].map(|[ahead, left]| place.point(ahead, left));
    surface.quad(corners.map(|[x, y]| [x, y, z]), super::surface::UP, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
}

/// An odd number of equal bars and gaps, so that it begins and ends with a bar.
fn crosswalk(surface: &mut Surface, place: &Place, [length, width]: [f64; 2], z: f64) {
    let count = ((width / BAR_M - 1.0) / 2.0).round().max(0.0) as usize * 2 + 1;
    let bar = width / count as f64;
    for index in (0..count).step_by(2) {
        let left = width / 2.0 - (index as f64 + 0.5) * bar;
        rectangle(surface, &Place { at: place.point(0.0, left), ..*place }, [length, bar], z);
    }
}

fn arrow(surface: &mut Surface, place: &Place, [length, width]: [f64; 2], z: f64) {
    let (tip, tail) = (length / 2.0, -length / 2.0);
    let neck = tip - length * 0.42;
    let shaft = width / 6.0;
    let point = |ahead: f64, left: f64| place.point(ahead, left);
    surface.ground_quad([point(tail, shaft), point(tail, -shaft), point(neck, -shaft), point(neck, shaft)], z);
    let head = [(neck, width / 2.0), (neck, -width / 2.0), (tip, 0.0)].map(|(ahead, left)| {
        let [x, y] = point(ahead, left);
        surface.vertex([x, y, z], super::surface::UP, [x, y])
    });
    surface.triangles.push(head);
}

fn text(surface: &mut Surface, place: &Place, text: &str, height: f64, z: f64) {
    let half = STROKE / 2.0;
    for [a, b] in lettering::strokes(text) {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = if length > 0.0 { (dx / length * half, dy / length * half) } else { (half, 0.0) };
        // Square ends that reach half a stroke further close the corners between strokes.
        let corners = [
            [a[0] - ux + uy, a[1] - uy - ux],
            [b[0] + ux + uy, b[1] + uy - ux],
            [b[0] + ux - uy, b[1] + uy + ux],
            [a[0] - ux - uy, a[1] - uy + ux],
        ];
        // Letters grow ahead, words run to the right.
        surface.ground_quad(corners.map(|[x, y]| place.point((y - 0.5) * height, -x * height)), z);
    }
}
