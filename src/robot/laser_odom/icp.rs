//! Lays one scan over another: point-to-line ICP, with the certainty of the outcome.
//!
//! The covariance comes from the Hessian and the noise of both scans. Two things keep it honest: the share of the Hessian that
//! is only noise of the normals is taken off, and a direction about which the surroundings say nothing (along a bare corridor)
//! keeps its guess and gets a large variance.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::kd_tree::KdTree;
use super::outline::{self, Echo, Facet, MIN_INCIDENCE};
use crate::robot::planar::{Planar, wrap};
use crate::robot::scan_filter::RangeScan;

/// With fewer pairs than this nothing is concluded.
const MIN_PAIRS: usize = 30;
/// How often pairs are sought anew.
const MAX_ROUNDS: usize = 12;
/// Steps that are taken with the same pairs.
const STEPS_PER_ROUND: usize = 2;
/// A change below this is none.
const STILL_M: f64 = 1e-4;
const STILL_RAD: f64 = 1e-4;
/// While the reach is still shrinking, every so many-th point is enough.
const COARSE_STRIDE: usize = 3;
/// How far apart a pair may be across the surface: at first, and at the end in standard deviations.
const FIRST_REACH_M: f64 = 0.35;
const LAST_REACH_SIGMAS: f64 = 5.0;
const REACH_SHRINKS: f64 = 0.45;
/// How far apart a pair may be along the surface where returns are dense.
const ALONG_M: f64 = 0.06;
/// Where the weight of a pair has halved, in standard deviations.
const HALF_WEIGHT_SIGMAS: f64 = 3.0;
/// Errors of no known kind, such as corners that were cut: never better than this across one surface.
const FLOOR_M: f64 = 0.001;
/// What is not known is still within about this, in metres and, at the typical distance of the surroundings, radians.
const UNKNOWN_M: f64 = 1.0;
/// Information below this many times what noisy normals feign is none.
const FEIGNED_FACTOR: f64 = 8.0;

type Pairs<'a> = Vec<(&'a Echo, &'a Facet)>;

/// A scan that others are laid over.
#[derive(Debug, Clone)]
pub struct Reference {
    facets: Vec<Facet>,
    tree: KdTree,
    sigma_m: f64,
}

/// Where the second scan was taken, seen from the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub motion: Planar,
    /// Over x, y, yaw in the frame of the reference.
    pub covariance: Matrix3<f64>,
    /// Share of the scan's points that lie on a surface of the reference.
    pub inlier_share: f64,
    /// How many of the three directions the surroundings determine.
    pub known_directions: usize,
}

impl Reference {
    /// `None` when the scan shows too little to recognise anything.
    pub fn new(scan: &RangeScan, echoes: &[Echo]) -> Option<Self> {
        let (facets, sigma_m) = outline::facets(echoes, scan.angle_increment_rad);
        let facets: Vec<Facet> = facets.into_iter().flatten().collect();
        if facets.len() < MIN_PAIRS {
            return None;
        }
        let tree = KdTree::new(facets.iter().enumerate().map(|(i, facet)| (facet.point, i as u32)).collect());
        Some(Self { facets, tree, sigma_m })
    }

    /// Looks for the motion near `guess`. `None` when too few points find a partner.
    pub fn align(&self, echoes: &[Echo], guess: Planar) -> Option<Match> {
        if echoes.len() < MIN_PAIRS {
            return None;
        }
        let mut motion = guess;
        let mut reach = FIRST_REACH_M;
        let last_reach = (LAST_REACH_SIGMAS * self.sigma_m).max(0.02);
        let mut pairs = Vec::with_capacity(echoes.len());
        for _ in 0..MAX_ROUNDS {
            let last = reach <= last_reach;
            self.pair(echoes, if last { 1 } else { COARSE_STRIDE }, motion, reach, &mut pairs);
            if pairs.len() < MIN_PAIRS / if last { 1 } else { COARSE_STRIDE } {
                return None;
            }
            let before = motion;
            for _ in 0..STEPS_PER_ROUND {
                motion = Normal::new(&pairs, motion, self.sigma_m).step(motion);
            }
            let moved = before.to(motion);
            let settled = moved.distance() < STILL_M && moved.yaw.abs() < STILL_RAD;
            if last && settled {
                break;
            }
            reach = (reach * REACH_SHRINKS).max(last_reach);
        }
        self.pair(echoes, 1, motion, last_reach, &mut pairs);
        if pairs.len() < MIN_PAIRS || !motion.is_finite() {
            return None;
        }
        let normal = Normal::new(&pairs, motion, self.sigma_m);
        let motion = normal.hold(motion, guess);
        let (covariance, known_directions) = normal.covariance();
        let inlier_share = pairs.len() as f64 / echoes.len() as f64;
        Some(Match { motion, covariance, inlier_share, known_directions })
    }

    fn pair<'a>(&'a self, echoes: &'a [Echo], stride: usize, motion: Planar, reach: f64, pairs: &mut Pairs<'a>) {
        pairs.clear();
        for echo in echoes.iter().step_by(stride) {
            let point = motion.apply(echo.point);
            // Far walls are sampled sparsely, so the search must reach to the next sample there.
            let Some(name) = self.tree.nearest(point, FIRST_REACH_M) else { continue };
            let facet = &self.facets[name as usize];
            let (dx, dy) = (point[0] - facet.point[0], point[1] - facet.point[1]);
            let across = dx * facet.normal[0] + dy * facet.normal[1];
            let along = dy * facet.normal[0] - dx * facet.normal[1];
            if across.abs() <= reach && along.abs() <= (1.5 * facet.spacing_m).max(ALONG_M).max(reach) {
                pairs.push((echo, facet));
            }
        }
    }
}

