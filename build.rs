//! Chooses the version of `simulation_interfaces` that fits the ROS 2 in the environment.

/// The last distributions that have version 1; later ones, and rolling, have version 2.
const WITH_VERSION_1: &[&str] = &["humble", "iron", "jazzy", "kilted"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ROS_DISTRO");
    println!(r#"cargo::rustc-check-cfg=cfg(simulation_interfaces, values("1.5", "2"))"#);
    let distro = std::env::var("ROS_DISTRO").unwrap_or_default();
    let version = if distro.is_empty() || WITH_VERSION_1.contains(&distro.as_str()) { "1.5" } else { "2" };
    println!(r#"cargo::rustc-cfg=simulation_interfaces="{version}""#);
}
