//! How much a world may hold. Generous beside any real track (which has some hundred models and well under a megabyte of
//! SDF), small beside what would hurt the machine that loads it.

use crate::xml;

/// One SDF file. Published worlds are below 200 kB; nothing bulky belongs into SDF, meshes are files of their own.
pub const MAX_FILE_BYTES: usize = 4 << 20;
/// All SDF text that is parsed for one world, a file counted as often as it is included.
pub const MAX_TOTAL_BYTES: usize = 64 << 20;
/// Elements of all parsed files together, counted the same way.
pub const MAX_ELEMENTS: usize = 400_000;
/// Elements inside elements within one file; real files stay below 15.
pub const MAX_XML_DEPTH: usize = 64;
/// Models of a world, nested and included ones too; each becomes a body and is reported twenty times a second.
pub const MAX_MODELS: usize = 10_000;
/// Includes and models inside each other, counted together: the reader recurses this deep.
pub const MAX_NESTING: usize = 16;
/// Links, collisions and visuals of one model together; each costs the physics or the renderer.
pub const MAX_PARTS_PER_MODEL: usize = 10_000;
/// Lights of a world; the renderer shades with a few.
pub const MAX_LIGHTS: usize = 64;
/// Warnings that are kept; nobody reads more, and a world could cause one on every line.
pub const MAX_WARNINGS: usize = 200;
/// Characters of a name.
pub const MAX_NAME_LEN: usize = 256;
/// Characters of any other value, such as a path or a row of numbers.
pub const MAX_VALUE_LEN: usize = 4096;
/// Positions and sizes in metres. Far beyond any track, and still exact to a tenth of a millimetre after conversion to
/// the physics' numbers near the origin.
pub const MAX_LENGTH_M: f64 = 1e5;
/// Thinnest measure of a solid; below this the physics sees no volume.
pub const MIN_SIZE_M: f64 = 1e-6;
/// Mass of one link.
pub const MAX_MASS_KG: f64 = 1e6;
/// Friction coefficients are capped here: Gazebo's files write 1e10 and more for "does not slip".
pub const MAX_FRICTION: f64 = 1e3;

pub(super) const XML: xml::Limits = xml::Limits { bytes: MAX_FILE_BYTES, elements: MAX_ELEMENTS, depth: MAX_XML_DEPTH };
