//! Ties a program's life to that of the process that started it, so that no kill, however rough, leaves one behind.

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

/// From here on the kernel kills this process as soon as its parent dies. To be called first thing, on the main thread:
/// the kernel keeps the wish with the calling thread.
///
/// The parent may have died before the wish was in place. Then this process already belongs to somebody else, which is an
/// error: the caller ends.
pub fn die_with_parent(parent: u32) -> anyhow::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL)).context("cannot follow the parent process")?;
    let expected = i32::try_from(parent).ok().and_then(Pid::from_raw);
    if expected.is_none() || getppid() != expected {
        bail!("the process {parent} that started this program is gone");
    }
    Ok(())
}
