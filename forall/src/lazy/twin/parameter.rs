//! The expansion of `#[forall(given = …)]` on a parameter of `#[forall::test]`.
//!
//! Such a parameter is held in the environment as a cell of its twin, and the other parameters as cells of their own
//! types, so that the precondition is decided first. The body gets plain values, created from a reference, so that the
//! search can reuse the environment.

pub use super::pruning::holds;
use super::{Twin, shown};
use crate::lazy::Lazy;
use crate::lazy::signal::Signal;
use crate::lazy::trail::with_current;
use crate::panic::drop_quietly;
use crate::property::Printed;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Returns the plain value of a parameter.
pub fn plain<T: Twin>(cell: &Lazy<T::Lazy>) -> T::Plain {
    T::plain(cell)
}

/// A type whose values can be passed by value next to a parameter with a twin.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed by value next to a parameter with `given` or `twin`",
    label = "needs `Clone` here",
    note = "take it by reference, or derive `Clone`: the search decides it once, and uses it for several tests"
)]
pub trait ByValue: Clone {}

impl<T: Clone> ByValue for T {}

/// Returns the value of a parameter without a twin.
pub fn value<T: ByValue>(cell: &Lazy<T>) -> T {
    T::clone(cell)
}

/// Checks that the preconditions hold for the whole values, as they did for the parts that they read. Only a search reads parts.
pub fn recheck(conditions: &[&dyn Fn() -> bool]) {
    with_current(|search| {
        let Some(search) = search else { return };
        for condition in conditions {
            if !condition() {
                search.raise(Signal::Unsteady);
            }
        }
    });
}

/// Prints a parameter with a twin: the plain value by `print`, or what is decided of it.
pub fn printed<T: Twin>(cell: &Lazy<T::Lazy>, print: fn(&T::Plain) -> Printed) -> Printed {
    match catch_unwind(AssertUnwindSafe(|| T::plain(cell))) {
        Ok(plain) => print(&plain),
        Err(payload) if Signal::of(&*payload) == Some(Signal::Undecided) => {
            drop_quietly(payload);
            partly(cell.shown().map(shown::<T>))
        }
        Err(payload) => resume_unwind(payload),
    }
}

/// Prints a parameter without a twin: by `print`, or `_` if it was not read.
pub fn printed_whole<T>(cell: &Lazy<T>, print: fn(&T) -> Printed) -> Printed {
    match cell.shown() {
        Some(value) => print(value),
        None => partly(None),
    }
}

/// A partly undecided value.
fn partly(text: Option<String>) -> Printed {
    Printed { debug: Some(text.unwrap_or_else(|| "_".to_owned())), ..Printed::default() }
}
