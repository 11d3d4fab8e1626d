//! Tests that are chosen: literals, targets, feedback, and a corpus.

mod corpus;
mod finding;
mod guided;
mod literals;
