//! `<triangles>`, `<polylist>`, `<polygons>`, `<trifans>` and `<tristrips>`: all become triangles.

use roxmltree::Node;

use super::super::build::{Corner, MeshBuilder, NONE};
use super::super::error::{MeshProblem, Result};
use super::super::limits::{MAX_CORNERS, MAX_TRIANGLES};
use super::document::{Dae, child, children};

/// How the indices of a vertex lie in `<p>`: each kind at its offset, with the length of the list it points into.
pub struct Layout {
    pub stride: usize,
    pub position: (usize, usize),
    pub normal: Option<(usize, usize)>,
    pub uv: Option<(usize, usize)>,
}

/// Three corners a triangle.
pub fn read<'x>(
    dae: &mut Dae<'x>,
    builder: &mut MeshBuilder,
    node: Node<'x, 'x>,
    layout: &Layout,
) -> Result<Vec<Corner>> {
    let kind = node.tag_name().name();
    let mut triangles = Vec::new();
    if kind == "polylist" {
        let (Some(counts), Some(p)) = (child(node, "vcount"), child(node, "p")) else { return Ok(triangles) };
        let lengths = dae.indices(counts)?;
        let corners = read_corners(dae, p, layout)?;
        let mut rest = corners.as_slice();
        for length in lengths {
            let Some((polygon, others)) = rest.split_at_checked(length as usize) else {
                let what = "the corners of these polygons".to_owned();
                let problem = MeshProblem::NumberCount { what, found: corners.len(), needed: "more".to_owned() };
                return Err((dae.line(p), problem));
            };
            rest = others;
            fan(dae, p, polygon, &mut triangles)?;
        }
        return Ok(triangles);
    }
    if children(node, "ph").next().is_some() {
        builder.warn(dae.line(node), "polygons with holes are ignored");
    }
    for p in children(node, "p") {
        let corners = read_corners(dae, p, layout)?;
        match kind {
            "triangles" => {
                if corners.len() % 3 != 0 {
                    let what = "the corners of these triangles".to_owned();
                    let needed = "a multiple of 3".to_owned();
                    return Err((dae.line(p), MeshProblem::NumberCount { what, found: corners.len(), needed }));
                }
                check_room(dae, p, triangles.len(), corners.len())?;
                triangles.extend_from_slice(&corners);
            }
            "tristrips" => {
                check_room(dae, p, triangles.len(), corners.len().saturating_mul(3))?;
                for (position, strip) in corners.windows(3).enumerate() {
                    // Every second triangle of a strip runs the other way round.
                    let [a, b, c] = [strip[0], strip[1], strip[2]];
                    triangles.extend(if position % 2 == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
            "trifans" => {
                check_room(dae, p, triangles.len(), corners.len().saturating_mul(3))?;
                fan_out(&corners, &mut triangles);
            }
            _ => fan(dae, p, &corners, &mut triangles)?,
        }
    }
    Ok(triangles)
}

/// A polygon; one with fewer than three corners shows nothing.
fn fan<'x>(dae: &Dae<'x>, p: Node<'x, 'x>, polygon: &[Corner], triangles: &mut Vec<Corner>) -> Result<()> {
    if polygon.len() > MAX_CORNERS {
        return Err((dae.line(p), MeshProblem::TooMany { what: "corners of a polygon", limit: MAX_CORNERS }));
    }
    check_room(dae, p, triangles.len(), polygon.len() * 3)?;
    fan_out(polygon, triangles);
    Ok(())
}

fn fan_out(polygon: &[Corner], triangles: &mut Vec<Corner>) {
    if let [first, others @ ..] = polygon {
        for edge in others.windows(2) {
            triangles.extend([*first, edge[0], edge[1]]);
        }
    }
}

fn check_room<'x>(dae: &Dae<'x>, p: Node<'x, 'x>, corners: usize, more: usize) -> Result<()> {
    // Room for the corners that a fan or strip does not turn into triangles is left.
    if corners.saturating_add(more) > MAX_TRIANGLES * 3 + MAX_CORNERS {
        return Err((dae.line(p), MeshProblem::TooMany { what: "triangles", limit: MAX_TRIANGLES }));
    }
    Ok(())
}

fn read_corners<'x>(dae: &mut Dae<'x>, p: Node<'x, 'x>, layout: &Layout) -> Result<Vec<Corner>> {
    let indices = dae.indices(p)?;
    if indices.len() % layout.stride != 0 {
        let what = "the indices of this list".to_owned();
        let needed = format!("a multiple of {}", layout.stride);
        return Err((dae.line(p), MeshProblem::NumberCount { what, found: indices.len(), needed }));
    }
    let mut corners = Vec::with_capacity(indices.len() / layout.stride);
    for (position, vertex) in indices.chunks_exact(layout.stride).enumerate() {
        let pick = |(offset, count): (usize, usize), what: &'static str| {
            let index = vertex[offset];
            if (index as usize) < count {
                return Ok(index);
            }
            let line = dae.line_of_word(p, position * layout.stride + offset);
            Err((line, MeshProblem::IndexRange { what, index: i64::from(index), count }))
        };
        corners.push(Corner {
            position: pick(layout.position, "positions")?,
            normal: layout.normal.map_or(Ok(NONE), |list| pick(list, "normals"))?,
            uv: layout.uv.map_or(Ok(NONE), |list| pick(list, "texture coordinates"))?,
        });
    }
    Ok(corners)
}
