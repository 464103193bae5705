//! What can be asked of a world between two steps.
//!
//! Every function checks first and changes nothing when it refuses; `check` does only that, so that a list of commands can be
//! examined before any of them is carried out.

use rapier3d::prelude::{PhysicsWorld, RigidBody, RigidBodyType, Vector};

use crate::domain::{Command, DriveTarget, ModelName, Pose, PoseChange, Twist};
use crate::engine::convert::{body_pose, pose_of, vector};
use crate::engine::description::within;
use crate::engine::motion::{Glide, Motion, Path, Upright};
use crate::engine::{EngineError, World};

/// How far from the origin something can be put, sideways and upwards.
const MAX_XY_M: f64 = 100.0;
const MIN_Z_M: f64 = -10.0;
const MAX_Z_M: f64 = 100.0;
const MAX_PATH_SPEED_M_S: f64 = 100.0;
/// What a body can be set going with; twenty times the vehicle's own speed, and sixteen turns a second.
const MAX_SET_SPEED_M_S: f64 = 60.0;
const MAX_SET_RATE_RAD_S: f64 = 100.0;
/// More than an hour at walking pace with a point every 10 cm; bounds the memory of one command.
const MAX_PATH_POINTS: usize = 65_536;
/// Cosine of a lean of a thousandth of a radian: what rests on the ground leans less, and stays exactly where it is.
const LEAST_LEANING_COS: f64 = 1.0 - 5e-7;
/// About three simulated years; keeps every count of steps exact.
const MAX_DURATION_S: f64 = 1e8;

impl World {
    /// Whether `apply` would carry this out. No command makes a later one of the same list impossible.
    pub fn check(&self, command: &Command) -> Result<(), EngineError> {
        match command {
            Command::SetPose { entity, change } => self.check_change(entity, change),
            Command::SetState { entity, pose, twist } => self.check_state(entity, pose.as_ref(), twist.as_ref()),
            Command::MoveOver { entity, change, duration_s } => {
                self.check_change(entity, change)?;
                within("duration", *duration_s, 0.0, MAX_DURATION_S)
            }
            Command::FollowPath { entity, path, speed_m_s, .. } => self.check_path(entity, path, *speed_m_s),
            Command::Reset => Ok(()),
            Command::Drive(target) => check_drive(target),
            Command::LoadWorld { .. }
            | Command::UnloadWorld
            | Command::SetLight { .. }
            | Command::SetBrightness(_)
            | Command::SetPaused(_)
            | Command::SetRealTimeFactor(_) => Err(EngineError::NotForWorld),
        }
    }

    /// Carries one command out, as the function of its name does.
    pub fn apply(&mut self, command: &Command) -> Result<(), EngineError> {
        match command {
            Command::SetPose { entity, change } => self.set_pose(entity, *change),
            Command::SetState { entity, pose, twist } => self.set_state(entity, pose.as_ref(), twist.as_ref()),
            Command::MoveOver { entity, change, duration_s } => self.move_over(entity, *change, *duration_s),
            Command::FollowPath { entity, path, speed_m_s, looped } => {
                self.follow_path(entity, path, *speed_m_s, *looped)
            }
            Command::Reset => {
                self.reset();
                Ok(())
            }
            Command::Drive(target) => self.set_drive(*target),
            Command::LoadWorld { .. }
            | Command::UnloadWorld
            | Command::SetLight { .. }
            | Command::SetBrightness(_)
            | Command::SetPaused(_)
            | Command::SetRealTimeFactor(_) => Err(EngineError::NotForWorld),
        }
    }

    /// Stands the entity upright at the changed pose, at rest, and ends its motion. Unless a z is given, its lowest point keeps its
    /// height; the vehicle's z is that of the ground.
    pub fn set_pose(&mut self, name: &ModelName, change: PoseChange) -> Result<(), EngineError> {
        self.check_change(name, &change)?;
        let (index, _, to) = self.changed(name, &change)?;
        let scene = &mut self.scene;
        let entity = &mut scene.entities[index];
        entity.motion = None;
        if let Some(body) = scene.physics.bodies.get_mut(entity.body) {
            body.set_position(body_pose(&to.pose()), true);
            rest(body, entity.resting);
        }
        scene.vehicle.lose_footing();
        refresh(&mut scene.physics);
        Ok(())
    }

