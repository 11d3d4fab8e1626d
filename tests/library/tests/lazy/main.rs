//! Lazy values, the search that follows what a property looks at, quantifiers and functions.

// `**n || !**n` and `**n == ()` read a cell without depending on its value.
#![allow(clippy::overly_complex_bool_expr, clippy::unit_cmp)]

mod bad;
mod caught;
mod cells;
mod connectives;
mod differential;
mod formulas;
mod functions;
mod kept;
mod paper;
mod parallel;
mod quantifiers;
mod standard;
