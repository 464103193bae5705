//! Zip files byte by byte, so that they can be wrong in every way. Nothing is compressed.

pub struct ZipEntry<'a> {
    pub name: &'a [u8],
    pub content: &'a [u8],
    /// Type and rights as Unix writes them.
    pub mode: u32,
    /// What the headers say about the size of the content, in place of the truth.
    pub claimed_size: Option<u32>,
}

impl<'a> ZipEntry<'a> {
    pub fn file(name: &'a str, content: &'a [u8]) -> Self {
        Self { name: name.as_bytes(), content, mode: 0o100_644, claimed_size: None }
    }
}

pub fn zip(entries: &[ZipEntry<'_>]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = bytes.len() as u32;
        let size = entry.claimed_size.unwrap_or(entry.content.len() as u32);
        let mut common = Vec::new();
        // Version, flags (names are UTF-8), method, time, date.
        for field in [20u16, 1 << 11, 0, 0, 33] {
            common.extend_from_slice(&field.to_le_bytes());
        }
        for field in [crc32(entry.content), size, size] {
            common.extend_from_slice(&field.to_le_bytes());
        }
        common.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&common);
        bytes.extend_from_slice(entry.name);
        bytes.extend_from_slice(entry.content);
        // Made by Unix, in version 2.0 of the format.
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&common);
        // No comment, disk 0, no internal attributes.
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(entry.mode << 16).to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(entry.name);
    }
    let start = bytes.len() as u32;
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        bytes.extend_from_slice(&(entries.len() as u16).to_le_bytes());
    }
    bytes.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&start.to_le_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}
