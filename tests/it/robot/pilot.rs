//! Somebody who drives a real simulator and a real robot stack through `/speed` and `/steering`, and knows where the car truly is.
//!
//! The simulation is paused and advanced in small pieces; after each of them the pilot waits until the car's senses have been worked
//! off. So a loaded machine makes the drive slower and changes nothing else.

use std::time::Duration;

use futures::StreamExt;
use sim_api::domain::SimTime;
use sim_api::robot::planar::Planar;
use sim_api::ros::msg::builtin_interfaces::Time;
use sim_api::ros::msg::geometry_msgs::Pose;
use sim_api::ros::msg::nav_msgs::Odometry;
use sim_api::ros::msg::sensor_msgs::Imu;
use sim_api::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse, Command, Drive};
use sim_api::ros::msg::std_msgs::Float64;
use sim_api::ros::{Client, Message, Node, NodeOptions, Publisher, Topic, services, topics};
use tokio::sync::watch;

use super::road::Road;
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::process::Lone;
use crate::support::vehicle;
use crate::support::wait::{LIMIT, wait_for, wait_until};

/// One sample of the IMU in each piece, so that none is thinned out.
const PIECE_STEPS: u32 = 4;
const IMU_PERIOD_NANOS: i64 = 20_000_000;
const SCAN_PERIOD_NANOS: i64 = 100_000_000;
const ODOM_PERIOD_NANOS: i64 = 35_000_000;
const PATIENCE: Duration = Duration::from_secs(5);
/// A new command every so many pieces: 25 Hz.
const PIECES_PER_COMMAND: u32 = 2;
/// How far ahead the target lies: never nearer than this, and further the faster the car is.
const LOOK_AHEAD_M: f64 = 0.25;
const LOOK_AHEAD_S: f64 = 0.2;

pub struct Pilot {
    /// The true pose of the car, and when it was so.
    pub pose: Planar,
    pub now: SimTime,
    fresh_since: SimTime,
    /// Where everything else is: name, x, y.
    pub objects: Vec<(String, f64, f64)>,
    _node: Node,
    apply: Client<Apply>,
    speed: Publisher<Float64>,
    steering: Publisher<Float64>,
    drive: watch::Receiver<Option<Drive>>,
    imu: watch::Receiver<Option<Imu>>,
    laser: watch::Receiver<Option<Odometry>>,
    odom: watch::Receiver<Option<Odometry>>,
    _backend: Lone,
    _robot: Lone,
    _folder: TempFolder,
    _domain: TestDomain,
}

impl Pilot {
    /// In a car that stands at the start of this world, with odometry running and time standing still.
    pub async fn start(world: &str) -> Self {
        let (folder, domain) = (TempFolder::new(), TestDomain::claim());
        let id = domain.id.to_string();
        let common = ["--config=/dev/null", "--seed=7", "--domain", &id, "--data", "data", "--world", world];
        let backend = Lone::start("sim_backend", folder.path(), &common);
        let robot = Lone::start("robot_stack", folder.path(), &common);
        let node = Node::open(NodeOptions::new("pilot", domain.id)).expect("a node opens");
        let mut pilot = Self {
            pose: Planar::ZERO,
            now: SimTime::ZERO,
            fresh_since: SimTime::ZERO,
            objects: Vec::new(),
            apply: node.client(&services::APPLY).expect("a client opens"),
            speed: node.publisher(&topics::SPEED).expect("a publisher opens"),
            steering: node.publisher(&topics::STEERING).expect("a publisher opens"),
            drive: newest(&node, &topics::DRIVE),
            imu: newest(&node, &topics::IMU),
            laser: newest(&node, &topics::ODOM_LASER),
            odom: newest(&node, &topics::ODOM),
            _node: node,
            _backend: backend,
            _robot: robot,
            _folder: folder,
            _domain: domain,
        };
        wait_until("odometry", || pilot.laser.borrow().is_some() && pilot.odom.borrow().is_some()).await;
        let pause = Command { kind: Command::SET_PAUSED, paused: true, ..Command::default() };
        pilot.carry_out(vec![pause]).await;
        pilot
    }

    /// Commands that take no time; they may be carried out twice.
    pub async fn carry_out(&mut self, commands: Vec<Command>) {
        let request = ApplyRequest { commands, ..ApplyRequest::default() };
        let response = self.apply.call_idempotent(request, LIMIT).await.expect("an answer");
        self.take(&response);
    }

    /// A fresh world, this one or another.
    pub async fn load(&mut self, world: &str) {
        let load = Command { kind: Command::LOAD_WORLD, world: world.into(), seed: 7, ..Command::default() };
        let request = ApplyRequest { commands: vec![load], ..ApplyRequest::default() };
        let response = self.apply.call(request, LIMIT).await.expect("an answer");
        self.take(&response);
        self.fresh_since = self.now;
    }

    /// What `/odom` says, once it says it about the present.
    pub async fn odometry(&mut self) -> Planar {
        let now = self.now;
        let odom = &self.odom;
        let message = wait_for("odometry of now", async || {
            odom.borrow().clone().filter(|odom| nanos(odom.header.stamp) > now.nanos() - ODOM_PERIOD_NANOS)
        })
        .await;
        planar(&message.pose.pose)
    }

