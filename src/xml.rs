//! XML from outside, read within limits: the only door through which `sdf` and `mesh` reach an XML parser.
//!
//! Promises that whatever the bytes are, the answer is a document of bounded size and depth or an error with a line:
//! document type declarations (and with them entities) are refused, and everything whose cost grows faster than the file
//! (attributes of one element, name spaces) is counted before the parser sees it. It gives no meaning to any element.

mod scan;

use std::cell::OnceCell;

use roxmltree::{Document, Error as ParserError, Node, ParsingOptions};
use thiserror::Error;

/// How much a document may hold; each format knows what is plenty for it.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub bytes: usize,
    pub elements: usize,
    /// Of elements inside elements. Readers recurse at most this deep.
    pub depth: usize,
}

/// Text nodes and comments beside the elements; files written by programs have about two for each element.
const NODES_PER_ELEMENT: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct XmlError {
    pub line: u32,
    pub problem: XmlProblem,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum XmlProblem {
    #[error("the file has more than {0} bytes; split it or simplify it")]
    TooLarge(usize),
    #[error("this is not UTF-8 text; save the file as UTF-8")]
    NotUtf8,
    #[error("document type declarations and entities are not allowed; remove the <!...>")]
    Dtd,
    #[error("the file has more than {0} elements")]
    TooManyElements(usize),
    #[error("the elements are nested more than {0} deep")]
    TooDeep(usize),
    #[error("an element has more than {0} attributes")]
    TooManyAttributes(usize),
    #[error("the file has more than {0} name space declarations")]
    TooManyNamespaces(usize),
    #[error("the file ends inside <{0}>, which starts here; the file is cut off or the closing tag is missing")]
    Unclosed(String),
    #[error("the file ends inside a tag, comment or section that starts here; the file is cut off")]
    CutOff,
    #[error("the XML is not well formed: {0}")]
    Syntax(String),
}

/// A document with the means to say where something stands in it.
pub struct Xml<'a> {
    document: Document<'a>,
    elements: usize,
    line_starts: OnceCell<Vec<usize>>,
}

impl<'a> Xml<'a> {
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, XmlError> {
        if bytes.len() > limits.bytes {
            return Err(XmlError { line: 1, problem: XmlProblem::TooLarge(limits.bytes) });
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|err| XmlError { line: line_of(bytes, err.valid_up_to()), problem: XmlProblem::NotUtf8 })?;
        let elements = scan::check(text, limits)?;
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: u32::try_from(limits.elements.saturating_mul(NODES_PER_ELEMENT)).unwrap_or(u32::MAX),
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options).map_err(|err| {
            let problem = match err {
                ParserError::NodesLimitReached => XmlProblem::TooManyElements(limits.elements),
                ParserError::DtdDetected => XmlProblem::Dtd,
                _ => XmlProblem::Syntax(err.to_string()),
            };
            XmlError { line: err.pos().row, problem }
        })?;
        Ok(Self { document, elements, line_starts: OnceCell::new() })
    }

    pub fn root(&self) -> Node<'_, 'a> {
        self.document.root_element()
    }

    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Where an element starts, counted from 1.
    pub fn line(&self, node: Node) -> u32 {
        self.line_at(node.range().start)
    }

    /// Where a piece of the document's own text stands; `otherwise` when the piece is not part of it (the parser copies
    /// text that holds character references).
    pub fn line_of_piece(&self, piece: &str, otherwise: Node) -> u32 {
        let whole = self.document.input_text();
        match (piece.as_ptr() as usize).checked_sub(whole.as_ptr() as usize) {
            Some(offset) if offset <= whole.len() => self.line_at(offset),
            _ => self.line(otherwise),
        }
    }

    fn line_at(&self, offset: usize) -> u32 {
        let starts = self.line_starts.get_or_init(|| {
            let newlines = self.document.input_text().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            newlines.map(|(at, _)| at + 1).collect()
        });
        starts.partition_point(|&start| start <= offset) as u32 + 1
    }
}

/// The line of a byte, counted from 1.
pub(crate) fn line_of(bytes: &[u8], offset: usize) -> u32 {
    bytes[..offset.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
}
