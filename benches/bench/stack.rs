//! All three programs together in `vehicle_base`, the car driving and the camera watched: what they cost, and how fast they can go.

use std::fs;
use std::time::{Duration, Instant};

use futures::StreamExt;
use sim_api::ros::msg::geometry_msgs::{Twist, Vector3};
use sim_api::ros::msg::sensor_msgs::CompressedImage;
use sim_api::ros::msg::sim_api_msgs::SimStatus;
use sim_api::ros::{Node, NodeOptions, Subscriber, topics};

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::process::{Lone, free_address};

const PROGRAMS: [&str; 3] = ["sim_backend", "robot_stack", "sim_api_node"];
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(8);
/// Linux counts the time of processes in hundredths of a second, whatever the machine.
const TICKS_PER_SECOND: f64 = 100.0;

pub async fn run() {
    let real_time = measure("1").await;
    let share = real_time.core_share * 100.0;
    crate::judged("whole stack at real time: share of one core", "< 60 %", &format!("{share:.0} %"), share < 60.0);
    crate::row("whole stack at real time: real-time factor", &format!("{:.2} x", real_time.factor));
    crate::row("whole stack at real time: compressed pictures", &format!("{:.1} /s", real_time.pictures_per_s));
    let fast = measure("0").await;
    let factor = format!("{:.1} x", fast.factor);
    crate::judged("whole stack as fast as it can: real-time factor", ">= 5 x", &factor, fast.factor >= 5.0);
}

struct Measured {
    core_share: f64,
    factor: f64,
    pictures_per_s: f64,
}

async fn measure(rtf: &str) -> Measured {
    let (folder, domain) = (TempFolder::new(), TestDomain::claim());
    let (id, address) = (domain.id.to_string(), free_address().to_string());
    let args = ["--config=/dev/null", "--world=vehicle_base", "--domain", &id, "--bind", &address, "--data", "data"];
    let args: Vec<&str> = args.into_iter().chain(["--rtf", rtf]).collect();
    let programs = PROGRAMS.map(|program| Lone::start(program, folder.path(), &args));

    let node = Node::open(NodeOptions::new("watcher", domain.id)).expect("a node opens");
    let mut pictures = node.subscriber(&topics::CAMERA_COMPRESSED).expect("a subscriber opens");
    let mut statuses = node.subscriber(&topics::STATUS).expect("a subscriber opens");
    let drive = node.publisher(&topics::CMD_VEL).expect("a publisher opens");
    let driving = tokio::spawn(async move {
        loop {
            drive.publish(Twist {
                linear: Vector3 { x: 0.3, ..Vector3::default() },
                angular: Vector3 { z: 0.5, ..Vector3::default() },
            });
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    in_time(pictures.next()).await.expect("a picture");
    count_during(WARM_UP, &mut pictures).await;

    let cpu = || programs.iter().map(|program| cpu_seconds(program.pid())).sum::<f64>();
    let (first, cpu_before) = (newest(&mut statuses).await, cpu());
    let started = Instant::now();
    let seen = count_during(MEASURED, &mut pictures).await;
    let (last, cpu_after) = (newest(&mut statuses).await, cpu());
    driving.abort();
    let wall = started.elapsed().as_secs_f64();
    Measured {
        core_share: (cpu_after - cpu_before) / wall,
        factor: (sim_seconds(&last) - sim_seconds(&first)) / (last.real_time - first.real_time),
        pictures_per_s: f64::from(seen) / MEASURED.as_secs_f64(),
    }
}

/// How many pictures come in this time. What comes while nobody counts waits, and would be counted later.
async fn count_during(time: Duration, pictures: &mut Subscriber<CompressedImage>) -> u32 {
    let (until, mut seen) = (tokio::time::Instant::now() + time, 0);
    while tokio::time::timeout_at(until, pictures.next()).await.is_ok() {
        seen += 1;
    }
    seen
}

/// A status that is made from now on, not one that waited.
async fn newest(statuses: &mut Subscriber<SimStatus>) -> SimStatus {
    let mut status = in_time(statuses.next()).await.expect("a status");
    while let Ok(Some(later)) = tokio::time::timeout(Duration::from_millis(5), statuses.next()).await {
        status = later;
    }
    status
}

fn sim_seconds(status: &SimStatus) -> f64 {
    f64::from(status.sim_time.sec) + f64::from(status.sim_time.nanosec) * 1e-9
}

/// User and system time of a process so far.
fn cpu_seconds(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the program lives");
    // The name in parentheses may contain anything; the numbers begin behind it, with the state as the third field.
    let (_, fields) = stat.rsplit_once(") ").expect("a name in parentheses");
    let ticks = |field: usize| fields.split(' ').nth(field - 3).and_then(|text| text.parse::<f64>().ok());
    (ticks(14).expect("user time") + ticks(15).expect("system time")) / TICKS_PER_SECOND
}
