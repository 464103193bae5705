//! The fence around the field: four boards that stand outside it. Seen as part of the track, felt as models of their own.

use super::solids;
use super::surface::{Paint, Surface};
use super::track::Track;

pub const THICKNESS_M: f64 = 0.03;

/// One board: the middle of its foot and its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Board {
    pub at: [f64; 2],
    pub size: [f64; 3],
}

/// East, north, west, south. The first and the third also cover the corners.
pub fn boards(track: &Track) -> Vec<Board> {
    if !track.fence.enabled {
        return Vec::new();
    }
    let [width, depth] = track.size_m;
    let (x, y) = ((width + THICKNESS_M) / 2.0, (depth + THICKNESS_M) / 2.0);
    let height = track.fence.height_m;
    let upright = [THICKNESS_M, depth + 2.0 * THICKNESS_M, height];
    let level = [width, THICKNESS_M, height];
    vec![
        Board { at: [x, 0.0], size: upright },
        Board { at: [0.0, y], size: level },
        Board { at: [-x, 0.0], size: upright },
        Board { at: [0.0, -y], size: level },
    ]
}

/// All boards as one surface.
pub fn surface(track: &Track) -> Option<Surface> {
    let paint = Paint::Color(track.fence.color);
    let mut fence = Surface::new("fence", paint.clone());
    for board in boards(track) {
        for part in solids::cuboid(board.size, std::array::from_fn(|_| paint.clone())) {
            let first = fence.positions.len() as u32;
            let placed = part.positions.iter().map(|[x, y, z]| [x + board.at[0], y + board.at[1], *z]);
            fence.positions.extend(placed);
            fence.normals.extend(part.normals);
            fence.uvs.extend(part.uvs);
            fence.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
        }
    }
    (!fence.is_empty()).then_some(fence)
}
