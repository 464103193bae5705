//! `sim world publish`, `list`, `rename` and `access`: the worlds that this machine hands out.
//!
//! They work on a folder, with or without a running simulator: the node serves what is there at the moment it is asked.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::{env, io};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};

use crate::app::settings::{SettingsLayer, Sources, Surroundings};
use crate::app::{Program, worlds};
use crate::ros::args::RosArgs;
use crate::worlds::{Access, Cdn, PublishError, WorldId};

/// Where the published worlds are.
#[derive(Debug, Args)]
pub struct Place {
    /// Data folder of the simulator [default: the one of `sim up`]
    #[arg(long, env = "SIM_API_DATA", value_name = "DIR")]
    data: Option<PathBuf>,

    /// Folder of another worlds server, in place of `cdn` in the data folder
    #[arg(long, value_name = "DIR")]
    cdn: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessWord {
    Public,
    Private,
}

impl From<AccessWord> for Access {
    fn from(word: AccessWord) -> Self {
        match word {
            AccessWord::Public => Self::Public,
            AccessWord::Private => Self::Private,
        }
    }
}

impl Place {
    fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.cdn {
            return Ok(folder.clone());
        }
        let flags = SettingsLayer { data: self.data.clone(), ..SettingsLayer::default() };
        let environment = SettingsLayer { config: env::var_os("SIM_API_CONFIG").map(Into::into), ..Default::default() };
        let sources = Sources::read(environment, flags, RosArgs::default(), Surroundings::of_this_process())?;
        Ok(worlds::cdn_folder(&sources.resolve(Program::Node.name())?.data))
    }
}

/// Prints the new ID alone on standard output, so that a script can take it, and the rest for people beside it.
pub fn publish(bundle: &Path, name: Option<&str>, access: Access, place: &Place) -> anyhow::Result<()> {
    if !bundle.is_dir() {
        bail!(
            "{} is not a folder; publish takes a bundle, as `sim world build TRACK BUNDLE` makes it",
            bundle.display()
        );
    }
    let folder = place.folder()?;
    let cdn = Cdn::new(&folder);
    let published =
        cdn.publish(bundle, name, access).with_context(|| format!("{} was not published", bundle.display()))?;
    let meta = cdn.meta(&published.world_id)?;
    let kilobytes = meta.bytes.unwrap_or_default().div_ceil(1024);
    let name = meta.name.as_deref().unwrap_or_default();
    println!("{}", published.world_id);
    // Nothing for people is worth failing for.
    let mut out = io::stderr();
    let _ = writeln!(
        out,
        "Published \"{name}\" ({}), revision {}: {} files, {kilobytes} KB in {}.\n\
         Install it into a running simulator by this ID:\n  \
         curl -X POST http://127.0.0.1:8080/sim/api/worlds/install -d '{{\"world_id\": \"{}\"}}'",
        word(access),
        published.rev,
        meta.files.len(),
        folder.display(),
        published.world_id,
    );
    note_private(access);
    Ok(())
}

pub fn list(place: &Place) -> anyhow::Result<()> {
    let folder = place.folder()?;
    let entries = Cdn::new(&folder).list()?;
    if entries.is_empty() {
        eprintln!("No world is published in {}; `sim world publish BUNDLE` publishes one.", folder.display());
        return Ok(());
    }
    if io::stdout().is_terminal() {
        println!("{:<32}  {:<7}  {:<16}  {:>9}  name", "id", "access", "rev", "size");
    }
    for entry in entries {
        match entry.meta {
            Some(meta) => println!(
                "{}  {:<7}  {:<16}  {:>6} KB  {}",
                entry.world_id,
                meta.access.map_or("unknown", word),
                meta.rev,
                meta.bytes.unwrap_or_default().div_ceil(1024),
                meta.name.unwrap_or_default(),
            ),
            None => println!("{}  its meta.json is damaged", entry.world_id),
        }
    }
    Ok(())
}

pub fn rename(id: &str, name: &str, place: &Place) -> anyhow::Result<()> {
    let id = parse(id)?;
    let cdn = Cdn::new(&place.folder()?);
    cdn.rename(&id, name).map_err(with_advice)?;
    println!("{id} is now called \"{}\"", cdn.meta(&id)?.name.unwrap_or_default());
    Ok(())
}

pub fn set_access(id: &str, access: Access, place: &Place) -> anyhow::Result<()> {
    let id = parse(id)?;
    let cdn = Cdn::new(&place.folder()?);
    cdn.set_access(&id, access).map_err(with_advice)?;
    println!("{id} is now {}", word(access));
    note_private(access);
    Ok(())
}

fn parse(id: &str) -> anyhow::Result<WorldId> {
    WorldId::parse(id).with_context(|| format!("`{id}` is not the ID of a world; `sim world list` shows the IDs"))
}

/// What to do about it, where that is not plain.
fn with_advice(err: PublishError) -> anyhow::Error {
    match err {
        PublishError::NotFound(_) => anyhow!("{err}; `sim world list` shows what is published"),
        other => other.into(),
    }
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Public => "public",
        Access::Private => "private",
    }
}

fn note_private(access: Access) {
    if access == Access::Private {
        eprintln!("A private world is served to holders of the token alone, which is the one of `sim up --token`.");
    }
}
