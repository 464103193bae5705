//! The scene: nodes inside nodes, each with its transform and what it shows.

use std::collections::BTreeMap;
use std::rc::Rc;

use nalgebra::{Matrix4, Unit, Vector3};
use roxmltree::Node;

use super::super::Material;
use super::super::build::{Lists, MeshBuilder};
use super::super::error::{MeshProblem, Result, excerpt};
use super::super::limits::{MAX_BOUND, MAX_SCENE_ELEMENTS};
use super::document::{Dae, child, children, name_of};
use super::effects;
use super::geometry::{self, Geometry};
use super::source::Sources;

/// Nodes inside nodes, instances included.
const MAX_DEPTH: usize = 128;

pub struct Walk<'w, 'x> {
    dae: &'w mut Dae<'x>,
    builder: &'w mut MeshBuilder,
    sources: Sources,
    /// Read once each, by the number of their node in the document.
    geometries: BTreeMap<u32, Rc<Geometry>>,
    materials: BTreeMap<u32, Material>,
    visited: usize,
}

impl<'w, 'x> Walk<'w, 'x> {
    pub fn new(dae: &'w mut Dae<'x>, builder: &'w mut MeshBuilder) -> Self {
        let (geometries, materials) = (BTreeMap::new(), BTreeMap::new());
        Self { dae, builder, sources: Sources::default(), geometries, materials, visited: 0 }
    }

