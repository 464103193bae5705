//! Textures from files, pictures to files.

use sim_api::render::{MAX_TEXTURE_SIDE, Texture, TextureError};

use super::*;

/// 16 x 8 pixels, the left half reddish, the right half bluish.
const JPEG: &[u8] = include_bytes!("two_halves.jpg");

fn sample_picture() -> Picture {
    let rgb = (0..7 * 5 * 3).map(|i| (i * 13 % 256) as u8).collect();
    Picture { width: 7, height: 5, rgb }
}

/// The middle of a texture as the camera shows it.
fn shown(texture: Texture, x: u32) -> [u8; 3] {
    let mut scene = empty_scene();
    let material = unlit(&mut scene, texture);
    add(&mut scene, wall(1.0, 0.5, 0.5), material);
    render(&scene, &camera()).pixel(x, 180).unwrap()
}

#[test]
fn png_survives_a_round_trip() {
    let picture = sample_picture();
    let bytes = picture.encode_png().unwrap();
    assert_eq!(bytes, picture.encode_png().unwrap());
    let texture = Texture::decode(&bytes).unwrap();
    assert_eq!((texture.width(), texture.height()), (7, 5));
    let [r, g, b] = picture.pixel(3, 2).unwrap();
    let seen = shown(texture, 240);
    assert!([r, g, b].iter().zip(seen).all(|(a, b)| a.abs_diff(b) <= 2), "{seen:?}");
}

#[test]
fn jpeg_is_recognised_by_its_content() {
    let texture = Texture::decode(JPEG).unwrap();
    assert_eq!((texture.width(), texture.height()), (16, 8));
    let left = shown(Texture::decode(JPEG).unwrap(), 200);
    let right = shown(texture, 280);
    assert!(left[0] > 150 && left[2] < 90, "{left:?}");
    assert!(right[0] < 90 && right[2] > 150, "{right:?}");
}

#[test]
fn damaged_files_are_errors_at_every_length() {
    let png = sample_picture().encode_png().unwrap();
    for length in 0..png.len() - 12 {
        assert!(Texture::decode(&png[..length]).is_err(), "{length} bytes of PNG");
    }
    // A JPEG that ends early may still be shown; it must only do no harm.
    for length in 0..JPEG.len() {
        let _ = Texture::decode(&JPEG[..length]);
        let mut damaged = JPEG.to_vec();
        damaged[length] ^= 0x55;
        let _ = Texture::decode(&damaged);
    }
    for length in 0..png.len() {
        let mut damaged = png.clone();
        damaged[length] ^= 0x55;
        let _ = Texture::decode(&damaged);
    }
    assert!(matches!(Texture::decode(b"GIF89a"), Err(TextureError::UnknownFormat)));
}

#[test]
fn absurd_sizes_are_refused_before_memory_is_taken() {
    let mut png = sample_picture().encode_png().unwrap();
    png[16..20].copy_from_slice(&60_000u32.to_be_bytes());
    assert!(Texture::decode(&png).is_err());
    assert!(matches!(Texture::from_rgba(0, 4, &[]), Err(TextureError::Empty { .. })));
    assert!(matches!(Texture::from_rgba(2, 2, &[0; 15]), Err(TextureError::WrongLength { .. })));
    assert!(matches!(Texture::from_rgba(MAX_TEXTURE_SIDE + 1, 1, &[]), Err(TextureError::TooLarge { .. })));
    assert!(matches!(Texture::from_rgba(MAX_TEXTURE_SIDE, MAX_TEXTURE_SIDE, &[]), Err(TextureError::TooLarge { .. })));
}

#[test]
fn any_size_of_texture_can_be_shown() {
    for (width, height) in [(1, 1), (1, 9), (5, 3), (17, 64), (MAX_TEXTURE_SIDE, 1), (63, 1)] {
        let rgba = [60, 120, 180, 255].repeat((width * height) as usize);
        let texture = Texture::from_rgba(width, height, &rgba).unwrap();
        assert!(texture.bytes() >= rgba.len());
        assert_eq!(shown(texture, 240), [60, 120, 180], "{width} x {height}");
    }
}
