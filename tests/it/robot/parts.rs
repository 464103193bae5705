//! The smaller parts: where things are, the battery, the camera.

use nalgebra::Vector3;
use sim_api::domain::SimTime;
use sim_api::robot::battery::{Battery, BatteryOptions};
use sim_api::robot::camera::{CameraError, Frame, to_jpeg};
use sim_api::robot::mounting::Mounting;

use crate::support::vehicle;

#[test]
fn camera_looks_ahead_and_follows_pan_and_tilt() {
    let mounting = Mounting::new(&vehicle());
    let fixed = mounting.fixed();
    let optical = fixed.iter().find(|frame| frame.child == "camera_optical_frame").unwrap();
    assert_eq!(optical.parent, "camera_link");
    let looks = |pan, tilt| mounting.camera_at(pan, tilt).pose.orientation * optical.pose.orientation * Vector3::z();
    assert!((looks(0.0, 0.0) - Vector3::x()).norm() < 1e-9);
    assert!(looks(0.5, 0.0).y > 0.4, "positive pan looks to the left");
    assert!(looks(0.0, 0.5).z > 0.4, "positive tilt looks up");
    let right = mounting.camera_at(0.0, 0.0).pose.orientation * optical.pose.orientation * Vector3::x();
    assert!((right + Vector3::y()).norm() < 1e-9, "pixels count to the right");
}

#[test]
fn sensors_sit_where_the_vehicle_file_says() {
    let mut spec = vehicle();
    (spec.lidar_m, spec.imu_m, spec.camera_m) = ([0.07, 0.01, 0.2], [-0.02, 0.0, 0.03], [0.11, 0.0, 0.1]);
    let mounting = Mounting::new(&spec);
    let place = |child: &str| {
        let frames = mounting.fixed().into_iter().chain([mounting.camera_at(0.0, 0.0)]);
        let found: Vec<_> = frames.filter(|frame| frame.child == child).collect();
        <[f64; 3]>::from(found[0].pose.position)
    };
    assert_eq!(place("lidar_link"), spec.lidar_m);
    assert_eq!(place("imu_link"), spec.imu_m);
    assert_eq!(place("camera_link"), spec.camera_m);
}

#[test]
fn every_frame_has_one_parent_and_none_both_moves_and_stands() {
    let mounting = Mounting::new(&vehicle());
    let mut children: Vec<_> = mounting.fixed().iter().map(|frame| frame.child).collect();
    children.push(mounting.camera_at(0.0, 0.0).child);
    children.sort_unstable();
    assert_eq!(children, ["base_link", "camera_link", "camera_optical_frame", "imu_link", "lidar_link"]);
}

#[test]
fn battery_drains_with_time_and_faster_while_driving() {
    let after_an_hour = |speed: f64| {
        let mut battery = Battery::new(BatteryOptions::default());
        let readings = (0..36_000).filter_map(|k| battery.advance(SimTime::from_nanos(k * 100_000_000), speed));
        let readings: Vec<_> = readings.collect();
        assert_eq!(readings.len(), 3_600, "one reading a second");
        *readings.last().unwrap()
    };
    let (parked, driven) = (after_an_hour(0.0), after_an_hour(1.0));
    assert!((parked.charge_ah - (5.2 - 1.5)).abs() < 0.01, "{parked:?}");
    assert!((driven.charge_ah - (5.2 - 3.5)).abs() < 0.01, "{driven:?}");
    assert!(driven.voltage_v < parked.voltage_v && parked.voltage_v < 12.6);
}

#[test]
fn empty_battery_stays_empty() {
    let mut battery = Battery::new(BatteryOptions { capacity_ah: 0.001, ..BatteryOptions::default() });
    let last = (0..600).filter_map(|k| battery.advance(SimTime::from_nanos(k * 100_000_000), 3.0)).last().unwrap();
    assert_eq!((last.charge_ah, last.share), (0.0, 0.0));
}

#[test]
fn battery_draws_nothing_over_a_jump_of_time() {
    let mut battery = Battery::new(BatteryOptions::default());
    battery.advance(SimTime::from_nanos(0), 0.0);
    let late = battery.advance(SimTime::from_nanos(3_600_000_000_000), 0.0).unwrap();
    assert_eq!(late.share, 1.0);
    assert!(battery.advance(SimTime::from_nanos(5), 0.0).is_some(), "it goes on with another simulator's time");
}

#[test]
fn frames_of_every_common_kind_become_jpeg() {
    for (encoding, depth) in [("rgb8", 3), ("bgr8", 3), ("rgba8", 4), ("bgra8", 4), ("mono8", 1)] {
        for padding in [0, 5] {
            let step = 48 * depth + padding;
            let data: Vec<u8> = (0..step * 36).map(|k| (k * 7) as u8).collect();
            let jpeg = to_jpeg(Frame { width: 48, height: 36, step, encoding, data: &data }).unwrap();
            assert_eq!((&jpeg[..3], &jpeg[jpeg.len() - 2..]), (&[0xff, 0xd8, 0xff][..], &[0xff, 0xd9][..]));
        }
    }
}

#[test]
fn broken_frames_are_refused() {
    let frame = |width, height, encoding| Frame { width, height, step: 0, encoding, data: &[0; 100] };
    assert!(matches!(to_jpeg(frame(4, 4, "bayer_rggb8")), Err(CameraError::Encoding(_))));
    assert!(matches!(to_jpeg(frame(48, 36, "rgb8")), Err(CameraError::Short { .. })));
    assert!(matches!(to_jpeg(frame(0, 36, "rgb8")), Err(CameraError::Size { .. })));
    assert!(matches!(to_jpeg(frame(70_000, 1, "rgb8")), Err(CameraError::Size { .. })));
}
