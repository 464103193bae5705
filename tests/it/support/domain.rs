//! ROS domains that no other test uses at the same time, in this process or another.

use std::fs::File;
use std::path::PathBuf;

/// A domain of one's own until it is dropped.
pub struct TestDomain {
    pub id: u16,
    _lock: File,
}

impl TestDomain {
    /// Any that is free.
    #[cfg(feature = "native")]
    pub fn claim() -> Self {
        /// Above 100 the ports of a domain fall into the range that the kernel gives to outgoing connections.
        const DOMAINS: std::ops::RangeInclusive<u16> = 1..=100;
        for id in DOMAINS {
            let file = lock_file(id);
            if file.try_lock().is_ok() {
                return Self { id, _lock: file };
            }
        }
        panic!("all {} test domains are in use", DOMAINS.count());
    }

    /// The one that the environment names: an installed ROS 2 has one for the whole process, so the tests take turns.
    #[cfg(not(feature = "native"))]
    pub fn claim() -> Self {
        let id = std::env::var("ROS_DOMAIN_ID").ok().and_then(|id| id.parse().ok()).unwrap_or(0);
        let file = lock_file(id);
        file.lock().expect("a lock can be waited for");
        Self { id, _lock: file }
    }
}

fn lock_file(id: u16) -> File {
    let folder: PathBuf = std::env::temp_dir().join("sim_api_test_domains");
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    File::create(folder.join(id.to_string())).expect("the temporary folder is writable")
}
