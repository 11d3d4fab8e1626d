//! Tests that are chosen: literals, targets, feedback, extra time, and a corpus.

#[path = "../support/not_in_ci.rs"]
mod not_in_ci;

mod corpus;
mod desk;
mod finding;
mod guided;
mod literals;
