//! Sun and ambient light, and the gain they give to a surface.

use super::Transform;

/// Linear intensities: 1.0 shows a texture as it is painted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// The way the sunlight travels, in the world; need not have unit length.
    pub sun_direction: [f32; 3],
    pub sun: [f32; 3],
    pub ambient: [f32; 3],
}

impl Light {
    /// How much of the ambient light a surface loses that looks straight away from the sun. Without it all shaded sides of a
    /// box would have one colour and lose their edges.
    pub const AMBIENT_FALL: f32 = 0.3;
}

impl Default for Light {
    /// A high afternoon sun: level ground shows its texture nearly as painted.
    fn default() -> Self {
        Self { sun_direction: [-0.4, 0.25, -0.88], sun: [0.68, 0.66, 0.62], ambient: [0.38, 0.4, 0.44] }
    }
}

/// Sine of the lowest elevation of the sun that throws shadows.
const LOWEST_SUN: f64 = 0.15;

const STEPS: usize = 512;

/// The sRGB gain as a function of the cosine between normal and sun, made once per change of light.
#[derive(Debug)]
pub(super) struct GainTable {
    light: Option<Light>,
    entries: Vec<[f32; 3]>,
    /// Unit vector towards the sun.
    pub to_sun: [f64; 3],
}

impl GainTable {
    pub fn new() -> Self {
        Self { light: None, entries: vec![[0.0; 3]; STEPS + 1], to_sun: [0.0, 0.0, 1.0] }
    }

    pub fn update(&mut self, light: &Light) {
        if self.light.as_ref() == Some(light) {
            return;
        }
        self.light = Some(*light);
        let d = light.sun_direction.map(f64::from);
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        self.to_sun = if length.is_normal() { d.map(|v| -v / length) } else { [0.0, 0.0, 1.0] };
        for (i, entry) in self.entries.iter_mut().enumerate() {
            let cosine = i as f32 / STEPS as f32 * 2.0 - 1.0;
            for (channel, value) in entry.iter_mut().enumerate() {
                let ambient = light.ambient[channel] * (1.0 + Light::AMBIENT_FALL * cosine.min(0.0));
                let linear = ambient + light.sun[channel] * cosine.max(0.0);
                let linear = if linear.is_finite() { linear.clamp(0.0, 16.0) } else { 0.0 };
                *value = libm::powf(linear, 1.0 / 2.2);
            }
        }
    }

    /// The transform that moves everything along the sunlight onto a level plane; nothing for a sun near the horizon, whose
    /// shadows have no end.
    pub fn shadow_on(&self, plane_m: f64) -> Option<Transform> {
        let [x, y, z] = self.to_sun;
        if z < LOWEST_SUN || !plane_m.is_finite() {
            return None;
        }
        let (x, y) = (x / z, y / z);
        Some(Transform {
            linear: [[1.0, 0.0, -x], [0.0, 1.0, -y], [0.0, 0.0, 0.0]],
            translation: [x * plane_m, y * plane_m, plane_m],
        })
    }

    /// What is left of the brightness of level ground without the sun.
    pub fn shadow_gain(&self) -> [f32; 3] {
        let (lit, shaded) = (self.at(self.to_sun[2] as f32), self.at(0.0));
        std::array::from_fn(|k| (shaded[k] / lit[k].max(1e-3)).min(1.0))
    }

    pub fn at(&self, cosine: f32) -> [f32; 3] {
        let index = ((cosine + 1.0) * (STEPS as f32 / 2.0) + 0.5) as usize;
        self.entries[index.min(STEPS)]
    }
}
