//! `sim replay`: repeats a recorded run from its commands, without student, script or ROS, and says whether the car went the same way.
//!
//! Same world, same commands at the same steps: same states, bit for bit. The exit code is 0 if that holds for the record, 1 if it does
//! not, and 2 if the record cannot be repeated at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::settings::{SettingsLayer, Surroundings};
use super::world_source::CatalogueWorlds;
use super::{Settings, vehicle_file, worlds};
use crate::backend::catalogue::WorldSource;
use crate::domain::{Command, EntityState, VehicleSpec, WorldName, rounded};
use crate::engine::World;
use crate::record::{CommandEntry, Document, WayDigest, document_path, sha256};

/// Of records that say nothing which could be compared.
const IMPOSSIBLE: u8 = 2;

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The record: its file, or the name of the session in the data folder
    #[arg(value_name = "RECORD")]
    record: PathBuf,

    #[command(flatten)]
    pub settings: SettingsLayer,
}

pub fn run(args: &ReplayArgs, settings: &Settings) -> ExitCode {
    let compared = read(&args.record, &settings.data).and_then(|document| {
        let around = Surroundings::of_this_process();
        let replay = Replay::prepare(&document, &around, &settings.data)?;
        replay.compare(&document)
    });
    match compared {
        Ok(Comparison::Same { rows }) => {
            println!("the same: the car was at the same {rows} places, bit for bit");
            ExitCode::SUCCESS
        }
        Ok(Comparison::Differs(what)) => {
            println!("different: {what}");
            ExitCode::FAILURE
        }
        Err(err) => {
            eprintln!("sim: this run cannot be repeated: {err:#}");
            ExitCode::from(IMPOSSIBLE)
        }
    }
}

enum Comparison {
    Same { rows: usize },
    Differs(String),
}

fn read(record: &Path, data: &Path) -> anyhow::Result<Document> {
    let named = document_path(data, &record.to_string_lossy());
    let path = if record.is_file() { record } else { &named };
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is no whole record", path.display()))
}

/// A world and what is known of its steps.
struct Replay {
    worlds: CatalogueWorlds,
    vehicle: VehicleSpec,
    world: Option<World>,
    /// The number of the last step, as the record counts them.
    step: u64,
}

