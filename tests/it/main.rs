//! The one test binary of the library: a module per subject.

mod engine;
