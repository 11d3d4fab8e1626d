//! The tools, each used as in practice: one plain `#[test]`, without files.
//!
//! Shrinking is disabled if the tool permits it; its time never counts, because [`Trial`](crate::Trial) stops the clock
//! at the first failure.

pub mod forall;
pub mod hegel;
pub mod proptest;
pub mod quickcheck;

/// The tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Forall,
    Proptest,
    Quickcheck,
    Hegel,
}

impl Tool {
    pub const ALL: [Self; 4] = [Self::Forall, Self::Proptest, Self::Quickcheck, Self::Hegel];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Proptest => "proptest",
            Self::Quickcheck => "quickcheck",
            Self::Hegel => "hegel",
        }
    }
}

/// The length and the seed of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub seed: u64,
    /// The number of requested tests. `None`: the tool's default.
    pub tests: Option<u64>,
}
