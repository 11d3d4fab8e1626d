//! The programs that Lazy SmallCheck is measured on, written anew in Rust, with what is known of each: the number of tests
//! that Lazy SmallCheck makes at each depth, the depth at which it fails, and the counterexample.
//!
//! `programs/` are those of its performance suite, `functionality.rs` those of its functionality suite, `paper.rs` the
//! examples of the paper. `twins/` has plain types beside lazy rewrites of them. Results are lazy where the originals' are, as far as that changes what is looked at.

mod functionality;
mod lists;
mod paper;
mod programs;
pub mod twins;

use forall::property::Property;

/// A program with a property.
pub struct Program {
    /// What it is called.
    pub name: &'static str,
    /// The property.
    pub property: fn() -> Box<dyn Property + Sync>,
    /// The number of tests that Lazy SmallCheck 2012 makes at depth 0, 1, 2, …; the last is that of the failing depth, if
    /// there is one. Where the order of evaluation makes a difference, the larger number.
    pub recorded: &'static [u64],
    /// The depth at which it fails.
    pub fails_at: Option<u32>,
    /// The variables of the counterexample.
    pub counterexample: &'static [&'static str],
    /// How many inputs there are at a depth, where that is known.
    pub space: Option<(u32, f64)>,
    /// For programs of the performance suite that hold: the depth that it runs them at, and the milliseconds that Lazy SmallCheck
    /// 2012 takes for that.
    pub suite: Option<(u32, f64)>,
}

impl Program {
    /// The most evaluations that we may make at a depth: what Lazy SmallCheck 2008 makes, which tests the undefined value of a
    /// block once less.
    pub fn limit(&self, depth: u32) -> Option<u64> {
        self.recorded.get(depth as usize).map(|tests| tests.saturating_sub(1))
    }
}

/// All of them.
pub fn all() -> Vec<&'static Program> {
    let lists: [&'static [Program]; 3] = [paper::PROGRAMS, functionality::PROGRAMS, programs::PROGRAMS];
    lists.into_iter().flatten().collect()
}
