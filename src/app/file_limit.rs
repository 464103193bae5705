//! How many files, and with them connections, this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Enough for the API's most connections with much to spare. More would be unkind to child processes that close every number.
const WANTED: u64 = 16_384;

/// Raises the limit as far as this user may; a system that says no leaves it as it was.
pub fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(WANTED, |most| most.min(WANTED));
    if current.is_some_and(|current| current < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum };
        if let Err(err) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(%err, "the limit of open files stays as it is");
        }
    }
}
