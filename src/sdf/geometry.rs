//! `<geometry>`: the one shape of a collision or a visual.

use nalgebra::Vector3;

use super::element::{Element, Result, require, set};
use super::error::Problem;
use super::limits::{MAX_LENGTH_M, MIN_SIZE_M};
use super::reader::Reader;
use super::tree::{Geometry, Submesh};
use super::uri::Uri;

/// `None` for a shape that the simulator does not have; the warning says so.
pub fn read_geometry(reader: &mut Reader, element: Element) -> Result<Option<Geometry>> {
    let mut shape = None;
    let mut shapes = 0;
    for child in element.children() {
        shapes += 1;
        if shapes > 1 {
            return child.fail(Problem::Twice("geometry".into()));
        }
        shape = match child.name() {
            "box" => Some(Geometry::Box { size_m: size(reader, child, "size", "three: x y z")? }),
            "cylinder" => {
                let (radius_m, length_m) = radius_and_length(reader, child)?;
                Some(Geometry::Cylinder { radius_m, length_m })
            }
            "capsule" => {
                let (radius_m, length_m) = radius_and_length(reader, child)?;
                Some(Geometry::Capsule { radius_m, length_m })
            }
            "sphere" => {
                let [radius_m] = size(reader, child, "radius", "one")?;
                Some(Geometry::Sphere { radius_m })
            }
            "ellipsoid" => Some(Geometry::Ellipsoid { radii_m: size(reader, child, "radii", "three: x y z")? }),
            "plane" => Some(read_plane(reader, child)?),
            "mesh" => Some(read_mesh(reader, child)?),
            "empty" => None,
            _ => {
                let message = format!("the shape <{}> is not supported; it is left out", child.shown_name());
                reader.warn(child, message);
                None
            }
        };
    }
    if shapes == 0 {
        return element.fail(Problem::NoShape);
    }
    Ok(shape)
}

/// One child with N lengths, all of which a solid can have; other children are ignored.
fn size<const N: usize>(
    reader: &mut Reader,
    shape: Element,
    wanted: &'static str,
    needed: &'static str,
) -> Result<[f64; N]> {
    let mut size = None;
    for child in shape.children() {
        if child.name() == wanted {
            set(&mut size, child, lengths(child, needed)?)?;
        } else {
            reader.ignore(child, shape);
        }
    }
    require(size, shape, wanted)
}

fn lengths<const N: usize>(element: Element, needed: &'static str) -> Result<[f64; N]> {
    let values = element.numbers(needed)?;
    for value in values {
        element.within(value, MIN_SIZE_M, MAX_LENGTH_M)?;
    }
    Ok(values)
}

fn radius_and_length(reader: &mut Reader, shape: Element) -> Result<(f64, f64)> {
    let (mut radius, mut length) = (None, None);
    for child in shape.children() {
        match child.name() {
            "radius" => set(&mut radius, child, child.number(MIN_SIZE_M, MAX_LENGTH_M)?)?,
            "length" => set(&mut length, child, child.number(MIN_SIZE_M, MAX_LENGTH_M)?)?,
            _ => reader.ignore(child, shape),
        }
    }
    Ok((require(radius, shape, "radius")?, require(length, shape, "length")?))
}

fn read_plane(reader: &mut Reader, plane: Element) -> Result<Geometry> {
    let (mut normal, mut size) = (None, None);
    for child in plane.children() {
        match child.name() {
            "normal" => {
                let given = Vector3::from(child.vector::<3>("three: x y z")?);
                let Some(unit) = given.try_normalize(1e-9) else {
                    return child.bad_value(&child.text()?, "a direction; write for example 0 0 1");
                };
                set(&mut normal, child, unit.into())?;
            }
            "size" => set(&mut size, child, lengths(child, "two: x y")?)?,
            _ => reader.ignore(child, plane),
        }
    }
    Ok(Geometry::Plane { normal: normal.unwrap_or([0.0, 0.0, 1.0]), size_m: size.unwrap_or([1.0, 1.0]) })
}

fn read_mesh(reader: &mut Reader, mesh: Element) -> Result<Geometry> {
    let (mut uri, mut scale, mut submesh) = (None, None, None);
    for child in mesh.children() {
        match child.name() {
            "uri" => set(&mut uri, child, read_uri(child)?)?,
            "scale" => {
                let values: [f64; 3] = child.vector("three: x y z")?;
                if values.iter().any(|value| value.abs() < MIN_SIZE_M) {
                    return child.bad_value(&child.text()?, "a scale: 0 leaves nothing of the mesh");
                }
                set(&mut scale, child, values)?;
            }
            "submesh" => set(&mut submesh, child, read_submesh(reader, child)?)?,
            _ => reader.ignore(child, mesh),
        }
    }
    Ok(Geometry::Mesh { uri: require(uri, mesh, "uri")?, scale: scale.unwrap_or([1.0; 3]), submesh })
}

fn read_submesh(reader: &mut Reader, submesh: Element) -> Result<Submesh> {
    let (mut name, mut center) = (None, None);
    for child in submesh.children() {
        match child.name() {
            "name" => set(&mut name, child, child.name_text()?)?,
            "center" => set(&mut center, child, child.bool()?)?,
            _ => reader.ignore(child, submesh),
        }
    }
    Ok(Submesh { name: require(name, submesh, "name")?, center: center.unwrap_or(false) })
}

/// A path in the text of an element.
pub fn read_uri(element: Element) -> Result<Uri> {
    Uri::resolve(&element.text()?, element.file()).map_err(|problem| element.error(problem))
}
