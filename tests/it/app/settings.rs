//! Settings: layers, files, ROS arguments, and the messages for mistakes.

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, Parser};
use sim_api::app::settings::file::SettingsFile;
use sim_api::app::settings::layer::as_flags;
use sim_api::app::settings::{Discovery, ServiceMapping, Settings, SettingsLayer, Sources, Surroundings, Token};
use sim_api::ros::args::{RosArgs, split};

use crate::support::folder::TempFolder;

const NODE: &str = "sim_api_node";
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config/sim_api.yaml");

#[derive(Debug, Parser)]
struct Flags {
    #[command(flatten)]
    layer: SettingsLayer,
}

fn surroundings() -> Surroundings {
    Surroundings { home: Some("/home/me".into()), working_folder: "/desk".into(), ..Default::default() }
}

fn file(text: &str) -> Result<SettingsFile, String> {
    SettingsFile::parse(Path::new("config/sim_api.yaml"), text, true).map_err(|err| err.to_string())
}

fn flags(line: &[&str]) -> SettingsLayer {
    Flags::try_parse_from([&["test"], line].concat()).unwrap().layer
}

fn resolve(layer: SettingsLayer) -> Result<Settings, String> {
    let sources = Sources { flags: layer, around: surroundings(), ..Default::default() };
    sources.resolve(NODE).map_err(|err| err.to_string())
}

#[test]
fn settings_file_holds_every_setting_at_its_default() {
    let config = SettingsFile::read(Path::new(CONFIG)).unwrap();
    let layer = config.layer_for(NODE);
    let from_file =
        Sources { config: Some(config), around: surroundings(), ..Default::default() }.resolve(NODE).unwrap();
    assert_eq!(from_file, resolve(SettingsLayer::default()).unwrap());

    // Debug output shows each field, so that one that the file leaves out is seen here without a list to maintain.
    let shown = format!("{layer:?}");
    let unset: Vec<&str> = shown.split(", ").filter(|field| field.contains(": None")).collect();
    assert_eq!(unset, ["config: None", "use_sim_time: None }"]);
}

