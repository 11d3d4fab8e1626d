//! What the book says is true: sessions on a terminal are played, and names that can be looked up are looked up. The Rust in it is
//! run by the doc tests of this package.

mod blocks;
mod claims;
// Isolation and fuzzing are for Linux, and so is the shell.
#[cfg(target_os = "linux")]
mod picture;
#[cfg(target_os = "linux")]
mod sessions;
