//! The files of a bundle for the SDF reader.

use super::assets::{AssetError, Assets, FoundAsset};
use crate::sdf::{Files, FilesError, FoundFile, Scheme, Uri};

impl Files for Assets {
    fn read(&self, uri: &Uri, limit_bytes: usize) -> Result<FoundFile, FilesError> {
        let found = match uri.scheme() {
            Scheme::Model => self.read_model_uri(&format!("model://{}", uri.path()), limit_bytes as u64),
            Scheme::Bundle => Assets::read(self, uri.path(), limit_bytes as u64),
        };
        match found {
            Ok(FoundAsset { bytes, path }) => Ok(FoundFile { bytes, path }),
            Err(AssetError::NotFound(_)) => Err(FilesError::NotFound),
            Err(AssetError::TooLarge { .. }) => Err(FilesError::TooLarge(limit_bytes)),
            Err(other) => Err(FilesError::Unreadable(other.to_string())),
        }
    }
}
