//! Small types of our own for the tests, and nodes on a private domain.

use serde::{Deserialize, Serialize};
use sim_api::ros::services::ServiceName;
use sim_api::ros::{Message, Node, NodeOptions, Qos, Service, Topic};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Number {
    pub data: i64,
}

impl Message for Number {
    const PACKAGE: &'static str = "std_msgs";
    const NAME: &'static str = "Int64";
}

/// Answers with the number doubled.
#[derive(Debug)]
pub struct Double;

impl Service for Double {
    const PACKAGE: &'static str = "sim_api_test_msgs";
    const NAME: &'static str = "Double";
    type Request = Number;
    type Response = Number;
}

pub const NUMBERS: Topic<Number> = Topic::new("numbers", Qos::reliable(100));
pub const LATCHED: Topic<Number> = Topic::new("latched", Qos::LATCHED);
pub const CAPPED: Topic<Number> = Topic::new("capped", Qos::reliable(100)).at_most(50);
pub const DOUBLE: ServiceName<Double> = ServiceName::new("double");

pub fn node(name: &str, domain: u16) -> Node {
    Node::open(NodeOptions::new(name, domain)).expect("a node opens")
}
