//! The table of services: each of ours, and the type that the library generates for it.
//!
//! A service that is missing here does not compile on this half. The feature `r2r_check` compiles without ROS, against a few bindings
//! that come with the library; every service then stands on the same one of these, so that all but the names is checked.

use ::r2r::WrappedServiceTypeSupport;

use crate::ros::msg::{sim_api_msgs, simulation_interfaces};

/// The library's type for a service.
pub trait ServiceType {
    type Ros: WrappedServiceTypeSupport<Request: Send, Response: Send> + 'static;
}

#[cfg(not(feature = "r2r_check"))]
macro_rules! generated {
    ($package:ident, $name:ident) => {
        ::r2r::$package::srv::$name::Service
    };
}

#[cfg(feature = "r2r_check")]
macro_rules! generated {
    ($package:ident, $name:ident) => {
        ::r2r::nav_msgs::srv::GetMap::Service
    };
}

macro_rules! table {
    ($package:ident: $($name:ident),+ $(,)?) => {
        $(
            impl ServiceType for $package::$name {
                type Ros = generated!($package, $name);
            }
        )+
    };
}

table!(sim_api_msgs: Apply, Drives);

table!(
    simulation_interfaces:
    DeleteEntity,
    GetAvailableWorlds,
    GetCurrentWorld,
    GetEntities,
    GetEntitiesStates,
    GetEntityBounds,
    GetEntityInfo,
    GetEntityState,
    GetNamedPoses,
    GetSimulationState,
    GetSimulatorFeatures,
    LoadWorld,
    ResetSimulation,
    SetEntityState,
    SetSimulationState,
    SpawnEntity,
    StepSimulation,
    UnloadWorld,
);
