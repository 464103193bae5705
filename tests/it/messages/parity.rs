//! Every file of `sim_api_msgs` has its struct, every struct its file, and they say the same.

use std::fs;

use sim_api::ros::{
    Message, Service,
    msg::sim_api_msgs::{self, ApplyResponse, AudioEvent, Command, SimStatus, Visitor},
};

use super::{
    definition::{self, Definition},
    recorder::{Shape, record},
};

/// The types that have constants, by the name of their struct.
const CONSTANTS: &[(&str, &[(&str, u8)])] = &[
    ("ApplyResponse", ApplyResponse::CONSTANTS),
    ("AudioEvent", AudioEvent::CONSTANTS),
    ("Command", Command::CONSTANTS),
    ("SimStatus", SimStatus::CONSTANTS),
];

fn assert_same(definition: &Definition, shape: &Shape) {
    let Shape::Struct { name, .. } = shape else { panic!("{shape:?} is not a struct") };
    assert_eq!(definition.fields, shape.fields(), "fields of {name}: definition left, struct right");

    let constants = CONSTANTS.iter().find(|(owner, _)| owner == name).map_or(&[][..], |(_, constants)| constants);
    let constants: Vec<_> = constants.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    assert_eq!(definition.constants, constants, "constants of {name}: definition left, struct right");
}

#[derive(Default)]
struct Compare {
    messages: Vec<String>,
    services: Vec<String>,
}

impl Visitor for Compare {
    fn message<M: Message>(&mut self) {
        assert_eq!(M::PACKAGE, "sim_api_msgs");
        let halves = definition::read("msg", M::NAME);
        let [definition] = &halves[..] else { panic!("{} is one message", M::NAME) };
        let (shape, _) = record::<M>();
        assert_same(definition, &shape);
        self.messages.push(M::NAME.to_owned());
    }

    fn service<S: Service>(&mut self) {
        assert_eq!(S::PACKAGE, "sim_api_msgs");
        let halves = definition::read("srv", S::NAME);
        let [request, response] = &halves[..] else { panic!("{} has a request and a response", S::NAME) };
        assert_same(request, &record::<S::Request>().0);
        assert_same(response, &record::<S::Response>().0);
        self.services.push(S::NAME.to_owned());
    }
}

#[test]
fn definitions_and_structs_agree() {
    let mut compare = Compare::default();
    sim_api_msgs::visit(&mut compare);
    compare.messages.sort();
    compare.services.sort();
    assert_eq!(compare.messages, definition::names("msg"));
    assert_eq!(compare.services, definition::names("srv"));
}

#[test]
fn ros_package_generates_every_definition() {
    let cmake = fs::read_to_string(definition::package_dir().join("CMakeLists.txt")).unwrap();
    let mut listed: Vec<_> =
        cmake.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix('"')).collect();
    listed.sort();
    let mut present: Vec<_> = ["msg", "srv"]
        .iter()
        .flat_map(|kind| definition::names(kind).into_iter().map(move |name| format!("{kind}/{name}.{kind}")))
        .collect();
    present.sort();
    assert_eq!(listed, present);
}
