//! Data types as programs have them, searched by their lazy twins, beside the same types and programs rewritten with `Lazy` by hand.
//!
//! The code under test takes plain values in both columns of a pair where it belongs to another crate; there the rewrite is a lazy type with
//! a conversion.

mod heap;
mod json;
mod red_black;
mod regex;
mod search_tree;
mod sorted;
mod term;

use forall::property::Property;

/// The same property by a twin and by a rewrite.
pub struct Pair {
    /// The name.
    pub name: &'static str,
    /// The property over a twin.
    pub twin: fn() -> Box<dyn Property + Sync>,
    /// The property over a type that is lazy by hand.
    pub by_hand: fn() -> Box<dyn Property + Sync>,
    /// The depth at which the two are compared, in a quick run and in a full one.
    pub depths: (u32, u32),
}

/// All of them.
pub const PAIRS: &[Pair] =
    &[red_black::PAIR, sorted::PAIR, search_tree::PAIR, heap::PAIR, term::PAIR, json::PAIR, regex::PAIR];
