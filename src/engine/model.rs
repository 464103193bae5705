//! What is in a world, as far as it never changes: for those who ask what a name stands for.

use crate::domain::{ModelName, Pose, VehicleSpec};
use crate::engine::description::{Marker, Mobility, WorldDescription};
use crate::engine::solid::{self, Solid};
use crate::engine::vehicle;

/// One model, or the vehicle.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelInfo {
    pub name: ModelName,
    /// The vehicle is dynamic.
    pub mobility: Mobility,
    pub marker: Option<Marker>,
    pub is_vehicle: bool,
    /// Where it starts; where it is for ever if it is fixed.
    pub start: Pose,
    /// The smallest and the largest corner of the box around it, in its own frame.
    pub bounds_m: [[f64; 3]; 2],
}

pub(super) fn model_infos(
    description: &WorldDescription,
    solids: &[Vec<Solid>],
    spec: &VehicleSpec,
    vehicle_name: &ModelName,
) -> Vec<ModelInfo> {
    let of_model = |(model, solids): (&super::ModelDescription, &Vec<Solid>)| ModelInfo {
        name: model.name.clone(),
        mobility: model.mobility,
        marker: model.marker,
        is_vehicle: false,
        start: model.pose,
        bounds_m: solid::bounds(solids),
    };
    let mut infos: Vec<ModelInfo> = description.models.iter().zip(solids).map(of_model).collect();
    infos.push(ModelInfo {
        name: vehicle_name.clone(),
        mobility: Mobility::Dynamic,
        marker: None,
        is_vehicle: true,
        start: description.start,
        bounds_m: vehicle::bounds(spec),
    });
    infos
}
