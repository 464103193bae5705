//! Package `std_msgs`: the header, and single values.

use serde::{Deserialize, Serialize};

use super::builtin_interfaces::Time;
use crate::ros::message;

/// When and in which frame the data of a message was taken.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Header {
    pub stamp: Time,
    pub frame_id: std::string::String,
}

/// Carries nothing; the one byte is what the wire needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Empty {
    pub structure_needs_at_least_one_member: u8,
}

/// Text. Shadows the Rust type of the same name in this module only.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct String {
    pub data: std::string::String,
}

/// Messages that hold one plain value in `data`.
macro_rules! single_value {
    ($($name:ident($value:ty)),+ $(,)?) => {
        $(
            #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
            pub struct $name {
                pub data: $value,
            }
        )+
        message!("std_msgs", $($name),+);
    };
}

single_value!(Bool(bool), Float32(f32), Float64(f64), Int32(i32), Int64(i64), UInt8(u8), UInt32(u32), UInt64(u64),);

message!("std_msgs", Header, Empty, String);
