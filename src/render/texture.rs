//! Pictures that are laid on surfaces: decoding by content, with limits, and the mipmaps made from them.

use std::io::Cursor;

use thiserror::Error;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::mipmap::{Image, Level, build_levels};

/// Longest side of a texture. The sampler's fixed-point coordinates are dimensioned for it.
pub const MAX_TEXTURE_SIDE: u32 = 8192;

/// Most pixels of one texture: with its mipmaps 90 MB.
const MAX_TEXTURE_PIXELS: u64 = 4096 * 4096;

#[derive(Debug, Error)]
pub enum TextureError {
    #[error("neither a PNG nor a JPEG picture")]
    UnknownFormat,
    #[error("a texture of {width} x {height} pixels has nothing to show")]
    Empty { width: u32, height: u32 },
    #[error(
        "a texture of {width} x {height} pixels is too large (at most {MAX_TEXTURE_SIDE} a side, {MAX_TEXTURE_PIXELS} in all)"
    )]
    TooLarge { width: u64, height: u64 },
    #[error("{width} x {height} RGBA pixels do not have {bytes} bytes")]
    WrongLength { width: u32, height: u32, bytes: usize },
    #[error("broken PNG picture: {0}")]
    Png(#[from] png::DecodingError),
    #[error("broken JPEG picture: {0}")]
    Jpeg(#[from] zune_jpeg::errors::DecodeErrors),
}

/// A picture with all its smaller versions, ready to be sampled.
#[derive(Debug, Clone)]
pub struct Texture {
    pub(super) levels: Vec<Level>,
    /// Some pixel is not opaque: what is less than half opaque is not drawn.
    pub(super) cutout: bool,
}

impl Texture {
    /// From a PNG or JPEG file, told apart by its first bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, TextureError> {
        if bytes.starts_with(&[0x89, b'P', b'N', b'G']) {
            decode_png(bytes)
        } else if bytes.starts_with(&[0xff, 0xd8]) {
            decode_jpeg(bytes)
        } else {
            Err(TextureError::UnknownFormat)
        }
    }

    /// From rows of RGBA bytes, the top row first.
    pub fn from_rgba(width: u32, height: u32, rgba: &[u8]) -> Result<Self, TextureError> {
        check_size(u64::from(width), u64::from(height))?;
        if rgba.len() != width as usize * height as usize * 4 {
            return Err(TextureError::WrongLength { width, height, bytes: rgba.len() });
        }
        Ok(Self::from_pixels(width, height, rgba.as_chunks().0.iter().map(|p| u32::from_le_bytes(*p)).collect()))
    }

    pub fn width(&self) -> u32 {
        self.levels[0].width
    }

    pub fn height(&self) -> u32 {
        self.levels[0].height
    }

    /// Memory taken by the pixels of all levels.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|l| l.pixels.len() * 4).sum()
    }

    fn from_pixels(width: u32, height: u32, pixels: Vec<u32>) -> Self {
        let cutout = pixels.iter().any(|p| p >> 24 != 255);
        Self { levels: build_levels(Image { width, height, pixels }, cutout), cutout }
    }
}

fn check_size(width: u64, height: u64) -> Result<(), TextureError> {
    let side = u64::from(MAX_TEXTURE_SIDE);
    if width > side || height > side || width * height > MAX_TEXTURE_PIXELS {
        return Err(TextureError::TooLarge { width, height });
    }
    if width == 0 || height == 0 {
        return Err(TextureError::Empty { width: width as u32, height: height as u32 });
    }
    Ok(())
}

fn decode_png(bytes: &[u8]) -> Result<Texture, TextureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info()?;
    let (width, height) = (header.width, header.height);
    check_size(u64::from(width), u64::from(height))?;
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().ok_or(TextureError::Empty { width, height })?;
    let mut raw = vec![0; size];
    let info = reader.next_frame(&mut raw)?;
    let channels = info.color_type.samples();
    let pixels = raw[..info.buffer_size()].chunks_exact(channels).map(|p| {
        u32::from_le_bytes(match *p {
            [grey] => [grey, grey, grey, 255],
            [grey, alpha] => [grey, grey, grey, alpha],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, a, ..] => [r, g, b, a],
            [] => [0; 4],
        })
    });
    let pixels: Vec<u32> = pixels.collect();
    if pixels.len() != width as usize * height as usize {
        return Err(TextureError::WrongLength { width, height, bytes: raw.len() });
    }
    Ok(Texture::from_pixels(width, height, pixels))
}

fn decode_jpeg(bytes: &[u8]) -> Result<Texture, TextureError> {
    let side = MAX_TEXTURE_SIDE as usize;
    let options =
        DecoderOptions::default().set_max_width(side).set_max_height(side).jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers()?;
    let (width, height) = decoder.dimensions().unwrap_or((0, 0));
    check_size(width as u64, height as u64)?;
    let rgba = decoder.decode()?;
    Texture::from_rgba(width as u32, height as u32, &rgba)
}
