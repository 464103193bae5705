//! How the mass of a body is spread, where the world file says so: the centre of mass and the moments about it.
//!
//! Files often carry moments that no body of that size can have (the format's default of 1 kg m² in a cone of 200 g). A body with
//! them would hang in the air or spin like a top, so they are found here and not used.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use crate::engine::description::{Part, Shape};

/// A centre of mass may lie this share of an edge outside of the box around the shapes, which are often simplified.
const OUTSIDE_OF_EDGE: f64 = 0.25;
/// Principal moments are those of a body if none is greater than the sum of the others; files round.
const TRIANGLE_SLACK: f64 = 1.02;
/// The least moment, as a share of that of all mass in two points at the thinnest side's ends; less upsets the solver.
const LEAST_MOMENT: f64 = 0.01;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The centre of mass in the model's frame.
    pub centre_m: [f64; 3],
    /// About the centre of mass, along the model's axes; symmetric.
    pub inertia_kg_m2: [[f64; 3]; 3],
}

impl Spread {
    /// Why no body of this mass and these shapes can be spread so; nothing if it can.
    pub(super) fn fault(&self, mass_kg: f64, parts: &[Part]) -> Option<&'static str> {
        let inertia = Matrix3::from(self.inertia_kg_m2);
        if !inertia.iter().chain(&self.centre_m).all(|value| value.is_finite()) {
            return Some("it is not made of finite numbers");
        }
        if (inertia - inertia.transpose()).amax() > 1e-6 * inertia.amax() {
            return Some("its moments are not symmetric");
        }
        let [low, high] = bounds(parts);
        let edges = high - low;
        let centre = Vector3::from(self.centre_m);
        let slack = edges * OUTSIDE_OF_EDGE;
        if (0..3).any(|axis| centre[axis] < low[axis] - slack[axis] || centre[axis] > high[axis] + slack[axis]) {
            return Some("its centre of mass lies outside of its collisions");
        }
        let mut moments: [f64; 3] = inertia.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        let [least, middle, greatest] = moments;
        let reach = (centre - low).abs().sup(&(high - centre).abs());
        if greatest > mass_kg * reach.norm_squared() {
            return Some("its moments of inertia are those of a much larger body");
        }
        let thinnest = edges.min() / 2.0;
        if least <= 0.0 || least < LEAST_MOMENT * mass_kg * thinnest * thinnest {
            return Some("its moments of inertia are those of a much smaller body");
        }
        (greatest > (least + middle) * TRIANGLE_SLACK).then_some("no body has such moments of inertia")
    }

    /// The principal moments and the axes that they are about, as columns of a rotation.
    pub(super) fn principal(&self) -> ([f64; 3], Matrix3<f64>) {
        let inertia = Matrix3::from(self.inertia_kg_m2);
        if inertia == Matrix3::from_diagonal(&inertia.diagonal()) {
            return (inertia.diagonal().into(), Matrix3::identity());
        }
        let SymmetricEigen { eigenvalues, mut eigenvectors } = SymmetricEigen::new(inertia);
        if eigenvectors.determinant() < 0.0 {
            eigenvectors.column_mut(0).neg_mut();
        }
        (eigenvalues.into(), eigenvectors)
    }
}

/// The smallest and the largest corner of the box around the parts, in the model's frame.
fn bounds(parts: &[Part]) -> [Vector3<f64>; 2] {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for part in parts {
        let mut meet = |point: Vector3<f64>| {
            let point = part.pose.position + part.pose.orientation * point;
            (low, high) = (low.inf(&point), high.sup(&point));
        };
        let mut block = |half: [f64; 3]| {
            for corner in 0..8 {
                meet(Vector3::from_fn(|axis, _| if corner >> axis & 1 == 0 { -half[axis] } else { half[axis] }));
            }
        };
        match &part.shape {
            Shape::Box { size_m } => block(size_m.map(|edge| edge / 2.0)),
            Shape::Cylinder { radius_m, length_m } => block([*radius_m, *radius_m, length_m / 2.0]),
            Shape::Sphere { radius_m } => block([*radius_m; 3]),
            Shape::TriMesh { vertices, .. } => {
                vertices.iter().for_each(|vertex| meet(Vector3::from(*vertex).cast::<f64>()));
            }
        }
    }
    [low, high]
}
