//! PNG files whose bytes are the same on every machine.
//!
//! The compression is pure arithmetic; other encoders choose theirs by the processor they run on.

/// Slow and small.
const EFFORT: u8 = 9;
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
const RGB: u8 = 2;
const PALETTE: u8 = 3;

/// A picture of sixteen colours; `levels` are their numbers, row by row. The width is even.
pub fn encode_palette(width: usize, levels: &[u8], palette: &[[u8; 3]; 16]) -> Vec<u8> {
    let height = levels.len() / width;
    let mut rows = Vec::with_capacity(height * (1 + width / 2));
    for row in levels.chunks_exact(width) {
        rows.push(0);
        rows.extend(row.chunks_exact(2).map(|pair| (pair[0] << 4) | pair[1]));
    }
    encode([width, height], [4, PALETTE], Some(palette.as_flattened()), &rows)
}

/// Eight bits for red, green and blue.
pub fn encode_rgb(width: usize, rgb: &[u8]) -> Vec<u8> {
    let stride = width * 3;
    let height = rgb.len() / stride;
    let mut rows = Vec::with_capacity(height * (1 + stride));
    let empty = vec![0; stride];
    for (index, row) in rgb.chunks_exact(stride).enumerate() {
        let above = if index == 0 { &empty[..] } else { &rgb[(index - 1) * stride..index * stride] };
        // The filter whose differences are smallest compresses best.
        let candidates = [1, 2, 4].map(|filter| (filter, filtered(filter, row, above)));
        let cost = |line: &[u8]| line.iter().map(|byte| u64::from(byte.cast_signed().unsigned_abs())).sum::<u64>();
        let best = candidates.into_iter().min_by_key(|(_, line)| cost(line));
        if let Some((filter, line)) = best {
            rows.push(filter);
            rows.extend(line);
        }
    }
    encode([width, height], [8, RGB], None, &rows)
}

fn filtered(filter: u8, row: &[u8], above: &[u8]) -> Vec<u8> {
    let predicted = |at: usize| {
        let left = if at >= 3 { row[at - 3] } else { 0 };
        let corner = if at >= 3 { above[at - 3] } else { 0 };
        match filter {
            1 => left,
            2 => above[at],
            _ => paeth(left, above[at], corner),
        }
    };
    (0..row.len()).map(|at| row[at].wrapping_sub(predicted(at))).collect()
}

fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    let off = |value: u8| (guess - i16::from(value)).abs();
    if off(left) <= off(above) && off(left) <= off(corner) {
        left
    } else if off(above) <= off(corner) {
        above
    } else {
        corner
    }
}

fn encode(size: [usize; 2], [depth, kind]: [u8; 2], palette: Option<&[u8]>, rows: &[u8]) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    let mut header = Vec::new();
    for side in size {
        header.extend(u32::try_from(side).expect("no picture has four thousand million pixels a side").to_be_bytes());
    }
    header.extend([depth, kind, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"sRGB", &[0]);
    if let Some(palette) = palette {
        chunk(&mut file, b"PLTE", palette);
    }
    chunk(&mut file, b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(rows, EFFORT));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend(u32::try_from(content.len()).expect("a picture is smaller than 4 GB").to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let check = crc(&file[start..]);
    file.extend(check.to_be_bytes());
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
