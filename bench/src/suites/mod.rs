//! The suites. To add one, write a file and add a line to [`SUITES`].

mod build;
mod coverage;
mod etna;
mod explain;
mod finding;
mod futhark;
mod isolation;
mod lazy;
mod linearizability;
mod machines;
mod observe;
mod overhead;
mod parallel;
mod scale;
mod shrinking;

use crate::{Finished, Options};

/// A set of measurements that is run as a whole.
pub struct Suite {
    /// The name on the command line and in the results.
    pub name: &'static str,
    /// The description, for the usage text.
    pub about: &'static str,
    /// The tools that it compares.
    pub tools: &'static [&'static str],
    /// The options that only it has.
    pub own: &'static [Own],
    /// Runs it.
    pub run: fn(&Options) -> Result<Finished, String>,
}

/// An option of one suite. It has a value.
pub struct Own {
    /// Its name, without dashes.
    pub name: &'static str,
    /// The placeholder of the value, for the usage text.
    pub value: &'static str,
    /// The description, for the usage text.
    pub about: &'static str,
}

/// All suites.
pub const SUITES: &[Suite] = &[
    overhead::SUITE,
    observe::SUITE,
    build::SUITE,
    shrinking::SUITE,
    explain::SUITE,
    etna::SUITE,
    finding::SUITE,
    coverage::SUITE,
    isolation::SUITE,
    parallel::SUITE,
    linearizability::SUITE,
    machines::SUITE,
    lazy::SUITE,
    futhark::SUITE,
    scale::SUITE,
];
