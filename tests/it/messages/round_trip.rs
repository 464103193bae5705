//! Every type survives the wire, and reads exactly what it wrote.

use std::fmt::Debug;

use byteorder::LittleEndian;
use serde::{Serialize, de::DeserializeOwned};
use sim_api::ros::{
    Service,
    msg::{
        builtin_interfaces, diagnostic_msgs, geometry_msgs, nav_msgs, rosgraph_msgs, sensor_msgs, sim_api_msgs,
        simulation_interfaces as sim, std_msgs, tf2_msgs,
    },
};

use super::recorder::record;

fn survives<T: Serialize + DeserializeOwned + Debug + PartialEq + Default>() {
    let (_, sample) = record::<T>();
    assert_ne!(sample, T::default(), "the sample must show something");
    let bytes = cdr_encoding::to_vec::<T, LittleEndian>(&sample).unwrap();
    let (back, read) = cdr_encoding::from_bytes::<T, LittleEndian>(&bytes).unwrap();
    assert_eq!(back, sample);
    assert_eq!(read, bytes.len(), "{sample:?}");

    let bytes = cdr_encoding::to_vec::<T, LittleEndian>(&T::default()).unwrap();
    let (back, read) = cdr_encoding::from_bytes::<T, LittleEndian>(&bytes).unwrap();
    assert_eq!(back, T::default());
    assert_eq!(read, bytes.len(), "{back:?}");
}

macro_rules! survive {
    ($($package:ident { $($name:ident),+ $(,)? })+) => {
        $($(survives::<$package::$name>();)+)+
    };
}

#[test]
fn messages_survive_the_wire() {
    survive! {
        builtin_interfaces { Time, Duration }
        std_msgs { Header, Empty, String, Bool, Float32, Float64, Int32, Int64, UInt8, UInt32, UInt64 }
        geometry_msgs {
            Point, Vector3, Quaternion, Pose, PoseStamped, PoseWithCovariance, Twist, TwistWithCovariance, Accel,
            Transform, TransformStamped,
        }
        nav_msgs { Odometry }
        sensor_msgs {
            LaserScan, Imu, Image, CompressedImage, RegionOfInterest, CameraInfo, JointState, BatteryState,
        }
        tf2_msgs { TFMessage }
        rosgraph_msgs { Clock }
        diagnostic_msgs { KeyValue, DiagnosticStatus, DiagnosticArray }
        sim_api_msgs {
            AudioEvent, Command, Contacts, Drive, EntityStates, Epoch, EvaluationStatus, SimStatus, TrafficLight,
            TrafficLights,
        }
        sim {
            Result, Bounds, EntityCategory, TagsFilter, EntityFilters, EntityInfo, EntityState, NamedPose, Resource,
            WorldResource, SimulationState, SimulatorFeatures,
        }
    }
}

fn service_survives<S: Service>()
where
    S::Request: Debug + PartialEq + Default,
    S::Response: Debug + PartialEq + Default,
{
    survives::<S::Request>();
    survives::<S::Response>();
}

#[test]
fn services_survive_the_wire() {
    service_survives::<sim_api_msgs::Apply>();
    service_survives::<sim::GetSimulatorFeatures>();
    service_survives::<sim::GetEntities>();
    service_survives::<sim::GetEntityState>();
    service_survives::<sim::GetEntitiesStates>();
    service_survives::<sim::SetEntityState>();
    service_survives::<sim::GetEntityInfo>();
    service_survives::<sim::GetEntityBounds>();
    service_survives::<sim::SpawnEntity>();
    service_survives::<sim::DeleteEntity>();
    service_survives::<sim::ResetSimulation>();
    service_survives::<sim::GetSimulationState>();
    service_survives::<sim::SetSimulationState>();
    service_survives::<sim::StepSimulation>();
    service_survives::<sim::LoadWorld>();
    service_survives::<sim::UnloadWorld>();
    service_survives::<sim::GetCurrentWorld>();
    service_survives::<sim::GetAvailableWorlds>();
    service_survives::<sim::GetNamedPoses>();
}

#[test]
fn requests_of_both_versions_survive_the_wire() {
    survives::<sim::v1::SetEntityStateRequest>();
    survives::<sim::v1::SpawnEntityRequest>();
    survives::<sim::v1::LoadWorldRequest>();
    survives::<sim::v2::SetEntityStateRequest>();
    survives::<sim::v2::SpawnEntityRequest>();
    survives::<sim::v2::LoadWorldRequest>();
}
