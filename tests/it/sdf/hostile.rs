//! Nothing that a file holds makes the reader crash, hang or grow without bound.

use std::cell::Cell;
use std::fmt::Write;

use sim_api::sdf::{self, Files, FilesError, FoundFile, Uri, conventions, limits};

use super::{Bundle, fixture_dir, load, read};
use crate::mutation::{Mutator, rounds};

fn told(text: &str) -> String {
    read(text).expect_err("the world is refused").to_string()
}

fn world_of(inside: &str) -> String {
    format!("<sdf version='1.6'><world name='w'>{inside}</world></sdf>")
}

#[test]
fn entities_are_refused() {
    let message = load("entity_bomb.world").unwrap_err().to_string();
    assert!(message.starts_with("worlds/entity_bomb.world:3: document type declarations"), "{message}");
    assert!(told("<sdf version='1.6'><world name='&bomb;'/></sdf>").contains("unknown entity reference 'bomb'"));
}

#[test]
fn a_million_models_are_refused() {
    let message = told(&world_of(&"<model name='m'/>".repeat(1_000_000)));
    assert!(message.contains("more than 4194304 bytes"), "{message}");
    let mut models = String::new();
    for number in 0..=limits::MAX_MODELS {
        write!(models, "<model name='m{number}'/>").unwrap();
    }
    assert!(told(&world_of(&models)).contains("more than 10000 models"));
}

#[test]
fn deep_nesting_is_refused() {
    assert!(told(&"<a>".repeat(1_300_000)).contains("nested more than 64 deep"));
    let models = format!("{}{}", "<model name='m'>".repeat(30), "</model>".repeat(30));
    assert!(told(&world_of(&models)).contains("models are nested more than 16 deep"));
}

#[test]
fn what_grows_faster_than_the_file_is_refused() {
    let mut attributes = String::from("<sdf version='1.6'");
    for number in 0..100_000 {
        write!(attributes, " a{number}=''").unwrap();
    }
    assert!(told(&format!("{attributes}/>")).contains("more than 64 attributes"));
    let mut spaces = String::new();
    for number in 0..1_000 {
        write!(spaces, "<x xmlns:a{number}='b{number}'/>").unwrap();
    }
    assert!(told(&world_of(&spaces)).contains("name space declarations"));
    assert!(told(&"<".repeat(4_000_000)).contains("more than 400000 elements"));
    assert!(told(&world_of(&"=".repeat(4_000_000))).contains("more than 400000 elements"));
}

#[test]
fn long_chains_and_circles_of_frames_are_quick() {
    let mut chain = String::new();
    for number in 0..9_000 {
        write!(chain, "<frame name='f{number}' attached_to='f{}'><pose>1 0 0 0 0 0</pose></frame>", number + 1)
            .unwrap();
    }
    let end = "<frame name='f9000'/>";
    let model = "<model name='m'><pose relative_to='f0'/><link name='l'/></model>";
    let world = read(&world_of(&format!("{chain}{end}{model}"))).unwrap().content;
    assert_eq!(world.models[0].pose.position.x, 9_000.0);

    // Joints may lead nowhere as long as nobody asks; asking for each of a large circle must not be quadratic.
    let mut joints = String::new();
    for number in 0..9_000 {
        write!(joints, "\n<joint name='j{number}'><child>j{}</child></joint>", (number + 1) % 9_000).unwrap();
    }
    let loaded = read(&world_of(&format!("<model name='m'><link name='l'/>{joints}</model>"))).unwrap();
    assert_eq!(loaded.warnings.len(), limits::MAX_WARNINGS);
    assert_eq!(loaded.warnings_omitted, 9_000 - limits::MAX_WARNINGS);
}

#[test]
fn parts_lights_names_and_values_have_limits() {
    let links: String = (0..=limits::MAX_PARTS_PER_MODEL).map(|number| format!("<link name='l{number}'/>")).collect();
    assert!(told(&world_of(&format!("<model name='m'>{links}</model>"))).contains("in one model"));
    let lights: String = (0..=limits::MAX_LIGHTS).map(|number| format!("<light name='l{number}'/>")).collect();
    assert!(told(&world_of(&lights)).contains("more than 64 lights"));
    assert!(told(&world_of(&format!("<model name='{}'/>", "x".repeat(300)))).contains("is too long"));
    let pose = format!("<model name='m'><pose>{}</pose></model>", "0 ".repeat(5_000));
    assert!(told(&world_of(&pose)).contains("more than 4096 characters"));
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_line() {
    let message = sdf::read_world(b"<sdf>\n\xff</sdf>", "worlds/test.world", &Bundle).unwrap_err().to_string();
    assert_eq!(message, "worlds/test.world:2: this is not UTF-8 text; save the file as UTF-8");
}

/// A model that includes another one twice, which includes another one twice, and so on; and one padded with blanks.
struct Endless {
    reads: Cell<usize>,
}

impl Files for Endless {
    fn read(&self, uri: &Uri, _: usize) -> Result<FoundFile, FilesError> {
        self.reads.set(self.reads.get() + 1);
        let depth: usize = uri.path().trim_end_matches(".sdf").trim_start_matches('m').parse().unwrap_or(usize::MAX);
        if depth == usize::MAX {
            return Err(FilesError::NotFound);
        }
        let next = depth + 1;
        let include = |name: &str| format!("<include><name>{name}</name><uri>model://m{next}.sdf</uri></include>");
        let inside: String = (0..40).map(|number| include(&format!("i{number}"))).collect();
        let text = format!("<sdf version='1.6'><model name='m'>{inside}</model>{}</sdf>", " ".repeat(100_000));
        Ok(FoundFile { bytes: text.into_bytes(), path: uri.path().to_owned() })
    }
}

#[test]
fn includes_that_multiply_are_refused_soon() {
    let files = Endless { reads: Cell::new(0) };
    let text = world_of("<include><uri>model://m0.sdf</uri></include>");
    let message = sdf::read_world(text.as_bytes(), "worlds/test.world", &files).unwrap_err().to_string();
    assert!(message.contains("models are nested more than 16 deep"), "{message}");
    assert!(files.reads.get() < 100);
}

struct Wide;

impl Files for Wide {
    fn read(&self, uri: &Uri, _: usize) -> Result<FoundFile, FilesError> {
        let text = format!("<sdf version='1.6'><model name='m'/>{}</sdf>", " ".repeat(1_000_000));
        Ok(FoundFile { bytes: text.into_bytes(), path: uri.path().to_owned() })
    }
}

#[test]
fn a_large_file_included_often_is_refused() {
    let includes: String =
        (0..100).map(|n| format!("<include><name>m{n}</name><uri>model://m.sdf</uri></include>")).collect();
    let text = world_of(&includes);
    let message = sdf::read_world(text.as_bytes(), "worlds/test.world", &Wide).unwrap_err().to_string();
    assert!(message.contains("bytes of SDF with all included files"), "{message}");
}

#[test]
fn damaged_worlds_are_read_or_refused() {
    let mut files: Vec<_> =
        std::fs::read_dir(fixture_dir().join("worlds")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10);
    for (number, file) in files.iter().enumerate() {
        let original = std::fs::read(file).unwrap();
        for round in 0..rounds(1_000) {
            let damaged = Mutator::new(number as u64 * 1_000_003 + round).damage(&original);
            if let Ok(loaded) = sdf::read_world(&damaged, "worlds/test.world", &Bundle) {
                let world = loaded.content;
                for model in &world.models {
                    assert!(model.pose.is_finite() && model.links.iter().all(|link| link.pose.is_finite()));
                }
                let _ = conventions::marked_models(&world);
            }
        }
    }
}
