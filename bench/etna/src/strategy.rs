//! Strategies: how the inputs of a workload are generated.

/// How the inputs of a workload are generated. Each workload has one set of generators per strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By the types alone, `derive(Arbitrary)`; inputs that violate the precondition are discarded.
    Type,
    /// By the precondition as a relation: each inference rule is an alternative, drawn top down, within small bounds.
    Specification,
    /// Written for the workload: correct by construction, over all integers, with keys that occur more than once.
    Bespoke,
    /// Like [`Bespoke`](Strategy::Bespoke), but every integer is drawn independently, from the tool's own distribution.
    /// The other tools were first measured with this strategy.
    Plain,
    /// By the types, for runners that mutate interesting inputs: by default, the coverage-guided runner.
    Fuzzing,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Self] = &[Self::Type, Self::Specification, Self::Bespoke, Self::Plain, Self::Fuzzing];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Specification => "specification",
            Self::Bespoke => "bespoke",
            Self::Plain => "plain",
            Self::Fuzzing => "fuzzing",
        }
    }

    /// Returns the strategy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }
}

/// Returns the size of derived values in a test of size 0 to 100: from 0 to 10, as in the measurements of other tools.
/// Larger values almost never satisfy a precondition.
pub fn derived_size(size: u32) -> u32 {
    size / 10
}
