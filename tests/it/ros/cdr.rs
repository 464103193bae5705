//! The bytes that ROS 2 puts on the wire.

use sim_api::ros::cdr::{CdrError, from_slice, to_vec};

use super::types::Number;

#[test]
fn bytes_begin_with_the_encoding() {
    assert_eq!(to_vec(&Number { data: 7 }).unwrap(), [0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn numbers_are_aligned_to_the_end_of_the_header() {
    let bytes = to_vec(&(1_u8, 2.0_f64)).unwrap();
    assert_eq!(bytes.len(), 4 + 16);
    assert_eq!(from_slice::<(u8, f64)>(&bytes).unwrap(), (1, 2.0));
}

#[test]
fn both_byte_orders_are_read_and_padding_is_ignored() {
    for bytes in [&[0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0]] {
        assert_eq!(from_slice::<Number>(bytes).unwrap(), Number { data: 7 });
    }
}

#[test]
fn what_is_not_plain_cdr_is_refused() {
    for bytes in [&[][..], &[0, 1, 0], &[0, 7, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]] {
        assert!(matches!(from_slice::<Number>(bytes), Err(CdrError::Header)), "{bytes:?}");
    }
    assert!(matches!(from_slice::<Number>(&[0, 1, 0, 0, 7]), Err(CdrError::Content(_))));
}
