//! The one table of topics: name, type, quality of service, cap.

use std::marker::PhantomData;

use crate::ros::{Message, Qos};

/// A topic by name; relative names follow the node's namespace.
#[derive(Debug, Clone, Copy)]
pub struct Topic<M: Message> {
    pub name: &'static str,
    pub qos: Qos,
    /// More samples than this in a second of wall time are thinned out, the newest wins.
    pub max_per_wall_second: Option<u32>,
    message: PhantomData<fn() -> M>,
}

impl<M: Message> Topic<M> {
    pub const fn new(name: &'static str, qos: Qos) -> Self {
        Self { name, qos, max_per_wall_second: None, message: PhantomData }
    }

    pub const fn at_most(mut self, per_wall_second: u32) -> Self {
        self.max_per_wall_second = Some(per_wall_second);
        self
    }
}
