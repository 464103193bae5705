//! `sim world`: making worlds out of track descriptions, and publishing them.

mod published;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::builder;
use published::{AccessWord, Place};

#[derive(Debug, Args)]
pub struct WorldArgs {
    #[command(subcommand)]
    command: WorldCommand,
}

#[derive(Debug, Subcommand)]
enum WorldCommand {
    /// Build a complete world bundle from a track description
    Build {
        /// The description; docs/howto/build-a-world.md explains it
        track: PathBuf,
        /// The folder that becomes the bundle; a bundle that is there is replaced
        out: PathBuf,
    },
    /// Publish a bundle under a new ID; prints the ID
    #[command(after_help = PUBLISH_HELP)]
    Publish {
        /// The bundle, a folder as `sim world build` makes it
        bundle: PathBuf,
        /// What people call it [default: as the bundle says]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Who may download it
        #[arg(long, value_name = "WHO", default_value = "public")]
        access: AccessWord,
        #[command(flatten)]
        place: Place,
    },
    /// List the worlds that are published on this machine: ID, access, revision, size, name
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Give a published world another name; nothing else of it changes
    Rename {
        /// 32 hex digits; `sim world list` shows them
        id: String,
        /// The new name, for people
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Say who may download a published world
    Access {
        /// 32 hex digits; `sim world list` shows them
        id: String,
        /// Private is for holders of the simulator's token
        access: AccessWord,
        #[command(flatten)]
        place: Place,
    },
    /// Write the meshes and textures that all worlds share
    Shared {
        /// The folder that receives them
        out: PathBuf,
    },
}

const PUBLISH_HELP: &str = "\
A published world never changes, except for its name and who may download it; publishing again makes a new ID.
The node serves it at /cdn, and so can any web server that is given the folder.

Example:
  id=$(sim world publish my_world --name 'My world')
  curl -X POST http://127.0.0.1:8080/sim/api/worlds/install -d '{\"world_id\": \"'$id'\"}'
  curl -X POST http://127.0.0.1:8080/sim/api/switch -d '{\"world_id\": \"'$id'\"}'";

pub fn run(args: &WorldArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        WorldCommand::Build { track, out } => {
            let built = builder::build_file(track)?;
            built.files.write(out)?;
            let bytes: usize = built.files.iter().map(|(_, bytes)| bytes.len()).sum();
            println!(
                "{}: a lap of {:.1} m, tightest radius {:.2} m, {} objects, {} triangles, {} KB in {}",
                built.name,
                built.route_length_m,
                built.tightest_radius_m,
                built.objects,
                built.triangles,
                bytes.div_ceil(1024),
                out.display()
            );
        }
        WorldCommand::Publish { bundle, name, access, place } => {
            published::publish(bundle, name.as_deref(), (*access).into(), place)?;
        }
        WorldCommand::List { place } => published::list(place)?,
        WorldCommand::Rename { id, name, place } => published::rename(id, name, place)?,
        WorldCommand::Access { id, access, place } => published::set_access(id, (*access).into(), place)?,
        WorldCommand::Shared { out } => {
            let files = builder::shared::files();
            files.write(out)?;
            println!("{} shared files in {}", files.iter().count(), out.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
