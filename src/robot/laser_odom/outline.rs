//! The surroundings as one scan shows them: points, and the straight piece of surface around each.
//!
//! A short piece gives a poor normal: nine points of a wall one metre away span eight centimetres, with a noise of one. Such
//! normals point everywhere, and a bare corridor would seem to hold the car in place lengthwise. So every point takes the
//! longest stretch around it (or to one side of it) that is straight within the noise. How noisy the sensor is comes from the
//! scan itself.

use crate::robot::planar::Planar;
use crate::robot::scan_filter::RangeScan;

/// The half lengths of the stretches that are tried, in rays.
const HALF_LENGTHS: [usize; 7] = [2, 4, 8, 16, 32, 64, 128];
/// The stretch from which the noise is estimated: short, so that curves look straight.
const NOISE_HALF_LENGTH: usize = 4;
/// The noise is never taken for less or more than this.
const SIGMA_M: std::ops::RangeInclusive<f64> = 0.002..=0.06;
/// Until the noise is known, and where a scan has no straight stretch to tell it from.
const USUAL_SIGMA_M: f64 = 0.01;
/// A normal that is less certain than this is none.
const MAX_NORMAL_SIGMA_RAD: f64 = 0.12;
/// Rays that graze a surface measure it no better than this share of the variance.
pub const MIN_INCIDENCE: f64 = 0.15;
/// Two neighbours on one surface are closer than this, or than so many times the distance between two rays there.
const MAX_GAP_M: f64 = 0.1;
const MAX_GAP_RAYS: f64 = 8.0;
/// So many rays may be missing within a surface.
const MAX_MISSING: usize = 3;

/// One return: where it is and in which direction the ray went, both in the vehicle's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Echo {
    pub point: [f64; 2],
    pub ray: [f64; 2],
    index: usize,
    range: f64,
}

/// The straight piece of surface at one return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// On the fitted line.
    pub point: [f64; 2],
    pub normal: [f64; 2],
    pub normal_variance: f64,
    /// Share of the range noise that goes across the surface: the squared cosine of incidence.
    pub incidence: f64,
    /// Distance between neighbouring returns.
    pub spacing_m: f64,
    /// How many returns the fit rests on.
    pub support: f64,
}

/// The valid returns of a filtered scan.
pub fn echoes(scan: &RangeScan, base_from_lidar: Planar) -> Vec<Echo> {
    let valid = scan.ranges_m.iter().enumerate().filter(|(_, range)| range.is_finite() && **range > 0.0);
    valid
        .map(|(index, range)| {
            let range = f64::from(*range);
            let angle = base_from_lidar.yaw + scan.angle_min_rad + index as f64 * scan.angle_increment_rad;
            let ray = [angle.cos(), angle.sin()];
            let point = [base_from_lidar.x + range * ray[0], base_from_lidar.y + range * ray[1]];
            Echo { point, ray, index, range }
        })
        .collect()
}

/// The facets of a scan, one entry per return, and the standard deviation of its ranges.
pub fn facets(echoes: &[Echo], angle_increment_rad: f64) -> (Vec<Option<Facet>>, f64) {
    let surfaces = surfaces(echoes, angle_increment_rad.abs());
    let sums = Sums::new(echoes);
    let sigma = noise(echoes, &surfaces, &sums);
    let mut facets = vec![None; echoes.len()];
    for surface in surfaces {
        for i in surface.clone() {
            facets[i] = facet(echoes, &surface, &sums, i, sigma);
        }
    }
    (facets, sigma)
}

type Stretch = std::ops::Range<usize>;

/// Splits the returns where the distance jumps or too many rays are missing.
fn surfaces(echoes: &[Echo], increment: f64) -> Vec<Stretch> {
    let mut surfaces = Vec::new();
    let mut start = 0;
    for i in 1..=echoes.len() {
        let ends = i == echoes.len() || {
            let (a, b) = (&echoes[i - 1], &echoes[i]);
            let rays = (b.index - a.index) as f64;
            let gap = (MAX_GAP_RAYS * rays * increment * a.range.min(b.range)).max(MAX_GAP_M);
            b.index - a.index > MAX_MISSING + 1 || distance(a.point, b.point) > gap
        };
        if ends {
            surfaces.push(start..i);
            start = i;
        }
    }
    surfaces
}

