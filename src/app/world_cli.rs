//! `sim world`: making worlds out of track descriptions.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::builder;

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
    /// Write the meshes and textures that all worlds share
    Shared {
        /// The folder that receives them
        out: PathBuf,
    },
}

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
        WorldCommand::Shared { out } => {
            let files = builder::shared::files();
            files.write(out)?;
            println!("{} shared files in {}", files.iter().count(), out.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
