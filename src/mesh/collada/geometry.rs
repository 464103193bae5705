//! `<geometry>`: a mesh with its primitives, read once however often it is shown.

use std::rc::Rc;

use roxmltree::Node;

use super::super::build::{Corner, MeshBuilder};
use super::super::error::{MeshProblem, Result, excerpt};
use super::super::limits::MAX_STRIDE;
use super::document::{Dae, child, children, name_of};
use super::primitives::{self, Layout};
use super::source::Sources;

pub struct Geometry {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

/// Triangles with one material.
pub struct Primitive {
    /// The name that instances bind a material to.
    pub symbol: String,
    pub corners: Vec<Corner>,
    pub positions: Rc<Vec<[f32; 3]>>,
    pub normals: Rc<Vec<[f32; 3]>>,
    pub uvs: Rc<Vec<[f32; 2]>>,
    pub line: u32,
}

pub fn read<'x>(
    dae: &mut Dae<'x>,
    sources: &mut Sources,
    builder: &mut MeshBuilder,
    geometry: Node<'x, 'x>,
) -> Result<Geometry> {
    let mut primitives = Vec::new();
    let mesh = child(geometry, "mesh");
    if mesh.is_none() {
        builder.warn(dae.line(geometry), "a geometry without <mesh> is ignored");
    }
    for node in mesh.into_iter().flat_map(|mesh| mesh.children()).filter(Node::is_element) {
        match node.tag_name().name() {
            "triangles" | "polylist" | "polygons" | "trifans" | "tristrips" => {
                primitives.push(read_primitive(dae, sources, builder, node)?);
            }
            "lines" | "linestrips" => builder.warn(dae.line(node), "lines are ignored"),
            _ => {}
        }
    }
    Ok(Geometry { name: name_of(geometry).to_owned(), primitives })
}

fn read_primitive<'x>(
    dae: &mut Dae<'x>,
    sources: &mut Sources,
    builder: &mut MeshBuilder,
    node: Node<'x, 'x>,
) -> Result<Primitive> {
    let mut inputs = Inputs::default();
    for input in children(node, "input") {
        inputs.read(dae, sources, input)?;
    }
    let line = dae.line(node);
    let Some((position_offset, positions)) = inputs.positions else {
        // An empty primitive has nothing that needs a position.
        if child(node, "p").is_none() {
            return Ok(Primitive::empty(line));
        }
        return Err(dae.missing(node, "input with the semantic VERTEX"));
    };
    let (normal_offset, normals) = inputs.normals.unzip();
    let (uv_offset, uvs) = inputs.uvs.map(|(_, offset, uvs)| (offset, uvs)).unzip();
    let (normals, uvs) = (normals.unwrap_or_default(), uvs.unwrap_or_default());
    let layout = Layout {
        stride: inputs.stride,
        position: (position_offset, positions.len()),
        normal: normal_offset.map(|offset| (offset, normals.len())),
        uv: uv_offset.map(|offset| (offset, uvs.len())),
    };
    let corners = primitives::read(dae, builder, node, &layout)?;
    let symbol = node.attribute("material").unwrap_or_default().to_owned();
    Ok(Primitive { symbol, corners, positions, normals, uvs, line })
}

impl Primitive {
    fn empty(line: u32) -> Self {
        let symbol = String::new();
        Self { symbol, corners: vec![], positions: Rc::default(), normals: Rc::default(), uvs: Rc::default(), line }
    }
}

type Twos = Rc<Vec<[f32; 2]>>;

#[derive(Default)]
struct Inputs {
    stride: usize,
    positions: Option<(usize, Rc<Vec<[f32; 3]>>)>,
    normals: Option<(usize, Rc<Vec<[f32; 3]>>)>,
    /// With the number of the set; the lowest one counts.
    uvs: Option<(u32, usize, Twos)>,
}

impl Inputs {
    fn read<'x>(&mut self, dae: &mut Dae<'x>, sources: &mut Sources, input: Node<'x, 'x>) -> Result<()> {
        let offset = match input.attribute("offset").map(|word| word.trim().parse::<usize>()) {
            None => 0,
            Some(Ok(offset)) if offset < MAX_STRIDE => offset,
            Some(_) => {
                let written = input.attribute("offset").unwrap_or_default();
                return Err((dae.line(input), MeshProblem::BadIndex(excerpt(written))));
            }
        };
        self.stride = self.stride.max(offset + 1);
        if input.attribute("semantic") != Some("VERTEX") {
            return self.read_list(dae, sources, input, offset);
        }
        let vertices = dae.referred(input, "source", "vertices")?;
        for inner in children(vertices, "input") {
            self.read_list(dae, sources, inner, offset)?;
        }
        Ok(())
    }

    fn read_list<'x>(
        &mut self,
        dae: &mut Dae<'x>,
        sources: &mut Sources,
        input: Node<'x, 'x>,
        offset: usize,
    ) -> Result<()> {
        match input.attribute("semantic") {
            Some("POSITION") => {
                let source = dae.referred(input, "source", "source")?;
                self.positions = Some((offset, sources.threes(dae, source)?));
            }
            Some("NORMAL") => {
                let source = dae.referred(input, "source", "source")?;
                self.normals = Some((offset, sources.threes(dae, source)?));
            }
            Some("TEXCOORD") => {
                let set = input.attribute("set").and_then(|set| set.trim().parse().ok()).unwrap_or(0);
                if self.uvs.as_ref().is_none_or(|(lowest, ..)| set < *lowest) {
                    let source = dae.referred(input, "source", "source")?;
                    self.uvs = Some((set, offset, sources.twos(dae, source)?));
                }
            }
            // Colours, tangents and the like are not used.
            _ => {}
        }
        Ok(())
    }
}
