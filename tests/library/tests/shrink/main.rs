//! Shrinking and explanations of counterexamples.

mod battery;
mod challenges;
mod claims;
mod explain;
mod known_truth;
mod parallel_explaining;
mod parallel_shrinking;
mod same_bug;
mod shrinking;
