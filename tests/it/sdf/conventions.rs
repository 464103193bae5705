//! Marked models mean what world builders mean by them.

use sim_api::sdf::conventions::{LightParts, ObjectKind, ObjectType, VisualIndex, marked_models};

use super::{read, world};

#[test]
fn every_published_kind_is_recognised() {
    let world = world("objects.world");
    let (models, warnings) = marked_models(&world).unwrap();
    let kinds: Vec<(&str, ObjectKind)> = models.iter().map(|model| (model.name.as_str(), model.kind)).collect();
    let at = |visual| Some(VisualIndex { link: 0, visual });
    let light = LightParts { lamp_red: at(2), lamp_green: at(3), screen: at(1) };
    let expected = [
        ("box1", ObjectKind::Box),
        ("cylinder2", ObjectKind::Cylinder),
        ("sphere3", ObjectKind::Sphere),
        ("cone4", ObjectKind::Cone),
        ("light5", ObjectKind::Light(light)),
        ("signal6", ObjectKind::Light(LightParts::default())),
        ("wall_0", ObjectKind::Wall),
    ];
    assert_eq!(kinds, expected, "the track has no marker");
    assert_eq!(warnings.len(), 3, "the old signal has neither lamps nor a screen: {warnings:?}");
}

#[test]
fn only_walls_cannot_be_moved_by_commands() {
    let (models, _) = marked_models(&world("objects.world")).unwrap();
    for model in models {
        let is_wall = model.kind.object_type() == ObjectType::Wall;
        assert_eq!(model.kind.is_movable(), !is_wall, "{}", model.name);
    }
}

#[test]
fn sizes_are_those_of_the_box_around_the_collisions() {
    let (models, _) = marked_models(&world("objects.world")).unwrap();
    let size = |name: &str| models.iter().find(|model| model.name.as_str() == name).unwrap().size_m.unwrap();
    let assert_near = |actual: [f64; 3], expected: [f64; 3]| {
        assert!(actual.iter().zip(expected).all(|(a, e)| (a - e).abs() < 1e-12), "{actual:?} is not {expected:?}");
    };
    assert_near(size("box1"), [0.3, 0.2, 0.1]);
    assert_near(size("cylinder2"), [0.1, 0.1, 0.21]);
    assert_near(size("sphere3"), [0.22, 0.22, 0.22]);
    // Turned by an eighth, a square of 0.135 is as wide as its diagonal.
    let diagonal = 0.135 * 2.0_f64.sqrt();
    assert_near(size("cone4"), [diagonal, diagonal, 0.23]);
}

#[test]
fn an_object_has_one_marker_and_a_plain_name() {
    let fault = |model: &str| {
        let text = format!("<sdf version='1.6'><world name='w'>\n{model}</world></sdf>");
        marked_models(&read(&text).unwrap().content).unwrap_err().to_string()
    };
    assert_eq!(
        fault("<model name='m'><link name='object'/>\n<link name='wall'/></model>"),
        "worlds/test.world:3: \"m\" has the marker links \"object\" and \"wall\"; an object has one marker"
    );
    assert!(
        fault("<model name='my box'><link name='object'/></model>")
            .starts_with("worlds/test.world:2: the name \"my box\"")
    );
}
