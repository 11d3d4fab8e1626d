//! Values that are decided when they are looked at, and the exhaustive search that follows what a property looks at.
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
//! `runner = exhaustive` tries every input up to depth 0, then to depth 1, and so on, until `depth`, `evaluations` or `time`
//! say that it is enough. The first counterexample is as small as can be. A value is deep as its constructors are nested: one
//! without fields needs no depth, the fields of others have one less than the whole; integers go from minus the depth to the
//! depth, characters from `a` on, tuples are free; a set or a map has at most as many elements as the depth, all one less
//! deep. `#[derive(Arbitrary)]` gives every type its series;
//! `#[forall(depth = 0)]` on a variant, or a [`series`](crate::Arbitrary::series) of your own, changes the metric.
//!
//! What is inside of a [`Lazy`] is not chosen before the property looks at it. A property that is decided by a part of its
//! input is decided for all inputs with that part, so a few evaluations stand for many inputs: Lazy SmallCheck (Runciman,
//! Naylor and Lindblad 2008; Reich, Naylor and Runciman 2012), in a language without laziness. In a counterexample `_` is what
//! was not looked at, and can be anything; `fails for every …` says what else it can be, up to the depth. Types without `Lazy` are tried value
//! by value. `threads = 4` searches parts of the tree at once, and finds the same counterexample.
//!
//! A counterexample is kept like any other: on disk before anything else is done with it, the first that the next run tries,
//! yours to commit. Its text ends in `+d4`, the depth of the search.
//!
//! # Functions, and quantifiers inside
//!
//! [`Fun<A, B>`](Fun) is a function as a value: it prints as the cases that were asked for. [`Fun2`] and [`Fun3`] take several
//! arguments. [`exists`], [`for_all`] and
//! [`exists_unique`] stand in a body, or as clauses in [`property!`](crate::prelude::property!); [`and`], [`or`] and
//! [`implies`] look at their right side before they force anything on the left. What there is no witness for up to a depth may
//! have one beyond it: a report says which quantifier, and up to which depth. [`witnesses`], or `exists x: T, shown;`, tells
//! what was found.
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
//! # Everywhere else
//!
//! Lazy values, lists and functions work under every runner. At random, a cell draws from choices of its own, so the order in
//! which cells are looked at changes nothing; they shrink, replay and print as other values do.

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
