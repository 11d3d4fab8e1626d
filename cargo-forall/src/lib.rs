//! The program `cargo forall`, also installed as `forall`.
//!
//! It builds the tests of a package with instrumentation ([`build`], [`wrapper`]), asks the test binaries which properties
//! they have ([`properties`]), and runs a campaign in one of them ([`campaign`]): the search itself is a runner of the
//! library. What people see meanwhile is in [`status`].
//!
//! [`futhark`] tests programs in another language; the work is done by `forall-futhark`.

pub mod arguments;
pub mod build;
pub mod campaign;
pub mod futhark;
pub mod interrupt;
pub mod junit;
pub mod properties;
pub mod status;
pub mod wrapper;

use arguments::{Arguments, Command};
use std::process::ExitCode;

/// What is wrong, and what to do about it.
pub type Error = String;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    if let Some(code) = wrapper::run_if_called_by_cargo() {
        return code;
    }
    let ended = match Arguments::of_this_process().command {
        Command::Fuzz(fuzz) => campaign::fuzz(&fuzz),
        Command::Instrumented { cargo } => build::instrumented(&cargo),
        Command::Futhark { command: arguments::Futhark::Test(test) } => futhark::test(&test),
        Command::Futhark { command: arguments::Futhark::Sample(sample) } => futhark::sample(&sample),
    };
    ended.unwrap_or_else(|why| {
        eprintln!("forall: {why}");
        // 1 is what a failed property returns.
        ExitCode::from(2)
    })
}
