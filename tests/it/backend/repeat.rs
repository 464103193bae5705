//! The same world, seed and command log give the same samples, bit for bit: a simulator process that runs as fast as it can
//! against the engine in this process, which steps by itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use sim_api::app::vehicle_file;
use sim_api::backend::catalogue::WorldSource;
use sim_api::domain::{Command, DriveTarget, PoseChange, SimTime, WorldName};
use sim_api::engine::sensors::{IMU, LIDAR};
use sim_api::engine::{Painter, View, World};
use sim_api::ros::msg::sim_api_msgs::{ApplyRequest, ApplyResponse, Command as WireCommand};
use sim_api::ros::msg::std_msgs::Header;
use sim_api::ros::{Client, Message, Node, NodeOptions, services, topics};

use super::rig::{load, pause, place};
use crate::builder::official_worlds;
use crate::engine::golden::Checksum;
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::process::Lone;
use crate::support::wait::{LIMIT, wait_until};

const SEED: u64 = 7;
const STEPS: u64 = 20_000;
const WORLD: &str = "vehicle_city";

/// Samples by their time.
type Samples<T> = Arc<Mutex<BTreeMap<i64, T>>>;

/// Keeps what comes on a topic.
fn collect<M: Message, T: Send + 'static>(
    node: &Node,
    topic: &topics::Topic<M>,
    keep: impl Fn(M) -> (Header, T) + Send + 'static,
) -> Samples<T> {
    let samples = Samples::default();
    let (kept, mut messages) = (samples.clone(), node.subscriber(topic).expect("a subscriber"));
    tokio::spawn(async move {
        while let Some(message) = messages.next().await {
            let (header, sample) = keep(message);
            let stamp = SimTime::from_sec_nanosec(header.stamp.sec, header.stamp.nanosec).nanos();
            kept.lock().unwrap().insert(stamp, sample);
        }
    });
    samples
}

async fn expect(apply: &Client<sim_api::ros::msg::sim_api_msgs::Apply>, commands: Vec<WireCommand>) -> ApplyResponse {
    let request = ApplyRequest { commands, ..Default::default() };
    // Once and not again: what is repeated takes hold at a later step.
    let response = apply.call(request, LIMIT).await.expect("an answer");
    assert_eq!(response.result, ApplyResponse::OK, "{}", response.message);
    response
}

fn checksum(values: impl IntoIterator<Item = f64>) -> u64 {
    let mut sum = Checksum::default();
    sum.add_all(values);
    sum.value()
}