/// Something that has its place among the steps.
enum Moment<'a> {
    /// A row of the car's way.
    Row(&'a [f64; 5]),
    Command(&'a CommandEntry),
}

impl Replay {
    fn prepare(document: &Document, around: &Surroundings, data: &Path) -> anyhow::Result<Self> {
        let head = &document.head;
        let first = document.commands.first().and_then(|entry| entry.command.to_command());
        let Some(Command::LoadWorld { world, .. }) = first else {
            bail!("its world was not loaded for it, as another simulator or an older version of this one does it");
        };
        if let Some(event) = head.events.iter().find(|event| event.kind == "commands_not_kept") {
            bail!("not all of its commands are known ({})", serde_json::Value::Object(event.about.clone()));
        }
        ensure!(!document.trajectory.rows.is_empty(), "it was over before it began");
        ensure!(
            document.trajectory.rows.len() == document.trajectory.states.len(),
            "it was recorded by a version that did not keep the steps"
        );
        let catalogue = worlds::catalogue(around, data);
        let file = catalogue.find(&world).ok().and_then(|bundle| bundle.world_file().ok());
        let digest = file.and_then(|file| fs::read(file).ok()).map(|bytes| sha256(&bytes));
        ensure!(digest.is_some(), "the world {world} is not installed");
        ensure!(digest == head.digests.world, "the world {world} has changed since");
        let vehicle = vehicle_file::load(around)?;
        ensure!(vehicle.generation == head.robot, "it was made with the robot {}", head.robot);
        let step = document.commands.first().map_or(0, |entry| entry.step);
        Ok(Self { worlds: CatalogueWorlds::new(catalogue), vehicle, world: None, step })
    }

    fn compare(mut self, document: &Document) -> anyhow::Result<Comparison> {
        let way = &document.trajectory;
        let mut digest = WayDigest::default();
        for (index, moment) in in_order(document) {
            let (step, moment) = moment;
            self.advance(step)?;
            match moment {
                Moment::Command(entry) => self.apply(entry)?,
                Moment::Row(row) => {
                    let car = self.car()?;
                    digest.add(&car);
                    if let Some(difference) = difference(row, &car) {
                        let what =
                            format!("row {index} of {}, {} s after the start: {difference}", way.rows.len(), row[0]);
                        return Ok(Comparison::Differs(what));
                    }
                }
            }
        }
        Ok(match document.head.digests.trajectory.as_deref() {
            Some(exact) if exact == digest.finish() => Comparison::Same { rows: way.rows.len() },
            Some(_) => Comparison::Differs("all rows agree to six decimals, but not to the last bit".to_owned()),
            None => bail!("it has no digest of the car's way"),
        })
    }

    fn advance(&mut self, step: u64) -> anyhow::Result<()> {
        ensure!(step >= self.step, "its commands are not in order");
        while self.step < step {
            self.world.as_mut().context("it has no world")?.step();
            self.step += 1;
        }
        Ok(())
    }

    fn apply(&mut self, entry: &CommandEntry) -> anyhow::Result<()> {
        let command = entry.command.to_command().context("a name in it is no name")?;
        match command {
            Command::LoadWorld { world, seed } => self.world = Some(self.build(&world, seed)?),
            // How fast time goes makes no difference to what happens in it.
            Command::SetPaused(_) | Command::SetRealTimeFactor(_) => {}
            other => {
                let world = self.world.as_mut().context("it has no world")?;
                world.apply(&other).with_context(|| format!("{other:?} is refused"))?;
            }
        }
        Ok(())
    }

    fn build(&self, world: &WorldName, seed: u64) -> anyhow::Result<World> {
        let sourced = self.worlds.load(world)?;
        Ok(World::build(&sourced.description, &self.vehicle, seed)?)
    }

    fn car(&self) -> anyhow::Result<EntityState> {
        // The vehicle is the last entity of every world.
        self.world.as_ref().and_then(|world| world.entities().pop()).context("there is no car")
    }
}

/// Everything with its step, in the order in which it happened; rows with their number.
fn in_order(document: &Document) -> Vec<(usize, (u64, Moment<'_>))> {
    let way = &document.trajectory;
    let rows = way.rows.iter().zip(&way.states).enumerate();
    // A row shows the state with its revision, and a command changes the one with its: at equal ones the row comes first.
    let rows = rows.map(|(index, (row, [step, revision]))| ((*step, *revision, false), index, Moment::Row(row)));
    let commands = document.commands.iter().enumerate();
    let commands = commands.map(|(index, entry)| ((entry.step, entry.revision, true), index, Moment::Command(entry)));
    let mut all: Vec<_> = rows.chain(commands).collect();
    all.sort_by_key(|(key, index, _)| (*key, *index));
    all.into_iter().map(|((step, ..), index, moment)| (index, (step, moment))).collect()
}

/// In words; None when there is none that the record could show.
fn difference([_, x, y, yaw, speed]: &[f64; 5], car: &EntityState) -> Option<String> {
    let at = car.pose.position;
    let ours = [at.x, at.y, car.pose.yaw(), car.forward_speed_m_s()].map(rounded);
    let recorded = [*x, *y, *yaw, *speed];
    // Half of the last decimal: the record is rounded, and reading a number may cost its last bit.
    let is_same = |(a, b): (&f64, &f64)| (a - b).abs() < 5e-7;
    if recorded.iter().zip(&ours).all(is_same) {
        return None;
    }
    Some(format!("recorded (x, y, yaw, speed) = {recorded:?}, now {ours:?}"))
}
