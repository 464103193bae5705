//! The centre line: a closed path, as stations dense enough that straight pieces between them show no corners.

/// The largest turn between two stations: 3 degrees, which leaves 0.3 mm between chord and arc at a radius of 0.8 m.
const MAX_TURN_RAD: f64 = std::f64::consts::PI / 60.0;
/// The longest piece of a straight.
const MAX_PIECE_M: f64 = 0.5;
/// Of a spline.
const SPLINE_PIECE_M: f64 = 0.05;
/// Shorter leftovers between two corners are nothing.
const NOTHING_M: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Station {
    /// Distance from the start, along the path.
    pub s: f64,
    pub at: [f64; 2],
    /// Direction of travel, of length 1.
    pub ahead: [f64; 2],
}

impl Station {
    /// The point this far to the left of the path.
    pub fn left(&self, distance: f64) -> [f64; 2] {
        [self.at[0] - self.ahead[1] * distance, self.at[1] + self.ahead[0] * distance]
    }

    pub fn heading(&self) -> f64 {
        libm::atan2(self.ahead[1], self.ahead[0])
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The last one is the first again, at the full length.
    stations: Vec<Station>,
}

impl Path {
    /// Through corners `[x, y, radius]`; starts halfway from the first to the second.
    pub fn rounded(corners: &[[f64; 3]]) -> Result<Self, String> {
        let count = corners.len();
        if count < 3 {
            return Err("a centre line needs at least three corners".into());
        }
        let point = |index: usize| [corners[index % count][0], corners[index % count][1]];
        let bends: Vec<Bend> = (0..count)
            .map(|i| Bend::new(point(i + count - 1), point(i), point(i + 1), corners[i][2]))
            .collect::<Result<_, _>>()?;
        for i in 0..count {
            let length = distance(point(i), point(i + 1));
            let (here, next) = (bends[i].reach, bends[(i + 1) % count].reach);
            // The start lies in the middle of the first straight, so each corner may take half of it.
            if here + next > length + NOTHING_M || (i == 0 && here.max(next) > length / 2.0 + NOTHING_M) {
                return Err(format!(
                    "the corners {} and {} are {length:.2} m apart, but their arcs need {:.2} m and {:.2} m of it",
                    i + 1,
                    (i + 1) % count + 1,
                    here,
                    next
                ));
            }
        }
        let middle = mix(point(0), point(1), 0.5);
        let mut builder = Stations::starting(middle, direction(middle, point(1)));
        for i in 1..=count {
            let bend = &bends[i % count];
            builder.straight_to(bend.begin);
            builder.arc(bend);
        }
        builder.straight_to(middle);
        builder.close()
    }

    /// A Catmull-Rom curve through the points; starts at the first.
    pub fn spline(points: &[[f64; 2]]) -> Result<Self, String> {
        let count = points.len();
        if count < 4 {
            return Err("a spline needs at least four points".into());
        }
        let mut builder: Option<Stations> = None;
        for i in 0..count {
            let [p0, p1, p2, p3] = [count - 1, 0, 1, 2].map(|step| points[(i + step) % count]);
            let pieces = (distance(p1, p2) / SPLINE_PIECE_M).ceil().max(1.0) as usize;
            for piece in 0..pieces {
                let t = piece as f64 / pieces as f64;
                let part = |axis: usize| {
                    let (a, b, c, d) = (p0[axis], p1[axis], p2[axis], p3[axis]);
                    let (first, second, third) = (c - a, 2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a);
                    let value = 0.5 * (2.0 * b + first * t + second * t * t + third * t * t * t);
                    (value, first + 2.0 * second * t + 3.0 * third * t * t)
                };
                let ((x, dx), (y, dy)) = (part(0), part(1));
                let ahead = unit([dx, dy]).ok_or("two neighbouring points of the spline are the same")?;
                match &mut builder {
                    Some(builder) => builder.push([x, y], ahead),
                    None => builder = Some(Stations::starting([x, y], ahead)),
                }
            }
        }
        let mut builder = builder.expect("there are at least four points");
        let first = builder.0[0];
        builder.push(first.at, first.ahead);
        builder.close()
    }

    pub fn length(&self) -> f64 {
        self.stations[self.stations.len() - 1].s
    }

    /// The last one repeats the first.
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// Where one is after `s` metres; any number of laps, also backwards.
    pub fn at(&self, s: f64) -> Station {
        let wrapped = s.rem_euclid(self.length());
        let next = self.stations.partition_point(|station| station.s <= wrapped).clamp(1, self.stations.len() - 1);
        let (a, b) = (&self.stations[next - 1], &self.stations[next]);
        let t = (wrapped - a.s) / (b.s - a.s);
        let ahead = unit(mix(a.ahead, b.ahead, t)).unwrap_or(a.ahead);
        Station { s, at: mix(a.at, b.at, t), ahead }
    }

    /// The stations from `from` to `to` with both ends; `to` may lie beyond the full length.
    pub fn between(&self, from: f64, to: f64) -> Vec<Station> {
        let mut found = vec![self.at(from)];
        let length = self.length();
        let first_lap = (from / length).floor();
        for lap in 0..=((to - from) / length).ceil() as usize {
            let offset = (first_lap + lap as f64) * length;
            let inside = |s: f64| s > from + NOTHING_M && s < to - NOTHING_M;
            // The last station is the first of the next lap.
            let own = &self.stations[..self.stations.len() - 1];
            found.extend(own.iter().map(|at| Station { s: at.s + offset, ..*at }).filter(|at| inside(at.s)));
        }
        found.push(self.at(to));
        found
    }

