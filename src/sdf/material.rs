//! `<material>` and colours.

use super::element::{Element, Result, set};
use super::error::Problem;
use super::geometry::read_uri;
use super::reader::Reader;
use super::tree::{Color, Material};

pub fn read_material(reader: &mut Reader, element: Element) -> Result<Material> {
    let mut material = Material::default();
    for child in element.children() {
        match child.name() {
            "ambient" => set(&mut material.ambient, child, read_color(reader, child)?)?,
            "diffuse" => set(&mut material.diffuse, child, read_color(reader, child)?)?,
            "specular" => set(&mut material.specular, child, read_color(reader, child)?)?,
            "emissive" => set(&mut material.emissive, child, read_color(reader, child)?)?,
            "script" => {
                let name = child.child("name").map(|name| name.text()).transpose()?.unwrap_or_default();
                let message =
                    format!("the material script {:?} is ignored: write colours", super::error::excerpt(&name));
                reader.warn(child, message);
            }
            "pbr" => read_pbr(reader, child, &mut material)?,
            _ => reader.ignore(child, element),
        }
    }
    Ok(material)
}

fn read_pbr(reader: &mut Reader, pbr: Element, material: &mut Material) -> Result<()> {
    for workflow in pbr.children() {
        // Both ways of describing a surface have the same map of its colour.
        if !matches!(workflow.name(), "metal" | "specular") {
            reader.ignore(workflow, pbr);
            continue;
        }
        for child in workflow.children() {
            match child.name() {
                "albedo_map" if !child.text()?.is_empty() => set(&mut material.albedo_map, child, read_uri(child)?)?,
                _ => reader.ignore(child, workflow),
            }
        }
    }
    Ok(())
}

/// Three or four numbers; without the fourth it is opaque.
pub fn read_color(reader: &mut Reader, element: Element) -> Result<Color> {
    let values = element.number_list()?;
    let color = match *values.as_slice() {
        [r, g, b] => [r, g, b, 1.0],
        [r, g, b, a] => [r, g, b, a],
        _ => {
            let problem =
                Problem::NumberCount { element: element.shown_name(), found: values.len(), needed: "3 or 4: r g b a" };
            return element.fail(problem);
        }
    };
    if color.iter().any(|part| !(0.0..=1.0).contains(part)) {
        reader.warn(element, format!("the colour of <{}> is cut to the range from 0 to 1", element.shown_name()));
    }
    Ok(color.map(|part| part.clamp(0.0, 1.0) as f32))
}
