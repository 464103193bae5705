//! A world's route: the centre line of its track and, where they exist, its two edges.
//!
//! In the file every row is `centre x, centre y, inner x, inner y, outer x, outer y`; a file with the first two columns alone
//! has no edges. In memory the lines are closed loops of the same length whose last point repeats the first.

use std::path::Path;

use thiserror::Error;

use super::npy::{self, NpyError, Table};
use crate::domain::Pose;

const MAX_ROWS: usize = 100_000;
/// No track is larger; beyond it single-precision physics could not follow.
const MAX_COORDINATE_M: f64 = 10_000.0;
/// Points nearer than this are the same point.
const SAME_POINT_M: f64 = 1e-6;
/// The largest file that [`MAX_ROWS`] can need, with room for its header.
const MAX_FILE_BYTES: u64 = (MAX_ROWS as u64 + 1) * 6 * 8 + 65_536;

pub type Line = Vec<[f64; 2]>;

#[derive(Debug, Error)]
pub enum RouteError {
    #[error("the route cannot be read: {0}")]
    Io(#[from] std::io::Error),
    #[error("the route cannot be read: {0}")]
    Npy(#[from] NpyError),
    #[error("the route file is too large")]
    TooLarge,
    #[error("the route has {0} columns; 6 (centre, inner, outer) or 2 (centre) are needed")]
    Columns(usize),
    #[error("the route has {0} rows; 3 to {MAX_ROWS} are needed")]
    Rows(usize),
    #[error("row {row} of the route holds {value}, which is no place on a track")]
    Value { row: usize, value: f64 },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    pub waypoints: Line,
    pub inner: Option<Line>,
    pub outer: Option<Line>,
}

/// The smallest rectangle around a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub min_x: f64,
    pub max_x: f64,
    pub min_y: f64,
    pub max_y: f64,
}

impl Route {
    pub fn read(path: &Path) -> Result<Self, RouteError> {
        if std::fs::metadata(path)?.len() > MAX_FILE_BYTES {
            return Err(RouteError::TooLarge);
        }
        Self::from_npy(&std::fs::read(path)?)
    }

    pub fn from_npy(bytes: &[u8]) -> Result<Self, RouteError> {
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(RouteError::TooLarge);
        }
        Self::from_table(&npy::read(bytes)?)
    }

    fn from_table(table: &Table) -> Result<Self, RouteError> {
        if !matches!(table.columns, 2 | 6) {
            return Err(RouteError::Columns(table.columns));
        }
        if !(3..=MAX_ROWS).contains(&table.rows) {
            return Err(RouteError::Rows(table.rows));
        }
        let is_place = |value: f64| value.is_finite() && value.abs() <= MAX_COORDINATE_M;
        if let Some(at) = table.values.iter().position(|value| !is_place(*value)) {
            return Err(RouteError::Value { row: at / table.columns, value: table.values[at] });
        }
        let first = table.row(0);
        let last = table.row(table.rows - 1);
        let is_closed = first.iter().zip(last).all(|(a, b)| (a - b).abs() < SAME_POINT_M);
        // Nearly the same is made exactly the same, so that nobody has to compare with a tolerance again.
        let distinct = if is_closed { table.rows - 1 } else { table.rows };
        if distinct < 3 {
            return Err(RouteError::Rows(table.rows));
        }
        let line = |column: usize| -> Line {
            let rows = (0..distinct).chain([0]);
            rows.map(|row| [table.row(row)[column], table.row(row)[column + 1]]).collect()
        };
        let edge = |column| (table.columns == 6).then(|| line(column));
        Ok(Self { waypoints: line(0), inner: edge(2), outer: edge(4) })
    }

    /// The file's bytes: shape (N, 6), or (N, 2) without edges; float64.
    pub fn to_npy(&self) -> Vec<u8> {
        let edges = self.inner.as_ref().zip(self.outer.as_ref());
        let rows = self.waypoints.len();
        let mut values = Vec::with_capacity(rows * 6);
        for (index, point) in self.waypoints.iter().enumerate() {
            values.extend_from_slice(point);
            if let Some((inner, outer)) = edges {
                values.extend_from_slice(&inner[index]);
                values.extend_from_slice(&outer[index]);
            }
        }
        npy::write(&Table { rows, columns: if edges.is_some() { 6 } else { 2 }, values })
    }

    /// Around all lines.
    pub fn bounds(&self) -> Bounds {
        let everywhere = f64::INFINITY;
        let nothing = Bounds { min_x: everywhere, max_x: -everywhere, min_y: everywhere, max_y: -everywhere };
        let lines = [Some(&self.waypoints), self.inner.as_ref(), self.outer.as_ref()];
        lines.into_iter().flatten().flatten().fold(nothing, |bounds, [x, y]| Bounds {
            min_x: bounds.min_x.min(*x),
            max_x: bounds.max_x.max(*x),
            min_y: bounds.min_y.min(*y),
            max_y: bounds.max_y.max(*y),
        })
    }

    /// On the first waypoint, facing the next one that lies elsewhere.
    pub fn start_pose(&self) -> Pose {
        let [x, y] = self.waypoints[0];
        let ahead = self.waypoints.iter().find(|point| (point[0] - x).hypot(point[1] - y) > SAME_POINT_M);
        let yaw = ahead.map_or(0.0, |point| libm::atan2(point[1] - y, point[0] - x));
        Pose::upright(x, y, 0.0, yaw)
    }
}
