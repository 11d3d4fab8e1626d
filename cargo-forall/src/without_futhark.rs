//! Stub of `futhark.rs` for a program that was built without the `futhark` feature.

use crate::Error;
use crate::arguments::{FutharkSample, FutharkTest};
use crate::without;
use std::process::ExitCode;

/// Refuses to test programs.
pub fn test(_: &FutharkTest) -> Result<ExitCode, Error> {
    Err(without("Futhark", "futhark"))
}

/// Refuses to sample a generator.
pub fn sample(_: &FutharkSample) -> Result<ExitCode, Error> {
    Err(without("Futhark", "futhark"))
}
