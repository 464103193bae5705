//! The one table of topics: name, type, quality of service, cap.

use std::marker::PhantomData;

use crate::ros::msg::{geometry_msgs, nav_msgs, rosgraph_msgs, sensor_msgs, sim_api_msgs, std_msgs, tf2_msgs};
use crate::ros::{Message, Qos};

/// Reliable for students, but thinned out: a killed subscriber's unacknowledged samples pile up until its lease ends.
const SENSOR: Qos = Qos::reliable(5);
const SENSOR_CAP: u32 = 150;
const COMMAND: Qos = Qos::reliable(10);

// Commands to the robot; anyone may publish them.
pub const CMD_VEL: Topic<geometry_msgs::Twist> = Topic::new("cmd_vel", COMMAND);
pub const SPEED: Topic<std_msgs::Float64> = Topic::new("speed", COMMAND);
pub const STEERING: Topic<std_msgs::Float64> = Topic::new("steering", COMMAND);
pub const CAMERA_PAN: Topic<std_msgs::Float64> = Topic::new("camera/pan", COMMAND);
pub const CAMERA_TILT: Topic<std_msgs::Float64> = Topic::new("camera/tilt", COMMAND);
pub const AUDIO: Topic<sim_api_msgs::AudioEvent> = Topic::new("audio", COMMAND);

// From the robot stack to the actuators.
pub const DRIVE: Topic<sim_api_msgs::Drive> = Topic::new("vehicle/drive", COMMAND).at_most(SENSOR_CAP);

// The vehicle's sensors, published by the simulator.
pub const SCAN: Topic<sensor_msgs::LaserScan> = Topic::new("scan", SENSOR).at_most(SENSOR_CAP);
pub const IMU: Topic<sensor_msgs::Imu> = Topic::new("imu", SENSOR).at_most(SENSOR_CAP);
pub const JOINT_STATES: Topic<sensor_msgs::JointState> = Topic::new("joint_states", SENSOR).at_most(SENSOR_CAP);
pub const CAMERA_IMAGE: Topic<sensor_msgs::Image> =
    Topic::new("camera/image_raw", Qos::best_effort(2)).at_most(SENSOR_CAP);
pub const CAMERA_INFO: Topic<sensor_msgs::CameraInfo> = Topic::new("camera/camera_info", SENSOR).at_most(SENSOR_CAP);

// What the robot stack makes of them.
pub const CAMERA_COMPRESSED: Topic<sensor_msgs::CompressedImage> =
    Topic::new("camera/image_raw/compressed", SENSOR).at_most(SENSOR_CAP);
pub const SCAN_FILTERED: Topic<sensor_msgs::LaserScan> = Topic::new("scan_filtered", SENSOR).at_most(SENSOR_CAP);
pub const ODOM_LASER: Topic<nav_msgs::Odometry> = Topic::new("odom/laser", SENSOR).at_most(SENSOR_CAP);
pub const ODOM: Topic<nav_msgs::Odometry> = Topic::new("odom", SENSOR).at_most(SENSOR_CAP);
pub const BATTERY: Topic<sensor_msgs::BatteryState> = Topic::new("battery_state", SENSOR);
pub const TF: Topic<tf2_msgs::TFMessage> = Topic::new("/tf", Qos::reliable(100)).at_most(SENSOR_CAP);
pub const TF_STATIC: Topic<tf2_msgs::TFMessage> = Topic::new("/tf_static", Qos::LATCHED);

// The simulator's own.
pub const CLOCK: Topic<rosgraph_msgs::Clock> = Topic::new("/clock", Qos::best_effort(1)).at_most(250);
pub const ENTITY_STATES: Topic<sim_api_msgs::EntityStates> =
    Topic::new("sim/entity_states", Qos::best_effort(1)).at_most(100);
pub const STATUS: Topic<sim_api_msgs::SimStatus> = Topic::new("sim/status", Qos::best_effort(1));
pub const EPOCH: Topic<sim_api_msgs::Epoch> = Topic::new("sim/epoch", Qos::LATCHED);
pub const CONTACTS: Topic<sim_api_msgs::Contacts> = Topic::new("sim/contacts", COMMAND);

// The node's own.
pub const TRAFFIC_LIGHTS: Topic<sim_api_msgs::TrafficLights> = Topic::new("sim/traffic_lights", Qos::LATCHED);
pub const BRIGHTNESS: Topic<std_msgs::Float32> = Topic::new("sim/brightness", Qos::LATCHED);
pub const EVALUATION: Topic<sim_api_msgs::EvaluationStatus> = Topic::new("sim/evaluation", Qos::LATCHED);

/// A topic by name; relative names follow the node's namespace.
#[derive(Debug, Clone, Copy)]
pub struct Topic<M: Message> {
    pub name: &'static str,
    pub qos: Qos,
    /// More samples than this in a second of wall time are thinned out, the newest wins.
    pub max_per_wall_second: Option<u32>,
    message: PhantomData<fn() -> M>,
}

impl<M: Message> Topic<M> {
    pub const fn new(name: &'static str, qos: Qos) -> Self {
        Self { name, qos, max_per_wall_second: None, message: PhantomData }
    }

    pub const fn at_most(mut self, per_wall_second: u32) -> Self {
        self.max_per_wall_second = Some(per_wall_second);
        self
    }
}
