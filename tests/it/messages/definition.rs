//! Reads `.msg` and `.srv` files, as far as ours go: no default values, no bounds.

use std::{fs, path::Path};

/// One message, or one half of a service.
#[derive(Debug, Default, PartialEq)]
pub struct Definition {
    /// Name and type, without the package of the type.
    pub fields: Vec<(String, String)>,
    pub constants: Vec<(String, u8)>,
}

/// Where the definitions of `sim_api_msgs` are.
pub fn package_dir() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/msg"))
}

/// The halves of the file `<kind>/<name>.<kind>`: one for a message, two for a service.
pub fn read(kind: &str, name: &str) -> Vec<Definition> {
    let path = package_dir().join(kind).join(format!("{name}.{kind}"));
    let text = fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    parse(&text)
}

/// The names of all definitions of this kind, sorted.
pub fn names(kind: &str) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(package_dir().join(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            assert_eq!(path.extension().unwrap(), kind, "{} does not belong here", path.display());
            path.file_stem().unwrap().to_str().unwrap().to_owned()
        })
        .collect();
    names.sort();
    names
}

fn parse(text: &str) -> Vec<Definition> {
    let mut halves = vec![Definition::default()];
    for line in text.lines() {
        let line = line.split('#').next().unwrap().trim();
        let half = halves.last_mut().unwrap();
        if line.is_empty() {
            continue;
        } else if line == "---" {
            halves.push(Definition::default());
        } else if let Some((declared, value)) = line.split_once('=') {
            let [r#type, name] = words(declared);
            assert_eq!(r#type, "uint8", "our constants are all uint8: {line}");
            half.constants.push((name.to_owned(), value.trim().parse().unwrap()));
        } else {
            let [r#type, name] = words(line);
            let r#type = r#type.rsplit('/').next().unwrap();
            half.fields.push((name.to_owned(), r#type.to_owned()));
        }
    }
    halves
}

fn words(text: &str) -> [&str; 2] {
    let words: Vec<_> = text.split_whitespace().collect();
    words.try_into().unwrap_or_else(|words| panic!("expected a type and a name, got {words:?}"))
}

#[test]
fn comments_constants_and_halves_are_told_apart() {
    let halves = parse("# head\nuint8 RED = 1 # a = b\n\nsome_msgs/Thing[] things\n---\nfloat64 x # m\n");
    assert_eq!(
        halves,
        [
            Definition { fields: vec![("things".into(), "Thing[]".into())], constants: vec![("RED".into(), 1)] },
            Definition { fields: vec![("x".into(), "float64".into())], constants: vec![] },
        ]
    );
}
