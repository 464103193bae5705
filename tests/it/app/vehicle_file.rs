//! The measures of the vehicle.

use sim_api::app::settings::Surroundings;
use sim_api::app::vehicle_file::{load, parse, read};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config/vehicles/vehicle.yaml");

#[test]
fn lone_binary_knows_the_same_vehicle_as_the_package() {
    let built_in = load(&Surroundings::default()).unwrap();
    assert_eq!(built_in, read(FILE.as_ref()).unwrap());
    assert_eq!(built_in, load(&Surroundings::of_this_process()).unwrap());
}

#[test]
fn standard_vehicle_has_the_measures_of_the_contract() {
    let vehicle = read(FILE.as_ref()).unwrap();
    assert_eq!((vehicle.generation.as_str(), vehicle.model_name.as_str()), ("vehicle", "vehicle"));
    assert_eq!((vehicle.wheelbase_m, vehicle.track_m, vehicle.wheel_radius_m), (0.18, 0.16, 0.0375));
    assert_eq!((vehicle.chassis_m, vehicle.mass_kg), ([0.27, 0.09, 0.12], 3.1));
    assert_eq!((vehicle.max_steer_rad, vehicle.max_speed_m_s, vehicle.max_accel_m_s2), (0.4189, 3.0, 10.0));
}

#[test]
fn vehicle_file_refuses_unknown_missing_and_impossible_measures() {
    let good = std::fs::read_to_string(FILE).unwrap();
    let refusal = |text: &str| parse("v.yaml", text).unwrap_err().to_string();
    let unknown = refusal(&good.replace("mass_kg", "mas_kg"));
    assert!(unknown.contains("unknown setting `mas_kg`; did you mean `mass_kg`?"), "{unknown}");
    let missing = refusal(&good.replace("mass_kg: 3.1", ""));
    assert!(missing.contains("mass_kg"), "{missing}");
    let negative = refusal(&good.replace("mass_kg: 3.1", "mass_kg: -3.1"));
    assert_eq!(negative, "v.yaml: mass_kg must be above 0, not -3.1");
}
