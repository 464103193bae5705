//! From world to world, two hundred times: no switch is missed or lost, and neither memory nor open files grow.

use std::time::Duration;

use crate::support::folder::TempFolder;
use crate::support::rig::Rig;
use crate::support::switching::{Usage, loadable_worlds, switch_around};

const SWITCHES: usize = 200;
/// What an allocator may keep more at one time than at another.
const SLACK_KB: u64 = 24 * 1024;

pub async fn run() {
    let rig = Rig::start(TempFolder::new(), &["--world=plain"]).await;
    let worlds = loadable_worlds(&rig).await;
    let mut took = switch_around(&rig, &worlds, SWITCHES / 2).await;
    let programs = [("sim_backend", &rig.backend), ("sim_api_node", &rig.node)];
    let half_way = programs.map(|(_, program)| Usage::of(program.pid()));
    took.extend(switch_around(&rig, &worlds, SWITCHES / 2).await);
    for ((name, program), before) in programs.iter().zip(half_way) {
        let after = Usage::of(program.pid());
        println!(
            "  {name}: {} -> {} files, {} -> {} MB",
            before.files,
            after.files,
            before.resident_kb / 1024,
            after.resident_kb / 1024
        );
        assert!(after.files <= before.files + 2, "{name} keeps files open");
        let limit_kb = before.resident_kb + before.resident_kb / 20 + SLACK_KB;
        assert!(after.resident_kb <= limit_kb, "{name} keeps memory");
    }
    took.sort_unstable();
    let (median, slowest) = (took[took.len() / 2], took.last().copied().unwrap_or(Duration::ZERO));
    println!("  {SWITCHES} switches over {} worlds: median {median:.0?}, slowest {slowest:.0?}", worlds.len());
}
