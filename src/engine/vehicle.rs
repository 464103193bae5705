//! The vehicle's body: one chassis on four ray wheels, and what the actuators make of a drive target.
//!
//! The body's origin is `base_footprint`: on the ground, midway between the axles, so that its pose needs no conversion. The
//! forces between tyres and ground are in `wheels`; while a motion carries the vehicle it has none. `joints` keeps count of how
//! far everything has turned.

mod joints;
mod wheels;

use rapier3d::prelude::*;

use crate::domain::{self, DriveTarget, STEPS_PER_SECOND, VehicleSpec};
use crate::engine::EngineError;
use crate::engine::convert::body_pose;
use crate::engine::description::within;
use crate::engine::sensors::JointReading;
use joints::Rolling;
use wheels::{Suspension, Wheel};

/// Wheel bumpers are a little smaller than the wheels, so that they meet the ground only when the springs are at their end
/// or the vehicle lies on its side or back.
const BUMPER_OF_WHEEL_RADIUS: f32 = 0.85;
const BUMPER_HALF_WIDTH_OF_WHEEL_RADIUS: f32 = (VehicleSpec::WHEEL_WIDTH_OF_RADIUS / 2.0) as f32;
/// A bumper stands for a wheel that rolls, hence slippery.
const BUMPER_FRICTION: f32 = 0.2;
const CHASSIS_FRICTION: f32 = 0.5;

#[derive(Debug)]
pub(super) struct Vehicle {
    body: RigidBodyHandle,
    wheels: [Wheel; 4],
    suspension: Suspension,
    wheelbase: f32,
    radius: f32,
    max_curvature: f32,
    servo: Servo,
    max_speed: f32,
    max_accel: f32,
    mounting: Mounting,
    joints: JointReading,
    /// What each wheel stood on in the last step.
    footing: [Option<RigidBodyHandle>; 4],
}

/// What turns the front wheels: it takes its time. Angles are those of the middle of the front axle.
#[derive(Debug)]
struct Servo {
    angle_rad: f64,
    max_rad: f64,
    max_step_rad: f64,
}

impl Servo {
    /// One step towards the wanted angle.
    fn turn(&mut self, wanted_rad: f64) -> f64 {
        let wanted = wanted_rad.clamp(-self.max_rad, self.max_rad);
        self.angle_rad = wanted.clamp(self.angle_rad - self.max_step_rad, self.angle_rad + self.max_step_rad);
        self.angle_rad
    }
}

/// Where sensors sit, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mounting {
    pub(super) lidar: Vector,
    pub(super) imu: Vector,
}

/// Refuses measures that no vehicle can have.
pub(super) fn check_spec(spec: &VehicleSpec) -> Result<(), EngineError> {
    let measure = |what, value| within(what, value, 0.005, 10.0);
    measure("the wheelbase", spec.wheelbase_m)?;
    measure("the track", spec.track_m)?;
    measure("the wheel radius", spec.wheel_radius_m)?;
    spec.chassis_m.iter().try_for_each(|&value| measure("a measure of the chassis", value))?;
    within("the mass of the vehicle", spec.mass_kg, 0.01, 1_000.0)?;
    within("the greatest steering angle", spec.max_steer_rad, 0.0, 1.2)?;
    within("the greatest steering rate", spec.max_steer_rate_rad_s, 0.01, 1_000.0)?;
    within("the greatest speed", spec.max_speed_m_s, 0.0, 50.0)?;
    within("the greatest acceleration", spec.max_accel_m_s2, 0.01, 1_000.0)?;
    let offsets = [spec.lidar_m, spec.imu_m, spec.camera_m];
    offsets.iter().flatten().try_for_each(|&value| within("the place of a sensor", value, -10.0, 10.0))
}

/// The smallest and the largest corner of the box around chassis and wheels, in the vehicle's frame.
pub(super) fn bounds(spec: &VehicleSpec) -> [[f64; 3]; 2] {
    let [length, width, height] = spec.chassis_m;
    let radius = spec.wheel_radius_m;
    let x = (length / 2.0).max(spec.wheelbase_m / 2.0 + radius);
    let y = (width / 2.0).max(spec.track_m / 2.0 + f64::from(BUMPER_HALF_WIDTH_OF_WHEEL_RADIUS) * radius);
    let top = (VehicleSpec::CLEARANCE_OF_WHEEL_RADIUS * radius + height).max(2.0 * radius);
    [[-x, -y, 0.0], [x, y, top]]
}

