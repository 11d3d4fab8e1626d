//! The tools, each driven as its users drive it: one plain `#[test]`, without files.
//!
//! Shrinking is disabled where the tool permits it; its time never counts, because [`Trial`](crate::Trial) stops the clock
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

/// How long a run is, and which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub seed: u64,
    /// How many tests are asked for. None: the tool's default.
    pub tests: Option<u64>,
}
