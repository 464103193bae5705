//! What the messages on a tape look like, as text: viewers read the fields of a message out of its ROS definition.

/// Between a definition and the definitions of the types it uses.
const SEPARATOR: &str = "================================================================================\n";

/// The types of other packages, field for field in their order on the wire.
const STANDARD: &[(&str, &str)] = &[
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Pose", "Point position\nQuaternion orientation\n"),
    ("geometry_msgs/PoseStamped", "std_msgs/Header header\nPose pose\n"),
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"),
    ("geometry_msgs/TransformStamped", "std_msgs/Header header\nstring child_frame_id\nTransform transform\n"),
    ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    (
        "rcl_interfaces/Log",
        "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 line\n",
    ),
    ("sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"),
    ("std_msgs/Float64", "float64 data\n"),
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("std_msgs/String", "string data\n"),
    ("tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"),
    ("sim_api_msgs/EvaluationStatus", include_str!("../../../msg/msg/EvaluationStatus.msg")),
    ("sim_api_msgs/TrafficLight", include_str!("../../../msg/msg/TrafficLight.msg")),
    ("sim_api_msgs/TrafficLights", include_str!("../../../msg/msg/TrafficLights.msg")),
];

/// The definition of a type followed by those of every type it is made of; none for a type that no tape carries.
pub fn complete(package: &str, name: &str) -> Option<String> {
    let mut names = vec![format!("{package}/{name}")];
    let mut text = String::new();
    let mut next = 0;
    while next < names.len() {
        let definition = find(&names[next])?;
        if next > 0 {
            text.push_str(SEPARATOR);
            text.push_str(&format!("MSG: {}\n", names[next]));
        }
        text.push_str(definition);
        let package = names[next].split('/').next().unwrap_or_default().to_owned();
        for used in parts(definition).filter_map(|part| full_name(part, &package)) {
            if !names.contains(&used) {
                names.push(used);
            }
        }
        next += 1;
    }
    Some(text)
}

fn find(name: &str) -> Option<&'static str> {
    STANDARD.iter().find(|(known, _)| *known == name).map(|(_, definition)| *definition)
}

/// The types of the fields, without the brackets of a list.
fn parts(definition: &str) -> impl Iterator<Item = &str> {
    let lines = definition.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let fields = lines.filter(|line| !line.is_empty() && !line.contains('='));
    fields.filter_map(|line| line.split([' ', '[']).next())
}

/// None for the plain types, which begin with a small letter and belong to no package.
fn full_name(part: &str, package: &str) -> Option<String> {
    if part.contains('/') {
        return Some(part.to_owned());
    }
    part.starts_with(char::is_uppercase).then(|| format!("{package}/{part}"))
}
