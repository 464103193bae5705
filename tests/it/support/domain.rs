//! ROS domains that no other test uses at the same time, in this process or another.

use std::fs::File;

/// A domain of one's own until it is dropped.
pub struct TestDomain {
    pub id: u16,
    _lock: File,
}

/// Above 100 the ports of a domain fall into the range that the kernel gives to outgoing connections.
const DOMAINS: std::ops::RangeInclusive<u16> = 1..=100;

impl TestDomain {
    pub fn claim() -> Self {
        let folder = std::env::temp_dir().join("sim_api_test_domains");
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        for id in DOMAINS {
            let file = File::create(folder.join(id.to_string())).expect("the temporary folder is writable");
            if file.try_lock().is_ok() {
                return Self { id, _lock: file };
            }
        }
        panic!("all {} test domains are in use", DOMAINS.count());
    }
}