    /// Puts the entity exactly there, as its origin is seen, and lets it go with this velocity; what is missing stays as it is. Ends
    /// its motion. A model that no push can move stays where it is put.
    pub fn set_state(
        &mut self,
        name: &ModelName,
        pose: Option<&Pose>,
        twist: Option<&Twist>,
    ) -> Result<(), EngineError> {
        self.check_state(name, pose, twist)?;
        let index = self.index_of(name)?;
        let scene = &mut self.scene;
        let entity = &mut scene.entities[index];
        entity.motion = None;
        scene.vehicle.lose_footing();
        let Some(body) = scene.physics.bodies.get_mut(entity.body) else { return Ok(()) };
        let (mut velocity, mut spin) = (body.linvel(), body.angvel());
        if let Some(pose) = pose {
            body.set_position(body_pose(pose), true);
        }
        rest(body, entity.resting);
        // At rest, because the refresh would let a moving body collide.
        refresh(&mut scene.physics);
        let Some(body) = scene.physics.bodies.get_mut(scene.entities[index].body) else { return Ok(()) };
        if body.is_dynamic() {
            if let Some(twist) = twist {
                // Rapier keeps the velocity of the centre of mass, the twist is that of the origin.
                spin = vector(&twist.angular);
                velocity = vector(&twist.linear) + spin.cross(body.center_of_mass() - body.translation());
            }
            body.set_linvel(velocity, true);
            body.set_angvel(spin, true);
        }
        Ok(())
    }

    /// Moves it there upright at constant speed over this much simulation time, pushing what is in the way. A duration of 0 is
    /// `set_pose`.
    pub fn move_over(&mut self, name: &ModelName, change: PoseChange, duration_s: f64) -> Result<(), EngineError> {
        within("duration", duration_s, 0.0, MAX_DURATION_S)?;
        if duration_s == 0.0 {
            return self.set_pose(name, change);
        }
        self.check_change(name, &change)?;
        let (index, from, to) = self.changed(name, &change)?;
        self.carry(index, Motion::Glide(Glide::new(from, to, duration_s)));
        Ok(())
    }

    /// Moves it upright from where it is to the first point and on along the others, facing forward, pushing what is in the
    /// way; a looped path goes on from its last point to its first until something else is asked for.
    pub fn follow_path(
        &mut self,
        name: &ModelName,
        path: &[[f64; 2]],
        speed_m_s: f64,
        looped: bool,
    ) -> Result<(), EngineError> {
        self.check_path(name, path, speed_m_s)?;
        let (index, from, _) = self.changed(name, &PoseChange::default())?;
        self.carry(index, Motion::Path(Path::new(from, path, speed_m_s, looped)));
        Ok(())
    }

    /// What the actuators are to do from the next step on. The vehicle keeps to its own limits of speed, acceleration and
    /// steering.
    pub fn set_drive(&mut self, target: DriveTarget) -> Result<(), EngineError> {
        check_drive(&target)?;
        self.scene.drive = target;
        Ok(())
    }

    fn check_change(&self, name: &ModelName, change: &PoseChange) -> Result<(), EngineError> {
        self.index_of(name)?;
        check_xy(change.x, change.y)?;
        change.z.map_or(Ok(()), |z| within("z", z, MIN_Z_M, MAX_Z_M))?;
        change.yaw.map_or(Ok(()), |yaw| finite("yaw", yaw))
    }

    fn check_state(&self, name: &ModelName, pose: Option<&Pose>, twist: Option<&Twist>) -> Result<(), EngineError> {
        self.index_of(name)?;
        if let Some(pose) = pose {
            check_xy(Some(pose.position.x), Some(pose.position.y))?;
            within("z", pose.position.z, MIN_Z_M, MAX_Z_M)?;
            if !pose.is_finite() {
                return Err(EngineError::NotFinite("the orientation"));
            }
        }
        let Some(twist) = twist else { return Ok(()) };
        let speeds = twist.linear.iter();
        speeds.copied().try_for_each(|v| within("a speed", v, -MAX_SET_SPEED_M_S, MAX_SET_SPEED_M_S))?;
        let rates = twist.angular.iter();
        rates.copied().try_for_each(|w| within("a turning rate", w, -MAX_SET_RATE_RAD_S, MAX_SET_RATE_RAD_S))
    }

    fn check_path(&self, name: &ModelName, path: &[[f64; 2]], speed_m_s: f64) -> Result<(), EngineError> {
        self.index_of(name)?;
        finite("speed", speed_m_s)?;
        if speed_m_s <= 0.0 {
            return Err(EngineError::NotPositive("speed"));
        }
        within("speed", speed_m_s, 0.0, MAX_PATH_SPEED_M_S)?;
        if path.is_empty() {
            return Err(EngineError::EmptyPath);
        }
        if path.len() > MAX_PATH_POINTS {
            return Err(EngineError::PathTooLong(MAX_PATH_POINTS));
        }
        path.iter().try_for_each(|&[x, y]| check_xy(Some(x), Some(y)))
    }

