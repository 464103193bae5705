//! `<world>`: physics, scene, lights and models, all in the world's frame.

use std::collections::BTreeMap;

use super::element::{Element, Result, set};
use super::error::{Place, Problem};
use super::frames::Frames;
use super::include::{Included, read_include};
use super::light::read_light;
use super::limits::{MAX_LIGHTS, MAX_PARTS_PER_MODEL};
use super::material::read_color;
use super::model::{RawModel, read_frame, read_model};
use super::pose::{RawPose, compose, to_pose};
use super::reader::Reader;
use super::tree::{Light, Physics, Scene, World};

/// Longest step that any file can mean; the engine has its own.
const MAX_STEP_S: f64 = 1.0;
const MIN_STEP_S: f64 = 1e-6;
const MAX_REAL_TIME_FACTOR: f64 = 1e6;

pub fn read_world(reader: &mut Reader, element: Element) -> Result<World> {
    let name = element.required_name()?;
    let (mut physics, mut gravity, mut old_gravity, mut scene) = (None, None, None, None);
    let mut lights: Vec<(Light, RawPose)> = Vec::new();
    let mut models: Vec<RawModel> = Vec::new();
    let mut frames = Frames::of_world();
    for child in element.children() {
        reader.parts_left = MAX_PARTS_PER_MODEL;
        match child.name() {
            "physics" if physics.is_none() => physics = Some(read_physics(reader, child, &mut old_gravity)?),
            "physics" => reader.warn(child, "<physics> is ignored: the first one counts"),
            "gravity" => set(&mut gravity, child, child.vector("three: x y z")?)?,
            "scene" => set(&mut scene, child, read_scene(reader, child)?)?,
            "light" => lights.push(read_light(reader, child)?),
            "model" => models.push(read_model(reader, child)?),
            "include" => match read_include(reader, child)? {
                Included::Model(model) => models.push(*model),
                Included::Light(light, pose) => lights.push((*light, pose)),
            },
            "frame" => read_frame(reader, child, &mut frames)?,
            _ => reader.ignore(child, element),
        }
        if lights.len() > MAX_LIGHTS {
            return child.fail(Problem::TooMany { what: "lights", limit: MAX_LIGHTS });
        }
    }

    for model in &models {
        model.enter(&mut frames)?;
    }
    let mut finished = Vec::with_capacity(models.len());
    for RawModel { mut model, .. } in models {
        model.pose = to_pose(&frames.resolve(&model.name, &model.place)?);
        finished.push(model);
    }
    Ok(World {
        name,
        physics: physics.unwrap_or_default(),
        gravity: gravity.or(old_gravity),
        scene: scene.unwrap_or_default(),
        lights: finish_lights(lights, &mut frames)?,
        models: finished,
        place: element.place(),
    })
}

fn finish_lights(lights: Vec<(Light, RawPose)>, frames: &mut Frames) -> Result<Vec<Light>> {
    let mut names: BTreeMap<String, Place> = BTreeMap::new();
    let mut finished = Vec::with_capacity(lights.len());
    for (mut light, raw) in lights {
        if let Some(first) = names.insert(light.name.clone(), light.place.clone()) {
            let problem = Problem::Duplicate { kind: "light", name: light.name, first };
            return Err(super::error::SdfError { place: light.place, problem });
        }
        light.pose = match &raw.relative_to {
            Some(frame) => to_pose(&compose(&frames.resolve(frame, &light.place)?, &raw.pose)),
            None => to_pose(&raw.pose),
        };
        finished.push(light);
    }
    Ok(finished)
}

fn read_physics(reader: &mut Reader, element: Element, old_gravity: &mut Option<[f64; 3]>) -> Result<Physics> {
    let mut physics = Physics::default();
    for child in element.children() {
        match child.name() {
            "max_step_size" => set(&mut physics.step_s, child, child.number(MIN_STEP_S, MAX_STEP_S)?)?,
            "real_time_factor" => {
                set(&mut physics.real_time_factor, child, child.number(0.0, MAX_REAL_TIME_FACTOR)?)?;
            }
            // Its place up to SDF 1.5.
            "gravity" => set(old_gravity, child, child.vector("three: x y z")?)?,
            _ => reader.ignore(child, element),
        }
    }
    Ok(physics)
}

fn read_scene(reader: &mut Reader, element: Element) -> Result<Scene> {
    let (mut ambient, mut background, mut sky, mut shadows) = (None, None, None, None);
    for child in element.children() {
        match child.name() {
            "ambient" => set(&mut ambient, child, read_color(reader, child)?)?,
            "background" => set(&mut background, child, read_color(reader, child)?)?,
            "sky" => {
                set(&mut sky, child, true)?;
                for detail in child.children() {
                    reader.ignore(detail, child);
                }
            }
            "shadows" => set(&mut shadows, child, child.bool()?)?,
            _ => reader.ignore(child, element),
        }
    }
    Ok(Scene { ambient, background, sky: sky.unwrap_or(false), shadows })
}
