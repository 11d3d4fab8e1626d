//! The book is true: terminal sessions are replayed, and names are looked up. The Rust in it is
//! run by the doc tests of this package.

mod blocks;
mod claims;
// Isolation and fuzzing are for Linux, and so is the shell.
#[cfg(target_os = "linux")]
mod picture;
#[cfg(target_os = "linux")]
mod sessions;
