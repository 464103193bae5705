//! Numbers on the wire.

use std::f64::consts::PI;

use nalgebra::{Quaternion, UnitQuaternion};
use serde_json::json;
use sim_api::api::wire::number::{angle, rounded};
use sim_api::domain::{Pose, Snapshot};

use crate::support::http::get;
use crate::support::node::{Node, entity, running};

#[test]
fn rounding_keeps_six_decimals_and_knows_no_minus_zero() {
    assert_eq!(rounded(1.23456789), 1.234568);
    assert_eq!(rounded(1e300), 1e300);
    assert!(rounded(-0.0).is_sign_positive() && rounded(-1e-9).is_sign_positive());
    assert_eq!([rounded(f64::NAN), rounded(f64::INFINITY), rounded(f64::NEG_INFINITY)], [0.0; 3]);
}

#[test]
fn a_rounded_angle_never_leaves_the_circle() {
    assert_eq!((angle(PI), angle(-PI)), (3.141592, -3.141592));
    assert_eq!(angle(3.1415), 3.1415);
}

#[tokio::test]
async fn a_broken_pose_is_still_json() {
    let nan = UnitQuaternion::new_unchecked(Quaternion::new(f64::NAN, 0.0, f64::INFINITY, 0.0));
    let mut broken = Pose::upright(f64::NAN, f64::INFINITY, -0.0, 0.0);
    broken.orientation = nan;
    let mut car = entity("vehicle", broken);
    car.twist.linear.x = f64::NAN;
    let node = Node::showing(Snapshot { vehicle: Some(car), ..running() }).await;
    let pose = get(node.address, "/sim/api/pose").await;
    let text = String::from_utf8_lossy(&pose.body).into_owned();
    assert!(!text.contains("null") && !text.contains("-0"), "{text}");
    assert_eq!(pose.json()["q"], json!([0.0, 0.0, 0.0, 1.0]));
    assert_eq!((&pose.json()["x"], &pose.json()["speed"]), (&json!(0.0), &json!(0.0)));
    node.stop().await;
}
