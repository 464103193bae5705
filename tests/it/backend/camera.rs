//! Pictures: all of them in lockstep, late ones skipped while time runs, and each as lights and brightness were at its step.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use futures::StreamExt;
use sim_api::backend::ledger::Ledger;
use sim_api::backend::simulation::{
    Observations, Request, Shot, Shown, Simulation, SimulationHandle, SimulationOptions, Stamped,
};
use sim_api::domain::{Brightness, Command, DriveTarget, Epoch, LightState, ModelName, SimTime, WorldName, WorldState};
use sim_api::engine::sensors::camera::CAMERA;
use sim_api::engine::{Painter, View};
use sim_api::ros::msg::sim_api_msgs as wire;
use sim_api::ros::topics;

use super::rig::{Rig, load, pause};
use crate::builder::official_worlds;
use crate::support::folder::TempFolder;
use crate::support::vehicle;
use crate::support::wait::{LIMIT, within};

/// A simulation without ROS, paused in the city, and what it shows to its camera.
struct City {
    simulation: Simulation,
    observations: Observations,
    _folder: TempFolder,
}

impl City {
    async fn start() -> Self {
        let folder = TempFolder::new();
        let (ledger, time, epoch) = Ledger::open(folder.path()).unwrap();
        let options = SimulationOptions {
            world: WorldName::parse("vehicle_city").unwrap(),
            otherwise: None,
            worlds: official_worlds(),
            vehicle: vehicle(),
            seed: 1,
            real_time_factor: 1.0,
        };
        let mut simulation = Simulation::start(options, ledger, time, epoch).unwrap();
        let observations = simulation.take_observations().unwrap();
        let city = Self { simulation, observations, _folder: folder };
        city.apply(vec![Command::SetPaused(true), Command::Reset], 0).await;
        // Only now, so that nothing is seen of the time before.
        city.observations.shots_wanted.store(true, Relaxed);
        city
    }

    async fn apply(&self, commands: Vec<Command>, advance_steps: u32) -> WorldState {
        apply(&self.simulation.handle(), commands, advance_steps).await
    }

    /// Stands in for the camera: takes its time for each picture and tells of each.
    fn slow_camera(&self) -> (JoinHandle<()>, mpsc::Receiver<Arc<Stamped<Shot>>>) {
        let (sender, seen) = mpsc::channel();
        let (mut shots, frames) = (self.observations.shots.clone(), self.observations.frames.clone());
        let runtime = tokio::runtime::Handle::current();
        let camera = std::thread::spawn(move || {
            while runtime.block_on(shots.changed()).is_ok() {
                let Some(shot) = shots.borrow_and_update().clone() else { continue };
                std::thread::sleep(Duration::from_millis(20));
                let number = shot.value.number;
                if sender.send(shot).is_err() {
                    return;
                }
                frames.finish(number);
            }
        });
        (camera, seen)
    }
}

async fn apply(handle: &SimulationHandle, commands: Vec<Command>, advance_steps: u32) -> WorldState {
    let request = Request { expected_epoch: Epoch::default(), deadline: None, commands, advance_steps };
    within("an answer", handle.apply(request)).await.unwrap()
}

fn light_of(shot: &Stamped<Shot>, name: &str) -> Option<LightState> {
    shot.value.lights.iter().find(|(light, _)| light.as_str() == name).map(|(_, state)| *state)
}

