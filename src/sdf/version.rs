//! `<sdf version="...">`: which descriptions of the format we read.

use super::element::{Element, Result};
use super::error::{Problem, excerpt};
use super::reader::Reader;

const OLDEST: (u32, u32) = (1, 4);
pub const NEWEST: (u32, u32) = (1, 11);

/// The root must be `<sdf>` of a version that we read; a newer one is tried.
pub fn check(reader: &mut Reader, root: Element) -> Result<()> {
    if root.name() != "sdf" {
        return root.fail(Problem::WrongRoot(root.shown_name()));
    }
    let written = root.attribute("version").unwrap_or_default();
    match parse(written) {
        Some(version) if version < OLDEST => root.fail(Problem::Version(excerpt(written))),
        Some((1, minor)) => {
            if (1, minor) > NEWEST {
                let message = format!("SDF version {} is newer than 1.11 and is read as that", excerpt(written));
                reader.warn(root, message);
            }
            Ok(())
        }
        _ => root.fail(Problem::Version(excerpt(written))),
    }
}

/// "1.10" is (1, 10).
pub fn parse(written: &str) -> Option<(u32, u32)> {
    let (major, minor) = written.trim().split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
