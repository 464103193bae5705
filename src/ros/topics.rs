//! The one table of topics: name, type, quality of service, cap.

use std::marker::PhantomData;

use crate::ros::msg::{
    diagnostic_msgs, geometry_msgs, nav_msgs, rosgraph_msgs, sensor_msgs, sim_api_msgs, std_msgs, tf2_msgs,
};
use crate::ros::{Message, Qos};

/// Reliable for students, but thinned out: a killed subscriber's unacknowledged samples pile up until its lease ends.
const SENSOR: Qos = Qos::reliable(5);
const SENSOR_CAP: u32 = 150;
const COMMAND: Qos = Qos::reliable(10);

/// Somebody who wants to do something with a topic whose name is only known at run time.
pub trait TopicVisitor {
    type Output;
    fn visit<M: Message>(self, topic: &Topic<M>) -> Self::Output;
}

macro_rules! topics {
    ($($name:ident: $message:ty = $topic:expr;)+) => {
        $(pub const $name: Topic<$message> = $topic;)+

        /// Shows the visitor the topic of this name, with or without a leading slash; nothing when there is none.
        pub fn find<V: TopicVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            let wanted = name.trim_start_matches('/');
            $(if $name.name.trim_start_matches('/') == wanted {
                return Some(visitor.visit(&$name));
            })+
            None
        }

        /// The names of all topics, in the order of this table.
        pub const NAMES: &[&str] = &[$($name.name),+];
    };
}

topics! {
    // Commands to the robot; anyone may publish them.
    CMD_VEL: geometry_msgs::Twist = Topic::new("cmd_vel", COMMAND);
    SPEED: std_msgs::Float64 = Topic::new("speed", COMMAND);
    STEERING: std_msgs::Float64 = Topic::new("steering", COMMAND);
    CAMERA_PAN: std_msgs::Float64 = Topic::new("camera/pan", COMMAND);
    CAMERA_TILT: std_msgs::Float64 = Topic::new("camera/tilt", COMMAND);
    AUDIO: sim_api_msgs::AudioEvent = Topic::new("audio", COMMAND);

    // From the robot stack to the actuators.
    DRIVE: sim_api_msgs::Drive = Topic::new("vehicle/drive", COMMAND).at_most(SENSOR_CAP);

    // The vehicle's sensors, published by the simulator.
    SCAN: sensor_msgs::LaserScan = Topic::new("scan", SENSOR).at_most(SENSOR_CAP);
    IMU: sensor_msgs::Imu = Topic::new("imu", SENSOR).at_most(SENSOR_CAP);
    JOINT_STATES: sensor_msgs::JointState = Topic::new("joint_states", SENSOR).at_most(SENSOR_CAP);
    CAMERA_IMAGE: sensor_msgs::Image = Topic::new("camera/image_raw", Qos::best_effort(2)).at_most(SENSOR_CAP);
    CAMERA_INFO: sensor_msgs::CameraInfo = Topic::new("camera/camera_info", SENSOR).at_most(SENSOR_CAP);

    // What the robot stack makes of them.
    CAMERA_COMPRESSED: sensor_msgs::CompressedImage = Topic::new("camera/image_raw/compressed", SENSOR).at_most(SENSOR_CAP);
    SCAN_FILTERED: sensor_msgs::LaserScan = Topic::new("scan_filtered", SENSOR).at_most(SENSOR_CAP);
    ODOM_LASER: nav_msgs::Odometry = Topic::new("odom/laser", SENSOR).at_most(SENSOR_CAP);
    ODOM: nav_msgs::Odometry = Topic::new("odom", SENSOR).at_most(SENSOR_CAP);
    BATTERY: sensor_msgs::BatteryState = Topic::new("battery_state", SENSOR);
    TF: tf2_msgs::TFMessage = Topic::new("/tf", Qos::reliable(100)).at_most(SENSOR_CAP);
    TF_STATIC: tf2_msgs::TFMessage = Topic::new("/tf_static", Qos::LATCHED);

    // The simulator's own.
    CLOCK: rosgraph_msgs::Clock = Topic::new("/clock", Qos::best_effort(1)).at_most(250);
    ENTITY_STATES: sim_api_msgs::EntityStates = Topic::new("sim/entity_states", Qos::best_effort(1)).at_most(100);
    STATUS: sim_api_msgs::SimStatus = Topic::new("sim/status", Qos::best_effort(1));
    EPOCH: sim_api_msgs::Epoch = Topic::new("sim/epoch", Qos::LATCHED);
    CONTACTS: sim_api_msgs::Contacts = Topic::new("sim/contacts", COMMAND);

    // The node's own.
    TRAFFIC_LIGHTS: sim_api_msgs::TrafficLights = Topic::new("sim/traffic_lights", Qos::LATCHED);
    BRIGHTNESS: std_msgs::Float32 = Topic::new("sim/brightness", Qos::LATCHED);
    EVALUATION: sim_api_msgs::EvaluationStatus = Topic::new("sim/evaluation", Qos::LATCHED);
    DIAGNOSTICS: diagnostic_msgs::DiagnosticArray = Topic::new("/diagnostics", COMMAND);
}

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
