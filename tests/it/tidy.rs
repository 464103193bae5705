//! The module map and the crate fences of ARCHITECTURE.md, and what every file owes its readers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Who may name whom. `app` and `bin` may name everybody, everybody may name `domain`.
const MAP: &[(&str, &[&str])] = &[
    ("api", &["bridge", "judge", "record", "scene", "worlds"]),
    ("backend", &["engine", "ros", "worlds"]),
    ("bridge", &["ros", "worlds"]),
    ("builder", &["mesh", "render", "sdf", "worlds"]),
    ("domain", &[]),
    ("engine", &["mesh", "render", "sdf"]),
    ("judge", &["bridge", "record", "worlds"]),
    ("mesh", &["xml"]),
    ("record", &["ros", "worlds"]),
    ("render", &["mesh"]),
    ("robot", &["ros"]),
    ("ros", &[]),
    ("scene", &["mesh", "render", "sdf", "worlds"]),
    ("sdf", &["xml"]),
    ("worlds", &["sdf"]),
    ("xml", &[]),
];

/// Crates that only these modules may name.
const FENCES: &[(&str, &[&str])] = &[
    ("rapier3d", &["engine"]),
    ("roxmltree", &["mesh", "sdf", "xml"]),
    ("mcap", &["record"]),
    ("warp", &["api"]),
    ("hyper_util", &["api"]),
    ("ros2_client", &["ros"]),
    ("rustdds", &["ros"]),
    ("r2r", &["ros"]),
    ("cdr_encoding", &["ros"]),
    ("clap", &["app"]),
    ("anyhow", &["app"]),
    ("serde_saphyr", &["app", "builder"]),
    ("serde_json", &["api", "app", "builder", "judge", "record", "worlds"]),
    ("schemars", &["api"]),
    ("std::process::Command", &["app", "judge"]),
    ("tokio::process", &["app", "judge"]),
];

/// Every Rust file under this folder with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let text = fs::read_to_string(&path).expect("source files are text");
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// The top-level module that a file under `src` belongs to.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("under src");
    let first = inside.iter().next().expect("a file has a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn modules_name_only_those_below_them() {
    let known: BTreeMap<_, _> = MAP.iter().copied().collect();
    let modules: BTreeSet<String> = sources("src").iter().map(|(path, _)| module_of(path)).collect();
    let mut faults = Vec::new();
    for (path, text) in sources("src") {
        let module = module_of(&path);
        if ["app", "bin", "lib"].contains(&module.as_str()) {
            continue;
        }
        let Some(allowed) = known.get(module.as_str()) else {
            faults.push(format!("{} is not in the map of this test", path.display()));
            continue;
        };
        for (line, code) in code_lines(&text) {
            for named in code.split("crate::").skip(1) {
                let named: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let fine = named == module || named == "domain" || allowed.contains(&named.as_str());
                if modules.contains(&named) && !fine {
                    faults.push(format!("{}:{line}: {module} names {named}", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn crates_stay_behind_their_fences() {
    let mut faults = Vec::new();
    for (path, text) in sources("src") {
        let module = module_of(&path);
        for (line, code) in code_lines(&text) {
            for (name, owners) in FENCES {
                let uses = code.contains(&format!("{name}::")) || code.trim_end().ends_with(&format!("use {name};"));
                if uses && !owners.contains(&module.as_str()) {
                    faults.push(format!("{}:{line}: {name} belongs to {}", path.display(), owners.join(", ")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let files = sources("src").into_iter().chain(sources("tests"));
    let silent = files.filter(|(_, text)| !text.starts_with("//! ")).map(|(path, _)| path.display().to_string());
    let silent: Vec<_> = silent.collect();
    assert!(silent.is_empty(), "these files have no opening comment:\n{}", silent.join("\n"));
}

#[test]
fn nothing_is_left_for_later_or_switched_off() {
    // Written apart, so that this file does not find itself.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("#[ig", "nore")];
    let mut faults = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("tests")) {
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                faults.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn library_code_does_not_unwrap() {
    let mut faults = Vec::new();
    for (path, text) in sources("src") {
        for (line, code) in code_lines(&text) {
            if code.contains(".unwrap()") {
                faults.push(format!("{}:{line}: {}", path.display(), code.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
