//! An array of atomics. Reading and writing an element is atomic; sorting is not: it reads all, sorts, and writes all
//! back. Races produce wrong results, but no undefined behaviour.
//!
//! Points of interest: indices are mostly within bounds and sometimes not, since that case is specified as well;
//! elements have a single bit set, so that they are easy to distinguish in a report; `protect` turns out-of-bounds
//! panics into responses.

use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{Code, elements, frequency, from_fn};
use forall::machine::{Panicked, Shared, Spec, Tuning, protect};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of elements.
pub const LENGTH: usize = 10;

/// The system: all operations are relaxed, none is undefined behaviour.
#[derive(Debug)]
pub struct RacyArray([AtomicU64; LENGTH]);

impl Default for RacyArray {
    fn default() -> Self {
        Self([const { AtomicU64::new(1) }; LENGTH])
    }
}

impl RacyArray {
    /// Returns the element at an index. Panics if there is none.
    pub fn get(&self, index: usize) -> u64 {
        self.0[index].load(Ordering::Relaxed)
    }

    /// Replaces the element at an index. Panics if there is none.
    pub fn set(&self, index: usize, element: u64) {
        self.0[index].store(element, Ordering::Relaxed);
    }

    /// Returns all elements.
    pub fn to_vec(&self) -> Vec<u64> {
        self.0.iter().map(|element| element.load(Ordering::Relaxed)).collect()
    }

    /// Sorts the array, without synchronisation.
    pub fn sort(&self) {
        let mut elements = self.to_vec();
        elements.sort();
        for (index, element) in elements.into_iter().enumerate() {
            self.set(index, element);
        }
    }
}

/// A command to the array.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Command {
    /// [`RacyArray::get`]
    Get(usize),
    /// [`RacyArray::set`]
    Set(usize, u64),
    /// [`RacyArray::to_vec`]
    ToVec,
    /// [`RacyArray::sort`]
    Sort,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// To `Get`.
    Got(Result<u64, Panicked>),
    /// To `Set`.
    Set(Result<(), Panicked>),
    /// To `ToVec`.
    Elements(Vec<u64>),
    /// To `Sort`.
    Sorted,
}

/// The specification. The model is a vector.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArraySpec;

/// Generates mostly valid indices, and in one case of six any small number.
fn index(source: &mut Source) -> usize {
    source.draw(frequency![5 => 0..LENGTH, 1 => 0..20usize])
}

/// Generates a number with a single bit set.
fn element(source: &mut Source) -> u64 {
    1 << source.draw(0..64u32)
}

impl Spec for ArraySpec {
    type Command = Command;
    type Model = Vec<u64>;
    type System = Arc<RacyArray>;
    type Response = Response;

    fn model(&self) -> Vec<u64> {
        vec![1; LENGTH]
    }

    fn generate(&self, _: &Vec<u64>, source: &mut Source) -> Command {
        match source.draw(elements([Command::Sort, Command::ToVec, Command::Get(0), Command::Set(0, 0)])) {
            Command::Get(_) => Command::Get(index(source)),
            Command::Set(..) => Command::Set(index(source), source.draw(from_fn(element))),
            other => other,
        }
    }

    fn next(&self, model: &mut Vec<u64>, command: &Command) {
        match command {
            Command::Set(index, element) if *index < model.len() => model[*index] = *element,
            Command::Sort => model.sort(),
            _ => {}
        }
    }

    fn system(&self) -> Arc<RacyArray> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<RacyArray>, command: &Command) -> Response {
        match *command {
            Command::Get(index) => Response::Got(protect(|| system.get(index))),
            Command::Set(index, element) => Response::Set(protect(|| system.set(index, element))),
            Command::ToVec => Response::Elements(system.to_vec()),
            Command::Sort => {
                system.sort();
                Response::Sorted
            }
        }
    }

    fn postcondition(&self, model: &Vec<u64>, command: &Command, response: &Response) -> bool {
        let is_out_of_bounds = |panicked: &Panicked| panicked.message.starts_with("index out of bounds");
        match (command, response) {
            (Command::Get(index), Response::Got(got)) => match (model.get(*index), got) {
                (Some(element), Ok(got)) => element == got,
                (None, Err(panicked)) => is_out_of_bounds(panicked),
                _ => false,
            },
            (Command::Set(index, _), Response::Set(set)) => match set {
                Ok(()) => *index < model.len(),
                Err(panicked) => *index >= model.len() && is_out_of_bounds(panicked),
            },
            (Command::ToVec, Response::Elements(elements)) => elements == model,
            (Command::Sort, Response::Sorted) => true,
            _ => false,
        }
    }

    fn code(&self, command: &Command) -> Option<String> {
        Code::of(command)
    }

    fn tuning(&self) -> Tuning {
        crate::tickets::interrupted()
    }
}

impl Shared for ArraySpec {
    fn share(&self, system: &mut Arc<RacyArray>) -> Arc<RacyArray> {
        Arc::clone(system)
    }
}
