//! An element of an SDF file and the values it can hold, each read with an error that names the line.

use std::borrow::Cow;
use std::sync::Arc;

use roxmltree::Node;

use super::error::{Place, Problem, SdfError, excerpt};
use super::limits::{MAX_LENGTH_M, MAX_NAME_LEN, MAX_VALUE_LEN};
use crate::xml::Xml;

pub type Result<T> = std::result::Result<T, SdfError>;

/// A parsed file, and what relative paths in it start from.
pub struct Source<'x> {
    pub xml: &'x Xml<'x>,
    pub file: Arc<str>,
}

#[derive(Clone, Copy)]
pub struct Element<'s> {
    node: Node<'s, 's>,
    source: &'s Source<'s>,
}

impl<'s> Source<'s> {
    pub fn root(&'s self) -> Element<'s> {
        Element { node: self.xml.root(), source: self }
    }
}

impl<'s> Element<'s> {
    /// Elements of foreign name spaces are other programs' own and have no name here.
    pub fn name(&self) -> &'s str {
        let tag = self.node.tag_name();
        let root_space = self.source.xml.root().tag_name().namespace();
        if tag.namespace() == root_space { tag.name() } else { "" }
    }

    /// The name for messages.
    pub fn shown_name(&self) -> String {
        excerpt(self.node.tag_name().name())
    }

    pub fn file(&self) -> &'s Arc<str> {
        &self.source.file
    }

    pub fn place(&self) -> Place {
        Place { file: self.source.file.clone(), line: self.source.xml.line(self.node) }
    }

    pub fn fail<T>(&self, problem: Problem) -> Result<T> {
        Err(self.error(problem))
    }

    pub fn error(&self, problem: Problem) -> SdfError {
        SdfError { place: self.place(), problem }
    }

    pub fn children(&self) -> impl Iterator<Item = Element<'s>> + use<'s> {
        let source = self.source;
        self.node.children().filter(Node::is_element).map(move |node| Element { node, source })
    }

    pub fn child(&self, name: &str) -> Option<Element<'s>> {
        self.children().find(|child| child.name() == name)
    }

    pub fn attribute(&self, name: &str) -> Option<&'s str> {
        self.node.attribute(name)
    }

    /// The text between the tags, without comments and outer white space.
    pub fn text(&self) -> Result<Cow<'s, str>> {
        let mut pieces = self.node.children().filter(Node::is_text).filter_map(|piece| piece.text());
        let first = pieces.next().unwrap_or_default();
        let whole = pieces.fold(Cow::Borrowed(first), |whole, piece| whole + piece);
        if whole.len() > MAX_VALUE_LEN {
            return self.fail(Problem::TooLong { element: self.shown_name(), limit: MAX_VALUE_LEN });
        }
        Ok(match whole {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }

    pub fn required_name(&self) -> Result<String> {
        match self.attribute("name") {
            Some(name) => self.check_name(name),
            None => self.fail(Problem::NoName(self.shown_name())),
        }
    }

    /// A name that the element holds as its text.
    pub fn name_text(&self) -> Result<String> {
        self.check_name(&self.text()?)
    }

    fn check_name(&self, name: &str) -> Result<String> {
        let why = if name.is_empty() {
            "is empty"
        } else if name.len() > MAX_NAME_LEN {
            "is too long"
        } else if name.chars().any(char::is_control) || name.trim() != name {
            "holds control characters or outer spaces"
        } else if name == "world" || (name.starts_with("__") && name.ends_with("__")) {
            "is reserved by SDF"
        } else {
            return Ok(name.to_owned());
        };
        self.fail(Problem::BadName { name: excerpt(name), why })
    }

    pub fn bool(&self) -> Result<bool> {
        self.bool_from(&self.text()?)
    }

    pub fn bool_attribute(&self, name: &str) -> Result<bool> {
        self.attribute(name).map_or(Ok(false), |value| self.bool_from(value))
    }

    fn bool_from(&self, value: &str) -> Result<bool> {
        match value.trim() {
            "true" | "True" | "TRUE" | "1" => Ok(true),
            "false" | "False" | "FALSE" | "0" => Ok(false),
            _ => self.bad_value(value, "true or false"),
        }
    }

    pub fn bad_value<T>(&self, value: &str, expected: &'static str) -> Result<T> {
        self.fail(Problem::BadValue { element: self.shown_name(), value: excerpt(value), expected })
    }

    /// Finite, and within both limits.
    pub fn number(&self, min: f64, max: f64) -> Result<f64> {
        let [value] = self.numbers("one")?;
        self.within(value, min, max)
    }

    pub fn within(&self, value: f64, min: f64, max: f64) -> Result<f64> {
        if value < min || value > max {
            return self.fail(Problem::OutOfRange { element: self.shown_name(), value, min, max });
        }
        Ok(value)
    }

    /// A number from `min` up; what is greater than `max` counts as `max`.
    pub fn number_capped(&self, min: f64, max: f64) -> Result<f64> {
        let [value] = self.numbers("one")?;
        self.within(value.min(max), min, max)
    }

    /// A vector whose parts are not absurd as metres.
    pub fn vector<const N: usize>(&self, needed: &'static str) -> Result<[f64; N]> {
        let values: [f64; N] = self.numbers(needed)?;
        for value in values {
            self.within(value, -MAX_LENGTH_M, MAX_LENGTH_M)?;
        }
        Ok(values)
    }

    /// Exactly N finite numbers.
    pub fn numbers<const N: usize>(&self, needed: &'static str) -> Result<[f64; N]> {
        let values = self.number_list()?;
        let found = values.len();
        values.try_into().or_else(|_| self.fail(Problem::NumberCount { element: self.shown_name(), found, needed }))
    }

    /// Finite numbers separated by white space.
    pub fn number_list(&self) -> Result<Vec<f64>> {
        let text = self.text()?;
        text.split_whitespace()
            .map(|word| match word.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => self.bad_value(word, "a finite number; write it like -1.5 or 2e-3"),
            })
            .collect()
    }
}

/// Fills a value that may be given once.
pub fn set<T>(slot: &mut Option<T>, element: Element, value: T) -> Result<()> {
    if slot.is_some() {
        return element.fail(Problem::Twice(element.shown_name()));
    }
    *slot = Some(value);
    Ok(())
}

/// What the element must have.
pub fn require<T>(value: Option<T>, element: Element, missing: &'static str) -> Result<T> {
    value.ok_or_else(|| element.error(Problem::Missing { parent: element.shown_name(), missing }))
}
