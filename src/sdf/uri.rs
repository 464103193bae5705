//! Paths that world files write, parsed once into something that cannot leave the folders of worlds.

use std::fmt;

use crate::sdf::error::{Problem, excerpt};
use crate::sdf::limits::MAX_VALUE_LEN;

/// A file, or the folder of a model, among the files of a world and the shared ones.
///
/// Holds no `..`, no empty part, no drive and no root, whatever the world file said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri {
    scheme: Scheme,
    path: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// `model://name/rest`: the path starts with the name of a model's folder; where these folders are is for `Files` to know.
    Model,
    /// Any other path: from the top folder of the bundle.
    Bundle,
}

impl Uri {
    /// What `raw` means when it stands in the file `base` (its path from the top folder of the bundle): relative paths start
    /// at that file's folder and may climb as far as the top folder.
    pub fn resolve(raw: &str, base: &str) -> Result<Self, Problem> {
        let bad = |why| Problem::BadUri { uri: excerpt(raw), why };
        let raw_path = raw.trim();
        if raw_path.len() > MAX_VALUE_LEN {
            return Err(bad("is too long for a path"));
        }
        let (scheme, rest) = match raw_path.split_once("://") {
            Some(("model", rest)) => (Scheme::Model, rest),
            Some(("file", rest)) => (Scheme::Bundle, rest),
            Some(("http" | "https", _)) => {
                return Err(bad("is on the network; copy the file into the world's folder and name it there"));
            }
            Some(_) => return Err(bad("has an unknown scheme; write model://name/path or a relative path")),
            None => (Scheme::Bundle, raw_path),
        };
        if rest.starts_with('/') {
            return Err(bad("is an absolute path; write it relative to the world's folder"));
        }
        let is_forbidden = |c: char| c == '\\' || c == ':' || c.is_control();
        if rest.contains(is_forbidden) {
            return Err(bad("holds a backslash, a colon or a control character; write parts separated by /"));
        }
        let mut parts: Vec<&str> = Vec::new();
        if !raw_path.contains("://") {
            let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
            parts.extend(folder.split('/').filter(|part| !part.is_empty()));
        }
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or_else(|| bad("leaves the world's folder; keep the file inside"))?;
                }
                part => parts.push(part),
            }
        }
        if rest.is_empty() || parts.is_empty() {
            return Err(bad("names no file"));
        }
        Ok(Self { scheme, path: parts.join("/") })
    }

    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Parts separated by `/`; at least one.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// A file in the folder that this names.
    pub(super) fn file(&self, name: &str) -> Result<Self, Problem> {
        let inner = Self::resolve(name, "")?;
        Ok(Self { scheme: self.scheme, path: format!("{}/{}", self.path, inner.path) })
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            Scheme::Model => write!(f, "model://{}", self.path),
            Scheme::Bundle => f.write_str(&self.path),
        }
    }
}
