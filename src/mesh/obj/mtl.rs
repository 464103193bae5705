//! MTL: the materials of an OBJ file. A broken material is a warning, because the shape is still good.

use std::collections::BTreeMap;

use super::super::Material;
use super::super::build::MeshBuilder;
use super::super::error::excerpt;
use super::super::limits::MAX_MATERIALS;
use super::{logical_lines, name_of, numbers};

/// Adds the materials of a file; `named_at` is the line of the OBJ file that names it, which is where warnings point.
pub fn read(
    bytes: &[u8],
    file: &str,
    named_at: u32,
    materials: &mut BTreeMap<String, Material>,
    builder: &mut MeshBuilder,
) {
    let text = String::from_utf8_lossy(bytes);
    let mut current: Option<Material> = None;
    for (line, content) in logical_lines(&text) {
        let content = content.split('#').next().unwrap_or_default().trim();
        let (keyword, rest) = content.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((content, ""));
        if keyword == "newmtl" {
            if let Some(done) = current.take() {
                keep(materials, done);
            }
            current = Some(Material { name: name_of(rest), ..Material::default() });
            continue;
        }
        let Some(material) = &mut current else { continue };
        let outcome = match keyword {
            "Kd" => numbers::<3>(rest, line, 3).map(|[r, g, b]| {
                material.diffuse = [unit(r), unit(g), unit(b), material.diffuse[3]];
            }),
            "Ke" => numbers::<3>(rest, line, 3).map(|color| material.emissive = color.map(unit)),
            "d" => numbers::<1>(rest, line, 1).map(|[opacity]| material.diffuse[3] = unit(opacity)),
            "Tr" => numbers::<1>(rest, line, 1).map(|[transparency]| material.diffuse[3] = 1.0 - unit(transparency)),
            "map_Kd" => {
                material.texture = texture_path(rest);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err((line, problem)) = outcome {
            builder.warn(named_at, format!("{}:{line}: {problem}; the value is ignored", excerpt(file)));
        }
    }
    if let Some(done) = current {
        keep(materials, done);
    }
}

fn keep(materials: &mut BTreeMap<String, Material>, mut material: Material) {
    if material.texture.is_some() {
        // The picture is the colour; files often leave a grey beside it.
        material.diffuse = [1.0, 1.0, 1.0, material.diffuse[3]];
    }
    if materials.len() < MAX_MATERIALS {
        materials.insert(material.name.clone(), material);
    }
}

/// The path, which may hold spaces; behind options (`-clamp on`) it is the last word.
fn texture_path(rest: &str) -> Option<String> {
    let rest = rest.trim();
    let path = if rest.starts_with('-') { rest.split_ascii_whitespace().next_back()? } else { rest };
    Some(name_of(path)).filter(|path| !path.is_empty())
}

fn unit(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}
