//! How large a mesh may be. A whole track has some ten thousand triangles; the worst that passes here needs about 100 MB.

use crate::xml;

/// One mesh file.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// A file that belongs to a mesh, such as an `.mtl`.
pub const MAX_COMPANION_BYTES: usize = 1 << 20;
/// Such files of one mesh.
pub const MAX_COMPANIONS: usize = 16;
/// Triangles of the result, every instance counted.
pub const MAX_TRIANGLES: usize = 500_000;
/// Numbers in the lists of a file, all lists together.
pub const MAX_NUMBERS: usize = 12_000_000;
/// Parts of the result; each is drawn on its own.
pub const MAX_PARTS: usize = 10_000;
/// Elements of the nodes of a scene, counted as often as their node is instanced.
pub const MAX_SCENE_ELEMENTS: usize = 300_000;
/// Materials bound by one instance and parameters of one effect that are looked through.
pub const MAX_BOUND: usize = 1_000;
/// Characters of a short list of numbers, such as a matrix.
pub const MAX_VALUE_LEN: usize = 4096;
/// Materials of a file.
pub const MAX_MATERIALS: usize = 10_000;
/// Corners of one polygon.
pub const MAX_CORNERS: usize = 10_000;
/// Numbers for one vertex of a COLLADA list (inputs), or between two entries (stride).
pub const MAX_STRIDE: usize = 64;
/// Positions in metres; greater ones are a unit mistake.
pub const MAX_COORDINATE_M: f64 = 1e5;
/// Characters of a name or path.
pub const MAX_NAME_LEN: usize = 1024;
/// Warnings that are kept.
pub const MAX_WARNINGS: usize = 100;

/// Skeletons nest deepest; elements are few, because the numbers are text.
pub(super) const XML: xml::Limits = xml::Limits { bytes: MAX_FILE_BYTES, elements: 300_000, depth: 128 };