/// The normal equations of one set of pairs at one motion.
struct Normal {
    hessian: Matrix3<f64>,
    /// The share of the Hessian that noise of the normals alone would give.
    feigned: Matrix3<f64>,
    gradient: Vector3<f64>,
    /// Turns radians into metres at the typical distance.
    lever_m: f64,
}

impl Normal {
    fn new(pairs: &[(&Echo, &Facet)], motion: Planar, sigma: f64) -> Self {
        let mut hessian = Matrix3::zeros();
        let mut feigned = Matrix3::zeros();
        let mut gradient = Vector3::zeros();
        let mut lever = 0.0;
        let (sin, cos) = motion.yaw.sin_cos();
        for (echo, facet) in pairs {
            let [nx, ny] = facet.normal;
            let ax = cos * echo.point[0] - sin * echo.point[1];
            let ay = sin * echo.point[0] + cos * echo.point[1];
            let residual = nx * (motion.x + ax - facet.point[0]) + ny * (motion.y + ay - facet.point[1]);
            let ray =
                (nx * (cos * echo.ray[0] - sin * echo.ray[1]) + ny * (sin * echo.ray[0] + cos * echo.ray[1])).powi(2);
            let mine = sigma * sigma * ray.max(MIN_INCIDENCE);
            let theirs = sigma * sigma * facet.incidence;
            // The fit has averaged over its returns, so the residual hardly shows their noise; but neighbours share it, and
            // over the whole scan it counts in full.
            let seen = (mine + theirs / facet.support + FLOOR_M * FLOOR_M).sqrt();
            let doubt = residual / (seen * HALF_WEIGHT_SIGMAS);
            let weight = 1.0 / ((1.0 + doubt * doubt) * (mine + theirs + FLOOR_M * FLOOR_M));
            let row = Vector3::new(nx, ny, ny * ax - nx * ay);
            let sideways = Vector3::new(-ny, nx, nx * ax + ny * ay);
            hessian += row * row.transpose() * weight;
            feigned += sideways * sideways.transpose() * (weight * facet.normal_variance);
            gradient += row * (weight * residual);
            lever += ax * ax + ay * ay;
        }
        let lever_m = (lever / pairs.len() as f64).sqrt().max(0.1);
        Self { hessian, feigned, gradient, lever_m }
    }

    /// The Hessian with the turn in metres, its eigenvectors, and for each how much it really knows.
    fn spectrum(&self) -> (Matrix3<f64>, [f64; 3], [f64; 3]) {
        let scale = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 1.0 / self.lever_m));
        let eigen = SymmetricEigen::new(scale * self.hessian * scale);
        let feigned = scale * self.feigned * scale;
        let mut raw = [0.0; 3];
        let mut known = [0.0; 3];
        for k in 0..3 {
            let direction = eigen.eigenvectors.column(k);
            let noise = (direction.transpose() * feigned * direction)[0];
            raw[k] = eigen.eigenvalues[k];
            if raw[k] > FEIGNED_FACTOR * noise && raw[k] > 2.0 / (UNKNOWN_M * UNKNOWN_M) {
                known[k] = raw[k] - noise;
            }
        }
        (eigen.eigenvectors, raw, known)
    }

    /// One step towards the minimum, in the known directions only.
    fn step(&self, motion: Planar) -> Planar {
        let (vectors, raw, known) = self.spectrum();
        let gradient = Vector3::new(self.gradient.x, self.gradient.y, self.gradient.z / self.lever_m);
        let mut change = Vector3::zeros();
        for k in (0..3).filter(|k| known[*k] > 0.0) {
            let direction = vectors.column(k);
            change -= direction * (direction.dot(&gradient) / raw[k]);
        }
        Planar::new(motion.x + change.x, motion.y + change.y, wrap(motion.yaw + change.z / self.lever_m))
    }

    /// Takes back what has moved away from the guess in unknown directions while the pairs were still rough.
    fn hold(&self, motion: Planar, guess: Planar) -> Planar {
        let (vectors, _, known) = self.spectrum();
        let moved = Vector3::new(motion.x - guess.x, motion.y - guess.y, wrap(motion.yaw - guess.yaw) * self.lever_m);
        let mut back = Vector3::zeros();
        for k in (0..3).filter(|k| known[*k] == 0.0) {
            let direction = vectors.column(k);
            back += direction * direction.dot(&moved);
        }
        Planar::new(motion.x - back.x, motion.y - back.y, wrap(motion.yaw - back.z / self.lever_m))
    }

    fn covariance(&self) -> (Matrix3<f64>, usize) {
        let (vectors, _, known) = self.spectrum();
        let variances = Vector3::from(known.map(|info| 1.0 / (info + 1.0 / (UNKNOWN_M * UNKNOWN_M))));
        let back = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 1.0 / self.lever_m));
        let covariance = back * vectors * Matrix3::from_diagonal(&variances) * vectors.transpose() * back;
        (covariance, known.iter().filter(|info| **info > 0.0).count())
    }
}
