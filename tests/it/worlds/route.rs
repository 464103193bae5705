//! Routes and NumPy's file format.

use std::f64::consts::FRAC_PI_2;

use sim_api::worlds::npy::{self, NpyError};
use sim_api::worlds::{Route, RouteError};

use super::fixture::square;

/// A file as the format's rules say, with any header and any data.
fn file(version: [u8; 2], header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend_from_slice(&version);
    match version[0] {
        1 => bytes.extend_from_slice(&(header.len() as u16).to_le_bytes()),
        _ => bytes.extend_from_slice(&(header.len() as u32).to_le_bytes()),
    }
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

const HEADER_4X2: &str = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }\n";
const CORNERS: [f64; 8] = [0.0, 0.0, 3.0, 0.0, 3.0, 2.0, 0.0, 2.0];

#[test]
fn a_written_route_follows_the_rules_of_the_format_and_reads_back() {
    let bytes = square().to_npy();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    assert_eq!(header.trim_end(), "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 6), }");
    assert!(header.ends_with('\n') && header.is_ascii());
    assert_eq!(bytes.len(), 10 + length + 5 * 6 * 8);
    assert_eq!(&bytes[10 + length..][..48], doubles(&[2.0, -2.0, 1.5, -1.5, 2.5, -2.5]));
    assert_eq!(Route::from_npy(&bytes).unwrap(), square());
}

#[test]
fn all_versions_orders_and_widths_give_the_same_route() {
    let expected = Route::from_npy(&file([1, 0], HEADER_4X2, &doubles(&CORNERS))).unwrap();
    assert_eq!(expected.waypoints, [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0], [0.0, 0.0]]);
    assert_eq!((&expected.inner, &expected.outer), (&None, &None));
    let singles: Vec<u8> = CORNERS.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
    let columns = doubles(&[0.0, 3.0, 3.0, 0.0, 0.0, 0.0, 2.0, 2.0]);
    for same in [
        file([2, 0], HEADER_4X2, &doubles(&CORNERS)),
        file([3, 0], HEADER_4X2, &doubles(&CORNERS)),
        file([1, 0], &HEADER_4X2.replace("<f8", "<f4"), &singles),
        file([1, 0], &HEADER_4X2.replace("False", "True"), &columns),
        file([1, 0], "{\"shape\":(4L,2L),\"fortran_order\":False,\"descr\":\"<f8\"}", &doubles(&CORNERS)),
    ] {
        assert_eq!(Route::from_npy(&same).unwrap(), expected);
    }
}

#[test]
fn a_nearly_closed_loop_is_closed_exactly_and_a_route_of_two_columns_stays_one() {
    let mut rows = CORNERS.to_vec();
    rows.extend([1e-9, -1e-9]);
    let header = HEADER_4X2.replace("(4, 2)", "(5, 2)");
    let route = Route::from_npy(&file([1, 0], &header, &doubles(&rows))).unwrap();
    assert_eq!(route.waypoints.len(), 5);
    assert_eq!(route.waypoints[4], route.waypoints[0]);
    assert_eq!(npy::read(&route.to_npy()).unwrap().columns, 2);
}

#[test]
fn bounds_hold_the_edges_and_the_start_faces_the_second_waypoint() {
    let route = square();
    let bounds = route.bounds();
    assert_eq!([bounds.min_x, bounds.max_x, bounds.min_y, bounds.max_y], [-2.5, 2.5, -2.5, 2.5]);
    let start = route.start_pose();
    assert_eq!((start.position.x, start.position.y), (2.0, -2.0));
    assert!((start.yaw() - FRAC_PI_2).abs() < 1e-12);
    let mut doubled = route;
    doubled.waypoints.insert(0, [2.0, -2.0]);
    assert!((doubled.start_pose().yaw() - FRAC_PI_2).abs() < 1e-12);
}

#[test]
fn what_is_no_route_is_refused() {
    let header = |from: &str, to: &str| file([1, 0], &HEADER_4X2.replace(from, to), &doubles(&CORNERS));
    for bytes in [
        Vec::new(),
        b"\x93NUMPY".to_vec(),
        b"\x93NUMPY\x01\x00\xff\xff{".to_vec(),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(),
        file([9, 0], HEADER_4X2, &doubles(&CORNERS)),
        header("<f8", ">f8"),
        header("<f8", "<i8"),
        header("'<f8'", "[('x', '<f8')]"),
        header("(4, 2)", "(8,)"),
        header("(4, 2)", "()"),
        header("(4, 2)", "(2, 2, 2)"),
        header("(4, 2)", "(-4, 2)"),
        header("(4, 2)", "(99999999999, 99999999999)"),
        header("(4, 2)", "(18446744073709551615, 2)"),
        header("(4, 2)", "(5, 2)"),
        header("(4, 2)", "(3, 2)"),
        header("(4, 2)", "(1, 8)"),
        header("(4, 2)", "(4, 0)"),
        header("'shape'", "'form'"),
        header("}", ""),
        header("}", "} __import__('os')"),
        header("False", "0"),
        header("{", "{'descr': '<f8' "),
        file([1, 0], &HEADER_4X2.replace("(4, 2)", "(2, 2)"), &doubles(&CORNERS[..4])),
    ] {
        assert!(Route::from_npy(&bytes).is_err(), "{:?}", String::from_utf8_lossy(&bytes));
    }
    for bad in [f64::NAN, f64::INFINITY, -1e300, 10_001.0] {
        let mut corners = CORNERS;
        corners[3] = bad;
        let error = Route::from_npy(&file([1, 0], HEADER_4X2, &doubles(&corners))).unwrap_err();
        assert!(matches!(error, RouteError::Value { row: 1, .. }), "{error}");
    }
    assert_eq!(npy::read(b"hello"), Err(NpyError::NotNumpy));
}
