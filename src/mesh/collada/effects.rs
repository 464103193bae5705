//! `<material>` and `<effect>`: a colour or a picture, and what glows by itself.

use roxmltree::Node;

use super::super::Material;
use super::super::build::MeshBuilder;
use super::super::error::Result;
use super::super::limits::{MAX_BOUND, MAX_NAME_LEN};
use super::document::{Dae, child, children, name_of};
use super::image;

/// A broken colour is an error; a picture that leads nowhere is a warning, because the shape is still good.
pub fn read<'x>(dae: &Dae<'x>, builder: &mut MeshBuilder, material: Node<'x, 'x>) -> Result<Material> {
    let name = name_of(material).chars().take(MAX_NAME_LEN).collect();
    let mut result = Material { name, ..Material::default() };
    let Some(instance) = child(material, "instance_effect") else {
        return Err(dae.missing(material, "instance_effect"));
    };
    let effect = dae.referred(instance, "url", "effect")?;
    let profile = child(effect, "profile_COMMON");
    let technique = profile.and_then(|profile| child(profile, "technique"));
    let shader = technique.and_then(|technique| {
        ["phong", "lambert", "blinn", "constant"].into_iter().find_map(|shader| child(technique, shader))
    });
    let (Some(profile), Some(shader)) = (profile, shader) else {
        builder.warn(dae.line(effect), "the effect has no phong, lambert, blinn or constant: it is shown in grey");
        return Ok(result);
    };
    if let Some(emission) = child(shader, "emission").and_then(|emission| child(emission, "color")) {
        let [r, g, b, _] = color(dae, emission)?;
        result.emissive = [r, g, b];
    }
    let Some(diffuse) = child(shader, "diffuse") else { return Ok(result) };
    if let Some(value) = child(diffuse, "color") {
        result.diffuse = color(dae, value)?;
    }
    if let Some(texture) = child(diffuse, "texture") {
        result.texture = texture_path(dae, profile, effect, texture);
        match result.texture {
            Some(_) => result.diffuse = [1.0; 4],
            None => {
                builder.warn(dae.line(texture), "the picture of this texture is not in the file's library of images")
            }
        }
    }
    Ok(result)
}

/// Three or four numbers, cut to the range from 0 to 1.
fn color<'x>(dae: &Dae<'x>, node: Node<'x, 'x>) -> Result<[f32; 4]> {
    let values = match dae.numbers::<4>(node) {
        Ok(values) => values,
        Err(problem) => match dae.numbers::<3>(node) {
            Ok([r, g, b]) => [r, g, b, 1.0],
            Err(_) => return Err(problem),
        },
    };
    Ok(values.map(|value| value.clamp(0.0, 1.0) as f32))
}

/// Follows sampler and surface to the image; some exporters name the image at once.
fn texture_path<'x>(
    dae: &Dae<'x>,
    profile: Node<'x, 'x>,
    effect: Node<'x, 'x>,
    texture: Node<'x, 'x>,
) -> Option<String> {
    let written = texture.attribute("texture")?;
    let parameter = |sid: &str| {
        let all = children(profile, "newparam").chain(children(effect, "newparam"));
        all.take(MAX_BOUND).find(|parameter| parameter.attribute("sid") == Some(sid))
    };
    let sampler = parameter(written).and_then(|parameter| child(parameter, "sampler2D"));
    let image = match sampler {
        Some(sampler) => match child(sampler, "instance_image") {
            // COLLADA 1.5.
            Some(instance) => dae.referred(instance, "url", "image").ok()?,
            None => {
                let surface_sid = child(sampler, "source")?.text()?.trim();
                let surface = child(parameter(surface_sid)?, "surface")?;
                dae.by_id(child(surface, "init_from")?.text()?.trim())?
            }
        },
        None => dae.by_id(written)?,
    };
    let init = child(image, "init_from")?;
    let path = match child(init, "ref") {
        Some(reference) => reference.text()?,
        None => init.text()?,
    };
    Some(image::path_of(path.trim())).filter(|path| !path.is_empty() && path.len() <= MAX_NAME_LEN)
}
