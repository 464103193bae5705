//! What a track must fulfil before anything is built from it.

use serde_saphyr::Spanned;

use super::{Decal, DecalKind, Line, LineStyle, Object, ObjectKind, Track};
use crate::builder::error::BuildError;
use crate::domain::{ModelName, WorldName};

const FIELD_RANGE_M: (f64, f64) = (1.0, 100.0);
const FENCE_RANGE_M: (f64, f64) = (0.2, 1.0);
const SIZE_RANGE_M: (f64, f64) = (0.01, 10.0);
const MAX_OBJECTS: usize = 500;
const MAX_DECALS: usize = 100;
/// Names that the world file gives to something else.
const TAKEN: [&str; 3] = ["racetrack", "sun", "vehicle"];

impl Track {
    pub(super) fn check(&self, file: &str) -> Result<(), BuildError> {
        let place = |line: u64| if line > 0 { format!("{file}:{line}") } else { file.to_owned() };
        self.check_whole().map_err(|message| BuildError::Track { at: file.to_owned(), message })?;
        for Spanned { value, referenced, .. } in &self.objects {
            value.check().map_err(|message| BuildError::Track { at: place(referenced.line()), message })?;
        }
        for Spanned { value, referenced, .. } in &self.decals {
            value.check().map_err(|message| BuildError::Track { at: place(referenced.line()), message })?;
        }
        Ok(())
    }

    fn check_whole(&self) -> Result<(), String> {
        WorldName::parse(&self.name).map_err(|err| format!("name {:?}: {err}", self.name))?;
        for side in self.size_m {
            within("size_m", side, FIELD_RANGE_M)?;
        }
        if self.field.preset.is_some() && self.field.image.is_some() {
            return Err("field has either a preset or an image, not both".into());
        }
        within("road.width_m", self.road.width_m, (0.2, 10.0))?;
        if self.road.corners.is_some() == self.road.spline.is_some() {
            return Err("road needs either corners or a spline".into());
        }
        let corners = self.road.corners.iter().flatten();
        if corners.clone().any(|corner| !matches!(corner.len(), 2 | 3)) {
            return Err("a corner is [x, y] or [x, y, radius]".into());
        }
        let points = self.road.spline.iter().flatten().flatten();
        if corners.flatten().chain(points).chain(&self.road.corner_radius_m).any(|number| !number.is_finite()) {
            return Err("the centre line holds a number that is none".into());
        }
        self.road.edge_lines.check("edge_lines", self.road.width_m)?;
        self.road.centre_line.check("centre_line", self.road.width_m)?;
        within("start_line.depth_m", self.start_line.depth_m, (0.02, 2.0))?;
        within("fence.height_m", self.fence.height_m, FENCE_RANGE_M)?;
        if self.objects.len() > MAX_OBJECTS || self.decals.len() > MAX_DECALS {
            return Err(format!("a track has at most {MAX_OBJECTS} objects and {MAX_DECALS} decals"));
        }
        if let Some(evaluation) = &self.evaluation {
            within("evaluation.time_limit_s", evaluation.time_limit_s, (1.0, 3600.0))?;
            within("evaluation.laps", f64::from(evaluation.laps), (1.0, 1000.0))?;
        }
        Ok(())
    }
}

impl Line {
    fn check(&self, name: &str, road_width_m: f64) -> Result<(), String> {
        if self.style == LineStyle::None {
            return Ok(());
        }
        within(&format!("{name}.width_m"), self.width_m, (0.005, road_width_m / 4.0))?;
        within(&format!("{name}.dash_m"), self.dash_m, (0.02, 10.0))?;
        within(&format!("{name}.gap_m"), self.gap_m, (0.02, 10.0))
    }
}

