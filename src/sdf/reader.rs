//! What one loading carries along: the budgets that keep it small, the warnings, the way to other files.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::element::{Element, Result, Source};
use super::error::{Place, Problem, SdfError, Warning};
use super::files::{Files, FoundFile};
use super::limits::{self, MAX_ELEMENTS, MAX_TOTAL_BYTES, MAX_WARNINGS};
use super::uri::Uri;
use crate::xml::Xml;

pub struct Reader<'f> {
    pub files: &'f dyn Files,
    bytes_left: usize,
    elements_left: usize,
    models_left: usize,
    pub parts_left: usize,
    /// Models and files that are open around the present element, outermost first.
    pub nesting: usize,
    pub open_files: Vec<String>,
    /// Every included file once, however often it is included. Bounded, because parsing each counts its bytes.
    pub cache: BTreeMap<Uri, Rc<FoundFile>>,
    warnings: BTreeSet<Warning>,
    /// Warnings in the order in which they came up.
    ordered: Vec<Warning>,
    omitted: usize,
}

impl<'f> Reader<'f> {
    pub fn new(files: &'f dyn Files) -> Self {
        Self {
            files,
            bytes_left: MAX_TOTAL_BYTES,
            elements_left: MAX_ELEMENTS,
            models_left: limits::MAX_MODELS,
            parts_left: limits::MAX_PARTS_PER_MODEL,
            nesting: 0,
            open_files: Vec::new(),
            cache: BTreeMap::new(),
            warnings: BTreeSet::new(),
            ordered: Vec::new(),
            omitted: 0,
        }
    }

    /// Parses a file and hands it to `read`; the tree lives only that long.
    pub fn with_file<T>(
        &mut self,
        file: &Arc<str>,
        bytes: &[u8],
        read: impl for<'s> FnOnce(&mut Self, Element<'s>) -> Result<T>,
    ) -> Result<T> {
        let fail = |line, problem| SdfError { place: Place { file: file.clone(), line }, problem };
        let too_many = |what, limit| fail(1, Problem::TooMany { what, limit });
        self.bytes_left = self
            .bytes_left
            .checked_sub(bytes.len())
            .ok_or_else(|| too_many("bytes of SDF with all included files", MAX_TOTAL_BYTES))?;
        let xml = Xml::parse(bytes, &limits::XML).map_err(|err| fail(err.line, err.problem.into()))?;
        self.elements_left = self
            .elements_left
            .checked_sub(xml.elements())
            .ok_or_else(|| too_many("elements with all included files", MAX_ELEMENTS))?;
        let source = Source { xml: &xml, file: file.clone() };
        read(self, source.root())
    }

    /// Goes into a model or an included file.
    pub fn nested<T>(&mut self, element: Element, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting >= limits::MAX_NESTING {
            return element.fail(Problem::TooNested(limits::MAX_NESTING));
        }
        self.nesting += 1;
        let outcome = read(self);
        self.nesting -= 1;
        outcome
    }

    pub fn count_model(&mut self, element: Element) -> Result<()> {
        let too_many = || element.error(Problem::TooMany { what: "models", limit: limits::MAX_MODELS });
        self.models_left = self.models_left.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Counts a link, collision or visual of the present outermost model.
    pub fn count_part(&mut self, element: Element) -> Result<()> {
        let limit = limits::MAX_PARTS_PER_MODEL;
        let what = "links, collisions and visuals in one model";
        self.parts_left =
            self.parts_left.checked_sub(1).ok_or_else(|| element.error(Problem::TooMany { what, limit }))?;
        Ok(())
    }

    pub fn warn(&mut self, element: Element, message: impl Into<String>) {
        self.warn_at(element.place(), message.into());
    }

    pub fn warn_at(&mut self, place: Place, message: String) {
        let warning = Warning { place, message };
        if self.warnings.contains(&warning) {
            return;
        }
        if self.ordered.len() == MAX_WARNINGS {
            self.omitted += 1;
            return;
        }
        self.warnings.insert(warning.clone());
        self.ordered.push(warning);
    }

    /// For an element that the simulator does not use.
    pub fn ignore(&mut self, element: Element, parent: Element) {
        let why = match element.name() {
            "plugin" => ": plugins do not run here",
            "sensor" => ": the vehicle brings its own sensors",
            "joint" => ": the links of a model keep their places",
            "state" => ": the poses of the models count",
            "" => ": it belongs to another program",
            _ => "",
        };
        let message = format!("<{}> in <{}> is ignored{why}", element.shown_name(), parent.shown_name());
        self.warn(element, message);
    }

    pub fn into_warnings(self) -> (Vec<Warning>, usize) {
        (self.ordered, self.omitted)
    }
}
