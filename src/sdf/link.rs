//! `<link>`: what a model is made of. Poses inside it come out in the link's frame, except those that name another frame:
//! these are handed up to the model, which knows all frames.

use super::element::{Element, Result, require, set};
use super::error::{Place, Problem};
use super::geometry::read_geometry;
use super::limits::{MAX_FRICTION, MAX_MASS_KG};
use super::material::read_material;
use super::pose::{RawPose, read_pose, to_pose};
use super::reader::Reader;
use super::tree::{Collision, Inertia, Inertial, Link, Surface, Visual};

/// A link whose own pose, and some of those inside, are not resolved yet.
pub struct RawLink {
    pub link: Link,
    pub pose: RawPose,
    pub open: Vec<OpenPose>,
}

/// A pose inside a link that is relative to another frame of the model.
pub struct OpenPose {
    pub part: LinkPart,
    pub raw: RawPose,
    pub place: Place,
}

#[derive(Debug, Clone, Copy)]
pub enum LinkPart {
    Inertial,
    Collision(usize),
    Visual(usize),
}

pub fn read_link(reader: &mut Reader, element: Element) -> Result<RawLink> {
    reader.count_part(element)?;
    let name = element.required_name()?;
    let (mut pose, mut inertial) = (None, None);
    let (mut collisions, mut visuals): (Vec<Collision>, Vec<Visual>) = (Vec::new(), Vec::new());
    let mut open = Vec::new();
    let mut names = std::collections::BTreeMap::new();
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "inertial" => {
                if inertial.is_some() {
                    return child.fail(Problem::Twice("inertial".into()));
                }
                if let Some((read, raw)) = read_inertial(reader, child)? {
                    inertial = Some(read);
                    defer(&mut open, LinkPart::Inertial, raw, child);
                }
            }
            "collision" => {
                unique(&mut names, "collision", child)?;
                if let Some((collision, raw)) = read_collision(reader, child)? {
                    defer(&mut open, LinkPart::Collision(collisions.len()), raw, child);
                    collisions.push(collision);
                }
            }
            "visual" => {
                unique(&mut names, "visual", child)?;
                if let Some((visual, raw)) = read_visual(reader, child)? {
                    defer(&mut open, LinkPart::Visual(visuals.len()), raw, child);
                    visuals.push(visual);
                }
            }
            _ => reader.ignore(child, element),
        }
    }
    let raw: RawPose = pose.unwrap_or_default();
    let link = Link { name, pose: to_pose(&raw.pose), inertial, collisions, visuals, place: element.place() };
    Ok(RawLink { link, pose: raw, open })
}

/// A collision and a visual may share a name; two of one kind may not.
fn unique(
    names: &mut std::collections::BTreeMap<(&'static str, String), Place>,
    kind: &'static str,
    element: Element,
) -> Result<()> {
    let name = element.required_name()?;
    match names.insert((kind, name.clone()), element.place()) {
        Some(first) => element.fail(Problem::Duplicate { kind, name, first }),
        None => Ok(()),
    }
}

fn defer(open: &mut Vec<OpenPose>, part: LinkPart, raw: RawPose, element: Element) {
    if raw.relative_to.is_some() {
        open.push(OpenPose { part, raw, place: element.place() });
    }
}

fn read_collision(reader: &mut Reader, element: Element) -> Result<Option<(Collision, RawPose)>> {
    reader.count_part(element)?;
    let (mut pose, mut geometry, mut surface) = (None, None, None);
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "geometry" => set(&mut geometry, child, read_geometry(reader, child)?)?,
            "surface" => set(&mut surface, child, read_surface(reader, child)?)?,
            _ => reader.ignore(child, element),
        }
    }
    let raw: RawPose = pose.unwrap_or_default();
    let Some(geometry) = require(geometry, element, "geometry")? else { return Ok(None) };
    let collision = Collision {
        name: element.required_name()?,
        pose: to_pose(&raw.pose),
        geometry,
        surface: surface.unwrap_or_default(),
        place: element.place(),
    };
    Ok(Some((collision, raw)))
}

