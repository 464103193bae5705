//! COLLADA: a scene of nodes that show geometries with materials. Comes out with z up, in metres, every instance a part.
//!
//! Skins are shown in their rest pose; animations, lights, cameras, lines and splines are left out.

mod document;
mod effects;
mod geometry;
mod image;
mod primitives;
mod scene;
mod source;

use nalgebra::{Matrix3, Matrix4};
use roxmltree::Node;

use self::document::{Dae, child, children};
use super::Mesh;
use super::build::MeshBuilder;
use super::error::{MeshProblem, Result, excerpt, from_xml};
use super::limits;
use crate::xml::Xml;

/// Lengths of a unit in metres: from a micrometre to a thousand kilometres.
const UNIT_RANGE_M: (f64, f64) = (1e-6, 1e6);

pub fn read(bytes: &[u8]) -> Result<Mesh> {
    let xml = Xml::parse(bytes, &limits::XML).map_err(from_xml)?;
    let root = xml.root();
    if root.tag_name().name() != "COLLADA" {
        return Err((xml.line(root), MeshProblem::WrongRoot(excerpt(root.tag_name().name()))));
    }
    let mut dae = Dae::new(&xml);
    let mut builder = MeshBuilder::default();
    let to_metres_z_up = read_asset(&dae, root, &mut builder)?;
    scene::Walk::new(&mut dae, &mut builder).read(root, &to_metres_z_up)?;
    Ok(builder.finish())
}

/// From the file's units and axes to metres with z up.
fn read_asset(dae: &Dae, root: Node, builder: &mut MeshBuilder) -> Result<Matrix4<f64>> {
    let asset = child(root, "asset");
    let unit = match asset.and_then(|asset| child(asset, "unit")) {
        Some(unit) => match unit.attribute("meter") {
            Some(written) => {
                let value = dae.number(written.trim(), unit)?;
                let (min, max) = UNIT_RANGE_M;
                if !(min..=max).contains(&value) {
                    let problem = MeshProblem::OutOfRange { what: "the length of a unit", value, min, max };
                    return Err((dae.line(unit), problem));
                }
                value
            }
            None => 1.0,
        },
        None => 1.0,
    };
    let axis = asset.and_then(|asset| child(asset, "up_axis"));
    let turn = match axis.and_then(|axis| axis.text()).map(str::trim) {
        Some("Z_UP") => Matrix3::identity(),
        Some("X_UP") => Matrix3::new(0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0),
        other => {
            if other != Some("Y_UP") {
                let line = dae.line(axis.or(asset).unwrap_or(root));
                builder.warn(line, "there is no up_axis of X_UP, Y_UP or Z_UP; Y_UP is assumed, as COLLADA says");
            }
            Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0)
        }
    };
    if children(root, "library_animations").next().is_some() {
        builder.warn(dae.line(root), "animations are ignored");
    }
    Ok((turn * unit).to_homogeneous())
}
