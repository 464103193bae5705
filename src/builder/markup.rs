//! Writes indented XML.

#[derive(Debug, Default)]
pub struct Markup {
    text: String,
    open: Vec<&'static str>,
}

impl Markup {
    pub fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_owned(), open: Vec::new() }
    }

    /// An element whose content is written by `inside`.
    pub fn element(&mut self, tag: &'static str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        self.text.push_str(">\n");
        self.open.push(tag);
        inside(self);
        self.open.pop();
        self.indent();
        self.text.push_str(&format!("</{tag}>\n"));
    }

    /// An element on one line.
    pub fn leaf(&mut self, tag: &'static str, content: &str) {
        self.start(tag, &[]);
        self.text.push_str(&format!(">{}</{tag}>\n", escaped(content)));
    }

    pub fn empty(&mut self, tag: &'static str) {
        self.start(tag, &[]);
        self.text.push_str("/>\n");
    }

    pub fn finish(self) -> String {
        self.text
    }

    fn start(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push_str(&format!(" {name}=\"{}\"", escaped(value)));
        }
    }

    fn indent(&mut self) {
        self.text.push_str(&"  ".repeat(self.open.len()));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
