//! What the settings lead to on this machine: programs, data folder, port.

use std::env;
use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::Path;

use super::{Finding, Mark};
use crate::app::Program;
use crate::app::settings::{Settings, Sources};
use crate::app::supervise::preflight;

const LOW_SPACE_BYTES: u64 = 1 << 30;

pub fn findings(sources: &Sources, settings: &Settings) -> Vec<Finding> {
    let file = match &sources.config {
        Some(file) => file.path.display().to_string(),
        None => "no settings file; built-in defaults".to_owned(),
    };
    let is_running = preflight::is_locked(&settings.data);
    vec![Finding::new(Mark::Ok, "settings", file), programs(), data(&settings.data), port(settings, is_running)]
}

fn programs() -> Finding {
    let missing = match env::current_exe() {
        Ok(executable) => Program::ALL
            .iter()
            .find_map(|program| preflight::beside(&executable, *program).err())
            .map(|e| e.to_string()),
        Err(err) => Some(format!("cannot find this program's own file: {err}")),
    };
    match missing {
        None => Finding::new(Mark::Ok, "programs", "sim_backend, robot_stack and sim_api_node are in place"),
        Some(reason) => Finding::new(Mark::Broken, "programs", reason),
    }
}

/// The folder is not created for a look; what counts then is the nearest folder above it that exists.
fn data(data: &Path) -> Finding {
    let name = data.display();
    let Some(existing) = data.ancestors().find(|folder| folder.exists()) else {
        return Finding::new(Mark::Broken, "data folder", format!("{name} cannot be reached; use --data DIR"));
    };
    if let Err(err) = try_writing(data, existing) {
        let text = format!("{name} cannot be written to ({err}); use --data DIR");
        return Finding::new(Mark::Broken, "data folder", text);
    }
    match rustix::fs::statvfs(existing) {
        Ok(stat) => {
            let free = stat.f_bavail.saturating_mul(stat.f_frsize);
            let gib = free as f64 / f64::from(1 << 30);
            if free < LOW_SPACE_BYTES {
                Finding::new(Mark::Warn, "data folder", format!("{name}: only {gib:.1} GiB free; records need space"))
            } else {
                Finding::new(Mark::Ok, "data folder", format!("{name}: writable, {gib:.0} GiB free"))
            }
        }
        Err(err) => Finding::new(Mark::Warn, "data folder", format!("{name}: writable, free space unknown ({err})")),
    }
}

fn try_writing(data: &Path, existing: &Path) -> io::Result<()> {
    if data == existing {
        let probe = data.join(format!(".doctor.{}", std::process::id()));
        fs::write(&probe, b"probe")?;
        fs::remove_file(&probe)
    } else {
        Ok(rustix::fs::access(existing, rustix::fs::Access::WRITE_OK)?)
    }
}

fn port(settings: &Settings, is_running: bool) -> Finding {
    let bind = settings.bind;
    match TcpListener::bind(bind) {
        Ok(_) => Finding::new(Mark::Ok, "port", format!("{bind} is free")),
        Err(err) if err.kind() == io::ErrorKind::AddrInUse && is_running => {
            Finding::new(Mark::Ok, "port", format!("{bind} is in use, probably by the `sim up` that is running"))
        }
        Err(_) => match preflight::free_address(bind) {
            // It was freed between the two looks.
            Ok(_) => Finding::new(Mark::Ok, "port", format!("{bind} is free")),
            Err(err) => Finding::new(Mark::Broken, "port", format!("{err:#}")),
        },
    }
}
