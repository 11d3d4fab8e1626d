//! Lazy values, which are decided when they are read, and exhaustive testing guided by what a property reads.
//!
//! # Exhaustive search
//!
//! ```
//! # fn main() { forall::lazy::explore(&inserting_keeps_the_order::property(), 4); }
//! use forall::lazy::{Lazy, List};
//!
//! fn is_ordered(xs: &List<u8>) -> bool {
//!     xs.iter().zip(xs.iter().skip(1)).all(|(x, y)| x <= y)
//! }
//! # fn insert(x: &Lazy<u8>, xs: &List<u8>) -> List<u8> {
//! #     let mut all: Vec<u8> = xs.iter().map(|x| **x).collect();
//! #     all.push(**x);
//! #     all.sort();
//! #     all.into_iter().collect()
//! # }
//!
//! #[forall::test(runner = exhaustive, depth = 6)]
//! fn inserting_keeps_the_order(x: &Lazy<u8>, xs: &Lazy<List<u8>>) {
//!     forall::assume!(is_ordered(xs));
//!     assert!(is_ordered(&insert(x, xs)));
//! }
//! ```
//!
//! `runner = exhaustive` tests every input up to depth 0, then up to depth 1, and so on, until it reaches `depth` or
//! uses up `evaluations` or `max_time`. The first counterexample has minimal depth. The depth of a value is the nesting
//! of its constructors: a constructor without fields has depth 0, and the fields of other constructors have one level
//! less than the whole. Integers range from minus the depth to the depth, characters start at `a`, and tuples cost no
//! depth. A set or a map has at most as many elements as the depth, and each element has one level less.
//! `#[derive(Arbitrary)]` also derives the *series* of a type, its values by depth; `#[forall(depth = 0)]` on a
//! variant, or your own [`series`](crate::Arbitrary::series), changes the metric.
//!
//! The contents of a [`Lazy`] are chosen when the property reads them. A property that is decided by a part of its
//! input is decided for all inputs with that part, so a few evaluations covered many inputs: Lazy SmallCheck (Runciman,
//! Naylor and Lindblad 2008; Reich, Naylor and Runciman 2012), in a language without laziness. In a counterexample, `_`
//! marks a part that was not read and can be anything; `fails for every …` lists generalisations up to the depth. Types
//! without `Lazy` are enumerated value by value. `threads = 4` searches parts of the tree in parallel, with the same
//! counterexample.
//!
//! A counterexample is saved like any other: immediately, and the next run replays it first. Its text form ends in
//! `+d4`, the depth of the search.
//!
//! # Plain types
//!
//! `#[forall(twin)]` next to `#[derive(Arbitrary)]` gives a plain type a lazy *twin*, and [`twin!`](crate::twin!) a
//! type of another crate. A precondition over the twin prunes the search, and the test gets plain values: see [`Twin`].
//!
//! # Functions and nested quantifiers
//!
//! [`Fun<A, B>`](Fun) is a function as a value: it prints as the arguments it was applied to and their results.
//! [`Fun2`] and [`Fun3`] take several arguments. [`exists`], [`for_all`] and [`exists_unique`] can be called in a body,
//! or used as clauses in [`property!`](crate::prelude::property!); [`and`], [`or`] and [`implies`] try their right side
//! before they force anything on the left. A quantifier that has no witness up to a depth, or no counterexample, may
//! have one beyond it: the report names the quantifier and the depth. [`witnesses`], or `exists x: T, shown;`, reports
//! the witnesses.
//!
//! ```
//! use forall::lazy::{Fun, Lazy, explore};
//! use forall::prelude::*;
//!
//! // Does every function from booleans to booleans have a fixed point?
//! let property = property! { forall f: Fun<bool, bool>; exists x: bool; check f.call(x) == x };
//! let explored = explore(&property, 1);
//! assert_eq!(explored.bindings[0].printed.text(), "{ false -> true; true -> false }");
//! ```
//!
//! # Other runners
//!
//! Lazy values, lists and functions work under every runner. In random testing, a cell draws from its own choices, so
//! the order in which cells are read does not matter; they shrink, replay and print like other values.

mod argument;
mod attempt;
mod beginning;
mod block;
mod buildable;
mod cell;
mod clones;
mod connectives;
mod covers;
mod decide;
mod exhaustive;
mod explore;
mod fuel;
mod fun;
mod late;
mod list;
mod parallel;
mod path;
mod pending;
mod pins;
mod quantify;
mod quota;
mod remarks;
mod shown;
mod signal;
mod stray;
mod trail;
pub(crate) mod twin;
mod unique;
mod variables;
mod widen;

#[doc(hidden)]
pub use crate::generate::series::Shape;
pub use crate::generate::series::{Constructor, Extent, Series};
pub use crate::property::walk::Walk;
pub use argument::{Argument, Case, Domain, Parts, Tag};
pub use cell::Lazy;
pub use connectives::{and, implies, not, or};
pub use exhaustive::exhaustive;
pub use explore::{Exploration, Trouble, explore, search};
pub(crate) use explore::{explore_within, inputs};
pub use forall_macros::Argument;
pub use fun::{Fun, Fun2, Fun3};
pub use list::{Iter, List};
pub(crate) use parallel::{Until, explore_in_parallel};
pub use path::{Witnessed, witnesses};
pub use quantify::{Nested, exists, exists_unique, for_all};
pub use twin::Twin;

/// Chooses one of `max + 1` alternatives for a source in a search. If there are many, only the simplest ones, and more
/// of them the deeper the search.
pub(crate) fn choose_for_source(max: u64, depth: u32) -> u64 {
    let most = if max < ALL_ALTERNATIVES { max } else { max.min(u64::from(depth).max(1)) };
    trail::with_current(|search| {
        search.map_or(0, |search| u64::from(search.choose(search.innermost(), most as u32 + 1)))
    })
}

/// Choices with at most this many alternatives are tried exhaustively at every depth.
const ALL_ALTERNATIVES: u64 = 16;
