//! The document with its ids, and numbers read from it within a budget.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::super::error::{MeshProblem, Result, excerpt};
use super::super::limits::{MAX_NUMBERS, MAX_VALUE_LEN};
use crate::xml::Xml;

pub struct Dae<'x> {
    xml: &'x Xml<'x>,
    ids: BTreeMap<&'x str, Node<'x, 'x>>,
    numbers_left: usize,
}

/// The first child element with this name.
pub fn child<'x>(node: Node<'x, 'x>, name: &'static str) -> Option<Node<'x, 'x>> {
    children(node, name).next()
}

pub fn children<'x>(node: Node<'x, 'x>, name: &'static str) -> impl Iterator<Item = Node<'x, 'x>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// What a person calls the element.
pub fn name_of<'x>(node: Node<'x, 'x>) -> &'x str {
    node.attribute("name").or(node.attribute("id")).unwrap_or_default()
}

/// Words between the tags; a comment may stand between two of them.
fn words<'x>(node: Node<'x, 'x>) -> impl Iterator<Item = &'x str> {
    let texts = node.children().filter(Node::is_text).filter_map(|text| text.text());
    texts.flat_map(str::split_ascii_whitespace)
}

impl<'x> Dae<'x> {
    pub fn new(xml: &'x Xml<'x>) -> Self {
        let mut ids = BTreeMap::new();
        for node in xml.root().descendants().filter(Node::is_element) {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_insert(node);
            }
        }
        Self { xml, ids, numbers_left: MAX_NUMBERS }
    }

    pub fn line(&self, node: Node) -> u32 {
        self.xml.line(node)
    }

    pub fn by_id(&self, id: &str) -> Option<Node<'x, 'x>> {
        self.ids.get(id).copied()
    }

    /// What an attribute like `url="#id"` refers to.
    pub fn referred(&self, node: Node<'x, 'x>, attribute: &'static str, what: &'static str) -> Result<Node<'x, 'x>> {
        let parent = || excerpt(node.tag_name().name());
        let Some(url) = node.attribute(attribute) else {
            return Err((self.line(node), MeshProblem::Missing { parent: parent(), missing: attribute }));
        };
        let id = url.trim().trim_start_matches('#');
        let found = self.by_id(id).filter(|found| found.tag_name().name() == what);
        found.ok_or_else(|| (self.line(node), MeshProblem::UnknownId { what, id: excerpt(id) }))
    }

    pub fn missing(&self, parent: Node, missing: &'static str) -> (u32, MeshProblem) {
        (self.line(parent), MeshProblem::Missing { parent: excerpt(parent.tag_name().name()), missing })
    }

    /// A finite number that stands at `node`.
    pub fn number(&self, word: &str, node: Node) -> Result<f64> {
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err((self.xml.line_of_piece(word, node), MeshProblem::BadNumber(excerpt(word)))),
        }
    }

    /// Exactly N finite numbers.
    pub fn numbers<const N: usize>(&self, node: Node<'x, 'x>) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        let length: usize = node.children().filter_map(|text| text.text()).map(str::len).sum();
        if length > MAX_VALUE_LEN {
            return Err((self.line(node), MeshProblem::TooMany { what: "characters here", limit: MAX_VALUE_LEN }));
        }
        let mut words = words(node);
        let count = |found| {
            let what = format!("<{}>", excerpt(node.tag_name().name()));
            Err((self.line(node), MeshProblem::NumberCount { what, found, needed: N.to_string() }))
        };
        for (position, value) in values.iter_mut().enumerate() {
            let Some(word) = words.next() else { return count(position) };
            *value = self.number(word, node)?;
        }
        if words.next().is_some() { count(N + 1) } else { Ok(values) }
    }

    /// All numbers of a list, as the single precision that meshes have.
    pub fn floats(&mut self, node: Node<'x, 'x>) -> Result<Vec<f32>> {
        let mut values = Vec::new();
        for word in words(node) {
            self.spend_number(node)?;
            match word.parse::<f32>() {
                Ok(value) if value.is_finite() => values.push(value),
                _ => return Err((self.xml.line_of_piece(word, node), MeshProblem::BadNumber(excerpt(word)))),
            }
        }
        Ok(values)
    }

    /// All indices of a list.
    pub fn indices(&mut self, node: Node<'x, 'x>) -> Result<Vec<u32>> {
        let mut values = Vec::new();
        for word in words(node) {
            self.spend_number(node)?;
            match word.parse::<u32>() {
                Ok(value) => values.push(value),
                Err(_) => return Err((self.xml.line_of_piece(word, node), MeshProblem::BadIndex(excerpt(word)))),
            }
        }
        Ok(values)
    }

    /// The line of one word of a list.
    pub fn line_of_word(&self, node: Node<'x, 'x>, position: usize) -> u32 {
        words(node).nth(position).map_or_else(|| self.line(node), |word| self.xml.line_of_piece(word, node))
    }

    fn spend_number(&mut self, node: Node) -> Result<()> {
        let too_many = || (self.xml.line(node), MeshProblem::TooMany { what: "numbers", limit: MAX_NUMBERS });
        self.numbers_left = self.numbers_left.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }
}
