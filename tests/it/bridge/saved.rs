//! What outlives the node.

use std::collections::BTreeMap;

use sim_api::bridge::lights::Lights;
use sim_api::bridge::saved::{Saved, keeper};
use sim_api::domain::{Brightness, Epoch, LightState, SimTime, WorldName};

use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::node::model;

fn some() -> Saved {
    let red_at = SimTime::from_nanos(12_345_678_900);
    let states = BTreeMap::from([
        (model("signal1"), LightState::Yellow { red_at }),
        (model("signal2"), LightState::Red),
        (model("signal3"), LightState::Green),
    ]);
    let lights = Lights::restored(WorldName::parse("oval").unwrap(), Epoch(7), states);
    Saved { brightness: Brightness::new(0.3).unwrap(), lights }
}

#[tokio::test]
async fn what_was_kept_is_read_again() {
    let folder = TempFolder::new();
    let data = folder.path().join("data");
    assert_eq!(Saved::read(&data), Saved::default());
    let (mut keeper, keeping) = keeper(data.clone(), Saved::default());
    let writing = tokio::spawn(keeping.run());
    keeper.keep(some());
    in_time(keeper.kept()).await;
    assert_eq!(Saved::read(&data), some());
    keeper.keep(Saved { brightness: Brightness::default(), ..some() });
    drop(keeper);
    in_time(writing).await.unwrap();
    assert_eq!(Saved::read(&data).brightness, Brightness::default(), "the last word is written before the end");
    let names = std::fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert_eq!(names.len(), 2, "no draft is left: {names:?}");
}

#[test]
fn files_that_make_no_sense_count_as_missing() {
    let folder = TempFolder::new();
    for (brightness, lights) in
        [("", "oval"), ("9", "oval x\n"), ("NaN", "oval 1\nsignal1 blue\n"), ("x", "oval 1\na b c d")]
    {
        folder.write("brightness", brightness);
        folder.write("traffic_lights", lights);
        assert_eq!(Saved::read(folder.path()), Saved::default(), "{brightness:?} {lights:?}");
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_holds_nobody_up() {
    let folder = TempFolder::new();
    let file = folder.write("data", "not a folder");
    let (mut keeper, keeping) = keeper(file, Saved::default());
    let writing = tokio::spawn(keeping.run());
    keeper.keep(some());
    in_time(keeper.kept()).await;
    drop(keeper);
    in_time(writing).await.unwrap();
}