fn read_visual(reader: &mut Reader, element: Element) -> Result<Option<(Visual, RawPose)>> {
    reader.count_part(element)?;
    let (mut pose, mut geometry, mut material) = (None, None, None);
    let (mut cast_shadows, mut transparency) = (None, None);
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "geometry" => set(&mut geometry, child, read_geometry(reader, child)?)?,
            "material" => set(&mut material, child, read_material(reader, child)?)?,
            "cast_shadows" => set(&mut cast_shadows, child, child.bool()?)?,
            "transparency" => set(&mut transparency, child, child.number(0.0, 1.0)?)?,
            _ => reader.ignore(child, element),
        }
    }
    let raw: RawPose = pose.unwrap_or_default();
    let Some(geometry) = require(geometry, element, "geometry")? else { return Ok(None) };
    let visual = Visual {
        name: element.required_name()?,
        pose: to_pose(&raw.pose),
        geometry,
        material,
        cast_shadows,
        transparency: transparency.unwrap_or(0.0),
        place: element.place(),
    };
    Ok(Some((visual, raw)))
}

fn read_surface(reader: &mut Reader, element: Element) -> Result<Surface> {
    let mut surface = Surface::default();
    for child in element.children() {
        match child.name() {
            "friction" => {
                for engine in child.children() {
                    if engine.name() != "ode" {
                        reader.ignore(engine, child);
                        continue;
                    }
                    for value in engine.children() {
                        match value.name() {
                            "mu" => set(&mut surface.mu, value, value.number_capped(0.0, MAX_FRICTION)?)?,
                            "mu2" => set(&mut surface.mu2, value, value.number_capped(0.0, MAX_FRICTION)?)?,
                            _ => reader.ignore(value, engine),
                        }
                    }
                }
            }
            "bounce" => {
                for value in child.children() {
                    match value.name() {
                        "restitution_coefficient" => set(&mut surface.restitution, value, value.number(0.0, 1.0)?)?,
                        _ => reader.ignore(value, child),
                    }
                }
            }
            _ => reader.ignore(child, element),
        }
    }
    Ok(surface)
}

/// `None` when it has no mass, which old files write for things that never move.
fn read_inertial(reader: &mut Reader, element: Element) -> Result<Option<(Inertial, RawPose)>> {
    let (mut pose, mut mass, mut inertia) = (None, None, None);
    for child in element.children() {
        match child.name() {
            "pose" => set(&mut pose, child, read_pose(reader, child)?)?,
            "mass" => set(&mut mass, child, child.number(0.0, MAX_MASS_KG)?)?,
            "inertia" => {
                if inertia.is_some() {
                    return child.fail(Problem::Twice("inertia".into()));
                }
                inertia = read_inertia(reader, child)?;
            }
            _ => reader.ignore(child, element),
        }
    }
    let raw: RawPose = pose.unwrap_or_default();
    match mass {
        Some(0.0) => {
            reader.warn(element, "<inertial> is ignored: its mass is 0");
            Ok(None)
        }
        Some(mass_kg) => Ok(Some((Inertial { mass_kg, pose: to_pose(&raw.pose), inertia }, raw))),
        None => {
            reader.warn(element, "<inertial> is ignored: it has no <mass>");
            Ok(None)
        }
    }
}

fn read_inertia(reader: &mut Reader, element: Element) -> Result<Option<Inertia>> {
    let [mut xx, mut yy, mut zz, mut xy, mut xz, mut yz] = [None; 6];
    for child in element.children() {
        let slot = match child.name() {
            "ixx" => &mut xx,
            "iyy" => &mut yy,
            "izz" => &mut zz,
            "ixy" => &mut xy,
            "ixz" => &mut xz,
            "iyz" => &mut yz,
            _ => {
                reader.ignore(child, element);
                continue;
            }
        };
        set(slot, child, child.number(-1e12, 1e12)?)?;
    }
    // What SDF assumes for an entry that is not given.
    let of = |value: Option<f64>, otherwise| value.unwrap_or(otherwise);
    let inertia = Inertia {
        xx: of(xx, 1.0),
        yy: of(yy, 1.0),
        zz: of(zz, 1.0),
        xy: of(xy, 0.0),
        xz: of(xz, 0.0),
        yz: of(yz, 0.0),
    };
    if is_positive_definite(&inertia) {
        return Ok(Some(inertia));
    }
    reader.warn(element, "<inertia> is ignored: no body can have it (the matrix is not positive definite)");
    Ok(None)
}

fn is_positive_definite(i: &Inertia) -> bool {
    let minor = i.xx * i.yy - i.xy * i.xy;
    let determinant =
        i.xx * (i.yy * i.zz - i.yz * i.yz) - i.xy * (i.xy * i.zz - i.yz * i.xz) + i.xz * (i.xy * i.yz - i.yy * i.xz);
    i.xx > 0.0 && minor > 0.0 && determinant > 0.0
}
