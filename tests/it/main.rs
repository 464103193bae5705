//! All tests of the package in one program.

mod api;
mod support;
