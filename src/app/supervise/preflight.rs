//! What `sim up` makes sure of before it starts anything: its programs, its data folder, its port, its world. Each refusal says
//! what to do about it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use rustix::fs::{FlockOperation, flock};

use crate::app::settings::{Settings, Surroundings};
use crate::app::world_source::CatalogueWorlds;
use crate::app::{Program, worlds};
use crate::backend::catalogue::WorldSource;
use crate::domain::WorldName;
use crate::worlds::{CatalogueError, Store};

const LOCK_FILE: &str = "sim_up.lock";
/// How far above a taken port a free one is looked for.
const PORTS_TRIED: u16 = 20;
/// How many worlds a refusal names.
const WORLDS_TOLD: usize = 20;

/// The file of a program, which lies beside our own.
pub fn beside(executable: &Path, program: Program) -> anyhow::Result<PathBuf> {
    let path = executable.with_file_name(program.name());
    if path.is_file() {
        Ok(path)
    } else {
        Err(anyhow!("{} is missing; the programs belong in one folder (`make build` puts them there)", path.display()))
    }
}

/// Holds the data folder until it is dropped, or the process ends in whatever way.
#[derive(Debug)]
pub struct DataLock(#[expect(dead_code, reason = "the open file is the lock")] File);

/// Creates the folder if need be and takes it for this process alone.
pub fn lock_data_folder(data: &Path) -> anyhow::Result<DataLock> {
    fs::create_dir_all(data)
        .with_context(|| format!("the data folder {} cannot be created; use --data DIR", data.display()))?;
    let path = data.join(LOCK_FILE);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .with_context(|| format!("the data folder {} cannot be written to; use --data DIR", data.display()))?;
    if let Err(err) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
        if io::Error::from(err).kind() != io::ErrorKind::WouldBlock {
            bail!("{} cannot be locked: {err}; use --data DIR with a folder on a local disk", path.display());
        }
        let mut holder = String::new();
        // The number of the process is a help, not a need.
        let _ = file.read_to_string(&mut holder);
        let who = match holder.trim() {
            "" => String::new(),
            pid => format!(" (process {pid})"),
        };
        bail!("the data folder {} is in use by another `sim up`{who}; stop that one or use --data DIR", data.display());
    }
    let note = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    note.with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(DataLock(file))
}

/// Whether another process holds the data folder.
pub fn is_locked(data: &Path) -> bool {
    match File::open(data.join(LOCK_FILE)) {
        Ok(file) => flock(&file, FlockOperation::NonBlockingLockShared).is_err(),
        Err(_) => false,
    }
}

/// The address to serve at: the wanted one if it is free; port 0 becomes a free one, so that it can be told to people.
pub fn free_address(wanted: SocketAddr) -> anyhow::Result<SocketAddr> {
    let err = match TcpListener::bind(wanted).and_then(|listener| listener.local_addr()) {
        Ok(address) => return Ok(address),
        Err(err) => err,
    };
    match err.kind() {
        io::ErrorKind::AddrInUse => {
            let other = (1..=PORTS_TRIED)
                .filter_map(|above| wanted.port().checked_add(above))
                .map(|port| SocketAddr::new(wanted.ip(), port))
                .find(|address| TcpListener::bind(address).is_ok())
                .unwrap_or(SocketAddr::new(wanted.ip(), 0));
            bail!("port {} is in use by another program; stop it or use --bind {other}", wanted.port());
        }
        io::ErrorKind::AddrNotAvailable => {
            bail!("{} is not an address of this machine; use --bind 127.0.0.1:{}", wanted.ip(), wanted.port())
        }
        io::ErrorKind::PermissionDenied => {
            bail!("port {} needs special rights; use --bind {}:8080", wanted.port(), wanted.ip())
        }
        _ => Err(err).with_context(|| format!("cannot listen at {wanted}")),
    }
}

/// Refuses to start in a world that does not exist. One that exists and cannot be read is the simulator's to tell.
pub fn check_world(settings: &Settings) -> anyhow::Result<()> {
    let (world, otherwise) = worlds::first(settings.world.clone(), &Store::new(&settings.data))?;
    let catalogue = worlds::catalogue(&Surroundings::of_this_process(), &settings.data);
    let is_listed = catalogue.find(&world) != Err(CatalogueError::NotFound);
    let names = CatalogueWorlds::new(catalogue).names();
    if otherwise.is_some() || is_listed || names.contains(&world) {
        return Ok(());
    }
    let names: Vec<_> = names.iter().take(WORLDS_TOLD).map(WorldName::as_str).collect();
    bail!("there is no world `{world}`; use --world with one of {}", names.join(", "))
}