    /// Positive for a lap that turns left as a whole.
    pub fn signed_area(&self) -> f64 {
        let cross = |pair: &[Station]| pair[0].at[0] * pair[1].at[1] - pair[1].at[0] * pair[0].at[1];
        self.stations.windows(2).map(cross).sum::<f64>() / 2.0
    }

    /// The tightest bend: its radius and where it is.
    pub fn tightest(&self) -> (f64, [f64; 2]) {
        let radius = |pair: &[Station]| {
            let [a, b] = [pair[0].ahead, pair[1].ahead];
            let turn = libm::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]).abs();
            ((pair[1].s - pair[0].s) / turn.max(1e-12), pair[0].at)
        };
        self.stations
            .windows(2)
            .map(radius)
            .fold((f64::INFINITY, [0.0; 2]), |best, found| if found.0 < best.0 { found } else { best })
    }

    /// The distance of a point to those parts of the path that are more than `apart` metres of travel away from `s`.
    pub fn distance_elsewhere(&self, point: [f64; 2], s: f64, apart: f64) -> f64 {
        let length = self.length();
        let mut nearest = f64::INFINITY;
        for pair in self.stations.windows(2) {
            let gap = (pair[0].s.midpoint(pair[1].s) - s).rem_euclid(length);
            if gap.min(length - gap) > apart {
                nearest = nearest.min(distance_to_piece(point, pair[0].at, pair[1].at));
            }
        }
        nearest
    }
}

/// The arc that replaces a corner.
struct Bend {
    begin: [f64; 2],
    /// Direction before the corner.
    ahead: [f64; 2],
    /// How much of the straights on both sides it takes.
    reach: f64,
    radius: f64,
    /// To the left is positive.
    turn: f64,
}

impl Bend {
    fn new(before: [f64; 2], corner: [f64; 2], after: [f64; 2], radius: f64) -> Result<Self, String> {
        let way = |a: [f64; 2], b: [f64; 2]| unit([b[0] - a[0], b[1] - a[1]]);
        let same = || format!("the corner at {}, {} stands there twice", corner[0], corner[1]);
        let ahead = way(before, corner).ok_or_else(same)?;
        let leaving = way(corner, after).ok_or_else(same)?;
        let turn =
            libm::atan2(ahead[0] * leaving[1] - ahead[1] * leaving[0], ahead[0] * leaving[0] + ahead[1] * leaving[1]);
        if turn.abs() > 3.0 {
            return Err(format!("the centre line turns back at {}, {}; use two corners", corner[0], corner[1]));
        }
        let reach = radius * libm::tan(turn.abs() / 2.0);
        let begin = [corner[0] - ahead[0] * reach, corner[1] - ahead[1] * reach];
        Ok(Self { begin, ahead, reach, radius, turn })
    }
}

/// The path so far.
struct Stations(Vec<Station>);

impl Stations {
    fn starting(at: [f64; 2], ahead: [f64; 2]) -> Self {
        Self(vec![Station { s: 0.0, at, ahead }])
    }

    fn last(&self) -> Station {
        self.0[self.0.len() - 1]
    }

    fn push(&mut self, at: [f64; 2], ahead: [f64; 2]) {
        let last = self.last();
        let step = distance(last.at, at);
        if step > NOTHING_M {
            self.0.push(Station { s: last.s + step, at, ahead });
        }
    }

    fn straight_to(&mut self, to: [f64; 2]) {
        let from = self.last();
        let pieces = (distance(from.at, to) / MAX_PIECE_M).ceil().max(1.0) as usize;
        for piece in 1..=pieces {
            self.push(mix(from.at, to, piece as f64 / pieces as f64), from.ahead);
        }
    }

    fn arc(&mut self, bend: &Bend) {
        let pieces = (bend.turn.abs() / MAX_TURN_RAD - 1e-9).ceil().max(1.0) as usize;
        let side = bend.turn.signum();
        let [ax, ay] = bend.ahead;
        let centre = [bend.begin[0] - ay * side * bend.radius, bend.begin[1] + ax * side * bend.radius];
        for piece in 1..=pieces {
            let (sin, cos) = libm::sincos(bend.turn * piece as f64 / pieces as f64);
            let ahead = [ax * cos - ay * sin, ax * sin + ay * cos];
            let at = [centre[0] + ahead[1] * side * bend.radius, centre[1] - ahead[0] * side * bend.radius];
            self.push(at, ahead);
        }
    }

    /// The last station must have come back to the first.
    fn close(mut self) -> Result<Path, String> {
        let first = self.0[0];
        let last = self.0.len() - 1;
        if last < 3 {
            return Err("the centre line has no length".into());
        }
        self.0[last] = Station { s: self.0[last].s, ..first };
        Ok(Path { stations: self.0 })
    }
}

pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    (x * x + y * y).sqrt()
}

pub fn mix(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

fn unit(v: [f64; 2]) -> Option<[f64; 2]> {
    let length = (v[0] * v[0] + v[1] * v[1]).sqrt();
    (length > 1e-9).then(|| [v[0] / length, v[1] / length])
}

fn direction(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    unit([to[0] - from[0], to[1] - from[1]]).unwrap_or([1.0, 0.0])
}

fn distance_to_piece(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let t = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy).max(1e-18);
    distance(point, mix(a, b, t.clamp(0.0, 1.0)))
}
