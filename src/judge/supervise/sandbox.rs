//! What the judging script sees of the file system: the host, but read-only and without anybody's home; Python's root in place
//! of `/usr`; and a `/tmp`, `/run` and `/dev` of its own, which vanish with it.
//!
//! Built in place, in the mount namespace of the inner process. What lies below a new mount cannot be uncovered again by a
//! process without rights, and the script has none.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::mount::{MountFlags, mount, mount_bind_recursive, mount_remount};

const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];
/// Folders of a root file system that are links into `usr` on most systems, and folders on a few.
const INTO_USR: [&str; 4] = ["bin", "sbin", "lib", "lib64"];
/// For folders that hold a few small things.
const SMALL_BYTES: u64 = 1 << 20;
/// Files in `/tmp`; each costs the host some memory.
const MAX_FILES: u64 = 10_000;
const RESOLVER: &str = "/etc/resolv.conf";

pub struct Sandbox<'a> {
    pub python_root: Option<&'a Path>,
    pub hidden: &'a [PathBuf],
    pub kept: &'a [PathBuf],
    pub folder_bytes: u64,
    /// Who the script will run as.
    pub uid: u32,
    pub gid: u32,
}

impl Sandbox<'_> {
    /// `/proc` must be that of the namespace already.
    pub fn build(&self) -> io::Result<()> {
        // Everything needed from places that are about to disappear.
        let kept = self.kept.iter().map(|path| Held::new(path)).collect::<io::Result<Vec<_>>>()?;
        let root = self.python_root.map(|root| Held::new(&root.join("usr"))).transpose()?;
        let devices =
            DEVICES.iter().map(|name| Held::new(&Path::new("/dev").join(name))).collect::<io::Result<Vec<_>>>()?;
        let resolver = fs::canonicalize(RESOLVER).ok().and_then(|path| Some((fs::read(&path).ok()?, path)));

        protect_all()?;
        if let Some(usr) = &root {
            self.put_in_place_of_usr(usr)?;
        }
        let mut hidden: Vec<&Path> = self.hidden.iter().map(PathBuf::as_path).filter(|path| path.is_dir()).collect();
        hidden.push(Path::new("/run"));
        for path in hidden {
            self.cover(path, SMALL_BYTES, 0o755)?;
        }
        self.cover(Path::new("/tmp"), self.folder_bytes, 0o1777)?;
        self.make_dev(&devices)?;
        for held in &kept {
            make_folders(&held.path)?;
            held.bind_read_only(&held.path)?;
        }
        if let Some((content, path)) = resolver
            && !path.exists()
        {
            path.parent().map_or(Ok(()), make_folders)?;
            fs::write(&path, content)?;
        }
        let proc = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount_remount("/proc", proc, "").map_err(at(Path::new("/proc")))
    }

    fn put_in_place_of_usr(&self, usr: &Held) -> io::Result<()> {
        for name in INTO_USR {
            let (host, ours) = (Path::new("/").join(name), usr.path.join(name));
            if fs::symlink_metadata(&host).is_ok_and(|data| data.is_dir()) && ours.is_dir() {
                Held::new(&ours)?.bind_read_only(&host)?;
            }
        }
        usr.bind_read_only(Path::new("/usr"))
    }

    /// An empty folder in memory over this one.
    fn cover(&self, path: &Path, bytes: u64, mode: u32) -> io::Result<()> {
        let Self { uid, gid, .. } = self;
        let options = format!("size={bytes},nr_inodes={MAX_FILES},mode={mode:o},uid={uid},gid={gid}");
        let options = CString::new(options).map_err(io::Error::other)?;
        mount("tmpfs", path, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str()).map_err(at(path))
    }

    fn make_dev(&self, devices: &[Held]) -> io::Result<()> {
        let dev = Path::new("/dev");
        self.cover(dev, SMALL_BYTES, 0o755)?;
        for device in devices {
            File::create(&device.path)?;
            mount_bind_recursive(device.source(), &device.path).map_err(at(&device.path))?;
        }
        for (name, target) in DEVICE_LINKS {
            std::os::unix::fs::symlink(target, dev.join(name))?;
        }
        let shared_memory = dev.join("shm");
        fs::create_dir(&shared_memory)?;
        self.cover(&shared_memory, self.folder_bytes, 0o1777)
    }
}

/// A file or folder that can be mounted elsewhere after its path has disappeared.
struct Held {
    path: PathBuf,
    file: File,
}

impl Held {
    fn new(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        // With O_PATH the access mode means nothing, but must be given.
        let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
        let file = opened.map_err(|err| io::Error::other(format!("{}: {err}", path.display())))?;
        Ok(Self { path: path.to_owned(), file })
    }

    fn source(&self) -> String {
        format!("/proc/self/fd/{}", self.file.as_raw_fd())
    }

    fn bind_read_only(&self, target: &Path) -> io::Result<()> {
        mount_bind_recursive(self.source(), target).map_err(at(target))?;
        for (path, flags) in mounts()?.range(target.to_owned()..).take_while(|(path, _)| path.starts_with(target)) {
            protect(path, *flags)?;
        }
        Ok(())
    }
}

/// Makes every mount read-only, except `/proc`, which still has to be written to.
fn protect_all() -> io::Result<()> {
    for (path, flags) in mounts()? {
        if path != Path::new("/proc") {
            protect(&path, flags)?;
        }
    }
    Ok(())
}

fn protect(path: &Path, flags: MountFlags) -> io::Result<()> {
    match mount_remount(path, MountFlags::BIND | MountFlags::RDONLY | flags, "") {
        Ok(()) => Ok(()),
        // Covered by another mount, or in a place this user cannot even look into.
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::ACCESS | rustix::io::Errno::INVAL) if !is_reachable(path) => {
            Ok(())
        }
        Err(err) => Err(at(path)(err)),
    }
}

fn is_reachable(path: &Path) -> bool {
    let device = |path: &Path| rustix::fs::stat(path).map(|stat| stat.st_dev).ok();
    // A mount point that shows the file system of the folder around it is not the mount that was meant.
    device(path).is_some_and(|own| path.parent().and_then(device) != Some(own))
}

/// Mount points with the flags that a new mount of them must keep. Of several mounts in one place the last one is on top.
fn mounts() -> io::Result<BTreeMap<PathBuf, MountFlags>> {
    let list = fs::read_to_string("/proc/self/mountinfo")?;
    let parsed = list.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(4);
        Some((unescape(fields.next()?), flags(fields.next()?)))
    });
    Ok(parsed.collect())
}

fn flags(options: &str) -> MountFlags {
    options.split(',').fold(MountFlags::empty(), |flags, option| {
        flags
            | match option {
                "nosuid" => MountFlags::NOSUID,
                "nodev" => MountFlags::NODEV,
                "noexec" => MountFlags::NOEXEC,
                "noatime" => MountFlags::NOATIME,
                "nodiratime" => MountFlags::NODIRATIME,
                "relatime" => MountFlags::RELATIME,
                _ => MountFlags::empty(),
            }
    })
}

/// The kernel writes space, tab, line feed and backslash as three octal digits.
fn unescape(field: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = field.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = std::str::from_utf8(tail.get(..3).unwrap_or_default()).ok();
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| *first == b'\\') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    OsString::from_vec(bytes).into()
}

fn make_folders(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o755).create(path)
}

fn at(path: &Path) -> impl FnOnce(rustix::io::Errno) -> io::Error {
    let path = path.display().to_string();
    move |err| io::Error::new(io::Error::from(err).kind(), format!("mounting {path}: {err}"))
}
