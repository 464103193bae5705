//! Python, processor and kernel limits.

use std::fs;
use std::thread::available_parallelism;

use super::{Finding, Mark, ask};

const OLDEST_PYTHON: (u32, u32) = (3, 11);
const PYTHONS: [&str; 5] = ["python3", "python3.11", "python3.12", "python3.13", "python3.14"];
const WANTED_UDP_BUFFER: u64 = 8 << 20;

/// Judging scripts, and most students' programs, are Python.
pub async fn python() -> Finding {
    let mut versions = Vec::new();
    for name in PYTHONS {
        let answer = ask(name, &["--version"]).await;
        if let Some(version) = answer.and_then(|output| parse_version(&String::from_utf8_lossy(&output.stdout)))
            && !versions.contains(&version)
        {
            versions.push(version);
        }
    }
    versions.sort_unstable();
    let list = versions.iter().map(|(major, minor)| format!("{major}.{minor}")).collect::<Vec<_>>().join(", ");
    match versions.last() {
        Some(newest) if *newest >= OLDEST_PYTHON => Finding::new(Mark::Ok, "Python", list),
        Some(_) => Finding::new(Mark::Warn, "Python", format!("only {list}; evaluations need 3.11 or newer")),
        None => Finding::new(Mark::Missing, "Python", "python3 not found; evaluations need 3.11 or newer"),
    }
}

/// From `Python 3.11.2`.
pub fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix("Python ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

pub fn cores() -> Finding {
    match available_parallelism().map(usize::from) {
        Ok(1) => Finding::new(Mark::Warn, "processor", "1 core; physics, camera and API will wait for each other"),
        Ok(count) => Finding::new(Mark::Ok, "processor", format!("{count} cores")),
        Err(err) => Finding::new(Mark::Warn, "processor", format!("number of cores unknown ({err})")),
    }
}

/// Camera pictures are many UDP packets at once; a small buffer loses some of them.
pub fn udp_buffers() -> Finding {
    let limit = fs::read_to_string("/proc/sys/net/core/rmem_max").ok().and_then(|text| text.trim().parse::<u64>().ok());
    match limit {
        Some(bytes) if bytes >= WANTED_UDP_BUFFER => {
            Finding::new(Mark::Ok, "UDP buffers", format!("up to {} MiB", bytes >> 20))
        }
        Some(bytes) => {
            let text = format!(
                "at most {} KiB, so camera pictures may get lost; raise with: sudo sysctl -w \
                 net.core.rmem_max={WANTED_UDP_BUFFER}",
                bytes >> 10
            );
            Finding::new(Mark::Warn, "UDP buffers", text)
        }
        None => Finding::new(Mark::Warn, "UDP buffers", "limit unknown (net.core.rmem_max cannot be read)"),
    }
}
