//! Rounding to integers in a form that the compiler can do for several numbers at once.
//!
//! A conversion with `as` saturates, and without newer instructions than every x86-64 machine has that means a branch per
//! number. Adding a large constant leaves the rounded integer in the low bits of the sum instead.

const SHIFTER: f32 = 12_582_912.0;

/// The nearest integer of a number below 2^22 in size; some integer for any other.
#[inline(always)]
pub(super) fn round(value: f32) -> i32 {
    ((value + SHIFTER).to_bits() as i32).wrapping_sub(SHIFTER.to_bits() as i32)
}

/// What is left of a number below 2^22 in size without its nearest integer, -0.5 to 0.5.
#[inline(always)]
pub(super) fn fraction(value: f32) -> f32 {
    value - ((value + SHIFTER) - SHIFTER)
}
