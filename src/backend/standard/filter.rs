//! Which entities a request is about: by name, category, tags and place. All parts must match; an empty part matches everything.

use nalgebra::Vector3;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::syntax;
use regex_automata::{Input, nfa::thompson};

use super::entities::{category, tags};
use super::{failed, unsupported};
use crate::domain::{Pose, WorldState};
use crate::engine::ModelInfo;
use crate::ros::msg::simulation_interfaces as si;

/// Memory that one expression may take; names are short and so are honest expressions over them.
const EXPRESSION_BYTES: usize = 1 << 20;

pub(super) struct Filter {
    name: Option<dense::DFA<Vec<u32>>>,
    categories: Vec<u8>,
    tags: si::TagsFilter,
    place: Option<Place>,
}

/// In the world.
enum Place {
    Box { min: Vector3<f64>, max: Vector3<f64> },
    Sphere { centre: Vector3<f64>, radius: f64 },
}

impl Filter {
    pub(super) fn new(wanted: &si::EntityFilters) -> Result<Self, si::Result> {
        Ok(Self {
            name: (!wanted.filter.is_empty()).then(|| expression(&wanted.filter)).transpose()?,
            categories: wanted.categories.iter().map(|category| category.category).collect(),
            tags: wanted.tags.clone(),
            place: place(&wanted.bounds)?,
        })
    }

    pub(super) fn matches(&self, model: &ModelInfo, state: &WorldState) -> bool {
        let named = self.name.as_ref().is_none_or(|name| {
            // A search can only fail on bytes that were declared to end it, and none were.
            name.try_search_fwd(&Input::new(model.name.as_str())).is_ok_and(|hit| hit.is_some())
        });
        named
            && (self.categories.is_empty() || self.categories.contains(&category(model)))
            && tags_match(&self.tags, &tags(model))
            && self.place.as_ref().is_none_or(|place| place.meets(model, &present_pose(model, state)))
    }
}

/// Where a model is now.
pub(super) fn present_pose(model: &ModelInfo, state: &WorldState) -> Pose {
    state.entities.iter().find(|entity| entity.name == model.name).map_or(model.start, |entity| entity.pose)
}

pub(super) fn tags_match(wanted: &si::TagsFilter, tags: &[&str]) -> bool {
    let has = |tag: &String| tags.contains(&tag.as_str());
    wanted.tags.is_empty()
        || match wanted.filter_mode {
            si::TagsFilter::FILTER_MODE_ALL => wanted.tags.iter().all(has),
            _ => wanted.tags.iter().any(has),
        }
}

fn expression(pattern: &str) -> Result<dense::DFA<Vec<u32>>, si::Result> {
    let config =
        dense::Config::new().dfa_size_limit(Some(EXPRESSION_BYTES)).determinize_size_limit(Some(EXPRESSION_BYTES));
    dense::Builder::new()
        .configure(config)
        // Names are ASCII.
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(EXPRESSION_BYTES)))
        .build(pattern)
        .map_err(|err| failed(si::Result::RESULT_OPERATION_FAILED, format!("the name filter: {err}")))
}

fn place(bounds: &si::Bounds) -> Result<Option<Place>, si::Result> {
    let points: Vec<Vector3<f64>> = bounds.points.iter().map(|p| Vector3::new(p.x, p.y, p.z)).collect();
    let wrong = |what: &str| failed(si::Result::RESULT_OPERATION_FAILED, format!("the bounds: {what}"));
    match (bounds.r#type, points.as_slice()) {
        (si::Bounds::TYPE_EMPTY, _) => Ok(None),
        (si::Bounds::TYPE_BOX, [max, min]) if (max - min).iter().all(|edge| *edge >= 0.0) => {
            Ok(Some(Place::Box { min: *min, max: *max }))
        }
        (si::Bounds::TYPE_BOX, _) => Err(wrong("a box has its largest corner and then its smallest one")),
        (si::Bounds::TYPE_SPHERE, [centre, radius]) => Ok(Some(Place::Sphere { centre: *centre, radius: radius.x })),
        (si::Bounds::TYPE_SPHERE, _) => Err(wrong("a sphere has a centre and a radius")),
        _ => Err(unsupported("entities can be searched in a box or a sphere only")),
    }
}

impl Place {
    /// Whether the upright box around the model as it stands reaches into this place.
    fn meets(&self, model: &ModelInfo, pose: &Pose) -> bool {
        let corners = (0..8).map(|corner: usize| {
            let side = |axis: usize| model.bounds_m[corner >> axis & 1][axis];
            pose.position + pose.orientation * Vector3::new(side(0), side(1), side(2))
        });
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for corner in corners {
            low = low.inf(&corner);
            high = high.sup(&corner);
        }
        match self {
            Self::Box { min, max } => (0..3).all(|axis| low[axis] <= max[axis] && high[axis] >= min[axis]),
            Self::Sphere { centre, radius } => (centre.sup(&low).inf(&high) - centre).norm() <= *radius,
        }
    }
}
