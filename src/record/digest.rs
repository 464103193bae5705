//! SHA-256, in hexadecimal.

use ring::digest;

use crate::domain::EntityState;

pub fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes))
}

/// The digest of the car's way: of every number of every state, to the last bit.
pub struct WayDigest(digest::Context);

impl Default for WayDigest {
    fn default() -> Self {
        Self(digest::Context::new(&digest::SHA256))
    }
}

impl WayDigest {
    /// Orientations are left out: on their way through ROS they are made unit quaternions again, which may change the last bit.
    pub fn add(&mut self, car: &EntityState) {
        let EntityState { pose, twist, .. } = car;
        let vectors = [&pose.position, &twist.linear, &twist.angular];
        for number in vectors.into_iter().flat_map(|vector| vector.iter()) {
            self.0.update(&number.to_bits().to_le_bytes());
        }
    }

    pub fn finish(self) -> String {
        hex(self.0.finish())
    }
}

fn hex(digest: digest::Digest) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
