//! What the camera sees of a world: visuals as instances, and which of them move or light up.

use crate::domain::light::LAMP_YELLOW;
use crate::domain::{ModelName, Pose};
use crate::engine::load::{AssetCache, LoadError, file_error};
use crate::mesh;
use crate::render::{
    Background, InstanceId, Light, Material, Mesh, MeshData, Scene, Sky, TextureId, Transform, shapes,
};
use crate::sdf::appearance::{plain_background, sunlight, surface, yellow_disc};
use crate::sdf::conventions::{MarkedModel, ObjectKind, VisualIndex};
use crate::sdf::{Files, Geometry, Model, Place, Uri, Visual, World};

/// Round things are drawn with this many sides.
const SEGMENTS: u32 = 24;
/// A visual plane is cut into this many cells a side, so that light and texture vary over it.
const PLANE_CELLS: u32 = 8;
/// Larger planes only cost precision; the horizon hides their end.
const MAX_PLANE_M: f64 = 200.0;
/// Thickness of the disc in front of a traffic light's screen while it is yellow.
const DISC_M: f32 = 0.002;

/// The scene at the start, and what changes in it.
#[derive(Debug, Clone)]
pub struct Look {
    pub scene: Scene,
    /// Instances that move with a model.
    pub moving: Vec<Moving>,
    pub lights: Vec<TrafficLightLook>,
}

#[derive(Debug, Clone)]
pub struct Moving {
    pub model: ModelName,
    pub instance: InstanceId,
    pub model_from_mesh: Transform,
}

/// The instances of a traffic light that are recoloured or shown by its state.
#[derive(Debug, Clone)]
pub struct TrafficLightLook {
    pub name: ModelName,
    pub lamp_red: Vec<InstanceId>,
    pub lamp_green: Vec<InstanceId>,
    /// Hidden unless the light is yellow.
    pub disc: Option<InstanceId>,
}

pub(super) fn of_world(
    world: &World,
    marked: &[MarkedModel],
    ground_m: f64,
    files: &dyn Files,
    cache: &mut AssetCache,
    warnings: &mut Vec<String>,
) -> Result<Look, LoadError> {
    let mut scene = Scene::new();
    scene.light = sun(world);
    scene.background = background(world);
    scene.shadow_plane_m = (world.scene.shadows != Some(false)).then_some(ground_m);
    let mut drawing = Drawing { scene, moving: Vec::new(), lights: Vec::new(), files, cache, warnings };
    for (index, model) in world.models.iter().enumerate() {
        let mark = marked.iter().find(|mark| mark.index == index);
        drawing.model(model, mark)?;
    }
    Ok(Look { scene: drawing.scene, moving: drawing.moving, lights: drawing.lights })
}

fn sun(world: &World) -> Light {
    let standard = Light::default();
    let Some(sun) = sunlight(world) else { return standard };
    // The file's colour tints our sun; its strength stays, so that every world is as bright as the next.
    let colour = std::array::from_fn(|i| standard.sun[i] * sun.tint[i]);
    Light { sun_direction: sun.direction.map(|part| part as f32), sun: colour, ..standard }
}

fn background(world: &World) -> Background {
    match plain_background(world) {
        Some(colour) => Background::Plain(colour.map(|part| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)),
        None => Background::Sky(Sky::default()),
    }
}

struct Drawing<'a> {
    scene: Scene,
    moving: Vec<Moving>,
    lights: Vec<TrafficLightLook>,
    files: &'a dyn Files,
    cache: &'a mut AssetCache,
    warnings: &'a mut Vec<String>,
}

/// One drawable piece of a visual.
struct Piece {
    data: MeshData,
    material: Material,
}

