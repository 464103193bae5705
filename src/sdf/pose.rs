//! `<pose>` in all its spellings, and how poses combine.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

use super::element::{Element, Result};
use super::error::Problem;
use super::limits::MAX_LENGTH_M;
use super::reader::Reader;
use crate::domain::Pose;

/// A pose as it stands in the file: in the frame that it names, or else in the default one of its place.
#[derive(Debug, Clone)]
pub struct RawPose {
    pub pose: Isometry3<f64>,
    pub relative_to: Option<String>,
}

impl Default for RawPose {
    fn default() -> Self {
        Self { pose: Isometry3::identity(), relative_to: None }
    }
}

pub fn read_pose(reader: &mut Reader, element: Element) -> Result<RawPose> {
    if element.attribute("frame").is_some_and(|frame| !frame.is_empty()) {
        reader.warn(element, "the attribute frame of <pose> is ignored: since SDF 1.7 it is relative_to");
    }
    let relative_to = element.attribute("relative_to").filter(|name| !name.is_empty()).map(str::to_owned);
    let degrees = element.bool_attribute("degrees")?;
    let format = element.attribute("rotation_format").unwrap_or("euler_rpy");
    let values = element.number_list()?;
    if values.is_empty() {
        return Ok(RawPose { pose: Isometry3::identity(), relative_to });
    }
    let count = |needed| Problem::NumberCount { element: "pose".into(), found: values.len(), needed };
    let rotation = match format {
        "euler_rpy" => {
            let &[_, _, _, roll, pitch, yaw] = values.as_slice() else {
                return element.fail(count("6: x y z roll pitch yaw"));
            };
            let unit = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
            from_roll_pitch_yaw(roll * unit, pitch * unit, yaw * unit)
        }
        "quat_xyzw" => {
            let &[_, _, _, x, y, z, w] = values.as_slice() else {
                return element.fail(count("7: x y z and the quaternion x y z w"));
            };
            let longest = x.abs().max(y.abs()).max(z.abs()).max(w.abs());
            if longest < 1e-9 {
                return element.bad_value(&element.text()?, "a rotation: its quaternion has no length");
            }
            // Divided first, so that the square of a huge number stays finite.
            UnitQuaternion::from_quaternion(Quaternion::new(w / longest, x / longest, y / longest, z / longest))
        }
        other => return element.bad_value(other, "a rotation_format; write euler_rpy or quat_xyzw"),
    };
    for value in &values[..3] {
        element.within(*value, -MAX_LENGTH_M, MAX_LENGTH_M)?;
    }
    let translation = Translation3::new(values[0], values[1], values[2]);
    Ok(RawPose { pose: Isometry3::from_parts(translation, rotation), relative_to })
}

/// Turns about the fixed axes x, then y, then z. Uses `libm` so that every machine gets the same bits.
pub fn from_roll_pitch_yaw(roll: f64, pitch: f64, yaw: f64) -> UnitQuaternion<f64> {
    let half = |angle: f64| libm::sincos(angle / 2.0);
    let ((sr, cr), (sp, cp), (sy, cy)) = (half(roll), half(pitch), half(yaw));
    UnitQuaternion::from_quaternion(Quaternion::new(
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ))
}

/// `outer` then `inner`, with the rotation kept at length 1 over long chains.
pub fn compose(outer: &Isometry3<f64>, inner: &Isometry3<f64>) -> Isometry3<f64> {
    let mut pose = outer * inner;
    pose.rotation.renormalize();
    pose
}

pub fn to_pose(isometry: &Isometry3<f64>) -> Pose {
    Pose { position: isometry.translation.vector, orientation: isometry.rotation }
}

pub fn to_isometry(pose: &Pose) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(pose.position), pose.orientation)
}