#[test]
fn every_flag_has_its_environment_variable_and_help() {
    let command = Flags::command();
    let flags: Vec<_> = command.get_arguments().filter(|arg| arg.get_id() != "help").collect();
    assert!(flags.len() >= 12);
    for flag in flags {
        let id = flag.get_id().as_str();
        assert_eq!(flag.get_long(), Some(id.replace('_', "-").as_str()));
        let variable = format!("SIM_API_{}", id.to_uppercase());
        assert_eq!(flag.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
        assert!(flag.get_help().is_some(), "{id}");
    }
}

#[test]
fn stronger_layers_win() {
    let config = file("/**:\n  ros__parameters:\n    rtf: 2\n    seed: 2\n    world: two\n    domain: 2\n").unwrap();
    let mut sources = Sources { config: Some(config), around: surroundings(), ..Default::default() };
    sources.environment = SettingsLayer { seed: Some(3), world: Some("three".into()), ..Default::default() };
    sources.flags = SettingsLayer { world: Some("four".into()), ..Default::default() };
    sources.around.ros_domain_id = Some("9".into());
    let settings = sources.resolve(NODE).unwrap();
    assert_eq!(settings.bind.to_string(), "127.0.0.1:8080");
    assert_eq!((settings.rtf, settings.seed, settings.world.unwrap().as_str()), (2.0, 3, "four"));
    assert_eq!(settings.domain, 9);
}

#[test]
fn section_of_a_node_wins_over_the_one_for_all() {
    let text = "sim_backend:\n  ros__parameters:\n    rtf: 5\n/**:\n  ros__parameters:\n    rtf: 2\n    seed: 7\n";
    let sources = Sources { config: Some(file(text).unwrap()), around: surroundings(), ..Default::default() };
    let backend = sources.resolve("sim_backend").unwrap();
    assert_eq!((backend.rtf, backend.seed), (5.0, 7));
    assert_eq!(sources.resolve(NODE).unwrap().rtf, 2.0);
}

#[test]
fn mistakes_in_the_file_are_told_with_their_line() {
    let lines = |text: &str| file(text).unwrap_err();
    assert_eq!(
        lines("# one\n/**:\n  ros__parameters:\n    rtf: 1\n    bnd: 127.0.0.1:1\n"),
        "config/sim_api.yaml:5: unknown setting `bnd`; did you mean `bind`?"
    );
    let far = lines("/**:\n  ros__parameters:\n    colour_of_car: red\n");
    assert!(far.starts_with("config/sim_api.yaml:3: unknown setting `colour_of_car`; known are bind, data"), "{far}");
    let node = lines("/**:\n  ros__parameters:\n    rtf: 1\nsim_node:\n  ros__parameters:\n    rtf: 1\n");
    assert!(node.starts_with("config/sim_api.yaml:4: unknown node `sim_node`"), "{node}");
    assert!(lines("/**:\n  ros__parameters:\n\n    rtf: fast\n").starts_with("config/sim_api.yaml:4: "));
    assert!(lines("/**:\n  ros__parameters:\n    rtf: 1\n    rtf: 2\n").starts_with("config/sim_api.yaml:4: "));
    assert!(lines("/**:\n  ros__parameters:\n    config: other.yaml\n").contains("unknown setting `config`"));
}

#[test]
fn file_that_says_nothing_is_fine() {
    for text in ["", "# only a comment\n", "/**:\n", "/**:\n  ros__parameters:\n"] {
        assert_eq!(file(text).unwrap().layer_for(NODE), SettingsLayer::default(), "{text:?}");
    }
}

#[test]
fn named_file_that_is_missing_is_an_error() {
    let flags = SettingsLayer { config: Some("/nowhere/at/all.yaml".into()), ..Default::default() };
    let err = Sources::read(SettingsLayer::default(), flags, RosArgs::default(), surroundings()).unwrap_err();
    assert!(err.to_string().starts_with("/nowhere/at/all.yaml: cannot be read: "), "{err}");
}

#[test]
fn package_file_is_found_from_the_executable() {
    let folder = TempFolder::new();
    let executable = folder.path().join("lib/sim_api/sim_backend");
    let around = Surroundings { executable: Some(executable), ..surroundings() };
    assert_eq!(around.package_folder(), None);
    let share = folder.path().join("share/sim_api");
    std::fs::create_dir_all(share.join("config")).unwrap();
    std::fs::write(share.join("config/sim_api.yaml"), "/**:\n  ros__parameters:\n    seed: 11\n").unwrap();
    assert_eq!(around.package_folder(), Some(share));
    let layer = SettingsLayer::default;
    let sources = Sources::read(layer(), layer(), RosArgs::default(), around).unwrap();
    assert_eq!(sources.resolve(NODE).unwrap().seed, 11);
}

#[test]
fn ros_arguments_are_taken_out_kept_and_read_as_settings() {
    let folder = TempFolder::new();
    let params = folder.write(
        "params.yaml",
        "other_node:\n  ros__parameters:\n    gain: 3\n/**:\n  ros__parameters:\n    use_sim_time: true\n    seed: 5\n    rtf: 3\n",
    );
    let params = params.to_str().unwrap();
    let line =
        ["sim_backend", "--seed", "1", "--ros-args", "-r", "/scan:=/s", "--params-file", params, "-p", "rtf:=4.0"];
    let line = line.into_iter().chain(["-p", "/sim_backend:domain:=8", "--", "--world", "w"]).map(OsString::from);
    let (ours, ros) = split(line).unwrap();
    assert_eq!(ours, ["sim_backend", "--seed", "1", "--world", "w"]);
    assert_eq!(ros.raw[..2], ["-r", "/scan:=/s"]);

    let environment = SettingsLayer { rtf: Some(9.0), ..Default::default() };
    let config = SettingsLayer { config: Some("/dev/null".into()), ..Default::default() };
    let sources = Sources::read(environment, config, ros, surroundings()).unwrap();
    let backend = sources.resolve("sim_backend").unwrap();
    assert_eq!((backend.seed, backend.rtf, backend.domain), (5, 4.0, 8));
    assert_eq!(backend.ros.raw.len(), 8);
    assert_eq!(sources.resolve(NODE).unwrap().domain, 0);
}

#[test]
fn wrong_ros_parameter_is_told() {
    let split = |value: &str| split(["x", "--ros-args", "-p", value].map(OsString::from));
    assert_eq!(split("bind").unwrap_err().to_string(), "`bind` after -p is not of the form name:=value");
    let (_, ros) = split("bnd:=1").unwrap();
    let config = SettingsLayer { config: Some("/dev/null".into()), ..Default::default() };
    let sources = Sources::read(SettingsLayer::default(), config, ros, surroundings()).unwrap();
    let err = sources.resolve(NODE).unwrap_err().to_string();
    assert_eq!(err, "-p bnd:=1: unknown setting `bnd`; did you mean `bind`?");
}

#[test]
fn address_outside_loopback_needs_a_decision() {
    let refusal = resolve(flags(&["--bind", "0.0.0.0:8080"])).unwrap_err();
    assert!(refusal.contains("--token T") && refusal.contains("--no-token"), "{refusal}");
    assert!(resolve(flags(&["--bind", "0.0.0.0:8080", "--token", "secret"])).is_ok());
    assert!(resolve(flags(&["--bind", "[::]:8080", "--no-token"])).is_ok());
    assert!(resolve(flags(&["--bind", "[::1]:8080"])).is_ok());
    // An empty token is none.
    assert!(resolve(flags(&["--bind", "0.0.0.0:8080", "--token", ""])).is_err());
    let both = resolve(flags(&["--no-token", "--token", "secret"])).unwrap_err();
    assert!(both.contains("exclude each other"), "{both}");
}

#[test]
fn impossible_values_are_refused() {
    let refused = |line: &[&str], setting: &str| {
        let err = resolve(flags(line)).unwrap_err();
        assert!(err.starts_with(setting), "{err}");
    };
    for rtf in ["0.05", "1001", "-1", "nan", "inf"] {
        refused(&["--rtf", rtf], "rtf: ");
    }
    refused(&["--domain", "233"], "domain: ");
    refused(&["--world", "../etc"], "world: ");
    refused(&["--allowed-hosts", "http://lab7"], "allowed_hosts: ");
    for url in ["lab7", "ftp://lab7/x", "https://"] {
        refused(&["--worlds-url", url], "worlds_url: ");
    }
    assert_eq!(resolve(flags(&["--worlds-url", "", "--world", ""])).unwrap(), resolve(flags(&[])).unwrap());
    assert_eq!(resolve(flags(&["--rtf", "0"])).unwrap().rtf, 0.0);
    assert_eq!(resolve(flags(&["--domain", "232"])).unwrap().domain, 232);

    let around = Surroundings { ros_domain_id: Some("many".into()), ..surroundings() };
    let err = Sources { around, ..Default::default() }.resolve(NODE).unwrap_err().to_string();
    assert!(err.contains("ROS_DOMAIN_ID is `many`"), "{err}");
}

#[test]
fn data_folder_follows_xdg_home_and_working_folder() {
    let data = |value: Option<&str>, around: Surroundings| {
        let flags = SettingsLayer { data: value.map(Into::into), ..Default::default() };
        Sources { flags, around, ..Default::default() }.resolve(NODE).map(|settings| settings.data)
    };
    assert_eq!(data(None, surroundings()).unwrap(), Path::new("/home/me/.local/share/sim_api"));
    let xdg = Surroundings { data_home: Some("/xdg".into()), ..surroundings() };
    assert_eq!(data(None, xdg.clone()).unwrap(), Path::new("/xdg/sim_api"));
    assert_eq!(data(Some(""), xdg).unwrap(), Path::new("/xdg/sim_api"));
    assert_eq!(data(Some("~/sims"), surroundings()).unwrap(), Path::new("/home/me/sims"));
    assert_eq!(data(Some("here"), surroundings()).unwrap(), Path::new("/desk/here"));
    let homeless = Surroundings { home: None, ..surroundings() };
    assert!(data(None, homeless).unwrap_err().to_string().contains("--data DIR"));
}

#[test]
fn child_sees_the_same_settings_through_flags() {
    let line = [
        "--bind",
        "127.0.0.1:9999",
        "--data",
        "/d d",
        "--world",
        "w",
        "--rtf",
        "0.1",
        "--seed",
        "18446744073709551615",
    ];
    let more = [
        "--worlds-url",
        "https://w.example.org/cdn",
        "--domain",
        "5",
        "--no-token",
        "--allowed-hosts",
        "a.b,c",
        "--ros-service-mapping",
        "cyclone",
    ];
    let settings = resolve(flags(&[&line[..], &more, &["--ros-discovery", "network"]].concat())).unwrap();
    assert_eq!((settings.ros_service_mapping, settings.ros_discovery), (ServiceMapping::Cyclone, Discovery::Network));
    for parent in [settings, resolve(SettingsLayer::default()).unwrap()] {
        let child = Flags::try_parse_from([vec!["child".into()], as_flags(&parent)].concat()).unwrap().layer;
        assert_eq!(resolve(child).unwrap(), parent);
    }
}

#[test]
fn token_never_shows_up_in_flags_or_debug_output() {
    let settings = resolve(flags(&["--token", "open sesame"])).unwrap();
    assert_eq!(settings.token, Some(Token::new("open sesame")));
    assert!(!format!("{settings:?}").contains("sesame"));
    assert!(!format!("{:?}", as_flags(&settings)).contains("sesame"));
}

#[test]
fn service_mapping_follows_the_rmw_only_when_automatic() {
    let decide = |mapping: ServiceMapping, rmw| mapping.decided(rmw);
    assert_eq!(decide(ServiceMapping::Auto, None), ServiceMapping::Fastdds);
    assert_eq!(decide(ServiceMapping::Auto, Some("rmw_cyclonedds_cpp")), ServiceMapping::Cyclone);
    assert_eq!(decide(ServiceMapping::Auto, Some("rmw_fastrtps_cpp")), ServiceMapping::Fastdds);
    assert_eq!(decide(ServiceMapping::Fastdds, Some("rmw_cyclonedds_cpp")), ServiceMapping::Fastdds);
}

#[test]
fn a_prefix_that_no_service_could_have_is_refused() {
    for prefix in ["", "/", "gz server", "/gz-server", "//gz", "/9gz", "/gz/"] {
        let err = resolve(SettingsLayer { backend_prefix: Some(prefix.into()), ..Default::default() }).unwrap_err();
        assert!(err.starts_with("backend_prefix: "), "{err}");
    }
    for prefix in ["gzserver", "/gz_server", "/lab/gz2"] {
        resolve(SettingsLayer { backend_prefix: Some(prefix.into()), ..Default::default() }).unwrap();
    }
}
