//! Scene and camera to pixels, on the CPU.
//!
//! A [`Scene`] holds meshes, textures, instances, light and sky; a [`Camera`] says from where; a [`Renderer`] keeps the
//! scratch memory and draws. It promises the same pixels on every machine and for every number of threads: coverage is
//! integer arithmetic, the rest is plain IEEE arithmetic in a fixed order, and there is no clock in here. Neighbouring
//! triangles that share their vertices leave neither gaps nor doubly drawn pixels. Nothing that a scene contains makes it
//! panic or hang: what is not finite, empty or unknown is not drawn.
//!
//! Colours are 8-bit sRGB. Light is computed per vertex in linear light and applied to the sRGB value as a gain
//! (`light^(1/2.2)`), which is the same thing for a pure power curve and costs nothing per pixel; mipmaps are averaged in
//! linear light.
//!
//! It knows no physics, no world files and no ROS. There is no transparency other than cut-outs, and no reflection.

mod band;
mod camera;
mod clip;
mod fixed;
mod geometry;
mod light;
mod mesh;
mod mipmap;
mod picture;
mod renderer;
mod sample;
mod scan;
mod scene;
mod shade;
pub mod shapes;
mod sky;
mod texture;
mod transform;
mod triangle;
mod view;
mod visible;

pub use camera::{Camera, Intrinsics, MAX_IMAGE_SIDE, Projection};
pub use light::Light;
pub use mesh::{Mesh, MeshData, MeshError};
pub use picture::{Picture, PictureError};
pub use renderer::{RenderOptions, Renderer};
pub use scene::{Instance, InstanceId, Material, MeshId, Scene, TextureId};
pub use sky::{Background, Sky};
pub use texture::{MAX_TEXTURE_SIDE, Texture, TextureError};
pub use transform::Transform;
