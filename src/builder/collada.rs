//! Writes surfaces as a COLLADA 1.4.1 file: z up, metres, one node for each surface in their order.
//!
//! The file lies two folders deep (`meshes/<folder>/<file>.dae`); pictures are named relative to it.

use std::fmt::Write;

use super::numbers::{fixed, list};
use super::surface::{Paint, Surface};

/// Digits of positions: a hundredth of a millimetre.
const POSITION_DECIMALS: usize = 5;
const UV_DECIMALS: usize = 4;
const NORMAL_DECIMALS: usize = 4;

pub fn write(surfaces: &[Surface]) -> String {
    let mut text = String::from(concat!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n",
        "  <asset><unit name=\"meter\" meter=\"1\"/><up_axis>Z_UP</up_axis></asset>\n",
    ));
    library(&mut text, "images", surfaces, image);
    library(&mut text, "effects", surfaces, effect);
    library(&mut text, "materials", surfaces, |surface| {
        let name = &surface.name;
        format!(
            "    <material id=\"{name}_material\" name=\"{name}\"><instance_effect url=\"#{name}_effect\"/></material>\n"
        )
    });
    library(&mut text, "geometries", surfaces, geometry);
    text.push_str("  <library_visual_scenes>\n    <visual_scene id=\"scene\">\n");
    for Surface { name, .. } in surfaces {
        let bind = format!("<instance_material symbol=\"{name}\" target=\"#{name}_material\"/>");
        put(&mut text, format_args!("      <node id=\"{name}\" name=\"{name}\">\n"));
        put(&mut text, format_args!("        <instance_geometry url=\"#{name}_geometry\"><bind_material>"));
        put(&mut text, format_args!("<technique_common>{bind}</technique_common></bind_material>"));
        text.push_str("</instance_geometry>\n      </node>\n");
    }
    text.push_str("    </visual_scene>\n  </library_visual_scenes>\n");
    text.push_str("  <scene><instance_visual_scene url=\"#scene\"/></scene>\n</COLLADA>\n");
    text
}

fn put(text: &mut String, arguments: std::fmt::Arguments) {
    text.write_fmt(arguments).expect("writing to memory does not fail");
}

fn library(text: &mut String, kind: &str, surfaces: &[Surface], entry: impl Fn(&Surface) -> String) {
    let entries: String = surfaces.iter().map(entry).collect();
    if !entries.is_empty() {
        put(text, format_args!("  <library_{kind}>\n{entries}  </library_{kind}>\n"));
    }
}

fn image(surface: &Surface) -> String {
    match &surface.paint {
        Paint::Texture(path) => {
            format!("    <image id=\"{}_image\"><init_from>../../{path}</init_from></image>\n", surface.name)
        }
        Paint::Color(_) => String::new(),
    }
}

fn effect(surface: &Surface) -> String {
    let name = &surface.name;
    let (parameters, diffuse) = match &surface.paint {
        Paint::Color(color) => (String::new(), format!("<color>{} 1</color>", list(&color.parts(), 4))),
        Paint::Texture(_) => (
            format!(
                "<newparam sid=\"{name}_surface\"><surface type=\"2D\"><init_from>{name}_image</init_from></surface></newparam>\
                 <newparam sid=\"{name}_sampler\"><sampler2D><source>{name}_surface</source></sampler2D></newparam>"
            ),
            format!("<texture texture=\"{name}_sampler\" texcoord=\"UVSET0\"/>"),
        ),
    };
    format!(
        "    <effect id=\"{name}_effect\"><profile_COMMON>{parameters}<technique sid=\"common\"><lambert>\
         <diffuse>{diffuse}</diffuse></lambert></technique></profile_COMMON></effect>\n"
    )
}

fn geometry(surface: &Surface) -> String {
    let name = &surface.name;
    let mut text = format!("    <geometry id=\"{name}_geometry\" name=\"{name}\"><mesh>\n");
    let positions: Vec<String> = surface.positions.iter().map(|p| list(p, POSITION_DECIMALS)).collect();
    source(&mut text, &format!("{name}_positions"), &positions, &["X", "Y", "Z"]);
    // A floor has one normal; writing it once keeps the file small.
    let mut normals: Vec<String> = Vec::new();
    let normal_of: Vec<usize> = surface
        .normals
        .iter()
        .map(|normal| {
            let written = list(normal, NORMAL_DECIMALS);
            normals.iter().rposition(|known| *known == written).unwrap_or_else(|| {
                normals.push(written);
                normals.len() - 1
            })
        })
        .collect();
    source(&mut text, &format!("{name}_normals"), &normals, &["X", "Y", "Z"]);
    let is_textured = matches!(surface.paint, Paint::Texture(_));
    if is_textured {
        let uvs: Vec<String> =
            surface.uvs.iter().map(|[u, v]| format!("{} {}", fixed(*u, UV_DECIMALS), fixed(*v, UV_DECIMALS))).collect();
        source(&mut text, &format!("{name}_uvs"), &uvs, &["S", "T"]);
    }
    put(
        &mut text,
        format_args!(
            "      <vertices id=\"{name}_vertices\"><input semantic=\"POSITION\" source=\"#{name}_positions\"/></vertices>\n"
        ),
    );
    put(&mut text, format_args!("      <triangles material=\"{name}\" count=\"{}\">\n", surface.triangles.len()));
    put(&mut text, format_args!("        <input semantic=\"VERTEX\" source=\"#{name}_vertices\" offset=\"0\"/>\n"));
    put(&mut text, format_args!("        <input semantic=\"NORMAL\" source=\"#{name}_normals\" offset=\"1\"/>\n"));
    if is_textured {
        let uvs = format!("semantic=\"TEXCOORD\" source=\"#{name}_uvs\" offset=\"0\" set=\"0\"");
        put(&mut text, format_args!("        <input {uvs}/>\n"));
    }
    let corners = surface.triangles.iter().flatten().map(|index| format!("{index} {}", normal_of[*index as usize]));
    let corners: Vec<String> = corners.collect();
    put(&mut text, format_args!("        <p>{}</p>\n      </triangles>\n    </mesh></geometry>\n", corners.join(" ")));
    text
}

fn source(text: &mut String, id: &str, values: &[String], parameters: &[&str]) {
    let (count, stride) = (values.len(), parameters.len());
    put(text, format_args!("      <source id=\"{id}\"><float_array id=\"{id}_array\" count=\"{}\">", count * stride));
    text.push_str(&values.join(" "));
    put(text, format_args!("</float_array><technique_common><accessor source=\"#{id}_array\" count=\"{count}\""));
    put(text, format_args!(" stride=\"{stride}\">"));
    for parameter in parameters {
        put(text, format_args!("<param name=\"{parameter}\" type=\"float\"/>"));
    }
    text.push_str("</accessor></technique_common></source>\n");
}