    fn index_of(&self, name: &ModelName) -> Result<usize, EngineError> {
        self.scene.entities.iter().position(|entity| entity.name == *name).ok_or_else(|| {
            if self.description.models.iter().any(|model| model.name == *name) {
                EngineError::NotMovable(name.clone())
            } else {
                EngineError::UnknownEntity(name.clone())
            }
        })
    }

    /// The entity, where it is, and where the change puts it.
    fn changed(&self, name: &ModelName, change: &PoseChange) -> Result<(usize, Upright, Upright), EngineError> {
        let index = self.index_of(name)?;
        let mut from = self.stood_upright(index);
        let mut to = Upright {
            x: change.x.unwrap_or(from.x),
            y: change.y.unwrap_or(from.y),
            z: change.z.unwrap_or(from.z),
            yaw: change.yaw.unwrap_or(from.yaw),
        };
        if index == self.vehicle_index() {
            // Also where it lay overturned or hung in the air: its origin belongs on the ground.
            from.z = self.description.ground.height_m;
            to.z = from.z;
        }
        Ok((index, from, to))
    }

    /// Where the entity is once it is stood upright: its lowest point keeps its height.
    fn stood_upright(&self, index: usize) -> Upright {
        let body = &self.scene.physics.bodies[self.scene.entities[index].body];
        let pose = pose_of(body);
        let mut upright = Upright::of(&pose);
        let leaning = pose.orientation * nalgebra::Vector3::z();
        if leaning.z < LEAST_LEANING_COS {
            upright.z += self.lowest_z(body, &pose) - self.lowest_z(body, &upright.pose());
        }
        upright
    }

    /// The height of the body's lowest point if it stood like this.
    fn lowest_z(&self, body: &RigidBody, pose: &Pose) -> f64 {
        let at = body_pose(pose);
        let colliders = body.colliders().iter().filter_map(|handle| self.scene.physics.colliders.get(*handle));
        let lows = colliders.map(|collider| {
            let part = collider.position_wrt_parent().map_or(at, |inside| at * *inside);
            f64::from(collider.shape().compute_aabb(&part).mins.z)
        });
        lows.fold(f64::INFINITY, f64::min)
    }

    fn carry(&mut self, index: usize, motion: Motion) {
        let scene = &mut self.scene;
        let entity = &mut scene.entities[index];
        entity.motion = Some(motion);
        scene.vehicle.lose_footing();
        if let Some(body) = scene.physics.bodies.get_mut(entity.body) {
            rest(body, RigidBodyType::KinematicPositionBased);
        }
        refresh(&mut scene.physics);
    }
}

/// Gives a body its type and takes its velocity.
pub(super) fn rest(body: &mut RigidBody, body_type: RigidBodyType) {
    body.set_enabled(true);
    body.set_body_type(body_type, true);
    body.set_linvel(Vector::ZERO, true);
    body.set_angvel(Vector::ZERO, true);
    body.reset_forces(true);
    body.reset_torques(true);
}

/// Lets ray casts and contacts see what was changed by hand, and wakes what may have lost its support. No time passes.
pub(super) fn refresh(physics: &mut PhysicsWorld) {
    let dt = std::mem::replace(&mut physics.integration_parameters.dt, 0.0);
    // A step without time may take the search tree away for tidying and leaves it to the next step to put it back; until then every
    // ray would miss. The second one finds nothing to tidy.
    physics.step();
    physics.step();
    physics.integration_parameters.dt = dt;
    physics.wake_up_all(true);
}

fn check_xy(x: Option<f64>, y: Option<f64>) -> Result<(), EngineError> {
    x.map_or(Ok(()), |x| within("x", x, -MAX_XY_M, MAX_XY_M))?;
    y.map_or(Ok(()), |y| within("y", y, -MAX_XY_M, MAX_XY_M))
}

fn check_drive(target: &DriveTarget) -> Result<(), EngineError> {
    finite("speed", target.speed_m_s)?;
    finite("steering", target.steering_rad)?;
    finite("camera pan", target.camera_pan_rad)?;
    finite("camera tilt", target.camera_tilt_rad)
}

fn finite(what: &'static str, value: f64) -> Result<(), EngineError> {
    if value.is_finite() { Ok(()) } else { Err(EngineError::NotFinite(what)) }
}
