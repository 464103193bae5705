//! A small message, a small service, and nodes on a private domain.

use serde::{Deserialize, Serialize};
use sim_api::ros::msg::simulation_interfaces::{
    Result as SimResult, StepSimulation, StepSimulationRequest, StepSimulationResponse,
};
use sim_api::ros::services::ServiceName;
use sim_api::ros::{Message, Node, NodeOptions, Qos, Topic};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Number {
    pub data: i64,
}

impl Message for Number {
    const PACKAGE: &'static str = "std_msgs";
    const NAME: &'static str = "Int64";
}

/// Any service with a number in the request and a text in the answer would do, but not every half knows types of our own.
pub fn request(number: u64) -> StepSimulationRequest {
    StepSimulationRequest { steps: number }
}

pub fn answer(number: u64) -> StepSimulationResponse {
    StepSimulationResponse { result: SimResult { result: SimResult::RESULT_OK, error_message: number.to_string() } }
}

pub const NUMBERS: Topic<Number> = Topic::new("numbers", Qos::reliable(100));
pub const LATCHED: Topic<Number> = Topic::new("latched", Qos::LATCHED);
pub const CAPPED: Topic<Number> = Topic::new("capped", Qos::reliable(100)).at_most(50);
/// Answers with the number doubled.
pub const DOUBLE: ServiceName<StepSimulation> = ServiceName::new("double");

pub fn node(name: &str, domain: u16) -> Node {
    Node::open(NodeOptions::new(name, domain)).expect("a node opens")
}
