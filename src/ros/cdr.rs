//! Messages as the bytes that ROS 2 puts on the wire and into recordings: four bytes that name the encoding, then CDR.

use byteorder::{BigEndian, LittleEndian};
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Plain CDR, little endian, no options.
const HEADER: [u8; 4] = [0, 1, 0, 0];
const BIG_ENDIAN: u8 = 0;
const LITTLE_ENDIAN: u8 = 1;

#[derive(Debug, Error)]
pub enum CdrError {
    #[error("the bytes do not begin as plain CDR does")]
    Header,
    #[error("{0}")]
    Content(#[from] cdr_encoding::Error),
}

pub fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>, CdrError> {
    let mut bytes = HEADER.to_vec();
    // The writer counts from its own start, so numbers are aligned to the end of the header, as they must be.
    cdr_encoding::to_writer::<T, LittleEndian, _>(&mut bytes, value)?;
    Ok(bytes)
}

/// Bytes beyond the message are padding and are ignored.
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CdrError> {
    match bytes {
        [0, LITTLE_ENDIAN, _, _, content @ ..] => Ok(cdr_encoding::from_bytes::<T, LittleEndian>(content)?.0),
        [0, BIG_ENDIAN, _, _, content @ ..] => Ok(cdr_encoding::from_bytes::<T, BigEndian>(content)?.0),
        _ => Err(CdrError::Header),
    }
}
