//! Lazy values, the search that is guided by forced parts, quantifiers and functions.

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
mod second_opinion;
mod standard;
mod twins;