impl Vehicle {
    /// Puts the vehicle into the world at an upright pose; `spec` has passed `check_spec`.
    pub(super) fn insert(physics: &mut PhysicsWorld, spec: &VehicleSpec, at: &domain::Pose) -> Self {
        let [length, width, height] = spec.chassis_m.map(|value| value as f32);
        let (wheelbase, track) = (spec.wheelbase_m as f32, spec.track_m as f32);
        let radius = spec.wheel_radius_m as f32;
        let mass = spec.mass_kg as f32;

        // Batteries and motors sit between the wheels: the centre of mass is at the height of the axles.
        let inertia = Vector::new(
            mass / 12.0 * (track * track + height * height),
            mass / 12.0 * (length * length + height * height),
            mass / 12.0 * (length * length + track * track),
        );
        let centre = Vector::new(0.0, 0.0, radius);
        let chassis = RigidBodyBuilder::dynamic()
            .pose(body_pose(at))
            .additional_mass_properties(MassProperties::new(centre, mass, inertia))
            .can_sleep(false);
        let body = physics.insert_body(chassis);

        let shell = ColliderBuilder::cuboid(length / 2.0, width / 2.0, height / 2.0)
            .translation(Vector::new(0.0, 0.0, radius * VehicleSpec::CLEARANCE_OF_WHEEL_RADIUS as f32 + height / 2.0))
            .friction(CHASSIS_FRICTION)
            .density(0.0);
        physics.insert_collider(shell, Some(body));

        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let wheels = corners.map(|(along, across)| Wheel {
            hub: Vector::new(along * wheelbase / 2.0, across * track / 2.0, radius),
            steered: along > 0.0,
        });
        for wheel in &wheels {
            // A cylinder's axis is y, like that of the axles.
            let bumper =
                ColliderBuilder::cylinder(radius * BUMPER_HALF_WIDTH_OF_WHEEL_RADIUS, radius * BUMPER_OF_WHEEL_RADIUS)
                    .translation(wheel.hub)
                    .friction(BUMPER_FRICTION)
                    .friction_combine_rule(CoefficientCombineRule::Min)
                    .density(0.0);
            physics.insert_collider(bumper, Some(body));
        }

        let max_joint = libm::tan(spec.max_steer_rad) as f32;
        // The limit holds at the joint of the inner wheel, which turns further than the middle of the axle.
        let max_curvature = max_joint / (wheelbase + track / 2.0 * max_joint);
        Self {
            body,
            wheels,
            suspension: Suspension::for_wheel(mass / 4.0, radius),
            wheelbase,
            max_curvature,
            servo: Servo {
                angle_rad: 0.0,
                max_rad: libm::atan(f64::from(max_curvature * wheelbase)),
                max_step_rad: spec.max_steer_rate_rad_s / STEPS_PER_SECOND as f64,
            },
            max_speed: spec.max_speed_m_s as f32,
            max_accel: spec.max_accel_m_s2 as f32,
            radius,
            mounting: Mounting { lidar: place(spec.lidar_m), imu: place(spec.imu_m) },
            joints: JointReading::default(),
            footing: [None; 4],
        }
    }

    pub(super) fn body(&self) -> RigidBodyHandle {
        self.body
    }

    pub(super) fn mounting(&self) -> &Mounting {
        &self.mounting
    }

    pub(super) fn joints(&self) -> &JointReading {
        &self.joints
    }

    /// How far the camera is panned and tilted.
    pub(super) fn camera_turn(&self) -> [f64; 2] {
        [self.joints.position_rad[6], self.joints.position_rad[7]]
    }

    /// What the wheels stood on in the last step, the ground included.
    pub(super) fn footing(&self) -> &[Option<RigidBodyHandle>; 4] {
        &self.footing
    }

    /// Something was put elsewhere by hand, so what the wheels stood on no longer counts.
    pub(super) fn lose_footing(&mut self) {
        self.footing = [None; 4];
    }

    /// Lays on the chassis the forces that its tyres exert during the next step.
    pub(super) fn drive(&mut self, physics: &mut PhysicsWorld, target: &DriveTarget) {
        let Some(body) = physics.bodies.get_mut(self.body) else { return };
        body.reset_forces(true);
        body.reset_torques(true);
        self.footing = [None; 4];
        let steering_rad = self.servo.turn(target.steering_rad);
        let curvature = self.curvature(steering_rad);
        if !body.is_dynamic() || !body.is_enabled() {
            let seen = body.rotation().inverse();
            let linear = seen * body.velocity_at_point(body.translation());
            let rolling = Rolling::Carried { linear, angular: seen * body.angvel() };
            self.joints = joints::advance(self, curvature, &rolling, target);
            return;
        }
        let forward = *body.rotation() * Vector::X;
        let present = body.velocity_at_point(body.translation()).dot(forward);
        // Rapier puts aside a body whose state is not finite; this makes sure that nothing here depends on it.
        if !present.is_finite() {
            return;
        }
        let wanted = (target.speed_m_s as f32).clamp(-self.max_speed, self.max_speed);
        let change = self.max_accel * physics.integration_parameters.dt;
        let speed = wanted.clamp(present - change, present + change);
        self.footing = wheels::push(physics, self, speed, curvature);
        self.joints = joints::advance(self, curvature, &Rolling::Driven { speed }, target);
    }

    /// How a wheel's hub moves in the body's frame when the middle of the rear axle moves on by 1. Seen from the turn's centre a
    /// wheel moves along its own direction: Ackermann's condition.
    fn way_of(&self, wheel: &Wheel, curvature: f32) -> Vector {
        let ahead = wheel.hub.x + self.wheelbase / 2.0;
        Vector::new(1.0 - curvature * wheel.hub.y, curvature * ahead, 0.0)
    }

    /// Of the way of the rear axle's middle; positive turns left.
    fn curvature(&self, steering_rad: f64) -> f32 {
        let tangent = libm::tan(steering_rad) as f32;
        (tangent / self.wheelbase).clamp(-self.max_curvature, self.max_curvature)
    }
}

fn place(offset_m: [f64; 3]) -> Vector {
    let [x, y, z] = offset_m.map(|value| value as f32);
    Vector::new(x, y, z)
}
