//! Waits that survive an interruption.
//!
//! When a process is stopped and continued (a suspended laptop, a paused container, a debugger), Linux lets every `epoll_wait`
//! of the process fail with EINTR. The middleware takes that for a fault and ends its threads, and the process would be deaf and
//! mute on ROS for the rest of its life, without a word. It calls `epoll_wait` by its C name, so a function of that name in
//! our programs takes the place of the C library's and waits again. Other callers of it (tokio) repeat the wait anyway.

use std::io;

use libc::{c_int, epoll_event};

/// To be called before the middleware is used: keeps the function below in the program.
pub(super) fn link() {
    std::hint::black_box(epoll_wait as *const ());
}

/// As in the C library, but never interrupted.
///
/// # Safety
///
/// `events` must have room for `max_events` entries, as the C library demands.
#[expect(unsafe_code, reason = "it stands in for a C function; see the head of this file")]
#[unsafe(no_mangle)]
unsafe extern "C" fn epoll_wait(epoll: c_int, events: *mut epoll_event, max_events: c_int, timeout_ms: c_int) -> c_int {
    loop {
        // SAFETY: the arguments are the caller's, and a null mask makes this the same call.
        let count = unsafe { libc::epoll_pwait(epoll, events, max_events, timeout_ms, std::ptr::null()) };
        if count >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return count;
        }
    }
}
