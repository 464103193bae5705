//! OBJ: positions, texture coordinates, normals, faces, and materials from an MTL file.

mod mtl;

use std::borrow::Cow;
use std::collections::BTreeMap;

use nalgebra::Matrix4;

use super::build::{Corner, Lists, MeshBuilder, NONE};
use super::error::{MeshProblem, Result, excerpt};
use super::limits::{
    MAX_COMPANION_BYTES, MAX_COMPANIONS, MAX_CORNERS, MAX_NAME_LEN, MAX_NUMBERS, MAX_PARTS, MAX_TRIANGLES,
};
use super::{Material, Mesh};

type Companion<'c> = &'c dyn Fn(&str) -> Option<Vec<u8>>;

/// Faces of one object with one material, wherever in the file they are.
struct Group {
    name: String,
    material: String,
    corners: Vec<Corner>,
    line: u32,
}

#[derive(Default)]
struct Obj {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    groups: Vec<Group>,
    group_index: BTreeMap<(String, String), usize>,
    /// The group of the next face, if there was one since the last change of name or material.
    current: Option<usize>,
    triangles: usize,
    name: String,
    material: String,
    materials: BTreeMap<String, Material>,
    companions: usize,
}

pub fn read(bytes: &[u8], companion: Companion) -> Result<Mesh> {
    let text = std::str::from_utf8(bytes)
        .map_err(|err| (crate::xml::line_of(bytes, err.valid_up_to()), MeshProblem::NotUtf8))?;
    let mut obj = Obj::default();
    let mut builder = MeshBuilder::default();
    for (line, content) in logical_lines(text) {
        obj.read_line(line, &content, companion, &mut builder)?;
    }
    let lists = Lists { positions: &obj.positions, normals: &obj.normals, uvs: &obj.uvs };
    for group in &obj.groups {
        let material = obj.materials.get(&group.material).cloned().unwrap_or_else(|| {
            if !group.material.is_empty() {
                builder.warn(group.line, format!("the material {:?} is not defined", excerpt(&group.material)));
            }
            Material::default()
        });
        builder.add((&group.name, &group.name), material, &group.corners, lists, &Matrix4::identity(), group.line)?;
    }
    Ok(builder.finish())
}

/// Lines with their numbers; a line that ends in a backslash goes on in the next one.
pub(super) fn logical_lines(text: &str) -> impl Iterator<Item = (u32, Cow<'_, str>)> {
    let mut lines = (1..).zip(text.lines());
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let Some(start) = first.trim_end().strip_suffix('\\') else { return Some((number, Cow::Borrowed(first))) };
        let mut whole = start.to_owned();
        for (_, next) in lines.by_ref() {
            whole.push(' ');
            match next.trim_end().strip_suffix('\\') {
                Some(more) => whole.push_str(more),
                None => {
                    whole.push_str(next);
                    break;
                }
            }
        }
        Some((number, Cow::Owned(whole)))
    })
}

impl Obj {
    fn read_line(&mut self, line: u32, content: &str, companion: Companion, builder: &mut MeshBuilder) -> Result<()> {
        let content = content.split('#').next().unwrap_or_default().trim();
        let (keyword, rest) = content.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((content, ""));
        match keyword {
            "" => {}
            "v" => self.positions.push(numbers(rest, line, 3)?),
            "vn" => self.normals.push(numbers(rest, line, 3)?),
            "vt" => self.uvs.push(numbers(rest, line, 1)?),
            "f" => self.read_face(rest, line)?,
            "o" | "g" => {
                self.name = name_of(rest);
                self.current = None;
            }
            "usemtl" => {
                self.material = name_of(rest);
                self.current = None;
            }
            "mtllib" => self.read_library(rest.trim(), line, companion, builder)?,
            // Smoothing, points and lines, and what belongs to curves, which triangles do not have.
            "s" | "p" | "l" | "vp" => {}
            other => builder.warn(line, format!("the statement {:?} is ignored", excerpt(other))),
        }
        let read = self.positions.len() + self.normals.len() + self.uvs.len();
        if read > MAX_NUMBERS / 3 {
            return Err((
                line,
                MeshProblem::TooMany { what: "vertices, normals and coordinates", limit: MAX_NUMBERS / 3 },
            ));
        }
        Ok(())
    }

