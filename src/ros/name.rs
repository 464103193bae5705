//! ROS names: how `speed`, `/speed` and `~/speed` become one absolute name, and how remaps change it.

use crate::ros::RosError;

/// One `from:=to` of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    pub from: String,
    pub to: String,
}

/// Where relative names start, and which names are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameScope {
    pub namespace: String,
    pub node: String,
    pub remaps: Vec<Remap>,
}

impl NameScope {
    /// The absolute name that goes on the wire.
    pub fn resolve(&self, raw: &str) -> Result<String, RosError> {
        let plain = self.expand(raw)?;
        for remap in &self.remaps {
            if self.expand(&remap.from)? == plain {
                return self.expand(&remap.to);
            }
        }
        Ok(plain)
    }

    fn expand(&self, raw: &str) -> Result<String, RosError> {
        let namespace = self.namespace.trim_end_matches('/');
        let full = if let Some(private) = raw.strip_prefix("~/") {
            format!("{namespace}/{}/{private}", self.node)
        } else if raw.starts_with('/') {
            raw.to_owned()
        } else {
            format!("{namespace}/{raw}")
        };
        check_absolute(&full).map(|()| full)
    }
}

/// The rules for topic and service names that matter on the wire.
fn check_absolute(name: &str) -> Result<(), RosError> {
    let bad = |reason: &str| RosError::Name { name: name.to_owned(), reason: reason.to_owned() };
    let Some(rest) = name.strip_prefix('/') else {
        return Err(bad("it must begin with /"));
    };
    for token in rest.split('/') {
        if token.is_empty() {
            return Err(bad("it has an empty part"));
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(bad("a part begins with a digit"));
        }
        if !token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(bad("only letters, digits, _ and / are allowed"));
        }
    }
    Ok(())
}
