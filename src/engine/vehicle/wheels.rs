//! Tyres and springs: what four ray wheels do to the chassis in one step.
//!
//! Each wheel is a ray along the chassis' down axis. Where it meets something, three rows act at the contact point: a
//! spring-damper along the surface's normal, and along and across the wheel a friction that wants the contact point to move as
//! a rolling wheel would. All rows are solved together at velocity level by Gauss-Seidel with the true effective mass; the
//! spring is taken at the end of the step, which keeps it stable at any stiffness. Friction is held inside the friction circle.
//!
//! What the wheels stand on feels the opposite impulse.

use rapier3d::prelude::*;

use super::Vehicle;

const PASSES: usize = 8;
/// Of soft rubber on a dry floor. Enough for the acceleration that the motor can give.
const TYRE_FRICTION: f32 = 1.1;
/// The car on its springs swings at 16 Hz, which lets it sag by a millimetre.
const SPRING_RATE_RAD_S: f32 = 100.0;
const DAMPING_RATIO: f32 = 0.7;
/// How far a spring can be compressed, in static sags; beyond that the wheel bumpers carry.
const MAX_COMPRESSION_OF_SAG: f32 = 5.0;
/// Steeper than this against the chassis it is a wall to bump into, not a floor to stand on (cosine).
const FLOOR_COSINE: f32 = 0.5;
const GRAVITY: f32 = 9.81;

#[derive(Debug)]
pub(super) struct Wheel {
    /// Its centre at rest, in the body's frame.
    pub(super) hub: Vector,
    pub(super) steered: bool,
}

#[derive(Debug)]
pub(super) struct Suspension {
    stiffness: f32,
    damping: f32,
    sag: f32,
    radius: f32,
}

impl Suspension {
    pub(super) fn for_wheel(carried_kg: f32, radius: f32) -> Self {
        Self {
            stiffness: carried_kg * SPRING_RATE_RAD_S * SPRING_RATE_RAD_S,
            damping: 2.0 * DAMPING_RATIO * SPRING_RATE_RAD_S * carried_kg,
            sag: GRAVITY / (SPRING_RATE_RAD_S * SPRING_RATE_RAD_S),
            radius,
        }
    }
}

/// The chassis as the passes see it: how an impulse changes its velocity.
struct Chassis {
    linear: Vector,
    angular: Vector,
    inv_mass: f32,
    inv_inertia: AngularInertia,
}

impl Chassis {
    fn speed_along(&self, row: &Row) -> f32 {
        self.linear.dot(row.direction) + self.angular.dot(row.lever) - row.base_speed
    }

    fn push(&mut self, row: &Row, impulse: f32) {
        self.linear += row.direction * (impulse * self.inv_mass);
        self.angular += row.turning * impulse;
    }
}

/// One direction at one contact point.
struct Row {
    direction: Vector,
    /// The arm crossed with the direction, and what that turns.
    lever: Vector,
    turning: Vector,
    /// How much a unit impulse changes the relative speed.
    inv_effective_mass: f32,
    /// Speed of what the wheel stands on.
    base_speed: f32,
    impulse: f32,
}

struct Contact {
    point: Vector,
    base: Option<RigidBodyHandle>,
    compression: f32,
    normal: Row,
    along: Row,
    across: Row,
    /// How fast the contact point is to move along the wheel.
    rolling_speed: f32,
}

/// Adds the tyre forces of one step to the chassis: `speed` for the middle of the rear axle on a way of this curvature. Answers what
/// each wheel stands on.
pub(super) fn push(
    physics: &mut PhysicsWorld,
    vehicle: &Vehicle,
    speed: f32,
    curvature: f32,
) -> [Option<RigidBodyHandle>; 4] {
    let dt = physics.integration_parameters.dt;
    let Some(body) = physics.bodies.get(vehicle.body) else { return [None; 4] };
    let mass = body.mass_properties();
    let mut chassis = Chassis {
        linear: body.linvel() + physics.gravity * dt,
        angular: body.angvel(),
        inv_mass: mass.effective_inv_mass.x,
        inv_inertia: mass.effective_world_inv_inertia,
    };
    let (linear, angular) = (chassis.linear, chassis.angular);
    let mut contacts: [Option<Contact>; 4] =
        std::array::from_fn(|index| touch(physics, vehicle, &vehicle.wheels[index], &chassis, speed, curvature));

    let spring = &vehicle.suspension;
    for contact in contacts.iter_mut().flatten() {
        let normal = &mut contact.normal;
        normal.impulse = dt * spring.stiffness * contact.compression;
        chassis.push(normal, normal.impulse);
    }
    for _ in 0..PASSES {
        for contact in contacts.iter_mut().flatten() {
            contact.solve(&mut chassis, spring, dt);
        }
    }

    // As forces over the step, so that they balance gravity within its substeps too.
    let inertia = mass.effective_world_inv_inertia.inverse_unchecked();
    let force = (chassis.linear - linear) / (chassis.inv_mass * dt);
    let torque = inertia * (chassis.angular - angular) / dt;
    if !force.is_finite() || !torque.is_finite() {
        return [None; 4];
    }
    if let Some(body) = physics.bodies.get_mut(vehicle.body) {
        body.add_force(force, true);
        body.add_torque(torque, true);
    }
    for contact in contacts.iter().flatten() {
        let base = contact.base.and_then(|handle| physics.bodies.get_mut(handle));
        if let Some(base) = base.filter(|base| base.is_dynamic()) {
            base.apply_impulse_at_point(-contact.impulse(), contact.point, true);
        }
    }
    contacts.map(|contact| contact.and_then(|contact| contact.base))
}

