//! Draws what the vehicle's camera sees. Runs beside the physics: a [`View`] is all it needs of a moment.

use crate::domain::light::{LAMP_GREEN, LAMP_GREEN_OFF, LAMP_RED, LAMP_RED_OFF};
use crate::domain::{EntityState, LightState, ModelName, Pose};
use crate::engine::load::Look;
use crate::engine::sensors::camera::CAMERA;
use crate::render::{Camera, InstanceId, Material, Picture, Projection, RenderOptions, Renderer, Transform};

/// Nearer things would only be the car itself.
const NEAR_M: f64 = 0.02;
const FAR_M: f64 = 100.0;

/// One moment, as the camera needs it.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub world_from_optical: Pose,
    pub entities: Vec<EntityState>,
    /// Lights that are not named here are green.
    pub lights: Vec<(ModelName, LightState)>,
    /// Factor on the finished 8-bit values.
    pub brightness: f32,
}

/// Holds the scene of one world and the memory to draw it.
pub struct Painter {
    look: Look,
    renderer: Renderer,
    picture: Picture,
}

impl Painter {
    /// `threads` draw one picture together; the pixels do not depend on their number.
    pub fn new(look: Look, threads: usize) -> Self {
        let options = RenderOptions { threads, ..RenderOptions::default() };
        Self { look, renderer: Renderer::new(options), picture: Picture::default() }
    }

    /// Rows of red, green and blue bytes from the top left, as large as the camera says.
    pub fn paint(&mut self, view: &View) -> &[u8] {
        self.move_models(&view.entities);
        self.light_lamps(&view.lights);
        self.renderer.set_brightness(view.brightness);
        let camera = Camera {
            world_from_optical: Transform::from_pose(&view.world_from_optical),
            projection: Projection::Perspective { horizontal_fov_rad: CAMERA.horizontal_fov_rad },
            width: CAMERA.width,
            height: CAMERA.height,
            near_m: NEAR_M,
            far_m: FAR_M,
        };
        self.renderer.render_into(&self.look.scene, &camera, &mut self.picture);
        &self.picture.rgb
    }

    fn move_models(&mut self, entities: &[EntityState]) {
        let Look { scene, moving, .. } = &mut self.look;
        let mut last: Option<&EntityState> = None;
        for part in moving.iter() {
            // Parts of one model follow each other.
            let entity = last
                .filter(|entity| entity.name == part.model)
                .or_else(|| entities.iter().find(|entity| entity.name == part.model));
            last = entity;
            if let (Some(entity), Some(instance)) = (entity, scene.instance_mut(part.instance)) {
                instance.world_from_mesh = Transform::from_pose(&entity.pose).after(&part.model_from_mesh);
            }
        }
    }

    fn light_lamps(&mut self, states: &[(ModelName, LightState)]) {
        let Look { scene, lights, .. } = &mut self.look;
        for light in lights.iter() {
            let colour =
                states.iter().find(|(name, _)| *name == light.name).map_or(LightState::Green, |(_, state)| *state);
            let mut paint = |instances: &[InstanceId], is_on: bool, on: [f32; 3], off: [f32; 3]| {
                for id in instances {
                    if let Some(instance) = scene.instance_mut(*id) {
                        instance.material = if is_on { Material::lamp(on) } else { Material::colour(off) };
                    }
                }
            };
            paint(&light.lamp_red, colour == LightState::Red, LAMP_RED, LAMP_RED_OFF);
            paint(&light.lamp_green, colour == LightState::Green, LAMP_GREEN, LAMP_GREEN_OFF);
            if let Some(disc) = light.disc.and_then(|id| scene.instance_mut(id)) {
                disc.visible = matches!(colour, LightState::Yellow { .. });
            }
        }
    }
}
