//! How the world is shown: what its traffic lights show and how bright it is. Physics does not know of it.
//!
//! It belongs to the stepping thread like the world itself, so that a picture shows exactly what was so at its step.

use std::collections::BTreeMap;

use crate::domain::{Brightness, EpochCause, LightState, ModelName, SimTime};

/// A change that the node announces by a topic.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// All lights of the world; those that are not named are green.
    Lights(Vec<(ModelName, LightState)>),
    Brightness(Brightness),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Display {
    lights: BTreeMap<ModelName, LightState>,
    brightness: Brightness,
}

impl Display {
    pub(super) fn show(&mut self, shown: Shown) {
        match shown {
            Shown::Lights(lights) => self.lights = lights.into_iter().collect(),
            Shown::Brightness(brightness) => self.brightness = brightness,
        }
    }

    pub(super) fn set_light(&mut self, light: &ModelName, state: LightState) {
        self.lights.insert(light.clone(), state);
    }

    pub(super) fn set_brightness(&mut self, brightness: Brightness) {
        self.brightness = brightness;
    }

    /// As the node will say too; until it does, pictures are right already.
    pub(super) fn begin_epoch(&mut self, cause: EpochCause) {
        self.lights.values_mut().for_each(|state| *state = state.after(cause));
    }

    /// What the lights show at this time.
    pub(super) fn lights(&self, now: SimTime) -> Vec<(ModelName, LightState)> {
        self.lights.iter().map(|(name, state)| (name.clone(), state.at(now))).collect()
    }

    pub(super) fn brightness(&self) -> Brightness {
        self.brightness
    }
}