/// Where the wheel's ray meets something to stand on.
fn touch(
    physics: &PhysicsWorld,
    vehicle: &Vehicle,
    wheel: &Wheel,
    chassis: &Chassis,
    speed: f32,
    curvature: f32,
) -> Option<Contact> {
    let body = physics.bodies.get(vehicle.body)?;
    let spring = &vehicle.suspension;
    let up = *body.rotation() * Vector::Z;
    // From the top of the wheel to where its lowest point hangs without load.
    let reach = 2.0 * spring.radius + spring.sag;
    let top = body.position().transform_point(wheel.hub + Vector::new(0.0, 0.0, spring.radius));
    let ray = Ray::new(top, -up);
    let filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(vehicle.body);
    let (collider, hit) = physics.cast_ray_and_get_normal(&ray, reach, true, filter)?;
    let normal = hit.normal.try_normalize().filter(|normal| normal.dot(up) > FLOOR_COSINE)?;
    let point = ray.point_at(hit.time_of_impact);

    let rolling = vehicle.way_of(wheel, curvature);
    let heading = if wheel.steered { rolling.try_normalize()? } else { Vector::X };
    let heading = *body.rotation() * heading;
    let along = (heading - normal * heading.dot(normal)).try_normalize()?;
    let across = normal.cross(along);

    let base = physics.colliders.get(collider).and_then(|collider| collider.parent());
    let base_body = base.and_then(|handle| physics.bodies.get(handle));
    let arm = point - body.center_of_mass();
    let row = |direction: Vector| {
        let lever = arm.cross(direction);
        let turning = chassis.inv_inertia * lever;
        let mut inv_effective_mass = chassis.inv_mass + turning.dot(lever);
        let mut base_speed = 0.0;
        if let Some(base) = base_body {
            let mass = base.mass_properties();
            let lever = (point - base.center_of_mass()).cross(direction);
            inv_effective_mass += mass.effective_inv_mass.x + (mass.effective_world_inv_inertia * lever).dot(lever);
            base_speed = base.velocity_at_point(point).dot(direction);
        }
        Row { direction, lever, turning, inv_effective_mass, base_speed, impulse: 0.0 }
    };
    Some(Contact {
        point,
        base,
        compression: (reach - hit.time_of_impact).clamp(0.0, spring.sag * MAX_COMPRESSION_OF_SAG),
        normal: row(normal),
        along: row(along),
        across: row(across),
        rolling_speed: speed * rolling.length(),
    })
}

impl Contact {
    fn solve(&mut self, chassis: &mut Chassis, spring: &Suspension, dt: f32) {
        let normal = &mut self.normal;
        let damping = dt * (spring.damping + dt * spring.stiffness);
        let speed = chassis.speed_along(normal) - normal.inv_effective_mass * normal.impulse;
        let wanted =
            (dt * spring.stiffness * self.compression - damping * speed) / (1.0 + damping * normal.inv_effective_mass);
        let load = wanted.max(0.0);
        chassis.push(normal, load - normal.impulse);
        normal.impulse = load;

        let (along, across) = (&mut self.along, &mut self.across);
        let slip = chassis.speed_along(along) - self.rolling_speed;
        let mut drive = along.impulse - slip / along.inv_effective_mass;
        let mut side = across.impulse - chassis.speed_along(across) / across.inv_effective_mass;
        let grip = TYRE_FRICTION * load;
        let asked = (drive * drive + side * side).sqrt();
        if asked > grip {
            drive *= grip / asked;
            side *= grip / asked;
        }
        chassis.push(along, drive - along.impulse);
        along.impulse = drive;
        chassis.push(across, side - across.impulse);
        across.impulse = side;
    }

    fn impulse(&self) -> Vector {
        [&self.normal, &self.along, &self.across].into_iter().map(|row| row.direction * row.impulse).sum()
    }
}
