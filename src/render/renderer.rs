//! One frame after the other.

use std::sync::{Mutex, PoisonError};

use super::band::{Band, Frame};
use super::geometry::{BAND_ROWS, Lane};
use super::light::GainTable;
use super::sky::SkyTable;
use super::view::View;
use super::visible::Visible;
use super::{Camera, Picture, Scene};

/// Below this many triangles a second thread costs more than it brings to the vertex stage.
const PARALLEL_TRIANGLES: usize = 4000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderOptions {
    /// Threads that work on a frame, the calling one included. The picture does not depend on it.
    pub threads: usize,
    /// Samples per pixel and direction, 1 to 4: 1 for the robot's camera, more for pictures that people look at.
    pub supersample: u32,
    /// Factor on the final 8-bit values, which are then rounded and clamped.
    pub brightness: f32,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { threads: 1, supersample: 1, brightness: 1.0 }
    }
}

/// Owns the scratch memory, which is kept from frame to frame: once warm, a frame on one thread allocates nothing.
#[derive(Debug)]
pub struct Renderer {
    options: RenderOptions,
    gains: GainTable,
    sky: SkyTable,
    visible: Visible,
    lanes: Vec<Lane>,
    bands: Vec<Band>,
}

impl Renderer {
    pub fn new(options: RenderOptions) -> Self {
        Self {
            options,
            gains: GainTable::new(),
            sky: SkyTable::new(),
            visible: Visible::default(),
            lanes: Vec::new(),
            bands: Vec::new(),
        }
    }

    pub fn set_brightness(&mut self, brightness: f32) {
        self.options.brightness = brightness;
    }

    /// A new picture.
    pub fn render(&mut self, scene: &Scene, camera: &Camera) -> Picture {
        let mut picture = Picture::default();
        self.render_into(scene, camera, &mut picture);
        picture
    }

    /// The same into a picture that exists; its size becomes the camera's. It is empty if no picture can be taken: the
    /// camera is not finite, or a side is 0 or (supersampled) beyond [`super::MAX_IMAGE_SIDE`].
    pub fn render_into(&mut self, scene: &Scene, camera: &Camera, picture: &mut Picture) {
        let supersample = self.options.supersample.clamp(1, 4);
        let view = View::new(camera, supersample);
        let length = if view.is_some() { camera.width as usize * camera.height as usize * 3 } else { 0 };
        (picture.width, picture.height) = if view.is_some() { (camera.width, camera.height) } else { (0, 0) };
        picture.rgb.resize(length, 0);
        let Some(view) = view else { return };

        self.gains.update(&scene.light);
        self.sky.update(scene.background);
        self.visible.collect(scene, &view, &self.gains);
        self.place_triangles(scene, &view);
        let frame = Frame {
            scene,
            view: &view,
            visible: &self.visible,
            lanes: &self.lanes,
            sky: &self.sky,
            supersample,
            brightness: &brightness_table(self.options.brightness),
        };
        draw_bands(&frame, self.options.threads.clamp(1, 64), &mut self.bands, &mut picture.rgb);
    }

    fn place_triangles(&mut self, scene: &Scene, view: &View) {
        let threads = self.options.threads.clamp(1, 64);
        let lanes = threads.min(1 + self.visible.triangles / PARALLEL_TRIANGLES);
        let bands = view.height.div_ceil(BAND_ROWS) as usize;
        self.lanes.resize_with(lanes, Lane::default);
        let (visible, gains) = (&self.visible, &self.gains);
        let work = |number: usize, lane: &mut Lane| {
            lane.clear(bands);
            lane.fill(scene, view, gains, visible, number, lanes);
        };
        if let [only] = &mut self.lanes[..] {
            return work(0, only);
        }
        std::thread::scope(|scope| {
            let mut lanes = self.lanes.iter_mut().enumerate();
            let own = lanes.next();
            for (number, lane) in lanes {
                scope.spawn(move || work(number, lane));
            }
            if let Some((number, lane)) = own {
                work(number, lane);
            }
        });
    }
}

/// Whoever is free takes the next band.
fn draw_bands(frame: &Frame, threads: usize, bands: &mut Vec<Band>, rgb: &mut [u8]) {
    let band_bytes = (frame.view.width * BAND_ROWS / (frame.supersample * frame.supersample)) as usize * 3;
    let threads = threads.min(rgb.len().div_ceil(band_bytes));
    bands.resize_with(threads.max(1), Band::default);
    let parts = Mutex::new(rgb.chunks_mut(band_bytes).enumerate());
    let work = |band: &mut Band| {
        loop {
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, part)) = next else { return };
            band.draw(frame, number, part);
        }
    };
    if let [only] = &mut bands[..] {
        return work(only);
    }
    std::thread::scope(|scope| {
        let mut bands = bands.iter_mut();
        let own = bands.next();
        for band in bands {
            scope.spawn(|| work(band));
        }
        if let Some(band) = own {
            work(band);
        }
    });
}

fn brightness_table(factor: f32) -> [u8; 256] {
    let factor = if factor.is_nan() { 1.0 } else { factor.max(0.0) };
    std::array::from_fn(|i| (i as f32 * factor + 0.5).min(255.0) as u8)
}
