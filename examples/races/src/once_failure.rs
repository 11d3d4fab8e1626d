//! spin's cell that is initialised once, when an initialisation fails.

use super::short;
use spin::Once;

/// A cell.
#[derive(Debug, Default)]
pub struct Cell(Once<u8>);

impl Cell {
    /// Tries to initialise the cell, and fails; returns the value if it was initialised before.
    pub fn fail(&self) -> Option<u8> {
        self.0.try_call_once(|| Err(())).ok().copied()
    }

    /// Initialises the cell if it is empty, and returns its value.
    pub fn initialise(&self, value: u8) -> u8 {
        *self.0.call_once(|| value)
    }
}

/// The value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model(Option<u8>);

impl Model {
    fn fail(&self) -> Option<u8> {
        self.0
    }

    fn initialise(&mut self, value: u8) -> u8 {
        *self.0.get_or_insert(value)
    }
}

forall::machine! {
    /// The methods of the cell.
    pub spec OnceFailure for shared Cell = Cell::default(), like Model = Model::default();
    tuning short();
    fn fail() -> Option<u8>;
    fn initialise(#[forall(0..3u8)] value: u8) -> u8;
}
