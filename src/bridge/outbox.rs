//! What the node itself says on ROS: lights, brightness, commands to the robot, and how it is doing.

use crate::bridge::{diagnostics, wire};
use crate::domain::{Brightness, EvaluationSummary, Light, Snapshot};
use crate::ros::msg::diagnostic_msgs::DiagnosticArray;
use crate::ros::msg::sim_api_msgs::{EvaluationStatus, TrafficLights};
use crate::ros::msg::std_msgs::{Float32, Float64};
use crate::ros::{Node, Publisher, RosError, topics};

pub(super) struct Outbox {
    lights: Publisher<TrafficLights>,
    brightness: Publisher<Float32>,
    evaluation: Publisher<EvaluationStatus>,
    speed: Publisher<Float64>,
    steering: Publisher<Float64>,
    diagnostics: Publisher<DiagnosticArray>,
    /// None before the first word.
    said: Option<(Vec<Light>, Brightness)>,
    evaluated: Option<EvaluationSummary>,
}

impl Outbox {
    pub(super) fn open(node: &Node) -> Result<Self, RosError> {
        Ok(Self {
            lights: node.publisher(&topics::TRAFFIC_LIGHTS)?,
            brightness: node.publisher(&topics::BRIGHTNESS)?,
            evaluation: node.publisher(&topics::EVALUATION)?,
            speed: node.publisher(&topics::SPEED)?,
            steering: node.publisher(&topics::STEERING)?,
            diagnostics: node.publisher(&topics::DIAGNOSTICS)?,
            said: None,
            evaluated: None,
        })
    }

    /// Says what has changed since the last time.
    pub(super) fn follow(&mut self, snapshot: &Snapshot) {
        let states =
            |lights: &[Light]| lights.iter().map(|light| (light.name.clone(), light.state)).collect::<Vec<_>>();
        let said = self.said.as_ref();
        if said.is_none_or(|(lights, _)| states(lights) != states(&snapshot.lights)) {
            self.lights.publish(wire::traffic_lights(&snapshot.lights));
        }
        if said.is_none_or(|(_, brightness)| *brightness != snapshot.brightness) {
            self.brightness.publish(Float32 { data: snapshot.brightness.factor() as f32 });
        }
        if snapshot.evaluation != self.evaluated {
            self.evaluated.clone_from(&snapshot.evaluation);
            self.evaluation.publish(snapshot.evaluation.as_ref().map(Into::into).unwrap_or_default());
        }
        self.said = Some((snapshot.lights.clone(), snapshot.brightness));
    }

    /// False when nobody is there to hear it.
    pub(super) fn drive(&self, speed_m_s: Option<f64>, steering_rad: Option<f64>) -> bool {
        if self.speed.subscriber_count() == 0 || self.steering.subscriber_count() == 0 {
            return false;
        }
        if let Some(data) = steering_rad {
            self.steering.publish(Float64 { data });
        }
        if let Some(data) = speed_m_s {
            self.speed.publish(Float64 { data });
        }
        true
    }

    pub(super) fn report(&self, snapshot: &Snapshot, listeners: usize) {
        self.diagnostics.publish(diagnostics::report(snapshot, listeners));
    }
}
