//! A finished picture and its PNG file.

use thiserror::Error;

/// Rows of rgb8 pixels from the top left, as in `sensor_msgs/Image` with a step of three times the width.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

#[derive(Debug, Error)]
pub enum PictureError {
    #[error("the picture could not be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

impl Picture {
    /// The colour at a column and a row; nothing outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let start = (y as usize * self.width as usize + x as usize) * 3;
        self.rgb.get(start..start + 3).map(|p| [p[0], p[1], p[2]])
    }

    /// The bytes of a PNG file; the same picture always gives the same bytes.
    pub fn encode_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(bytes)
    }
}
