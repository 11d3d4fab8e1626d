//! Functions that go wrong on inputs which random testing does not make.

pub mod guarded;
pub mod maze;
