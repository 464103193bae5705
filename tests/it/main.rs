//! All tests of the library, in one program.

mod messages;
