//! A mesh as bytes that a graphics card takes as they are.
//!
//! Four letters `TRI1`, the length of a JSON header as a little-endian u32, the header, then the numbers, little-endian. The
//! header lists the parts in drawing order: where parts lie in one plane, the later one is on top. Each part has its
//! material, and says where its arrays start behind the header and how many vertices and indices they have:
//! positions (3 f32), normals (3 i8 of 127ths and a filler), texture coordinates (2 f32, v upwards) and indices
//! (u16, or u32 when `wide`), three to a triangle, counter-clockwise from outside.

use serde::Serialize;

use super::number::rounded;
use crate::scene::TrianglesPart;

const MAGIC: &[u8; 4] = b"TRI1";

#[derive(Serialize)]
struct Header<'a> {
    parts: Vec<PartHeader<'a>>,
}

#[derive(Serialize)]
struct PartHeader<'a> {
    name: &'a str,
    diffuse: [f64; 3],
    emissive: [f64; 3],
    texture: Option<&'a str>,
    vertices: usize,
    indices: usize,
    wide: bool,
    positions_at: usize,
    normals_at: usize,
    uvs_at: usize,
    indices_at: usize,
}

pub fn encode(parts: &[TrianglesPart]) -> Vec<u8> {
    let mut numbers: Vec<u8> = Vec::new();
    let parts = parts.iter().map(|TrianglesPart { part, texture }| {
        let positions_at = numbers.len();
        numbers.extend(part.positions.iter().flatten().flat_map(|value| value.to_le_bytes()));
        let normals_at = numbers.len();
        for normal in &part.normals {
            numbers.extend(normal.map(|value| (value * 127.0).round() as i8 as u8));
            numbers.push(0);
        }
        let uvs_at = numbers.len();
        numbers.extend(part.uvs.iter().flatten().flat_map(|value| value.to_le_bytes()));
        let indices_at = numbers.len();
        let wide = part.positions.len() > usize::from(u16::MAX);
        for index in &part.indices {
            let bytes = index.to_le_bytes();
            numbers.extend(if wide { &bytes[..] } else { &bytes[..2] });
        }
        pad(&mut numbers, 0);
        let [r, g, b, _] = part.material.diffuse;
        PartHeader {
            name: &part.name,
            diffuse: [r, g, b].map(|value| rounded(value.into())),
            emissive: part.material.emissive.map(|value| rounded(value.into())),
            texture: texture.as_deref(),
            vertices: part.positions.len(),
            indices: part.indices.len(),
            wide,
            positions_at,
            normals_at,
            uvs_at,
            indices_at,
        }
    });
    let header = Header { parts: parts.collect() };
    let mut header = serde_json::to_vec(&header).expect("wire structs have text keys, which is all that could fail");
    // Spaces at the end of JSON mean nothing, and the arrays start where a graphics card wants them.
    pad(&mut header, b' ');
    let length = u32::try_from(header.len()).expect("a header has a few lines for each part");
    [&MAGIC[..], &length.to_le_bytes(), &header, &numbers].concat()
}

fn pad(bytes: &mut Vec<u8>, filler: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), filler);
}
