//! Letters as strokes, for words painted on the road.
//!
//! A letter is drawn on a grid of 3 by 5 points (x 0 to 2, y 0 to 4): polylines of points, separated by `|`.

/// Width of a letter and its gap, in parts of its height: the grid is twice as high as wide.
pub const ADVANCE: f64 = 0.75;
const GRID_HEIGHT: f64 = 4.0;

/// The strokes of a word, each from one point to another, in parts of the letters' height; the word is centred at x = 0 and
/// stands on y = 0. A character that is not known is left blank.
pub fn strokes(text: &str) -> Vec<[[f64; 2]; 2]> {
    let count = text.chars().count() as f64;
    let mut found = Vec::new();
    for (index, letter) in text.chars().enumerate() {
        let start = (index as f64 - count / 2.0) * ADVANCE + (ADVANCE - 2.0 / GRID_HEIGHT) / 2.0;
        for polyline in glyph(letter.to_ascii_uppercase()).split('|') {
            let points: Vec<[f64; 2]> = polyline
                .split_whitespace()
                .filter_map(|point| {
                    let mut digits = point.chars().filter_map(|digit| digit.to_digit(10));
                    Some([f64::from(digits.next()?), f64::from(digits.next()?)])
                })
                .map(|[x, y]| [start + x / GRID_HEIGHT, y / GRID_HEIGHT])
                .collect();
            found.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
        }
    }
    found
}

fn glyph(letter: char) -> &'static str {
    match letter {
        'A' => "00 03 14 23 20|02 22",
        'B' => "00 04 14 23 12 02|12 21 10 00",
        'C' => "24 04 00 20",
        'D' => "00 04 14 23 21 10 00",
        'E' => "24 04 00 20|02 12",
        'F' => "24 04 00|02 12",
        'G' => "24 04 00 20 22 12",
        'H' => "00 04|20 24|02 22",
        'I' => "10 14",
        'J' => "24 20 10 01",
        'K' => "00 04|24 02 20",
        'L' => "04 00 20",
        'M' => "00 04 12 24 20",
        'N' => "00 04 20 24",
        'O' => "00 04 24 20 00",
        'P' => "00 04 24 22 02",
        'Q' => "00 04 24 20 00|11 20",
        'R' => "00 04 24 22 02|12 20",
        'S' => "24 04 02 22 20 00",
        'T' => "04 24|14 10",
        'U' => "04 00 20 24",
        'V' => "04 10 24",
        'W' => "04 00 12 20 24",
        'X' => "00 24|04 20",
        'Y' => "04 12 24|12 10",
        'Z' => "04 24 00 20",
        '0' => "00 04 24 20 00|00 24",
        '1' => "03 14 10|00 20",
        '2' => "04 24 22 02 00 20",
        '3' => "04 24 20 00|02 22",
        '4' => "04 02 22|24 20",
        '5' => "24 04 02 22 20 00",
        '6' => "24 04 00 20 22 02",
        '7' => "04 24 10",
        '8' => "00 04 24 20 00|02 22",
        '9' => "22 02 04 24 20 00",
        '-' => "02 22",
        '+' => "02 22|11 13",
        '/' => "00 24",
        '.' | ',' => "10 10",
        '!' => "14 11",
        '?' => "04 24 22 12 11",
        ':' => "13 13",
        _ => "",
    }
}
