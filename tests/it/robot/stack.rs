//! The whole stack on ROS, with a test in the place of the simulator.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::StreamExt;
use sim_api::domain::SimTime;
use sim_api::robot::planar::Planar;
use sim_api::robot::{self, RobotOptions};
use sim_api::ros::msg::builtin_interfaces::Time;
use sim_api::ros::msg::nav_msgs::Odometry;
use sim_api::ros::msg::rosgraph_msgs::Clock;
use sim_api::ros::msg::sensor_msgs::{Image, Imu, LaserScan};
use sim_api::ros::msg::sim_api_msgs::Epoch;
use sim_api::ros::msg::std_msgs::{Float64, Header};
use sim_api::ros::{Node, NodeOptions, Publisher, RosError, topics};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::course::{self, Noise, STEP_NANOS, Truth, Walls};
use super::pilot::newest;
use crate::support::domain::TestDomain;
use crate::support::vehicle;
use crate::support::wait::{wait_for, wait_until, within};

const FIRST: SimTime = SimTime::from_nanos(40_000_000_000);
const START: Planar = Planar::new(-0.9, -1.3, 0.0);

struct Stack {
    tester: Node,
    stop: CancellationToken,
    robot: JoinHandle<Result<(), RosError>>,
    _domain: TestDomain,
}

impl Stack {
    fn start() -> Self {
        let domain = TestDomain::claim();
        let tester = Node::open(NodeOptions::new("tester", domain.id)).expect("a node opens");
        let node = Node::open(NodeOptions::new("robot_stack", domain.id)).expect("a node opens");
        let stop = CancellationToken::new();
        let robot = tokio::spawn(robot::run(RobotOptions::new(vehicle()), node, stop.clone()));
        Self { tester, stop, robot, _domain: domain }
    }

    async fn stop(self) {
        self.stop.cancel();
        within("the end of the robot", self.robot).await.expect("no panic").expect("no error");
    }
}

/// Plays a simulator: lives through true states and publishes what a car would sense.
struct Player {
    clock: Publisher<Clock>,
    scan: Publisher<LaserScan>,
    imu: Publisher<Imu>,
    epoch: Publisher<Epoch>,
    noise: Noise,
    walls: Walls,
    last: Truth,
}

impl Player {
    fn new(node: &Node) -> Self {
        Self {
            clock: node.publisher(&topics::CLOCK).unwrap(),
            scan: node.publisher(&topics::SCAN).unwrap(),
            imu: node.publisher(&topics::IMU).unwrap(),
            epoch: node.publisher(&topics::EPOCH).unwrap(),
            noise: Noise::new(1),
            walls: Walls::fence(),
            last: Truth { stamp: FIRST, pose: START, ..Truth::default() },
        }
    }

    async fn wait_for_the_robot(&self) {
        let found = || self.clock.subscriber_count() * self.scan.subscriber_count() * self.imu.subscriber_count() > 0;
        wait_until("the robot to listen", found).await;
    }

    async fn play(&mut self, states: &[Truth]) {
        for truth in states {
            let millis = truth.stamp.nanos() / 1_000_000;
            if millis % 20 == 0 {
                let mut imu = Imu { header: header(truth.stamp, "imu_link"), ..Imu::default() };
                imu.angular_velocity.z = course::gyro(truth, 0.0, &mut self.noise).yaw_rate_rad_s;
                imu.angular_velocity_covariance[8] = course::GYRO_SIGMA * course::GYRO_SIGMA;
                self.imu.publish(imu);
            }
            if millis % 100 == 0 {
                let scan = self.sense(truth);
                self.scan.publish(scan);
            }
            if millis % 5 == 0 {
                self.clock.publish(Clock { clock: time(truth.stamp) });
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            self.last = *truth;
        }
    }

    /// A tenth of a second on the spot.
    async fn stand(&mut self, pose: Planar) {
        let from = self.last.stamp.nanos();
        let stamp = |k: i64| SimTime::from_nanos(from + k * STEP_NANOS);
        let states: Vec<_> = (1..=100).map(|k| Truth { stamp: stamp(k), pose, ..Truth::default() }).collect();
        self.play(&states).await;
    }

    fn sense(&mut self, truth: &Truth) -> LaserScan {
        let scan = self.walls.scan(truth.stamp, truth.pose, &mut self.noise);
        LaserScan {
            header: header(truth.stamp, "lidar_link"),
            angle_min: scan.angle_min_rad as f32,
            angle_max: -scan.angle_min_rad as f32,
            angle_increment: scan.angle_increment_rad as f32,
            range_min: 0.1,
            range_max: 16.0,
            ranges: scan.ranges_m,
            ..LaserScan::default()
        }
    }
}

fn time(stamp: SimTime) -> Time {
    let (sec, nanosec) = stamp.sec_nanosec();
    Time { sec, nanosec }
}

fn header(stamp: SimTime, frame: &str) -> Header {
    Header { stamp: time(stamp), frame_id: frame.into() }
}

fn planar(odometry: &Odometry) -> Planar {
    let pose = &odometry.pose.pose;
    Planar::new(pose.position.x, pose.position.y, 2.0 * pose.orientation.z.atan2(pose.orientation.w))
}

#[tokio::test(flavor = "multi_thread")]
async fn odometry_and_frames_follow_the_car_and_start_anew_with_a_fresh_world() {
    let stack = Stack::start();
    let mut player = Player::new(&stack.tester);
    let odom = newest(&stack.tester, &topics::ODOM);
    let laser = newest(&stack.tester, &topics::ODOM_LASER);
    let filtered = newest(&stack.tester, &topics::SCAN_FILTERED);
    let battery = newest(&stack.tester, &topics::BATTERY);
    let tf = newest(&stack.tester, &topics::TF);
    player.wait_for_the_robot().await;

    let fixed = newest(&stack.tester, &topics::TF_STATIC);
    wait_until("the fixed frames", || fixed.borrow().is_some()).await;
    let fixed = fixed.borrow().clone().unwrap();
    let names: BTreeSet<_> = fixed.transforms.iter().map(|frame| frame.child_frame_id.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["base_link", "lidar_link", "imu_link", "camera_optical_frame"]));