    fn read_face(&mut self, rest: &str, line: u32) -> Result<()> {
        let group = self.group(line)?;
        let mut corners = Vec::new();
        for word in rest.split_ascii_whitespace() {
            if corners.len() == MAX_CORNERS {
                return Err((line, MeshProblem::TooMany { what: "corners of a face", limit: MAX_CORNERS }));
            }
            corners.push(self.corner(word, line)?);
        }
        if corners.len() < 3 {
            return Err((line, MeshProblem::FewCorners(corners.len())));
        }
        self.triangles += corners.len() - 2;
        if self.triangles > MAX_TRIANGLES {
            return Err((line, MeshProblem::TooMany { what: "triangles", limit: MAX_TRIANGLES }));
        }
        for edge in corners[1..].windows(2) {
            self.groups[group].corners.extend([corners[0], edge[0], edge[1]]);
        }
        Ok(())
    }

    fn group(&mut self, line: u32) -> Result<usize> {
        if let Some(current) = self.current {
            return Ok(current);
        }
        let key = (self.name.clone(), self.material.clone());
        let index = match self.group_index.get(&key) {
            Some(index) => *index,
            None if self.groups.len() == MAX_PARTS => {
                return Err((line, MeshProblem::TooMany { what: "groups", limit: MAX_PARTS }));
            }
            None => {
                let (name, material) = key.clone();
                self.groups.push(Group { name, material, corners: Vec::new(), line });
                self.group_index.insert(key, self.groups.len() - 1);
                self.groups.len() - 1
            }
        };
        self.current = Some(index);
        Ok(index)
    }

    /// `v`, `v/vt`, `v//vn` or `v/vt/vn`; counted from 1, or backwards from -1.
    fn corner(&self, word: &str, line: u32) -> Result<Corner> {
        let mut parts = word.split('/');
        let position = index(parts.next().unwrap_or_default(), self.positions.len(), "vertices", line)?;
        let uv = index(parts.next().unwrap_or_default(), self.uvs.len(), "texture coordinates", line)?;
        let normal = index(parts.next().unwrap_or_default(), self.normals.len(), "normals", line)?;
        match position {
            Some(position) if parts.next().is_none() => {
                Ok(Corner { position, uv: uv.unwrap_or(NONE), normal: normal.unwrap_or(NONE) })
            }
            _ => Err((line, MeshProblem::BadIndex(excerpt(word)))),
        }
    }

    fn read_library(&mut self, name: &str, line: u32, companion: Companion, builder: &mut MeshBuilder) -> Result<()> {
        self.companions += 1;
        if self.companions > MAX_COMPANIONS {
            return Err((line, MeshProblem::TooMany { what: "material files", limit: MAX_COMPANIONS }));
        }
        match companion(name) {
            Some(bytes) if bytes.len() > MAX_COMPANION_BYTES => {
                builder.warn(line, format!("{:?} is ignored: it is too large", excerpt(name)));
            }
            Some(bytes) => mtl::read(&bytes, name, line, &mut self.materials, builder),
            None => builder.warn(line, format!("there is no file {:?}: materials are missing", excerpt(name))),
        }
        Ok(())
    }
}

fn name_of(rest: &str) -> String {
    rest.trim().chars().take(MAX_NAME_LEN).collect()
}

/// `None` for an empty word.
fn index(word: &str, count: usize, what: &'static str, line: u32) -> Result<Option<u32>> {
    if word.is_empty() {
        return Ok(None);
    }
    let written: i64 = word.parse().map_err(|_| (line, MeshProblem::BadIndex(excerpt(word))))?;
    let from_start = if written < 0 { count as i64 + written } else { written - 1 };
    if written == 0 || from_start < 0 || from_start >= count as i64 {
        return Err((line, MeshProblem::IndexRange { what, index: written, count }));
    }
    Ok(Some(from_start as u32))
}

/// Finite numbers; those after the first `needed` may be missing and count as 0.
pub(super) fn numbers<const N: usize>(rest: &str, line: u32, needed: usize) -> Result<[f32; N]> {
    let mut values = [0.0; N];
    let mut words = rest.split_ascii_whitespace();
    for (position, value) in values.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            if position >= needed {
                break;
            }
            let what = "these".to_owned();
            return Err((line, MeshProblem::NumberCount { what, found: position, needed: needed.to_string() }));
        };
        *value = match word.parse::<f32>() {
            Ok(value) if value.is_finite() => value,
            _ => return Err((line, MeshProblem::BadNumber(excerpt(word)))),
        };
    }
    Ok(values)
}
