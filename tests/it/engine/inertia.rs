//! How the mass of a body is spread decides how it rolls and when it falls over; what cannot be is refused.

use nalgebra::{UnitQuaternion, Vector3};
use sim_api::domain::{Pose, Twist, WorldName};
use sim_api::engine::load::{self, AssetCache, LoadedWorld, Source};
use sim_api::engine::{EngineError, Mobility, Shape, Spread, World, WorldDescription};
use sim_api::sdf::NoFiles;

use super::{model, name, near, run, spec, with};

const MASS_KG: f64 = 0.2;
const RADIUS_M: f64 = 0.1;

/// A ball that is pushed without spin slides until it rolls; answers the share of its speed that is left then.
fn rolling_share(moment_kg_m2: Option<f64>) -> f64 {
    let shape = Shape::Sphere { radius_m: RADIUS_M };
    let mut ball = model("ball", Mobility::Dynamic, None, shape, Pose::upright(2.0, 2.0, RADIUS_M, 0.0));
    ball.spread = moment_kg_m2.map(|moment| spread([0.0; 3], [moment; 3]));
    let mut world = with(vec![ball]);
    run(&mut world, 0.5);
    let push = Twist { linear: Vector3::new(1.0, 0.0, 0.0), ..Twist::default() };
    let here = world.entity(&name("ball")).unwrap().pose;
    world.set_state(&name("ball"), Some(&here), Some(&push)).unwrap();
    run(&mut world, 1.0);
    let ball = world.entity(&name("ball")).unwrap();
    near(ball.twist.angular.y * RADIUS_M, ball.twist.linear.x, 0.02);
    ball.twist.linear.x
}

fn spread(centre_m: [f64; 3], [x, y, z]: [f64; 3]) -> Spread {
    Spread { centre_m, inertia_kg_m2: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]] }
}

#[test]
fn a_hollow_ball_rolls_on_slower_than_a_full_one() {
    let square = MASS_KG * RADIUS_M * RADIUS_M;
    // v / v0 = 1 / (1 + I / (m r^2)).
    near(rolling_share(None), 5.0 / 7.0, 0.01);
    near(rolling_share(Some(0.4 * square)), 5.0 / 7.0, 0.01);
    near(rolling_share(Some(2.0 / 3.0 * square)), 3.0 / 5.0, 0.01);
}

/// A box 10 cm wide and 30 cm high that leans by 25 degrees over one edge, after 3 s: how far it stands up.
fn stands_up(centre_height_m: f64) -> f64 {
    let (half, lean) = (0.05, 25f64.to_radians());
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), lean);
    let edge = Vector3::new(half, 0.0, -0.15);
    let position = Vector3::new(2.0, 2.0, 0.002) - turn * edge;
    let shape = Shape::Box { size_m: [2.0 * half, 0.1, 0.3] };
    let mut tower = model("tower", Mobility::Dynamic, None, shape, Pose { position, orientation: turn });
    tower.spread = Some(spread([0.0, 0.0, centre_height_m - 0.15], [1e-3, 1e-3, 4e-4]));
    let mut world = with(vec![tower]);
    run(&mut world, 3.0);
    (world.entity(&name("tower")).unwrap().pose.orientation * Vector3::z()).z
}

#[test]
fn a_leaning_box_falls_over_when_its_centre_of_mass_is_beyond_the_edge() {
    // The edge is under a centre 5 cm above the ground up to 45 degrees, under one 15 cm above it up to 18.
    assert!(stands_up(0.05) > 0.99);
    assert!(stands_up(0.15) < 0.2);
}

#[test]
fn turned_axes_are_the_same_body() {
    let (cos, sin) = (0.6, 0.8);
    let (a, b) = (6e-4, 9e-4);
    let off = (a - b) * cos * sin;
    let tensor =
        [[a * cos * cos + b * sin * sin, off, 0.0], [off, a * sin * sin + b * cos * cos, 0.0], [0.0, 0.0, 1e-3]];
    let shape = Shape::Box { size_m: [0.2; 3] };
    let mut body = model("body", Mobility::Dynamic, None, shape, Pose::upright(2.0, 2.0, 5.0, 0.0));
    body.spread = Some(Spread { centre_m: [0.0; 3], inertia_kg_m2: tensor });
    let mut world = with(vec![body]);
    // About a principal axis it turns on without wobbling while it falls.
    let axis = Vector3::new(cos, sin, 0.0);
    let here = world.entity(&name("body")).unwrap().pose;
    world.set_state(&name("body"), Some(&here), Some(&Twist { angular: axis * 5.0, ..Twist::default() })).unwrap();
    run(&mut world, 0.8);
    let spin = world.entity(&name("body")).unwrap().twist.angular;
    near((spin - axis * 5.0).norm(), 0.0, 0.05);
}

