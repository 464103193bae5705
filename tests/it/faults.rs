//! What happens when programs die, hang or are killed: real processes, real signals.

mod backend;
mod calls;
mod driving;
pub mod duo;
mod healing;
mod restored;
mod subscriber;
