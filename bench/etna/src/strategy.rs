//! Strategies: how the inputs of a workload are generated.

/// How the inputs of a workload are generated. Each workload has one set of generators per strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By the types alone, `derive(Arbitrary)`; inputs that violate the precondition are discarded.
    Type,
    /// By the precondition, read as a relation: each rule of it is an alternative, drawn top down, within small bounds.
    Specification,
    /// Written for the workload: correct by construction, over all integers, with keys that occur more than once.
    Bespoke,
    /// As [`Bespoke`](Strategy::Bespoke), but every integer is drawn by itself, from the tool's own distribution: nothing is
    /// known of the other integers. It is what the peers were first measured with.
    Plain,
    /// By the types, for runners that mutate what they found interesting: unless another runner is asked for, the one that is
    /// guided by coverage.
    Fuzzing,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Self] = &[Self::Type, Self::Specification, Self::Bespoke, Self::Plain, Self::Fuzzing];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Specification => "specification",
            Self::Bespoke => "bespoke",
            Self::Plain => "plain",
            Self::Fuzzing => "fuzzing",
        }
    }

    /// The strategy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }
}

/// The size of derived values in a test of size 0 to 100: from 0 to 10, as the peers were measured. Larger values hardly ever
/// meet a precondition.
pub fn derived_size(size: u32) -> u32 {
    size / 10
}
