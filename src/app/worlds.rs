//! Where the worlds are: the official ones in the package, the custom ones in the data folder.

use std::path::Path;

use super::settings::Surroundings;
use crate::worlds::Catalogue;

pub fn catalogue(around: &Surroundings, data: &Path) -> Catalogue {
    let official = around.package_folder().map(|folder| folder.join("worlds")).into_iter().collect();
    Catalogue::new(official, data.join("worlds"))
}
