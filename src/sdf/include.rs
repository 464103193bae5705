//! `<include>`: another file's model or light, under a name and at a place of one's own.

use std::rc::Rc;
use std::sync::Arc;

use super::builtin;
use super::element::{Element, Result, require, set};
use super::error::{Problem, excerpt};
use super::files::{FilesError, FoundFile};
use super::geometry::read_uri;
use super::light::read_light;
use super::limits::MAX_FILE_BYTES;
use super::model::{RawModel, read_model};
use super::pose::{RawPose, read_pose};
use super::reader::Reader;
use super::tree::Light;
use super::uri::Uri;
use super::version;

pub enum Included {
    Model(Box<RawModel>),
    Light(Box<Light>, RawPose),
}

pub fn read_include(reader: &mut Reader, element: Element) -> Result<Included> {
    let (mut uri, mut name, mut pose, mut is_static, mut placement_frame) = (None, None, None, None, None);
    if element.bool_attribute("merge")? {
        reader.warn(element, "merge is ignored: the links of the included model keep its name before theirs");
    }
    for child in element.children() {
        match child.name() {
            "uri" => set(&mut uri, child, read_uri(child)?)?,
            "name" => set(&mut name, child, child.name_text()?)?,
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "static" => set(&mut is_static, child, child.bool()?)?,
            "placement_frame" => set(&mut placement_frame, child, child.text()?.into_owned())?,
            _ => reader.ignore(child, element),
        }
    }
    let uri = require(uri, element, "uri")?;
    let file = find(reader, element, uri)?;
    if reader.open_files.contains(&file.path) {
        return element.fail(Problem::IncludeLoop(excerpt(&file.path)));
    }
    reader.open_files.push(file.path.clone());
    let included = reader.nested(element, |reader| read_included(reader, &file));
    reader.open_files.pop();

    let mut included = included?;
    match &mut included {
        Included::Model(model) => {
            model.model.name = name.unwrap_or_else(|| std::mem::take(&mut model.model.name));
            model.model.is_static = is_static.unwrap_or(model.model.is_static);
            if let Some(pose) = pose {
                model.pose = pose;
                model.placement_frame = None;
            }
            model.placement_frame = placement_frame.or(model.placement_frame.take());
            model.model.place = element.place();
        }
        Included::Light(light, own) => {
            light.name = name.unwrap_or_else(|| std::mem::take(&mut light.name));
            *own = pose.unwrap_or_else(|| std::mem::take(own));
            light.place = element.place();
        }
    }
    Ok(included)
}

fn read_included(reader: &mut Reader, file: &FoundFile) -> Result<Included> {
    let name: Arc<str> = file.path.as_str().into();
    reader.with_file(&name, &file.bytes, |reader, root| {
        version::check(reader, root)?;
        let mut included = None;
        for child in root.children() {
            match child.name() {
                "model" if included.is_none() => included = Some(Included::Model(Box::new(read_model(reader, child)?))),
                "light" if included.is_none() => {
                    let (light, pose) = read_light(reader, child)?;
                    included = Some(Included::Light(Box::new(light), pose));
                }
                _ => reader.ignore(child, root),
            }
        }
        require(included, root, "model")
    })
}

/// The file that a `<uri>` means: itself, or for a folder the file that its `model.config` names, or `model.sdf`.
fn find(reader: &mut Reader, element: Element, uri: Uri) -> Result<Rc<FoundFile>> {
    let is_file = [".sdf", ".world", ".xml"].iter().any(|ending| uri.path().ends_with(ending));
    if is_file {
        return match read(reader, element, &uri)? {
            Some(file) => Ok(file),
            None => element.fail(Problem::NotFound(excerpt(&uri.to_string()))),
        };
    }
    let inside = |name: &str| uri.file(name).map_err(|problem| element.error(problem));
    let description = match read(reader, element, &inside("model.config")?)? {
        Some(config) => described_file(reader, &config)?,
        None => None,
    };
    let wanted = inside(description.as_deref().unwrap_or("model.sdf"))?;
    if let Some(file) = read(reader, element, &wanted)? {
        return Ok(file);
    }
    match builtin::model(&uri) {
        Some(file) => Ok(Rc::new(file)),
        None => element.fail(Problem::NotFound(excerpt(&wanted.to_string()))),
    }
}

/// The file name in a `model.config`: that of the newest version that we read.
fn described_file(reader: &mut Reader, config: &FoundFile) -> Result<Option<String>> {
    let name: Arc<str> = config.path.as_str().into();
    reader.with_file(&name, &config.bytes, |_, root| {
        let mut best = None;
        for child in root.children().filter(|child| child.name() == "sdf") {
            let version = child.attribute("version").and_then(version::parse).unwrap_or((0, 0));
            if version <= version::NEWEST && best.as_ref().is_none_or(|(known, _)| *known <= version) {
                best = Some((version, child.text()?.into_owned()));
            }
        }
        Ok(best.map(|(_, file)| file))
    })
}

/// `None` when there is no such file.
fn read(reader: &mut Reader, element: Element, uri: &Uri) -> Result<Option<Rc<FoundFile>>> {
    if let Some(known) = reader.cache.get(uri) {
        return Ok(Some(known.clone()));
    }
    match reader.files.read(uri, MAX_FILE_BYTES) {
        Ok(file) => {
            let file = Rc::new(file);
            reader.cache.insert(uri.clone(), file.clone());
            Ok(Some(file))
        }
        Err(FilesError::NotFound) => Ok(None),
        Err(err) => element.fail(Problem::Unreadable { uri: excerpt(&uri.to_string()), why: err.to_string() }),
    }
}