impl Drawing<'_> {
    fn model(&mut self, model: &Model, mark: Option<&MarkedModel>) -> Result<(), LoadError> {
        let mut lamps = (Vec::new(), Vec::new());
        let mut disc = None;
        for (link_index, link) in model.links.iter().enumerate() {
            for (visual_index, visual) in link.visuals.iter().enumerate() {
                let model_from_visual = link.pose.compose(&visual.pose);
                let here = Some(VisualIndex { link: link_index, visual: visual_index });
                let instances = self.visual(model, mark, visual, &model_from_visual)?;
                if let Some(MarkedModel { kind: ObjectKind::Light(parts), .. }) = mark {
                    if parts.lamp_red == here {
                        lamps.0 = instances;
                    } else if parts.lamp_green == here {
                        lamps.1 = instances;
                    } else if parts.screen == here {
                        disc = self.disc(model, mark, &visual.geometry, &model_from_visual);
                    }
                }
            }
        }
        if let Some(MarkedModel { kind: ObjectKind::Light(_), name, .. }) = mark {
            self.lights.push(TrafficLightLook { name: name.clone(), lamp_red: lamps.0, lamp_green: lamps.1, disc });
        }
        Ok(())
    }

    fn visual(
        &mut self,
        model: &Model,
        mark: Option<&MarkedModel>,
        visual: &Visual,
        model_from_visual: &Pose,
    ) -> Result<Vec<InstanceId>, LoadError> {
        if visual.transparency >= 1.0 {
            return Ok(Vec::new());
        }
        let model_from_visual = Transform::from_pose(model_from_visual);
        let (pieces, scale) = self.pieces(visual)?;
        let model_from_mesh = model_from_visual.scaled(scale);
        let mut instances = Vec::new();
        for piece in pieces {
            match Mesh::new(&piece.data) {
                Ok(mesh) => instances.push(self.place(model, mark, mesh, piece.material, model_from_mesh)),
                Err(err) => self.warnings.push(format!("{}: {err}", visual.place)),
            }
        }
        let casts_shadow = mark.is_some() && visual.cast_shadows != Some(false);
        for instance in &instances {
            if let Some(instance) = self.scene.instance_mut(*instance) {
                instance.casts_shadow = casts_shadow;
            }
        }
        Ok(instances)
    }

    fn place(
        &mut self,
        model: &Model,
        mark: Option<&MarkedModel>,
        mesh: Mesh,
        material: Material,
        model_from_mesh: Transform,
    ) -> InstanceId {
        let world_from_mesh = Transform::from_pose(&model.pose).after(&model_from_mesh);
        let mesh = self.scene.add_mesh(mesh);
        let instance = self.scene.add_instance(mesh, material, world_from_mesh);
        let name = mark.filter(|mark| mark.kind.is_movable()).map(|mark| mark.name.clone());
        let name = name.or_else(|| ModelName::parse(&model.name).ok().filter(|_| mark.is_none() && !model.is_static));
        if let Some(model) = name {
            self.moving.push(Moving { model, instance, model_from_mesh });
        }
        instance
    }

    /// What a visual consists of, and how much it is stretched.
    fn pieces(&mut self, visual: &Visual) -> Result<(Vec<Piece>, [f64; 3]), LoadError> {
        let own = self.material(visual);
        let one = |data| (vec![Piece { data, material: own.unwrap_or(Material::WHITE) }], [1.0; 3]);
        Ok(match &visual.geometry {
            Geometry::Box { size_m } => one(shapes::cuboid(size_m.map(|v| v as f32))),
            Geometry::Cylinder { radius_m, length_m } => {
                one(shapes::cylinder(*radius_m as f32, *length_m as f32, SEGMENTS))
            }
            Geometry::Capsule { radius_m, length_m } => {
                one(shapes::cylinder(*radius_m as f32, (length_m + 2.0 * radius_m) as f32, SEGMENTS))
            }
            Geometry::Sphere { radius_m } => one(shapes::sphere(*radius_m as f32, SEGMENTS)),
            Geometry::Ellipsoid { radii_m } => (one(shapes::sphere(1.0, SEGMENTS)).0, *radii_m),
            Geometry::Plane { size_m, .. } => {
                let size = size_m.map(|v| v.min(MAX_PLANE_M) as f32);
                one(shapes::plane(size, PLANE_CELLS, size))
            }
            Geometry::Mesh { uri, scale, submesh } => {
                let (mesh, path) = self.cache.mesh(uri, &visual.place, self.files)?;
                let chosen = match submesh {
                    Some(part) => {
                        let missing = || file_error(&visual.place, uri, format!("it has no submesh `{}`", part.name));
                        &mesh.submesh(&part.name, part.center).ok_or_else(missing)?
                    }
                    None => &*mesh,
                };
                let pieces = chosen.parts.iter().enumerate().map(|(index, part)| {
                    let material = own.unwrap_or_else(|| self.mesh_material(&part.material, &path, &visual.place));
                    // Where parts of one mesh lie in one plane (markings on a road), the later one is on top.
                    let layer = u8::try_from(index).unwrap_or(u8::MAX);
                    Piece { data: mesh_data(part), material: Material { layer, ..material } }
                });
                (pieces.collect(), *scale)
            }
        })
    }

    /// The visual's own material, where it says anything about how it looks.
    fn material(&mut self, visual: &Visual) -> Option<Material> {
        let given = visual.material.as_ref()?;
        let texture = given.albedo_map.as_ref().and_then(|uri| self.texture(uri, &visual.place));
        let shown = surface(given, texture.is_some())?;
        Some(Material { diffuse: shown.diffuse, emissive: shown.emissive, texture, ..Material::WHITE })
    }

    fn mesh_material(&mut self, material: &mesh::Material, mesh_path: &str, place: &Place) -> Material {
        let texture = material.texture.as_ref().and_then(|raw| match Uri::resolve(raw, mesh_path) {
            Ok(uri) => self.texture(&uri, place),
            Err(problem) => {
                self.warnings.push(format!("{mesh_path}: {problem}"));
                None
            }
        });
        let [r, g, b, _] = material.diffuse;
        Material { diffuse: [r, g, b], emissive: material.emissive, texture, ..Material::WHITE }
    }

    fn texture(&mut self, uri: &Uri, place: &Place) -> Option<TextureId> {
        match self.cache.texture(uri, self.files) {
            Ok(texture) => Some(self.scene.add_texture(texture)),
            Err(reason) => {
                self.warnings.push(format!("{place}: the picture {} is not shown: {reason}", uri.path()));
                None
            }
        }
    }

    fn disc(
        &mut self,
        model: &Model,
        mark: Option<&MarkedModel>,
        screen: &Geometry,
        model_from_screen: &Pose,
    ) -> Option<InstanceId> {
        let disc = yellow_disc(screen)?;
        let mesh = Mesh::new(&shapes::cylinder(disc.radius_m as f32, DISC_M, SEGMENTS)).ok()?;
        let model_from_disc = Transform::from_pose(&model_from_screen.compose(&disc.screen_from_disc));
        let id = self.place(model, mark, mesh, Material::lamp(LAMP_YELLOW), model_from_disc);
        self.scene.instance_mut(id)?.visible = false;
        Some(id)
    }
}

fn mesh_data(part: &mesh::Part) -> MeshData {
    MeshData {
        positions: part.positions.clone(),
        normals: part.normals.clone(),
        uvs: part.uvs.clone(),
        indices: part.indices.clone(),
    }
}