    /// The scene that the file asks for, else the first one, else all geometries as they are.
    pub fn read(&mut self, root: Node<'x, 'x>, transform: &Matrix4<f64>) -> Result<()> {
        let asked = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
        let scene = match asked {
            Some(asked) => Some(self.dae.referred(asked, "url", "visual_scene")?),
            None => children(root, "library_visual_scenes").find_map(|library| child(library, "visual_scene")),
        };
        if let Some(scene) = scene {
            for node in children(scene, "node") {
                self.node(node, transform, 0)?;
            }
            return Ok(());
        }
        for library in children(root, "library_geometries") {
            for geometry in children(library, "geometry") {
                self.show(geometry, geometry, name_of(geometry), transform)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, node: Node<'x, 'x>, outer: &Matrix4<f64>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err((self.dae.line(node), MeshProblem::NodeLoop));
        }
        let mut transform = *outer;
        let elements = || node.children().filter(Node::is_element);
        for element in elements() {
            self.visited += 1;
            if self.visited > MAX_SCENE_ELEMENTS {
                let problem = MeshProblem::TooMany { what: "elements in the scene", limit: MAX_SCENE_ELEMENTS };
                return Err((self.dae.line(node), problem));
            }
            if let Some(step) = self.transform(element)? {
                transform *= step;
            }
        }
        for element in elements() {
            match element.tag_name().name() {
                "node" => self.node(element, &transform, depth + 1)?,
                "instance_node" => {
                    let target = self.dae.referred(element, "url", "node")?;
                    self.node(target, &transform, depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.dae.referred(element, "url", "geometry")?;
                    self.show(element, geometry, name_of(node), &transform)?;
                }
                "instance_controller" => self.skin(element, name_of(node), &transform)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// `None` for an element that is no transform.
    fn transform(&mut self, element: Node<'x, 'x>) -> Result<Option<Matrix4<f64>>> {
        Ok(Some(match element.tag_name().name() {
            "matrix" => self.matrix(element)?,
            "translate" => Matrix4::new_translation(&Vector3::from(self.dae.numbers::<3>(element)?)),
            "scale" => Matrix4::new_nonuniform_scaling(&Vector3::from(self.dae.numbers::<3>(element)?)),
            "rotate" => {
                let [x, y, z, degrees] = self.dae.numbers(element)?;
                match Unit::try_new(Vector3::new(x, y, z), 1e-9) {
                    Some(axis) => rotation(&axis, degrees),
                    // Exporters write 0 0 0 0 for no rotation.
                    None => return Ok(None),
                }
            }
            "lookat" | "skew" => {
                let message = format!("the transform <{}> is ignored", element.tag_name().name());
                self.builder.warn(self.dae.line(element), message);
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    /// By rows; the last row of a mesh's transform can only be 0 0 0 1.
    fn matrix(&self, element: Node<'x, 'x>) -> Result<Matrix4<f64>> {
        let mut matrix = Matrix4::from_row_slice(&self.dae.numbers::<16>(element)?);
        matrix.set_row(3, &nalgebra::RowVector4::new(0.0, 0.0, 0.0, 1.0));
        Ok(matrix)
    }

    fn skin(&mut self, instance: Node<'x, 'x>, name: &str, outer: &Matrix4<f64>) -> Result<()> {
        let controller = self.dae.referred(instance, "url", "controller")?;
        let line = self.dae.line(instance);
        let Some(skin) = child(controller, "skin") else {
            self.builder.warn(line, "a controller without <skin> is ignored");
            return Ok(());
        };
        self.builder.warn(line, "the skin is shown in its rest pose");
        let geometry = self.dae.referred(skin, "source", "geometry")?;
        let shape = match child(skin, "bind_shape_matrix") {
            Some(matrix) => self.matrix(matrix)?,
            None => Matrix4::identity(),
        };
        self.show(instance, geometry, name, &(outer * shape))
    }

    fn show(
        &mut self,
        instance: Node<'x, 'x>,
        geometry_node: Node<'x, 'x>,
        name: &str,
        transform: &Matrix4<f64>,
    ) -> Result<()> {
        let geometry = match self.geometries.get(&geometry_node.id().get()) {
            Some(known) => known.clone(),
            None => {
                let read = Rc::new(geometry::read(self.dae, &mut self.sources, self.builder, geometry_node)?);
                self.geometries.insert(geometry_node.id().get(), read.clone());
                read
            }
        };
        for primitive in geometry.primitives.iter().filter(|primitive| !primitive.corners.is_empty()) {
            let material = self.material(instance, &primitive.symbol, primitive.line)?;
            let lists = Lists { positions: &primitive.positions, normals: &primitive.normals, uvs: &primitive.uvs };
            self.builder.add((name, &geometry.name), material, &primitive.corners, lists, transform, primitive.line)?;
        }
        Ok(())
    }

    /// What the instance binds to the symbol; some exporters bind nothing and use the material's own id.
    fn material(&mut self, instance: Node<'x, 'x>, symbol: &str, line: u32) -> Result<Material> {
        if symbol.is_empty() {
            return Ok(Material::default());
        }
        let common = child(instance, "bind_material").and_then(|bind| child(bind, "technique_common"));
        let bound = common
            .into_iter()
            .flat_map(|common| children(common, "instance_material"))
            .take(MAX_BOUND)
            .find(|material| material.attribute("symbol") == Some(symbol));
        let found = match bound {
            Some(bound) => Some(self.dae.referred(bound, "target", "material")?),
            None => self.dae.by_id(symbol).filter(|node| node.tag_name().name() == "material"),
        };
        let Some(node) = found else {
            self.builder.warn(line, format!("nothing is bound to the material {:?}", excerpt(symbol)));
            return Ok(Material::default());
        };
        if let Some(known) = self.materials.get(&node.id().get()) {
            return Ok(known.clone());
        }
        let material = effects::read(self.dae, self.builder, node)?;
        self.materials.insert(node.id().get(), material.clone());
        Ok(material)
    }
}

/// A turn by degrees; a quarter turn is exact, and `libm` gives every machine the same bits.
fn rotation(axis: &Unit<Vector3<f64>>, degrees: f64) -> Matrix4<f64> {
    let (sin, cos) = match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => libm::sincos(other.to_radians()),
    };
    let cross = axis.cross_matrix();
    let turn = nalgebra::Matrix3::identity() * cos + cross * sin + axis.into_inner() * axis.transpose() * (1.0 - cos);
    turn.to_homogeneous()
}
