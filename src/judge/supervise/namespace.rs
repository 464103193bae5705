//! Namespaces for a supervising process. It has one thread only, which is what makes all of this sound.

use std::fs;
use std::io;

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getgid, getuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, clear_ambient_capability_set,
    configure_capability_in_ambient_set, remove_capability_from_bounding_set, set_capabilities,
};

/// What a student's command may do if it runs as root: what container engines allow. Above all it cannot mount, so that its own `/proc`
/// stays the only one, and cannot trace.
const OF_A_STUDENT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::SYS_NICE)
    .union(CapabilitySet::AUDIT_WRITE)
    .union(CapabilitySet::SETFCAP);

/// From here on this process has its own mounts, and its next child is process 1 of a new PID namespace. Without the rights for that a
/// user namespace gives them, in which the user stays who it is.
pub fn enter() -> io::Result<()> {
    if !has(CapabilitySet::SYS_ADMIN)? {
        let (uid, gid) = (getuid().as_raw(), getgid().as_raw());
        unshare(UnshareFlags::NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
        fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
        // A program started by an ordinary user loses all rights, unless they are handed on like this.
        let sets = capabilities(None)?;
        set_capabilities(None, CapabilitySets { inheritable: sets.permitted, ..sets })?;
        configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    }
    unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS)?;
    // What the host mounts later shows up here, and nothing the other way round.
    mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)?;
    Ok(())
}

/// Whether this process lives in a user namespace with a single user, so that the kernel counts its processes alone.
pub fn has_own_user() -> bool {
    fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| map.split_ascii_whitespace().last() == Some("1"))
}

/// A `/proc` that shows the processes of this PID namespace only.
pub fn mount_proc() -> io::Result<()> {
    mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None)?;
    Ok(())
}

/// Takes rights away from everything that is started from now on, for good; this process keeps its own.
pub fn drop_rights(keep_those_of_a_student: bool) -> io::Result<()> {
    clear_ambient_capability_set()?;
    let kept = if keep_those_of_a_student { OF_A_STUDENT } else { CapabilitySet::empty() };
    for (_, right) in CapabilitySet::all().difference(kept).iter_names() {
        match remove_capability_from_bounding_set(right) {
            // This kernel knows fewer.
            Ok(()) | Err(rustix::io::Errno::INVAL) => {}
            // Whoever may not take rights away has none to hand on: only root is given any at the start of a program.
            Err(rustix::io::Errno::PERM) if !getuid().is_root() => {}
            Err(err) => return Err(err.into()),
        }
    }
    Ok(())
}

pub fn has(right: CapabilitySet) -> io::Result<bool> {
    Ok(capabilities(None)?.effective.contains(right))
}

#[expect(
    deprecated,
    reason = "its successor is unsafe for the sake of shared descriptor tables, which are not asked for here"
)]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(flags)?)
}
