//! `<light>`: the sun and lamps.

use super::element::{Element, Result, set};
use super::limits::MAX_LENGTH_M;
use super::material::read_color;
use super::pose::{RawPose, read_pose, to_pose};
use super::reader::Reader;
use super::tree::{Attenuation, Light, LightKind};

/// Brighter than this is no light but a mistake.
const MAX_INTENSITY: f64 = 1e6;

pub fn read_light(reader: &mut Reader, element: Element) -> Result<(Light, RawPose)> {
    let kind = match element.attribute("type") {
        Some("directional") => LightKind::Directional,
        Some("point") | None => LightKind::Point,
        Some("spot") => LightKind::Spot,
        Some(other) => return element.bad_value(other, "a kind of light; write directional, point or spot"),
    };
    let (mut pose, mut diffuse, mut specular, mut direction) = (None, None, None, None);
    let (mut intensity, mut attenuation, mut cast_shadows) = (None, None, None);
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "diffuse" => set(&mut diffuse, child, read_color(reader, child)?)?,
            "specular" => set(&mut specular, child, read_color(reader, child)?)?,
            "direction" => {
                let given: [f64; 3] = child.vector("three: x y z")?;
                if given.iter().all(|part| part.abs() < 1e-9) {
                    return child.bad_value(&child.text()?, "a direction; write for example 0 0 -1");
                }
                set(&mut direction, child, given)?;
            }
            "intensity" => set(&mut intensity, child, child.number(0.0, MAX_INTENSITY)?)?,
            "attenuation" => set(&mut attenuation, child, read_attenuation(reader, child)?)?,
            "cast_shadows" => set(&mut cast_shadows, child, child.bool()?)?,
            _ => reader.ignore(child, element),
        }
    }
    let raw: RawPose = pose.unwrap_or_default();
    let light = Light {
        name: element.required_name()?,
        kind,
        pose: to_pose(&raw.pose),
        diffuse,
        specular,
        direction,
        intensity,
        attenuation: attenuation.unwrap_or_default(),
        cast_shadows,
        place: element.place(),
    };
    Ok((light, raw))
}

fn read_attenuation(reader: &mut Reader, element: Element) -> Result<Attenuation> {
    let mut attenuation = Attenuation::default();
    for child in element.children() {
        let slot = match child.name() {
            "range" => &mut attenuation.range_m,
            "constant" => &mut attenuation.constant,
            "linear" => &mut attenuation.linear,
            "quadratic" => &mut attenuation.quadratic,
            _ => {
                reader.ignore(child, element);
                continue;
            }
        };
        set(slot, child, child.number_capped(0.0, MAX_LENGTH_M)?)?;
    }
    Ok(attenuation)
}
