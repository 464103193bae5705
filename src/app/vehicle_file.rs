//! Reads the measures of a vehicle generation from `config/vehicles/<generation>.yaml`.
//!
//! The standard vehicle is also part of the program, so that a lone binary works. Every measure of the body must be there and
//! be positive; where the sensors sit has defaults; unknown keys are refused.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::settings::Surroundings;
use super::settings::file::describe;
use crate::domain::VehicleSpec;

const FILE: &str = "config/vehicles/vehicle.yaml";
const STANDARD: &str = include_str!("../../config/vehicles/vehicle.yaml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VehicleFile {
    generation: String,
    model_name: String,
    wheelbase_m: f64,
    track_m: f64,
    wheel_radius_m: f64,
    chassis_m: [f64; 3],
    mass_kg: f64,
    max_steer_rad: f64,
    max_steer_rate_rad_s: f64,
    max_speed_m_s: f64,
    max_accel_m_s2: f64,
    #[serde(default = "lidar_default")]
    lidar_m: [f64; 3],
    #[serde(default = "imu_default")]
    imu_m: [f64; 3],
    #[serde(default = "camera_default")]
    camera_m: [f64; 3],
}

fn lidar_default() -> [f64; 3] {
    [0.0, 0.0, 0.16]
}

fn imu_default() -> [f64; 3] {
    [0.0, 0.0, 0.05]
}

fn camera_default() -> [f64; 3] {
    [0.10, 0.0, 0.13]
}

/// The vehicle of this program's package, or the built-in one where the program lies alone.
pub fn load(around: &Surroundings) -> anyhow::Result<VehicleSpec> {
    match around.package_folder().map(|folder| folder.join(FILE)).filter(|path| path.is_file()) {
        Some(path) => read(&path),
        None => built_in(),
    }
}

/// The vehicle that is part of the program.
pub fn built_in() -> anyhow::Result<VehicleSpec> {
    parse(FILE, STANDARD)
}

/// One named file.
pub fn read(path: &Path) -> anyhow::Result<VehicleSpec> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    parse(&path.display().to_string(), &text)
}

/// The text of a file; `name` is only used in messages.
pub fn parse(name: &str, text: &str) -> anyhow::Result<VehicleSpec> {
    let file: VehicleFile = serde_saphyr::from_str(text).map_err(|err| describe(name, &err))?;
    let spec = VehicleSpec {
        generation: file.generation,
        model_name: file.model_name,
        wheelbase_m: file.wheelbase_m,
        track_m: file.track_m,
        wheel_radius_m: file.wheel_radius_m,
        chassis_m: file.chassis_m,
        mass_kg: file.mass_kg,
        max_steer_rad: file.max_steer_rad,
        max_steer_rate_rad_s: file.max_steer_rate_rad_s,
        max_speed_m_s: file.max_speed_m_s,
        max_accel_m_s2: file.max_accel_m_s2,
        lidar_m: file.lidar_m,
        imu_m: file.imu_m,
        camera_m: file.camera_m,
    };
    let [length, width, height] = spec.chassis_m;
    let measures = [
        ("wheelbase_m", spec.wheelbase_m),
        ("track_m", spec.track_m),
        ("wheel_radius_m", spec.wheel_radius_m),
        ("chassis_m", length),
        ("chassis_m", width),
        ("chassis_m", height),
        ("mass_kg", spec.mass_kg),
        ("max_steer_rad", spec.max_steer_rad),
        ("max_steer_rate_rad_s", spec.max_steer_rate_rad_s),
        ("max_speed_m_s", spec.max_speed_m_s),
        ("max_accel_m_s2", spec.max_accel_m_s2),
    ];
    for (key, value) in measures {
        if !(value.is_finite() && value > 0.0) {
            bail!("{name}: {key} must be above 0, not {value}");
        }
    }
    for (key, offset) in [("lidar_m", spec.lidar_m), ("imu_m", spec.imu_m), ("camera_m", spec.camera_m)] {
        if !offset.iter().all(|value| value.is_finite()) {
            bail!("{name}: {key} must be three finite numbers");
        }
    }
    Ok(spec)
}
