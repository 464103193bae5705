//! The two models that world files everywhere include and that Gazebo brings along. Used only when neither the bundle nor
//! the shared folder has them.

use super::files::FoundFile;
use super::uri::{Scheme, Uri};

const SUN: &str = r#"<sdf version="1.9">
  <light type="directional" name="sun">
    <pose>0 0 10 0 0 0</pose>
    <diffuse>0.8 0.8 0.8 1</diffuse>
    <specular>0.2 0.2 0.2 1</specular>
    <direction>-0.4 0.2 -0.9</direction>
    <cast_shadows>true</cast_shadows>
  </light>
</sdf>"#;

const GROUND_PLANE: &str = r#"<sdf version="1.9">
  <model name="ground_plane">
    <static>true</static>
    <link name="link">
      <collision name="collision">
        <geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>
      </collision>
      <visual name="visual">
        <geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>
        <material><ambient>0.5 0.5 0.5 1</ambient><diffuse>0.6 0.6 0.6 1</diffuse></material>
      </visual>
    </link>
  </model>
</sdf>"#;

pub fn model(uri: &Uri) -> Option<FoundFile> {
    let text = match (uri.scheme(), uri.path()) {
        (Scheme::Model, "sun") => SUN,
        (Scheme::Model, "ground_plane") => GROUND_PLANE,
        _ => return None,
    };
    Some(FoundFile { bytes: text.as_bytes().to_vec(), path: format!("built-in {}/model.sdf", uri.path()) })
}