/// The lights of the city.
fn lights(city: &City) -> Vec<ModelName> {
    let shot = city.observations.shots.borrow().clone().expect("a shot");
    shot.value.look.lights.iter().map(|light| light.name.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_lockstep_every_picture_is_out_before_the_answer() {
    let city = City::start().await;
    let (camera, seen) = city.slow_camera();
    let mut expected = Vec::new();
    let mut step = 0;
    for steps in [40, 13, 1, 200] {
        let from = city.apply(vec![], 0).await.stamp;
        city.apply(vec![Command::Drive(DriveTarget { speed_m_s: 0.5, ..DriveTarget::default() })], steps).await;
        let due = (1..=u64::from(steps)).filter(|n| CAMERA.schedule.sample_at(step + n).is_some());
        expected.extend(due.map(|n| from.plus_steps(n)));
        step += u64::from(steps);
        let got: Vec<SimTime> = seen.try_iter().map(|shot| shot.stamp).collect();
        assert_eq!(got, expected, "after {steps} steps");
        expected.clear();
    }
    drop((city, seen));
    camera.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn running_time_does_not_wait_for_a_late_picture() {
    let city = City::start().await;
    // Nobody ever finishes a picture.
    let start = city.apply(vec![Command::SetRealTimeFactor(0.0), Command::SetPaused(false)], 0).await;
    let mut clock = city.simulation.handle().clock();
    within("2000 steps", clock.wait_for(|now| *now >= start.stamp.plus_steps(2000))).await.unwrap();
    let newest = city.observations.shots.borrow().clone().expect("shots are taken");
    assert!(newest.value.number > 100 && !newest.value.is_awaited);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_shows_lights_and_brightness_as_they_were_at_its_step() {
    let city = City::start().await;
    let (camera, seen) = city.slow_camera();
    city.apply(vec![], 20).await;
    let light = lights(&city)[0].clone();
    let last = |seen: &mpsc::Receiver<Arc<Stamped<Shot>>>| seen.try_iter().last().expect("a picture");
    assert_eq!(light_of(&last(&seen), light.as_str()), None, "nothing was said: it is green");

    let red_at = city.apply(vec![], 0).await.stamp.plus_steps(200);
    let set = Command::SetLight { light: light.clone(), state: LightState::Yellow { red_at } };
    let dim = Command::SetBrightness(Brightness::new(0.5).unwrap());
    city.apply(vec![set, dim], 0).await;
    city.apply(vec![], 300).await;
    let pictures: Vec<_> = seen.try_iter().collect();
    assert!(pictures.len() >= 22);
    for shot in &pictures {
        let expected = if shot.stamp < red_at { LightState::Yellow { red_at } } else { LightState::Red };
        assert_eq!(light_of(shot, light.as_str()), Some(expected), "at {:?}", shot.stamp);
        assert_eq!(shot.value.brightness.factor(), 0.5);
    }

    // The node's topics say the same for a simulator that has just started.
    let handle = city.simulation.handle();
    handle.show(Shown::Brightness(Brightness::default())).await;
    handle.show(Shown::Lights(vec![(light.clone(), LightState::Red)])).await;
    city.apply(vec![], 20).await;
    let shot = last(&seen);
    assert_eq!(
        (light_of(&shot, light.as_str()), shot.value.brightness),
        (Some(LightState::Red), Brightness::default())
    );

    // A reset puts all lights to green, also for the first picture after it.
    city.apply(vec![Command::Reset], 20).await;
    assert_eq!(light_of(&last(&seen), light.as_str()), Some(LightState::Green));
    drop((city, seen));
    camera.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn lamps_and_brightness_are_seen_in_the_pixels() {
    let city = City::start().await;
    let (camera, seen) = city.slow_camera();
    city.apply(vec![], 20).await;
    let shot = seen.try_iter().last().expect("a picture");
    let mut painter = Painter::new((*shot.value.look).clone(), 1);
    let mut view = View {
        world_from_optical: shot.value.world_from_optical,
        entities: shot.value.entities.clone(),
        lights: Vec::new(),
        brightness: 1.0,
    };
    let mut count =
        |view: &View, wanted: fn(&[u8]) -> bool| painter.paint(view).chunks(3).filter(|p| wanted(p)).count();
    let red = |p: &[u8]| p[0] > 230 && p[1] < 60 && p[2] < 60;
    let green = |p: &[u8]| p[1] > 220 && p[0] < 60 && p[2] < 120;
    let yellow = |p: &[u8]| p[0] > 240 && (180..240).contains(&p[1]) && p[2] < 60;
    let all = |state| shot.value.look.lights.iter().map(|light| (light.name.clone(), state)).collect();
    for (state, seen) in [
        (LightState::Green, [false, true, false]),
        (LightState::Red, [true, false, false]),
        (LightState::Yellow { red_at: SimTime::ZERO }, [false, false, true]),
    ] {
        view.lights = all(state);
        let pixels = [count(&view, red), count(&view, green), count(&view, yellow)];
        assert_eq!(pixels.map(|count| count > 5), seen, "{state:?}: {pixels:?}");
    }
    let mean = |rgb: &[u8]| rgb.iter().map(|&v| f64::from(v)).sum::<f64>() / rgb.len() as f64;
    let bright = mean(painter.paint(&view));
    view.brightness = 0.5;
    let dim = mean(painter.paint(&view));
    assert!((dim / bright - 0.5).abs() < 0.02, "{dim} of {bright}");
    drop((city, seen));
    camera.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_for_lights_are_checked() {
    let rig = Rig::start_with(1.0, official_worlds());
    rig.expect(vec![pause(true), load("vehicle_city")], 0).await;
    let set = |entity: &str, state: &str| wire::Command {
        kind: wire::Command::SET_LIGHT,
        entity: entity.into(),
        light_state: state.into(),
        ..Default::default()
    };
    let bright = |brightness| wire::Command { kind: wire::Command::SET_BRIGHTNESS, brightness, ..Default::default() };
    rig.expect(vec![set("signal1", "yellow"), bright(0.2)], 1).await;
    for (command, result) in [
        (set("nobody", "red"), wire::ApplyResponse::NOT_FOUND),
        (set("vehicle", "red"), wire::ApplyResponse::NOT_FOUND),
        (set("signal1", "blue"), wire::ApplyResponse::REFUSED),
        (bright(0.1), wire::ApplyResponse::REFUSED),
        (bright(f64::NAN), wire::ApplyResponse::REFUSED),
    ] {
        let answer = rig.apply(vec![command.clone()], 0).await;
        assert_eq!(answer.result, result, "{command:?}: {}", answer.message);
    }
}

/// Over ROS: the picture stamped next after the answer has the new brightness, with time running.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_picture_after_the_answer_has_the_new_brightness() {
    let rig = Rig::start_with(1.0, official_worlds());
    let mut images = rig.node.subscriber(&topics::CAMERA_IMAGE).unwrap();
    rig.expect(vec![load("vehicle_city")], 0).await;
    let mut means = Vec::new();
    for brightness in [1.0, 0.3, 0.9, 0.3, 1.0] {
        let command = wire::Command { kind: wire::Command::SET_BRIGHTNESS, brightness, ..Default::default() };
        let answer = rig.expect(vec![command], 0).await;
        let told = (answer.stamp.sec, answer.stamp.nanosec);
        let next = async {
            loop {
                let image = images.next().await.expect("pictures");
                if (image.header.stamp.sec, image.header.stamp.nanosec) > told {
                    return image;
                }
            }
        };
        let image = tokio::time::timeout(LIMIT, next).await.expect("a picture after the answer");
        means.push(image.data.iter().map(|&v| f64::from(v)).sum::<f64>() / image.data.len() as f64);
    }
    for (mean, share) in means.iter().zip([1.0, 0.3, 0.9, 0.3, 1.0]) {
        assert!((mean / means[0] - share).abs() < 0.02, "{means:?}");
    }
}
