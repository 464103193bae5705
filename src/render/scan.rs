//! Which pixels a triangle covers, in exact integers.
//!
//! A pixel belongs to a triangle if its centre lies inside; a centre exactly on an edge belongs to the triangle right of
//! it or below it. Every edge is walked from its upper to its lower end whichever triangle it belongs to, so two
//! triangles with a common edge never both take or both leave a pixel.

use std::ops::Range;

use super::triangle::{SUBPIXEL_BITS, Triangle, first_pixel};

const ONE: i64 = 1 << SUBPIXEL_BITS;

/// The first pixel at or right of an edge, row by row.
struct Edge {
    x: i64,
    rest: i64,
    step: i64,
    step_rest: i64,
    divisor: i64,
}

impl Edge {
    /// The edge between corners `a` (above) and `b`, at a row whose centre lies between them.
    fn new(t: &Triangle, a: usize, b: usize, row: i32) -> Self {
        let (xa, ya) = (i64::from(t.x[a]), i64::from(t.y[a]));
        let (dx, dy) = (i64::from(t.x[b]) - xa, i64::from(t.y[b]) - ya);
        let centre = i64::from(row) * ONE + ONE / 2;
        let divisor = dy * ONE;
        // One less than the divisor is added to round up.
        let (x, rest) = floor_divide((xa - ONE / 2) * dy + (centre - ya) * dx + divisor - 1, divisor);
        let (step, step_rest) = floor_divide(dx, dy);
        Self { x, rest, step, step_rest: step_rest * ONE, divisor }
    }

    #[inline(always)]
    fn next_row(&mut self) {
        self.x += self.step;
        self.rest += self.step_rest;
        if self.rest >= self.divisor {
            self.rest -= self.divisor;
            self.x += 1;
        }
    }
}

/// Quotient and remainder of numbers below 2^52, rounded down; several times faster than a 64-bit integer division.
#[inline(always)]
fn floor_divide(a: i64, b: i64) -> (i64, i64) {
    let quotient = (a as f64 / b as f64) as i64;
    let rest = a - quotient * b;
    if rest < 0 { (quotient - 1, rest + b) } else { (quotient, rest) }
}

/// Calls `span` with the row and the columns for each row of `rows` in which pixels of a picture `width` wide are covered.
#[inline(always)]
pub(super) fn scan(t: &Triangle, rows: Range<i32>, width: i32, mut span: impl FnMut(i32, Range<i32>)) {
    let top = first_pixel(t.y[0]).max(rows.start);
    let bottom = first_pixel(t.y[2]).min(rows.end);
    if top >= bottom {
        return;
    }
    let middle = first_pixel(t.y[1]).clamp(top, bottom);
    let mut long = Edge::new(t, 0, 2, top);
    for (upper, lower, part) in [(0, 1, top..middle), (1, 2, middle..bottom)] {
        if part.is_empty() {
            continue;
        }
        let mut short = Edge::new(t, upper, lower, part.start);
        for row in part {
            let (left, right) = if t.middle_right { (long.x, short.x) } else { (short.x, long.x) };
            let columns = left.max(0) as i32..right.min(i64::from(width)) as i32;
            if !columns.is_empty() {
                span(row, columns);
            }
            long.next_row();
            short.next_row();
        }
    }
}
