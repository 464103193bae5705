//! The message types against their definitions, and against the wire format.

mod definition;
mod layout;
mod parity;
mod recorder;
mod round_trip;