fn noise(echoes: &[Echo], surfaces: &[Stretch], sums: &Sums) -> f64 {
    let length = 2 * NOISE_HALF_LENGTH + 1;
    let mut variances = Vec::new();
    for surface in surfaces.iter().filter(|surface| surface.len() >= length) {
        for from in surface.clone().step_by(length).take_while(|from| from + length <= surface.end) {
            let line = sums.line(from..from + length);
            variances.push(line.noise() / line.incidence(&echoes[from + NOISE_HALF_LENGTH]));
        }
    }
    if variances.len() < 5 {
        return USUAL_SIGMA_M;
    }
    let middle = variances.len() / 2;
    let median = *variances.select_nth_unstable_by(middle, f64::total_cmp).1;
    // The median of a chi-squared distribution with seven degrees of freedom lies at 0.907 of its mean.
    (median / 0.907).sqrt().clamp(*SIGMA_M.start(), *SIGMA_M.end())
}

/// The best line through return `i`.
fn facet(echoes: &[Echo], surface: &Stretch, sums: &Sums, i: usize, sigma: f64) -> Option<Facet> {
    let mut best: Option<Line> = None;
    for half in HALF_LENGTHS {
        let around = [(half, half), (2 * half, 0), (0, 2 * half)];
        let straight = around
            .into_iter()
            .filter(|(before, after)| i >= surface.start + before && i + after < surface.end)
            .map(|(before, after)| sums.line(i - before..i + after + 1))
            .filter(|line| line.is_straight(sigma, line.incidence(&echoes[i])))
            .min_by(|a, b| a.across.total_cmp(&b.across));
        match straight {
            Some(line) => best = Some(line),
            // Where the shortest one is crooked by chance a longer one may do, but not for ever.
            None if best.is_some() || half > NOISE_HALF_LENGTH => break,
            None => {}
        }
    }
    let line = best?;
    let incidence = line.incidence(&echoes[i]);
    // Without the incidence: in a short fit noise alone may draw the line along the ray, which would then seem to be certain.
    let normal_variance = sigma * sigma / (line.count * (line.along - sigma * sigma).max(1e-9));
    let point = echoes[i].point;
    let off = (point[0] - line.centre[0]) * line.normal[0] + (point[1] - line.centre[1]) * line.normal[1];
    (normal_variance < MAX_NORMAL_SIGMA_RAD * MAX_NORMAL_SIGMA_RAD).then(|| Facet {
        point: [point[0] - off * line.normal[0], point[1] - off * line.normal[1]],
        normal: line.normal,
        normal_variance,
        incidence,
        spacing_m: (12.0 * line.along).sqrt() / line.count,
        support: line.count,
    })
}

/// A line through some returns: where, which way, and the variances along and across it.
#[derive(Debug, Clone, Copy)]
struct Line {
    centre: [f64; 2],
    normal: [f64; 2],
    along: f64,
    across: f64,
    count: f64,
}

impl Line {
    /// Variance of one return across the line.
    fn noise(&self) -> f64 {
        self.across * self.count / (self.count - 2.0)
    }

    fn incidence(&self, echo: &Echo) -> f64 {
        (self.normal[0] * echo.ray[0] + self.normal[1] * echo.ray[1]).powi(2).max(MIN_INCIDENCE)
    }

    /// The more returns, the better a bend is told from noise.
    fn is_straight(&self, sigma: f64, incidence: f64) -> bool {
        self.noise() <= sigma * sigma * incidence * (1.0 + 3.0 * (2.0 / (self.count - 2.0)).sqrt())
    }
}

/// Running sums over the returns, so that a line through any stretch costs the same.
struct Sums(Vec<[f64; 5]>);

impl Sums {
    fn new(echoes: &[Echo]) -> Self {
        let mut sums = Vec::with_capacity(echoes.len() + 1);
        let mut sum = [0.0; 5];
        sums.push(sum);
        for Echo { point: [x, y], .. } in echoes {
            for (total, value) in sum.iter_mut().zip([*x, *y, x * x, x * y, y * y]) {
                *total += value;
            }
            sums.push(sum);
        }
        Self(sums)
    }

    fn line(&self, stretch: Stretch) -> Line {
        let (from, until) = (&self.0[stretch.start], &self.0[stretch.end]);
        let count = stretch.len() as f64;
        let mean = |k: usize| (until[k] - from[k]) / count;
        let (x, y) = (mean(0), mean(1));
        let (xx, xy, yy) = (mean(2) - x * x, mean(3) - x * y, mean(4) - y * y);
        let (middle, half) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
        let direction = 0.5 * (2.0 * xy).atan2(xx - yy);
        Line {
            centre: [x, y],
            normal: [-direction.sin(), direction.cos()],
            along: middle + half,
            across: (middle - half).max(0.0),
            count,
        }
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}
