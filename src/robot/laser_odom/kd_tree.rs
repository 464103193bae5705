//! Finds the nearest of a fixed set of points in the plane.

/// Below this many points looking at each is faster than descending further.
const LEAF: usize = 8;

/// A balanced tree, stored as the points in the order of its leaves.
#[derive(Debug, Clone, Default)]
pub struct KdTree {
    points: Vec<([f64; 2], u32)>,
    /// The axis of the split at each median; unused inside of leaves.
    axes: Vec<u8>,
}

impl KdTree {
    /// Takes points together with what they are called.
    pub fn new(mut points: Vec<([f64; 2], u32)>) -> Self {
        let mut axes = vec![0; points.len()];
        split(&mut points, &mut axes);
        Self { points, axes }
    }

    /// The name of the nearest point that is closer than `radius`.
    pub fn nearest(&self, to: [f64; 2], radius: f64) -> Option<u32> {
        let mut best = (radius * radius, None);
        self.search(0, self.points.len(), to, &mut best);
        best.1
    }

    fn search(&self, from: usize, until: usize, to: [f64; 2], best: &mut (f64, Option<u32>)) {
        if until - from <= LEAF {
            for (point, name) in &self.points[from..until] {
                consider(*point, *name, to, best);
            }
            return;
        }
        let middle = usize::midpoint(from, until);
        let axis = usize::from(self.axes[middle]);
        let (point, name) = self.points[middle];
        let ahead = to[axis] - point[axis];
        let (near, far) =
            if ahead < 0.0 { ((from, middle), (middle + 1, until)) } else { ((middle + 1, until), (from, middle)) };
        self.search(near.0, near.1, to, best);
        if ahead * ahead < best.0 {
            consider(point, name, to, best);
            self.search(far.0, far.1, to, best);
        }
    }
}

fn consider(point: [f64; 2], name: u32, to: [f64; 2], best: &mut (f64, Option<u32>)) {
    let (dx, dy) = (point[0] - to[0], point[1] - to[1]);
    let squared = dx * dx + dy * dy;
    if squared < best.0 {
        *best = (squared, Some(name));
    }
}

fn split(points: &mut [([f64; 2], u32)], axes: &mut [u8]) {
    if points.len() <= LEAF {
        return;
    }
    let axis = widest(points);
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |(a, _), (b, _)| a[axis].total_cmp(&b[axis]));
    axes[middle] = axis as u8;
    let (left, right) = points.split_at_mut(middle);
    let (left_axes, right_axes) = axes.split_at_mut(middle);
    split(left, left_axes);
    split(&mut right[1..], &mut right_axes[1..]);
}

fn widest(points: &[([f64; 2], u32)]) -> usize {
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for (point, _) in points {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    usize::from(high[1] - low[1] > high[0] - low[0])
}
