//! `<source>`: a list of numbers and the accessor that groups them.

use std::collections::BTreeMap;
use std::rc::Rc;

use roxmltree::Node;

use super::super::error::{MeshProblem, Result, excerpt};
use super::super::limits::MAX_STRIDE;
use super::document::{Dae, child};

/// Lists read so far, by the number of their node; primitives share them.
#[derive(Default)]
pub struct Sources {
    threes: BTreeMap<u32, Rc<Vec<[f32; 3]>>>,
    twos: BTreeMap<u32, Rc<Vec<[f32; 2]>>>,
}

impl Sources {
    pub fn threes<'x>(&mut self, dae: &mut Dae<'x>, source: Node<'x, 'x>) -> Result<Rc<Vec<[f32; 3]>>> {
        if let Some(known) = self.threes.get(&source.id().get()) {
            return Ok(known.clone());
        }
        let list = Rc::new(read(dae, source)?);
        self.threes.insert(source.id().get(), list.clone());
        Ok(list)
    }

    pub fn twos<'x>(&mut self, dae: &mut Dae<'x>, source: Node<'x, 'x>) -> Result<Rc<Vec<[f32; 2]>>> {
        if let Some(known) = self.twos.get(&source.id().get()) {
            return Ok(known.clone());
        }
        let list = Rc::new(read(dae, source)?);
        self.twos.insert(source.id().get(), list.clone());
        Ok(list)
    }
}

fn read<'x, const N: usize>(dae: &mut Dae<'x>, source: Node<'x, 'x>) -> Result<Vec<[f32; N]>> {
    let accessor = child(source, "technique_common").and_then(|common| child(common, "accessor"));
    let array = match accessor {
        Some(accessor) => dae.referred(accessor, "source", "float_array").ok(),
        None => None,
    };
    let array =
        array.or_else(|| child(source, "float_array")).ok_or_else(|| dae.missing(source, "float_array or accessor"))?;
    let values = dae.floats(array)?;
    let attribute = |name: &'static str, otherwise: usize| -> Result<usize> {
        match accessor.and_then(|accessor| accessor.attribute(name)) {
            Some(word) => word.trim().parse().map_err(|_| (dae.line(source), MeshProblem::BadIndex(excerpt(word)))),
            None => Ok(otherwise),
        }
    };
    // Without an accessor the numbers follow each other.
    let default_stride = if accessor.is_some() { 1 } else { N };
    let (stride, offset) = (attribute("stride", default_stride)?, attribute("offset", 0)?);
    let count = attribute("count", values.len() / stride.max(1))?;
    if stride < N || stride > MAX_STRIDE {
        let problem =
            MeshProblem::OutOfRange { what: "a stride", value: stride as f64, min: N as f64, max: MAX_STRIDE as f64 };
        return Err((dae.line(accessor.unwrap_or(source)), problem));
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let needed = (count - 1).checked_mul(stride).and_then(|start| start.checked_add(offset)?.checked_add(N));
    if needed.is_none_or(|needed| needed > values.len()) {
        let what = "the values of this list".to_owned();
        let needed = needed.map_or_else(|| "more".to_owned(), |needed| needed.to_string());
        return Err((dae.line(array), MeshProblem::NumberCount { what, found: values.len(), needed }));
    }
    Ok((0..count).map(|entry| std::array::from_fn(|part| values[offset + entry * stride + part])).collect())
}