impl Object {
    fn check(&self) -> Result<(), String> {
        if let Some(name) = &self.name {
            ModelName::parse(name).map_err(|err| format!("name {name:?}: {err}"))?;
            let is_wall = name.strip_prefix("wall_").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            if TAKEN.contains(&name.as_str()) || is_wall {
                return Err(format!("the name {name} is taken by a part of every world"));
            }
        }
        check_place(self.at, self.along_m, self.across_m, self.yaw_deg)?;
        use ObjectKind::{Box, Cone, Cylinder, Light, Sphere};
        let measures: [(&str, bool, &[ObjectKind]); 6] = [
            ("size_m", self.size_m.is_some(), &[Box]),
            ("diameter_m", self.diameter_m.is_some(), &[Cylinder, Sphere]),
            ("height_m", self.height_m.is_some(), &[Cylinder, Cone]),
            ("base_m", self.base_m.is_some(), &[Cone]),
            ("width_m", self.width_m.is_some(), &[Light]),
            ("tilt_deg", self.tilt_deg.is_some(), &[Light]),
        ];
        if let Some((key, ..)) = measures.iter().find(|(_, given, kinds)| *given && !kinds.contains(&self.kind)) {
            return Err(format!("a {} has no {key}", self.kind.stem()));
        }
        let lengths = [self.diameter_m, self.height_m, self.base_m, self.width_m];
        for length in self.size_m.iter().flatten().chain(lengths.iter().flatten()) {
            within("a measure", *length, SIZE_RANGE_M)?;
        }
        within("tilt_deg", self.tilt_deg.unwrap_or(0.0), (0.0, 45.0))?;
        within("mass_kg", self.mass_kg.unwrap_or(1.0), (0.001, 1000.0))?;
        let parts: &[&str] = match self.kind {
            Box => &["front", "back", "left", "right", "top", "bottom"],
            Cylinder => &["side", "top", "bottom"],
            Sphere => &["surface"],
            Cone => &["side"],
            Light => &[],
        };
        match self.textures.keys().find(|key| !parts.contains(&key.as_str())) {
            Some(key) if parts.is_empty() => Err(format!("a light takes no textures, but there is one for {key:?}")),
            Some(key) => Err(format!("there is no part {key:?} to lay a texture on; parts are {}", parts.join(", "))),
            None => Ok(()),
        }
    }
}

impl Decal {
    fn check(&self) -> Result<(), String> {
        check_place(self.at, self.along_m, self.across_m, self.yaw_deg)?;
        for length in self.size_m.iter().flatten().chain(&self.height_m) {
            within("a measure", *length, (0.01, 100.0))?;
        }
        let wrong = |key: &str| Err(format!("this kind of decal has no {key}"));
        match self.kind {
            DecalKind::Text if self.text.as_ref().is_none_or(|text| text.trim().is_empty()) => {
                Err("a text needs its `text`".into())
            }
            DecalKind::Image if self.image.is_none() => Err("an image needs its `image` file".into()),
            kind if kind != DecalKind::Text && self.text.is_some() => wrong("text"),
            kind if kind != DecalKind::Text && self.height_m.is_some() => wrong("height_m"),
            kind if kind != DecalKind::Image && self.image.is_some() => wrong("image"),
            DecalKind::Text if self.size_m.is_some() => wrong("size_m; give the height_m of its letters"),
            _ => Ok(()),
        }
    }
}

fn check_place(at: Option<[f64; 2]>, along: Option<f64>, across: Option<f64>, yaw: f64) -> Result<(), String> {
    if at.is_some() == along.is_some() {
        return Err("it needs a place: either at: [x, y], or along_m (and across_m) on the road".into());
    }
    if at.is_some() && across.is_some() {
        return Err("across_m goes with along_m, not with at".into());
    }
    for number in at.iter().flatten().chain(&along).chain(&across).chain([&yaw]) {
        within("a number of its place", *number, (-1000.0, 1000.0))?;
    }
    Ok(())
}

fn within(what: &str, value: f64, (min, max): (f64, f64)) -> Result<(), String> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(format!("{what} is {value}; it must be from {min} to {max}"))
}
