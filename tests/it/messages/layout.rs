//! The bytes of a few messages, worked out by hand from the rules of CDR: little endian, every number at a multiple of its size,
//! counts of four bytes before lists and texts, texts with a zero at the end.

use byteorder::LittleEndian;
use serde::Serialize;
use sim_api::ros::msg::{
    builtin_interfaces::Time,
    geometry_msgs::{Pose, PoseWithCovariance, Vector3},
    sensor_msgs::CompressedImage,
    simulation_interfaces::{Bounds, EntityState, Resource, StepSimulationRequest, UnloadWorldRequest, v1, v2},
    std_msgs::{Float64, Header},
};

fn cdr<T: Serialize>(value: &T) -> Vec<u8> {
    cdr_encoding::to_vec::<T, LittleEndian>(value).unwrap()
}

#[test]
fn number_is_its_bytes() {
    assert_eq!(cdr(&Float64 { data: 1.5 }), [0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
}

#[test]
fn header_is_stamp_then_text() {
    let header = Header { stamp: Time { sec: 1, nanosec: 2 }, frame_id: "map".into() };
    assert_eq!(cdr(&header), [1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, b'm', b'a', b'p', 0]);
}

#[test]
fn nothing_is_one_byte() {
    assert_eq!(cdr(&UnloadWorldRequest::default()), [0]);
}

#[test]
fn numbers_are_aligned_after_a_byte() {
    let bounds = Bounds { r#type: Bounds::TYPE_SPHERE, points: vec![Vector3 { x: 1.5, y: 0.0, z: -2.0 }] };
    let mut expected = vec![3, 0, 0, 0, 1, 0, 0, 0];
    expected.extend([0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
    expected.extend([0; 8]);
    expected.extend([0, 0, 0, 0, 0, 0, 0x00, 0xc0]);
    assert_eq!(cdr(&bounds), expected);
}

#[test]
fn byte_block_looks_like_a_list_of_bytes() {
    let image = CompressedImage { data: vec![7, 8, 9], ..Default::default() };
    // Two numbers of the stamp, the two empty texts (the second one aligned to four), the count, the bytes.
    let mut expected = vec![0; 8];
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([3, 0, 0, 0, 7, 8, 9]);
    assert_eq!(cdr(&image), expected);

    #[derive(Serialize)]
    struct AsList {
        header: Header,
        format: String,
        data: Vec<u8>,
    }
    assert_eq!(cdr(&AsList { header: image.header, format: image.format, data: image.data }), expected);
}

#[test]
fn covariance_is_36_numbers_row_by_row_without_a_count() {
    let mut pose = PoseWithCovariance::default();
    pose.covariance[1][2] = 1.5;
    let bytes = cdr(&pose);
    let pose_len = cdr(&Pose::default()).len();
    assert_eq!(pose_len, 7 * 8);
    assert_eq!(bytes.len(), pose_len + 36 * 8);
    assert_eq!(bytes[pose_len + 8 * 8..][..8], [0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
}

#[test]
fn defaults_are_those_of_the_definitions() {
    assert_eq!(Pose::default().orientation.w, 1.0);
    assert_eq!(StepSimulationRequest::default().steps, 1);
}

#[test]
fn version_2_of_the_standard_ends_with_three_flags_more() {
    let (entity, state) = ("car".to_owned(), EntityState::default());
    let mut expected = cdr(&v1::SetEntityStateRequest::new(entity.clone(), state.clone()));
    expected.extend([1, 1, 0]);
    assert_eq!(cdr(&v2::SetEntityStateRequest::new(entity, state)), expected);
}

#[test]
fn a_resource_is_its_two_texts_in_both_versions() {
    let resource = Resource { uri: "plain".into(), resource_string: String::new() };
    let (first, second) = (v1::LoadWorldRequest::of(resource.clone()), v2::LoadWorldRequest::of(resource.clone()));
    assert_eq!(first.resource(), resource);
    assert_eq!(second.resource(), resource);
    assert_eq!(cdr(&first), cdr(&second));
}