fn pixels(rgb: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    rgb.chunks(8).for_each(|bytes| sum.add(bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))));
    sum.value()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_at_full_speed_and_the_engine_by_itself_agree_on_every_sample() {
    let (folder, domain) = (TempFolder::new(), TestDomain::claim());
    let id = domain.id.to_string();
    let args = ["--config=/dev/null", "--world=plain", "--rtf=0", "--domain", &id, "--data", "data"];
    let _backend = Lone::start("sim_backend", folder.path(), &args);
    let node = Node::open(NodeOptions::new("tester", domain.id)).expect("a node");
    let apply = node.client(&services::APPLY).expect("a client");
    let scans = collect(&node, &topics::SCAN, |scan| (scan.header, scan.ranges));
    let imu = collect(&node, &topics::IMU, |imu| {
        let (w, a) = (imu.angular_velocity, imu.linear_acceleration);
        (imu.header, [w.x, w.y, w.z, a.x, a.y, a.z])
    });
    let images = collect(&node, &topics::CAMERA_IMAGE, |image| (image.header, pixels(&image.data)));

    // The command log: what was asked for, and at which step after the load.
    apply.call_idempotent(ApplyRequest::default(), LIMIT).await.expect("an answer");
    expect(&apply, vec![pause(true)]).await;
    let drive = |speed, steering| WireCommand { kind: WireCommand::DRIVE, speed, steering, ..Default::default() };
    let first = vec![WireCommand { seed: SEED, ..load(WORLD) }, drive(0.8, 0.1), pause(false)];
    let begin = expect(&apply, first).await;
    let start = SimTime::from_sec_nanosec(begin.stamp.sec, begin.stamp.nanosec);
    let counted = |samples: usize, images: usize| samples > 20 && images > 5;
    let enough = || counted(scans.lock().unwrap().len().min(imu.lock().unwrap().len()), images.lock().unwrap().len());
    wait_until("samples of every sensor", enough).await;
    let middle = expect(&apply, vec![pause(true)]).await;
    let moved = expect(&apply, vec![place("cone1", 0.5), drive(-0.6, -0.3), pause(false)]).await;
    assert_eq!(moved.step, middle.step);
    let last = loop {
        let now = expect(&apply, vec![]).await;
        if now.step >= begin.step + STEPS && enough() {
            break expect(&apply, vec![pause(true)]).await;
        }
    };
    // What is still on its way comes a little later or not at all; each that came is compared.
    let (scans, imu, images) = (scans.lock().unwrap(), imu.lock().unwrap(), images.lock().unwrap());

    let sourced = official_worlds().load(&WorldName::parse(WORLD).unwrap()).expect("an official world");
    let mut world = World::build(&sourced.description, &vehicle_file::built_in().unwrap(), SEED)
        .expect("it builds")
        .with_look(sourced.look);
    let mut painter = Painter::new((**world.look().expect("a look")).clone(), 1);
    let steer = |speed_m_s, steering_rad| DriveTarget { speed_m_s, steering_rad, ..DriveTarget::default() };
    world.set_drive(steer(0.8, 0.1)).unwrap();
    let mut compared = [0; 3];
    for step in 1..=last.step - begin.step {
        if begin.step + step == moved.step + 1 {
            let change = PoseChange { x: Some(0.5), ..PoseChange::default() };
            let entity = sim_api::domain::ModelName::parse("cone1").unwrap();
            world.apply(&Command::SetPose { entity, change }).unwrap();
            world.set_drive(steer(-0.6, -0.3)).unwrap();
        }
        world.step();
        let stamp = start.plus_steps(step).nanos();
        if let Some(ranges) = scans.get(&stamp) {
            let sample = LIDAR.schedule.sample_at(step).expect("the lidar samples here");
            let same = world.scan(sample).iter().zip(ranges).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "the scan of step {step} differs");
            compared[0] += 1;
        }
        if let Some(reading) = imu.get(&stamp) {
            let own = world.imu(IMU.schedule.sample_at(step).expect("the IMU samples here"));
            let own = own.angular_velocity_rad_s.iter().chain(own.specific_force_m_s2.iter()).copied();
            assert_eq!(checksum(own), checksum(*reading), "the IMU of step {step} differs");
            compared[1] += 1;
        }
        if let Some(sum) = images.get(&stamp) {
            let view = View {
                world_from_optical: world.camera_pose(),
                entities: world.entities(),
                lights: Vec::new(),
                brightness: 1.0,
            };
            assert_eq!(pixels(painter.paint(&view)), *sum, "the picture of step {step} differs");
            compared[2] += 1;
        }
    }
    println!("{} steps, compared: {compared:?} scans, IMU readings, pictures", last.step - begin.step);
    assert!(counted(compared[0].min(compared[1]), compared[2]), "{compared:?}");
    for (index, entity) in world.entities().iter().enumerate() {
        let (pose, twist) = (&last.states.poses[index], &last.states.twists[index]);
        assert_eq!(last.states.names[index], entity.name.as_str());
        let (p, q) = (&pose.position, &pose.orientation);
        assert_eq!([p.x, p.y, p.z], <[f64; 3]>::from(entity.pose.position), "{}", entity.name);
        assert_eq!([q.x, q.y, q.z, q.w], entity.pose.xyzw(), "{}", entity.name);
        let (v, w) = (&twist.linear, &twist.angular);
        assert_eq!([v.x, v.y, v.z], <[f64; 3]>::from(entity.twist.linear), "{}", entity.name);
        assert_eq!([w.x, w.y, w.z], <[f64; 3]>::from(entity.twist.angular), "{}", entity.name);
    }
}