    /// Follows the road for so many metres and stops; says how far the car truly went and how far from the centre line it came.
    pub async fn follow(&mut self, road: &Road, way_m: f64, speed_m_s: f64) -> (f64, f64) {
        let wheelbase_m = vehicle().wheelbase_m;
        let (mut driven_m, mut off_m) = (0.0_f64, 0.0_f64);
        let mut along_m = road.place_of(self.pose, None).0;
        let goal_m = along_m + way_m;
        while along_m < goal_m {
            let target = road.point_at(along_m + LOOK_AHEAD_M + LOOK_AHEAD_S * speed_m_s);
            let rear = self.pose.then(Planar::new(-0.5 * wheelbase_m, 0.0, 0.0));
            let seen = rear.to(Planar::new(target[0], target[1], 0.0));
            // The circle from the rear axle, along its direction, through the target.
            let steering_rad = (2.0 * wheelbase_m * seen.y / (seen.x * seen.x + seen.y * seen.y)).atan();
            self.command(speed_m_s, steering_rad.clamp(-0.34, 0.34)).await;
            for _ in 0..PIECES_PER_COMMAND {
                let before = self.pose;
                self.advance().await;
                driven_m += before.to(self.pose).distance();
                let (place_m, gap_m) = road.place_of(self.pose, Some(along_m));
                (along_m, off_m) = (place_m, off_m.max(gap_m));
            }
        }
        driven_m += self.stop().await;
        (driven_m, off_m)
    }

    /// Stops, and says how far the car rolled on.
    async fn stop(&mut self) -> f64 {
        self.command(0.0, 0.0).await;
        let mut rolled_m = 0.0;
        loop {
            let before = self.pose;
            self.rest(0.1).await;
            let piece_m = before.to(self.pose).distance();
            rolled_m += piece_m;
            if piece_m < 1e-3 {
                // A few scans of a standing car, so that odometry has noticed.
                self.rest(0.5).await;
                return rolled_m;
            }
        }
    }

    /// Lets time go on.
    pub async fn rest(&mut self, seconds: f64) {
        let until = SimTime::from_nanos(self.now.nanos() + (seconds * 1e9) as i64);
        while self.now < until {
            self.advance().await;
        }
    }

    /// Tells the robot what to do, until the actuators are told the same.
    async fn command(&self, speed_m_s: f64, steering_rad: f64) {
        let drive = &self.drive;
        let mut spoken = tokio::time::Instant::now() - Duration::from_secs(1);
        wait_for("the robot to obey", async || {
            let told = drive.borrow().is_some_and(|drive| drive.speed == speed_m_s && drive.steering == steering_rad);
            // Again after a while, should a robot that has just been found miss the first word.
            if spoken.elapsed() > Duration::from_millis(200) {
                spoken = tokio::time::Instant::now();
                self.speed.publish(Float64 { data: speed_m_s });
                self.steering.publish(Float64 { data: steering_rad });
                return None;
            }
            told.then_some(())
        })
        .await;
    }

    /// A piece of time, until the robot has seen what there was to see.
    async fn advance(&mut self) {
        let request = ApplyRequest { advance_steps: PIECE_STEPS, ..ApplyRequest::default() };
        let response = self.apply.call(request, LIMIT).await.expect("an answer");
        self.take(&response);
        // In a fresh world the first sample comes one period after its beginning.
        let (now, fresh) = (self.now.nanos(), self.fresh_since.nanos());
        let is_seen = |stamp: Time, period: i64| nanos(stamp) > now - period || fresh > now - period;
        let seen = wait_until("the senses", || {
            self.imu.borrow().as_ref().is_some_and(|imu| is_seen(imu.header.stamp, IMU_PERIOD_NANOS))
                && self.laser.borrow().as_ref().is_some_and(|laser| is_seen(laser.header.stamp, SCAN_PERIOD_NANOS))
        });
        // The robot may drop a scan that it was looking at when the world was replaced; the next one tells as much.
        let _ = tokio::time::timeout(PATIENCE, seen).await;
    }

    fn take(&mut self, response: &ApplyResponse) {
        assert_eq!(response.result, ApplyResponse::OK, "{}", response.message);
        self.now = SimTime::from_nanos(nanos(response.stamp));
        self.objects.clear();
        for (name, pose) in response.states.names.iter().zip(&response.states.poses) {
            if name == "vehicle" {
                self.pose = planar(pose);
            } else {
                self.objects.push((name.clone(), pose.position.x, pose.position.y));
            }
        }
    }
}

/// Keeps the newest message of a topic.
pub fn newest<M: Message>(node: &Node, topic: &Topic<M>) -> watch::Receiver<Option<M>> {
    let mut messages = node.subscriber(topic).expect("a subscriber opens");
    let (sender, newest) = watch::channel(None);
    tokio::spawn(async move {
        while let Some(message) = messages.next().await {
            sender.send_replace(Some(message));
        }
    });
    newest
}

fn nanos(stamp: Time) -> i64 {
    i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec)
}

fn planar(pose: &Pose) -> Planar {
    let q = &pose.orientation;
    let yaw = (2.0 * (q.w * q.z + q.x * q.y)).atan2(1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    Planar::new(pose.position.x, pose.position.y, yaw)
}
