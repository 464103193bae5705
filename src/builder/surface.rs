//! Painted triangles: what meshes, pictures and files are made from.

use super::path::Station;
use super::track::Color;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    Color(Color),
    /// A picture, by its path from the top folder of the bundle or of the shared files.
    Texture(String),
}

/// Triangles of one paint, counter-clockwise seen from outside. Texture coordinates grow to the right and upwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    pub name: String,
    pub paint: Paint,
    pub positions: Vec<[f64; 3]>,
    /// One for each position.
    pub normals: Vec<[f64; 3]>,
    pub uvs: Vec<[f64; 2]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub fn new(name: &str, paint: Paint) -> Self {
        Self {
            name: name.to_owned(),
            paint,
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            triangles: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    pub fn vertex(&mut self, position: [f64; 3], normal: [f64; 3], uv: [f64; 2]) -> u32 {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        u32::try_from(self.positions.len() - 1).expect("a track has fewer than four thousand million vertices")
    }

    /// Four corners, counter-clockwise seen from the side that the normal points to.
    pub fn quad(&mut self, corners: [[f64; 3]; 4], normal: [f64; 3], uvs: [[f64; 2]; 4]) {
        let [a, b, c, d] = std::array::from_fn(|i| self.vertex(corners[i], normal, uvs[i]));
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// A level quad that looks up, with texture coordinates in metres of the ground.
    pub fn ground_quad(&mut self, corners: [[f64; 2]; 4], z: f64) {
        self.quad(corners.map(|[x, y]| [x, y, z]), UP, corners);
    }

    /// A level band along stations between two distances to the left of them (`right` < `left`). `uv` maps a distance along
    /// the path and a point on the ground to the texture, for the right (`false`) and the left (`true`) edge.
    pub fn band(
        &mut self,
        stations: &[Station],
        right: f64,
        left: f64,
        z: f64,
        uv: impl Fn(&Station, [f64; 2], bool) -> [f64; 2],
    ) {
        let mut before: Option<[u32; 2]> = None;
        for station in stations {
            let edges = [(right, false), (left, true)].map(|(distance, is_left)| {
                let point = station.left(distance);
                self.vertex([point[0], point[1], z], UP, uv(station, point, is_left))
            });
            if let Some([old_right, old_left]) = before {
                self.triangles.extend([[old_right, edges[0], edges[1]], [old_right, edges[1], old_left]]);
            }
            before = Some(edges);
        }
    }
}

pub const UP: [f64; 3] = [0.0, 0.0, 1.0];
