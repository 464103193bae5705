//! STL, binary and text. The facets' own normals are often wrong or zero, so they are computed from the corners.

use nalgebra::Matrix4;

use super::build::{Corner, Lists, MeshBuilder, NONE};
use super::error::{MeshProblem, Result, excerpt};
use super::limits::{MAX_NAME_LEN, MAX_TRIANGLES};
use super::{Material, Mesh};

const HEADER_LEN: usize = 80;
const COUNT_LEN: usize = 4;
const FACET_LEN: usize = 50;

pub fn read(bytes: &[u8]) -> Result<Mesh> {
    // Binary headers may start with "solid" too, but then the length fits the number of triangles.
    let is_text = starts_with_solid(bytes) && !has_binary_length(bytes);
    let (name, positions) = if is_text { read_text(bytes)? } else { (String::new(), read_binary(bytes)?) };
    let corners: Vec<Corner> =
        (0..positions.len() as u32).map(|position| Corner { position, normal: NONE, uv: NONE }).collect();
    let lists = Lists { positions: &positions, normals: &[], uvs: &[] };
    let mut builder = MeshBuilder::default();
    builder.add((&name, &name), Material::default(), &corners, lists, &Matrix4::identity(), 0)?;
    Ok(builder.finish())
}

fn starts_with_solid(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"solid"))
}

fn facet_count(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(HEADER_LEN..HEADER_LEN + COUNT_LEN)?;
    Some(u64::from(u32::from_le_bytes(count.try_into().expect("the slice has four bytes"))))
}

fn binary_length(facets: u64) -> u64 {
    (HEADER_LEN + COUNT_LEN) as u64 + facets * FACET_LEN as u64
}

fn has_binary_length(bytes: &[u8]) -> bool {
    facet_count(bytes).is_some_and(|count| binary_length(count) == bytes.len() as u64)
}

fn read_binary(bytes: &[u8]) -> Result<Vec<[f32; 3]>> {
    let count = facet_count(bytes).unwrap_or(0);
    let needed = binary_length(count);
    // Some writers append bytes of their own; what matters is that all facets are there.
    if (bytes.len() as u64) < needed {
        return Err((0, MeshProblem::StlLength { found: bytes.len(), triangles: count, needed }));
    }
    check_count(count as usize, 0)?;
    let mut positions = Vec::with_capacity(count as usize * 3);
    for facet in bytes[HEADER_LEN + COUNT_LEN..].chunks_exact(FACET_LEN).take(count as usize) {
        // Twelve bytes of normal, three corners, two bytes of attributes.
        for corner in facet[12..48].chunks_exact(12) {
            let number = |axis: usize| {
                let at = axis * 4;
                f32::from_le_bytes([corner[at], corner[at + 1], corner[at + 2], corner[at + 3]])
            };
            let position = [number(0), number(1), number(2)];
            if let Some(bad) = position.iter().find(|value| !value.is_finite()) {
                return Err((0, MeshProblem::BadNumber(bad.to_string())));
            }
            positions.push(position);
        }
    }
    Ok(positions)
}

fn check_count(triangles: usize, line: u32) -> Result<()> {
    if triangles > MAX_TRIANGLES {
        return Err((line, MeshProblem::TooMany { what: "triangles", limit: MAX_TRIANGLES }));
    }
    Ok(())
}

fn read_text(bytes: &[u8]) -> Result<(String, Vec<[f32; 3]>)> {
    let text = std::str::from_utf8(bytes)
        .map_err(|err| (crate::xml::line_of(bytes, err.valid_up_to()), MeshProblem::NotUtf8))?;
    let mut name = String::new();
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut corners_of_facet = 0;
    let mut is_closed = false;
    let mut last_line = 0;
    for (line, content) in (1..).zip(text.lines()) {
        last_line = line;
        let mut words = content.split_ascii_whitespace();
        let Some(keyword) = words.next() else { continue };
        match keyword.to_ascii_lowercase().as_str() {
            "solid" => {
                is_closed = false;
                name = content.trim()["solid".len()..].trim().chars().take(MAX_NAME_LEN).collect();
            }
            "endsolid" => is_closed = true,
            "facet" => corners_of_facet = 0,
            "outer" | "endloop" => {}
            "vertex" => {
                corners_of_facet += 1;
                let mut position = [0.0; 3];
                for slot in &mut position {
                    *slot = number(words.next().unwrap_or_default(), line)?;
                }
                positions.push(position);
            }
            "endfacet" => {
                if corners_of_facet != 3 {
                    let what = "the corners of a facet".to_owned();
                    let problem = MeshProblem::NumberCount { what, found: corners_of_facet, needed: "3".to_owned() };
                    return Err((line, problem));
                }
                check_count(positions.len() / 3, line)?;
                corners_of_facet = 0;
            }
            _ => {
                let expected = "facet, outer loop, vertex, endloop, endfacet or endsolid";
                return Err((line, MeshProblem::Unexpected { found: excerpt(keyword), expected }));
            }
        }
    }
    if !is_closed || !positions.len().is_multiple_of(3) {
        return Err((
            last_line,
            MeshProblem::Unexpected { found: "the end of the file".to_owned(), expected: "endsolid" },
        ));
    }
    Ok((name, positions))
}

fn number(word: &str, line: u32) -> Result<f32> {
    match word.parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err((line, MeshProblem::BadNumber(excerpt(word)))),
    }
}