#[test]
fn impossible_spreads_are_refused() {
    let build = |spread: Spread| {
        let shape = Shape::Box { size_m: [0.1; 3] };
        let mut body = model("body", Mobility::Dynamic, None, shape, Pose::default());
        body.spread = Some(spread);
        World::build(&WorldDescription { models: vec![body], ..WorldDescription::plain() }, &spec(), 0).err()
    };
    assert_eq!(build(spread([0.0; 3], [3.3e-4; 3])), None);
    let impossible = [
        spread([0.0; 3], [1.0; 3]),
        spread([0.0; 3], [1e-9; 3]),
        spread([0.0; 3], [1e-4, 1e-4, 1e-3]),
        spread([0.0, 0.0, 1.0], [3.3e-4; 3]),
        spread([0.0, f64::NAN, 0.0], [3.3e-4; 3]),
        Spread { centre_m: [0.0; 3], inertia_kg_m2: [[3e-4, 1e-4, 0.0], [0.0, 3e-4, 0.0], [0.0, 0.0, 3e-4]] },
    ];
    for spread in impossible {
        assert!(matches!(build(spread), Some(EngineError::ImpossibleSpread { .. })), "{spread:?}");
    }
}

/// One dynamic box of 10 cm with this inertial.
fn loaded(inertial: &str) -> LoadedWorld {
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='m'><pose>0 0 0.05 0 0 0</pose><link name='object'>{inertial}\
         <collision name='c'><geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision>\
         </link></model></world></sdf>"
    );
    let name = WorldName::parse("w").unwrap();
    let source =
        Source { name: &name, bytes: text.as_bytes(), path: "w.world", files: &NoFiles, start: Pose::default() };
    load::load(&source, &mut AssetCache::default()).unwrap()
}

#[test]
fn inertials_of_the_file_are_used() {
    let world = loaded(
        "<inertial><pose>0 0 -0.02 0 0 1.5707963</pose><mass>0.3</mass><inertia><ixx>0.0004</ixx><iyy>0.0005</iyy>\
         <izz>0.0006</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>",
    );
    assert!(world.warnings.is_empty(), "{:?}", world.warnings);
    let body = &world.description.models[0];
    let spread = body.spread.expect("a spread");
    near(body.mass_kg, 0.3, 1e-12);
    near(spread.centre_m[2], -0.02, 1e-12);
    // A quarter of a turn swaps x and y.
    near(spread.inertia_kg_m2[0][0], 0.0005, 1e-9);
    near(spread.inertia_kg_m2[1][1], 0.0004, 1e-9);
    World::build(&world.description, &spec(), 0).unwrap();
}

#[test]
fn absurd_inertials_give_way_to_the_collisions_with_a_warning() {
    let unit = "<inertial><mass>0.3</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
    let heavy = "<inertial><mass>5000</mass></inertial>";
    let bare = "<inertial><mass>0.3</mass></inertial>";
    let away = "<inertial><pose>3 0 0 0 0 0</pose><mass>0.3</mass><inertia><ixx>5e-4</ixx><iyy>5e-4</iyy><izz>5e-4</izz>\
                </inertia></inertial>";
    for (inertial, mass_kg, word) in [
        (unit, 0.3, "larger body"),
        (heavy, 1.0, "5000 kg"),
        (bare, 0.3, "no moments"),
        (away, 0.3, "outside"),
        ("", 1.0, "has no mass"),
    ] {
        let world = loaded(inertial);
        let body = &world.description.models[0];
        assert_eq!((body.mass_kg, body.spread), (mass_kg, None), "{inertial}");
        let told = world.warnings.iter().any(|warning| warning.starts_with("w.world:1") && warning.contains(word));
        assert!(told, "{inertial}: {:?}", world.warnings);
        World::build(&world.description, &spec(), 0).unwrap();
    }
}
