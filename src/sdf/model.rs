//! `<model>`: links and nested models, flattened to one list of links with poses in the model's frame.

use nalgebra::Isometry3;

use super::element::{Element, Result, set};
use super::error::{Problem, SdfError};
use super::frames::Frames;
use super::include::{Included, read_include};
use super::link::{LinkPart, OpenPose, RawLink, read_link};
use super::pose::{RawPose, compose, read_pose, to_isometry, to_pose};
use super::reader::Reader;
use super::tree::{Link, Model};

/// A model whose inside is finished and whose own place is still relative to its surroundings.
pub struct RawModel {
    /// Its pose counts nothing yet.
    pub model: Model,
    pub pose: RawPose,
    /// The frame of the model that `pose` places, instead of the model's own.
    pub placement_frame: Option<String>,
    /// Everything inside that others may name, in the model's frame.
    frames: Vec<(String, Isometry3<f64>)>,
}

pub fn read_model(reader: &mut Reader, element: Element) -> Result<RawModel> {
    reader.count_model(element)?;
    reader.nested(element, |reader| read_inside(reader, element))
}

fn read_inside(reader: &mut Reader, element: Element) -> Result<RawModel> {
    let name = element.required_name()?;
    let (mut is_static, mut pose) = (None, None);
    let mut links: Vec<RawLink> = Vec::new();
    let mut nested: Vec<RawModel> = Vec::new();
    let mut frames = Frames::of_model();
    let mut joints = Vec::new();
    for child in element.children() {
        match child.name() {
            "static" => set(&mut is_static, child, child.bool()?)?,
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "link" => {
                let link = read_link(reader, child)?;
                frames.add("link", &link.link.name, link.pose.clone(), child.place())?;
                links.push(link);
            }
            "frame" => read_frame(reader, child, &mut frames)?,
            "model" => nested.push(read_model(reader, child)?),
            "include" => match read_include(reader, child)? {
                Included::Model(model) => nested.push(*model),
                Included::Light(..) => reader.warn(child, "the light is ignored: lights belong to the world"),
            },
            "joint" => {
                reader.ignore(child, element);
                joints.push(child);
            }
            _ => reader.ignore(child, element),
        }
    }
    for model in &nested {
        model.enter(&mut frames)?;
    }
    // Last, because old files give joints the names of their links.
    for joint in joints {
        read_joint(reader, joint, &mut frames)?;
    }

    let is_static = is_static.unwrap_or(false);
    let mut finished: Vec<Link> = Vec::new();
    for link in links {
        finished.push(finish_link(link, &mut frames)?);
    }
    for inner in nested {
        if inner.model.is_static != is_static {
            let place = inner.model.place.clone();
            let text =
                format!("<static> of the nested model {:?} is ignored: the outer model decides", inner.model.name);
            reader.warn_at(place, text);
        }
        let from_model = frames.resolve(&inner.model.name, &inner.model.place)?;
        for mut link in inner.model.links {
            link.pose = to_pose(&compose(&from_model, &to_isometry(&link.pose)));
            link.name = format!("{}::{}", inner.model.name, link.name);
            finished.push(link);
        }
    }
    if finished.is_empty() {
        reader.warn(element, format!("the model {name:?} has no links: there is nothing of it in the world"));
    }
    Ok(RawModel {
        model: Model { name, is_static, pose: Default::default(), links: finished, place: element.place() },
        pose: pose.unwrap_or_default(),
        placement_frame: element.attribute("placement_frame").filter(|frame| !frame.is_empty()).map(str::to_owned),
        frames: frames.resolved(),
    })
}

fn finish_link(raw: RawLink, frames: &mut Frames) -> Result<Link> {
    let RawLink { mut link, open, .. } = raw;
    let from_link = frames.resolve(&link.name, &link.place)?;
    link.pose = to_pose(&from_link);
    for OpenPose { part, raw, place } in open {
        let Some(frame) = &raw.relative_to else { continue };
        let from_frame = frames.resolve(frame, &place)?;
        let pose = to_pose(&compose(&from_link.inverse(), &compose(&from_frame, &raw.pose)));
        match part {
            LinkPart::Inertial => {
                if let Some(inertial) = &mut link.inertial {
                    inertial.pose = pose;
                }
            }
            LinkPart::Collision(index) => link.collisions[index].pose = pose,
            LinkPart::Visual(index) => link.visuals[index].pose = pose,
        }
    }
    Ok(link)
}

/// `<frame>` of a model or a world.
pub fn read_frame(reader: &mut Reader, element: Element, frames: &mut Frames) -> Result<()> {
    reader.count_part(element)?;
    let mut pose = None;
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            _ => reader.ignore(child, element),
        }
    }
    let mut raw: RawPose = pose.unwrap_or_default();
    if raw.relative_to.is_none() {
        raw.relative_to = element.attribute("attached_to").filter(|frame| !frame.is_empty()).map(str::to_owned);
    }
    frames.add("frame", &element.required_name()?, raw, element.place())
}

/// A joint moves nothing here, but poses may be relative to it; unless told otherwise it is where its child link is.
fn read_joint(reader: &mut Reader, element: Element, frames: &mut Frames) -> Result<()> {
    reader.count_part(element)?;
    let Some(name) = element.attribute("name").filter(|name| !frames.contains(name)) else { return Ok(()) };
    let mut raw = match element.child("pose") {
        Some(pose) => read_pose(reader, pose)?,
        None => RawPose::default(),
    };
    if raw.relative_to.is_none() {
        raw.relative_to = element.child("child").map(|child| child.text()).transpose()?.map(String::from);
    }
    frames.add("joint", name, raw, element.place())
}

impl RawModel {
    /// Makes the model and what is inside known to its surroundings.
    pub fn enter(&self, frames: &mut Frames) -> Result<()> {
        let place = &self.model.place;
        let mut raw = self.pose.clone();
        if let Some(wanted) = &self.placement_frame {
            let unknown = || SdfError { place: place.clone(), problem: Problem::UnknownFrame(wanted.clone()) };
            let (_, inner) = self.frames.iter().find(|(name, _)| name == wanted).ok_or_else(unknown)?;
            raw.pose = compose(&raw.pose, &inner.inverse());
        }
        let name = &self.model.name;
        frames.add("model", name, raw, place.clone())?;
        for (inner, pose) in &self.frames {
            let raw = RawPose { pose: *pose, relative_to: Some(name.clone()) };
            frames.add("frame", &format!("{name}::{inner}"), raw, place.clone())?;
        }
        Ok(())
    }
}
