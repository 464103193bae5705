//! What outlives the node: brightness and traffic lights, as text in the data folder, and the task that writes it.
//!
//! A file is replaced as a whole, so that a crash leaves the old text or the new one. Writing never holds up the owner of the
//! live state: what is newest when the disk is ready is what is written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tracing::{error, warn};

use crate::bridge::lights::Lights;
use crate::domain::{Brightness, Epoch, LightState, ModelName, SimTime, WorldName};

const BRIGHTNESS: &str = "brightness";
const LIGHTS: &str = "traffic_lights";
/// Nobody waits longer than this for a disk.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Saved {
    pub brightness: Brightness,
    pub lights: Lights,
}

impl Saved {
    /// What is missing or cannot be understood starts anew, with a word about it.
    pub fn read(folder: &Path) -> Self {
        Self {
            brightness: read_file(&folder.join(BRIGHTNESS), parse_brightness).unwrap_or_default(),
            lights: read_file(&folder.join(LIGHTS), parse_lights).unwrap_or_default(),
        }
    }

    /// Writes what differs from `before`.
    fn write(&self, before: Option<&Self>, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        if before.is_none_or(|before| before.brightness != self.brightness) {
            replace_file(&folder.join(BRIGHTNESS), &format!("{}\n", self.brightness.factor()))?;
        }
        if before.is_none_or(|before| before.lights != self.lights) {
            replace_file(&folder.join(LIGHTS), &lights_text(&self.lights))?;
        }
        Ok(())
    }
}

/// Puts a new text in the place of a file's old one.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut file = File::create(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    std::fs::rename(&draft, path)
}

/// Hands what is to be kept to the task that writes it.
#[derive(Debug)]
pub struct Keeper {
    newest: Saved,
    number: u64,
    wanted: watch::Sender<(u64, Saved)>,
    kept: watch::Receiver<u64>,
}

/// The task's end.
#[derive(Debug)]
pub struct Keeping {
    folder: PathBuf,
    wanted: watch::Receiver<(u64, Saved)>,
    kept: watch::Sender<u64>,
}

/// `saved` is what the folder holds now.
pub fn keeper(folder: PathBuf, saved: Saved) -> (Keeper, Keeping) {
    let (wanted_sender, wanted) = watch::channel((0, saved.clone()));
    let (kept, kept_receiver) = watch::channel(0);
    (Keeper { newest: saved, number: 0, wanted: wanted_sender, kept: kept_receiver }, Keeping { folder, wanted, kept })
}

impl Keeper {
    /// Has this written, unless it is what was given last.
    pub fn keep(&mut self, saved: Saved) {
        if saved != self.newest {
            self.newest = saved.clone();
            self.number += 1;
            self.wanted.send_replace((self.number, saved));
        }
    }

    /// Ends when everything given so far is on disk, or when that takes too long.
    pub fn kept(&self) -> impl Future<Output = ()> + Send + use<> {
        let (number, mut kept) = (self.number, self.kept.clone());
        async move {
            // A disk that does not answer was or will be reported by the task; the change itself stands.
            let _ = timeout(PATIENCE, kept.wait_for(|kept| *kept >= number)).await;
        }
    }
}

impl Keeping {
    /// Writes until the keeper is gone and its last word is written.
    pub async fn run(mut self) {
        let mut on_disk = Some(self.wanted.borrow().1.clone());
        while self.wanted.changed().await.is_ok() {
            let (number, saved) = self.wanted.borrow_and_update().clone();
            let (folder, before, text) = (self.folder.clone(), on_disk.take(), saved.clone());
            let written = tokio::task::spawn_blocking(move || text.write(before.as_ref(), &folder)).await;
            match written {
                Ok(Ok(())) => on_disk = Some(saved),
                Ok(Err(err)) => {
                    error!(%err, folder = %self.folder.display(), "brightness and lights could not be saved");
                }
                Err(err) => error!(%err, "brightness and lights could not be saved"),
            }
            self.kept.send_replace(number);
        }
    }
}

fn read_file<T>(path: &Path, parse: fn(&str) -> Option<T>) -> Option<T> {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let parsed = parse(&text);
            if parsed.is_none() {
                warn!(path = %path.display(), "this file makes no sense and is ignored");
            }
            parsed
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => None,
        Err(err) => {
            warn!(path = %path.display(), %err, "this file cannot be read and is ignored");
            None
        }
    }
}

fn parse_brightness(text: &str) -> Option<Brightness> {
    text.trim().parse().ok().and_then(Brightness::new)
}

/// The world and the epoch on the first line, then a light per line: name, state and, in yellow, when it turns red.
fn lights_text(lights: &Lights) -> String {
    let mut text = lights.world().map_or(String::new(), |world| format!("{world} {}\n", lights.settled().0));
    for (name, state) in lights.states() {
        // Writing to a string cannot fail.
        let _ = match state {
            LightState::Yellow { red_at } => writeln!(text, "{name} yellow {}", red_at.nanos()),
            state => writeln!(text, "{name} {}", state.as_str()),
        };
    }
    text
}

fn parse_lights(text: &str) -> Option<Lights> {
    let mut lines = text.lines();
    let Some((world, epoch)) = lines.next().and_then(|line| line.split_once(' ')) else {
        return text.is_empty().then(Lights::default);
    };
    let light = |line: &str| {
        let mut words = line.split(' ');
        let name = ModelName::parse(words.next()?).ok()?;
        let state = match (words.next()?, words.next()) {
            ("green", None) => LightState::Green,
            ("red", None) => LightState::Red,
            ("yellow", Some(red_at)) => LightState::Yellow { red_at: SimTime::from_nanos(red_at.parse().ok()?) },
            _ => return None,
        };
        Some((name, state))
    };
    let states = lines.map(light).collect::<Option<BTreeMap<_, _>>>()?;
    Some(Lights::restored(WorldName::parse(world).ok()?, Epoch(epoch.parse().ok()?), states))
}