    let states = course::drive(START, &[(0.8, 0.0), (0.6, 1.0)], FIRST);
    player.play(&states).await;
    let end = player.last.pose;
    let truth = START.to(end);
    // Afterwards the car stands; late scans come in and the estimate settles.
    within("odometry to arrive at the truth", async {
        loop {
            player.stand(end).await;
            let near = |message: &Option<Odometry>| {
                message.as_ref().is_some_and(|odom| truth.to(planar(odom)).distance() < 0.05)
            };
            if near(&odom.borrow()) && near(&laser.borrow()) && battery.borrow().is_some() {
                break;
            }
        }
    })
    .await;
    let last = odom.borrow().clone().unwrap();
    assert_eq!((last.header.frame_id.as_str(), last.child_frame_id.as_str()), ("odom", "base_footprint"));
    assert!(last.pose.covariance[0][0] > 0.0 && last.pose.covariance[5][5] > 0.0);
    assert!(filtered.borrow().as_ref().unwrap().ranges.iter().all(|range| range.is_finite()));
    let frames = tf.borrow().clone().unwrap().transforms;
    let base = frames.iter().find(|frame| frame.child_frame_id == "base_footprint").unwrap();
    assert_eq!(base.header.frame_id, "odom");
    assert!((base.transform.translation.x - truth.x).abs() < 0.06);
    assert!(frames.iter().any(|frame| frame.child_frame_id == "camera_link"));

    for number in 1..=2 {
        let first_stamp = time(SimTime::from_nanos(player.last.stamp.nanos() + STEP_NANOS));
        player.epoch.publish(Epoch { number, cause: "respawn".into(), first_stamp });
        within("odometry to start at zero", async {
            loop {
                player.stand(START).await;
                let zero = |odom: &Odometry| odom.header.stamp >= first_stamp && planar(odom).distance() < 0.01;
                if odom.borrow().as_ref().is_some_and(zero) {
                    break;
                }
            }
        })
        .await;
    }
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_drive_and_the_end_of_the_robot_stops_the_car() {
    let stack = Stack::start();
    let mut player = Player::new(&stack.tester);
    let drive = newest(&stack.tester, &topics::DRIVE);
    let speed = stack.tester.publisher(&topics::SPEED).unwrap();
    player.wait_for_the_robot().await;
    within("the speed to be passed on", async {
        loop {
            speed.publish(Float64 { data: 0.7 });
            player.stand(START).await;
            if drive.borrow().is_some_and(|drive| drive.speed == 0.7) {
                break;
            }
        }
    })
    .await;
    stack.stop.cancel();
    wait_until("the car to be stopped", || drive.borrow().is_some_and(|drive| drive.speed == 0.0)).await;
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn camera_is_listened_to_only_while_somebody_wants_compressed_images() {
    let stack = Stack::start();
    let player = Player::new(&stack.tester);
    let raw = stack.tester.publisher(&topics::CAMERA_IMAGE).unwrap();
    player.wait_for_the_robot().await;
    assert_eq!(raw.subscriber_count(), 0);
    let mut compressed = stack.tester.subscriber(&topics::CAMERA_COMPRESSED).unwrap();
    wait_until("the robot to want images", || raw.subscriber_count() == 1).await;
    let image = Image {
        header: header(FIRST, "camera_optical_frame"),
        height: 360,
        width: 480,
        encoding: "rgb8".into(),
        step: 1440,
        data: vec![90; 1440 * 360],
        ..Image::default()
    };
    // Raw images are best effort, so one may be lost.
    let jpeg = wait_for("a compressed image", async || {
        raw.publish(image.clone());
        tokio::time::timeout(Duration::from_millis(100), compressed.next()).await.ok().flatten()
    })
    .await;
    assert_eq!((jpeg.header, jpeg.format.as_str()), (image.header, "jpeg"));
    assert_eq!(jpeg.data[..3], [0xff, 0xd8, 0xff]);
    drop(compressed);
    wait_until("the robot to lose interest", || raw.subscriber_count() == 0).await;
    stack.stop().await;
}
