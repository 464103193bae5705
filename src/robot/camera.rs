//! Turns camera frames into JPEG. Knows no ROS.

use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};
use thiserror::Error;

/// Small enough for a classroom's network, good enough for lane markings.
const QUALITY: u8 = 85;

/// A frame as it comes from the sensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<'a> {
    pub width: u32,
    pub height: u32,
    /// Bytes from one row to the next.
    pub step: u32,
    /// `rgb8`, `bgr8`, `rgba8`, `bgra8` or `mono8`.
    pub encoding: &'a str,
    pub data: &'a [u8],
}

/// Why a frame cannot be compressed.
#[derive(Debug, Error)]
pub enum CameraError {
    #[error("frames in `{0}` cannot be compressed")]
    Encoding(String),
    #[error("a frame of {width} x {height} needs more than {length} bytes")]
    Short { width: u32, height: u32, length: usize },
    #[error("a frame of {width} x {height} is beyond what JPEG can hold")]
    Size { width: u32, height: u32 },
    #[error("a frame could not be compressed: {0}")]
    Failed(#[from] EncodingError),
}

pub fn to_jpeg(frame: Frame) -> Result<Vec<u8>, CameraError> {
    let Frame { width, height, .. } = frame;
    let (color, depth) = match frame.encoding {
        "rgb8" => (ColorType::Rgb, 3),
        "bgr8" => (ColorType::Bgr, 3),
        "rgba8" => (ColorType::Rgba, 4),
        "bgra8" => (ColorType::Bgra, 4),
        "mono8" => (ColorType::Luma, 1),
        other => return Err(CameraError::Encoding(other.to_owned())),
    };
    let (Ok(columns), Ok(rows)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(CameraError::Size { width, height });
    };
    let row = usize::from(columns) * depth;
    let step = (frame.step as usize).max(row);
    let short = CameraError::Short { width, height, length: frame.data.len() };
    if columns == 0 || rows == 0 {
        return Err(CameraError::Size { width, height });
    }
    if frame.data.len() < step * (usize::from(rows) - 1) + row {
        return Err(short);
    }
    let mut jpeg = Vec::with_capacity(row * usize::from(rows) / 8);
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    if step == row {
        encoder.encode(frame.data, columns, rows, color)?;
    } else {
        let packed: Vec<u8> =
            frame.data.chunks(step).take(usize::from(rows)).flat_map(|line| &line[..row]).copied().collect();
        encoder.encode(&packed, columns, rows, color)?;
    }
    Ok(jpeg)
}
