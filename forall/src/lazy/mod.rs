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
//! `runner = exhaustive` tests every input up to depth 0, then to depth 1, and so on, until it reaches `depth`,
//! `evaluations` or `time`. The first counterexample is minimal. The depth of a value is the nesting of its
//! constructors: one without fields needs no depth, and the fields of others have one less than the whole. Integers go
//! from minus the depth to the depth, characters start at `a`, and tuples are free. A set or a map has at most as many
//! elements as the depth, each with one less. `#[derive(Arbitrary)]` gives every type its series; `#[forall(depth =
//! 0)]` on a variant, or your own [`series`](crate::Arbitrary::series), changes the metric.
//!
//! The contents of a [`Lazy`] are chosen when the property reads them. A property that is decided by a part of its
//! input is decided for all inputs with that part, so a few evaluations cover many inputs: Lazy SmallCheck (Runciman,
//! Naylor and Lindblad 2008; Reich, Naylor and Runciman 2012), in a language without laziness. In a counterexample `_`
//! was not read and can be anything; `fails for every …` lists alternatives up to the depth. Types without `Lazy` are
//! enumerated value by value. `threads = 4` searches parts of the tree in parallel, with the same counterexample.
//!
//! A counterexample is saved like any other: before anything else happens, and the next run replays it first. Its text
//! form ends in `+d4`, the depth of the search.
//!
//! # Functions and nested quantifiers
//!
//! [`Fun<A, B>`](Fun) is a function as a value: it prints as the cases that were applied. [`Fun2`] and [`Fun3`] take
//! several arguments. [`exists`], [`for_all`] and [`exists_unique`] are calls in a body, or clauses in
//! [`property!`](crate::prelude::property!); [`and`], [`or`] and [`implies`] evaluate their right side before they
//! force anything on the left. A quantifier without a witness up to a depth may have one beyond it: the report names
//! the quantifier and the depth. [`witnesses`], or `exists x: T, shown;`, reports the witnesses.
//!
//! ```
//! use forall::lazy::{Fun, Lazy, explore};
//! use forall::prelude::*;
//!
//! // Every function from truth values to truth values has a fixed point?
//! let property = property! { forall f: Fun<bool, bool>; exists x: bool; check f.call(x) == x };
//! let explored = explore(&property, 1);
//! assert_eq!(explored.bindings[0].printed.text(), "{ false -> true; true -> false }");
//! ```
//!
//! # Other runners
//!
//! Lazy values, lists and functions work under every runner. In random testing, a cell draws from its own choices, so
//! the order in which cells are read does not matter; they shrink, replay and print as other values do.

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

/// For a source of a search: one of `count` alternatives. Where there are many, the simplest, more of them the deeper the
/// search.
pub(crate) fn choose_for_source(max: u64, depth: u32) -> u64 {
    let most = if max < ALL_ALTERNATIVES { max } else { max.min(u64::from(depth).max(1)) };
    trail::with_current(|search| {
        search.map_or(0, |search| u64::from(search.choose(search.innermost(), most as u32 + 1)))
    })
}

/// Choices of a generator with fewer alternatives are tried completely at every depth.
const ALL_ALTERNATIVES: u64 = 16;
