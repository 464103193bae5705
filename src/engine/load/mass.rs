//! The mass of a model and how it is spread: as the file's inertials say, or spread evenly over the collisions where they say
//! nothing or something that cannot be.

use nalgebra::{Matrix3, Vector3};

use crate::engine::Spread;
use crate::engine::description::Part;
use crate::sdf::{Inertial, Link, Model};

/// What SDF gives a link without an inertial.
const DEFAULT_MASS_KG: f64 = 1.0;
/// Lighter or heavier things upset the solver beside a car of 3 kg.
const MASSES_KG: std::ops::RangeInclusive<f64> = 1e-3..=1_000.0;

pub(super) fn of_model(model: &Model, parts: &[Part], warnings: &mut Vec<String>) -> (f64, Option<Spread>) {
    let mut warn = |text: &str| warnings.push(format!("{}: {text}", model.place));
    let links: Vec<(&Link, &Inertial)> =
        model.links.iter().filter_map(|link| Some((link, link.inertial.as_ref()?))).collect();
    let mass_kg: f64 = links.iter().map(|(_, inertial)| inertial.mass_kg).sum();
    if links.is_empty() {
        warn(&format!("the model has no mass; {DEFAULT_MASS_KG} kg is assumed, spread evenly over its collisions"));
        return (DEFAULT_MASS_KG, None);
    }
    if !MASSES_KG.contains(&mass_kg) {
        warn(&format!("a mass of {mass_kg} kg cannot be simulated; {DEFAULT_MASS_KG} kg is assumed"));
        return (DEFAULT_MASS_KG, None);
    }
    let Some(spread) = together(&links, mass_kg) else {
        warn("a link has no moments of inertia; the mass is spread evenly over the collisions");
        return (mass_kg, None);
    };
    if let Some(fault) = spread.fault(mass_kg, parts) {
        warn(&format!("the inertial is not used: {fault}; the mass is spread evenly over the collisions"));
        return (mass_kg, None);
    }
    (mass_kg, Some(spread))
}

/// All links as one rigid body, in the model's frame; nothing if one of them does not say how its mass is spread.
fn together(links: &[(&Link, &Inertial)], mass_kg: f64) -> Option<Spread> {
    let places = links.iter().map(|(link, inertial)| link.pose.compose(&inertial.pose)).collect::<Vec<_>>();
    let moment =
        |(place, (_, inertial)): (&crate::domain::Pose, &(&Link, &Inertial))| place.position * inertial.mass_kg;
    let centre: Vector3<f64> = places.iter().zip(links).map(moment).sum::<Vector3<f64>>() / mass_kg;
    let mut sum = Matrix3::zeros();
    for (place, (_, inertial)) in places.iter().zip(links) {
        let i = inertial.inertia?;
        let own = Matrix3::new(i.xx, i.xy, i.xz, i.xy, i.yy, i.yz, i.xz, i.yz, i.zz);
        let turn = place.orientation.to_rotation_matrix().into_inner();
        let arm = place.position - centre;
        // Steiner: what a mass adds that does not sit in the common centre.
        let shifted = (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * inertial.mass_kg;
        sum += turn * own * turn.transpose() + shifted;
    }
    // Rounding must not make two sides of the matrix differ.
    let symmetric = (sum + sum.transpose()) / 2.0;
    Some(Spread { centre_m: centre.into(), inertia_kg_m2: symmetric.into() })
}
