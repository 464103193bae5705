//! One pass over the text before the parser sees it.
//!
//! The parser checks an element's attributes against each other, copies name spaces down the tree and reserves memory by
//! counting characters; all that is bounded here. On text that is well formed this pass and the parser agree about what a
//! tag is; where it is not, the parser stops at that place with a better message.

use super::{Limits, XmlError, XmlProblem, line_of};

/// Attributes of one element; SDF and COLLADA define at most ten.
const MAX_ATTRIBUTES: usize = 64;
/// Name space declarations of a file; real files have fewer than five.
const MAX_NAMESPACES: usize = 64;
/// The parser reserves a node for every `<`: two tags an element, and comments.
const ANGLES_PER_ELEMENT: usize = 4;
/// The parser reserves an attribute for every `=`, which may also stand in text.
const EQUALS_PER_ELEMENT: usize = 8;

/// The number of elements, or what is too much.
pub fn check(text: &str, limits: &Limits) -> Result<usize, XmlError> {
    let bytes = text.as_bytes();
    let fail = |at: usize, problem| Err(XmlError { line: line_of(bytes, at), problem });
    let count = |wanted: u8| bytes.iter().filter(|byte| **byte == wanted).count();
    if count(b'<') > limits.elements.saturating_mul(ANGLES_PER_ELEMENT)
        || count(b'=') > limits.elements.saturating_mul(EQUALS_PER_ELEMENT)
    {
        return fail(0, XmlProblem::TooManyElements(limits.elements));
    }

    let mut open: Vec<usize> = Vec::new();
    let (mut elements, mut namespaces) = (0, 0);
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|found| at + found) {
        let rest = &text[start..];
        let end = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map(|found| start + "<!--".len() + found + "-->".len())
        } else if rest.starts_with("<![CDATA[") {
            rest.find("]]>").map(|found| start + found + 3)
        } else if rest.starts_with("<!") {
            return fail(start, XmlProblem::Dtd);
        } else if rest.starts_with("<?") {
            rest.find("?>").map(|found| start + found + 2)
        } else if rest.starts_with("</") {
            open.pop();
            rest.find('>').map(|found| start + found + 1)
        } else {
            let tag = read_tag(rest.as_bytes());
            if tag.attributes > MAX_ATTRIBUTES {
                return fail(start, XmlProblem::TooManyAttributes(MAX_ATTRIBUTES));
            }
            elements += 1;
            if elements > limits.elements {
                return fail(start, XmlProblem::TooManyElements(limits.elements));
            }
            if let Some(length) = tag.length {
                namespaces += rest[..length].matches("xmlns").count();
                if namespaces > MAX_NAMESPACES {
                    return fail(start, XmlProblem::TooManyNamespaces(MAX_NAMESPACES));
                }
                if !tag.empty {
                    open.push(start);
                    if open.len() > limits.depth {
                        return fail(start, XmlProblem::TooDeep(limits.depth));
                    }
                }
            }
            tag.length.map(|length| start + length)
        };
        let Some(end) = end else { return fail(start, XmlProblem::CutOff) };
        at = end;
    }
    if let Some(&start) = open.last() {
        let name: String = text[start + 1..].chars().take(60).take_while(|c| !c.is_whitespace() && *c != '>').collect();
        return fail(start, XmlProblem::Unclosed(name));
    }
    Ok(elements)
}

struct Tag {
    attributes: usize,
    /// With both angle brackets; `None` when the text ends before.
    length: Option<usize>,
    empty: bool,
}

fn read_tag(bytes: &[u8]) -> Tag {
    let mut tag = Tag { attributes: 0, length: None, empty: false };
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => tag.attributes += 1,
            (None, b'>') => {
                tag.length = Some(at + 1);
                tag.empty = at > 0 && bytes[at - 1] == b'/';
                break;
            }
            (None, _) => {}
        }
    }
    tag
}
