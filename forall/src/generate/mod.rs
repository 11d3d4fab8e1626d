//! Generators: programs that make choices and return a value.
//!
//! The [`Generator`] trait, [`Arbitrary`] (the default generator of a type), the combinators, and generators for the
//! standard library. Their choices come from a source, see [`choice`](crate::choice).
//!
//! | to get | write |
//! | --- | --- |
//! | any value of a type | [`any::<T>()`](any) |
//! | a number or character in a range | `0..10`, `'a'..='z'`, `0.0..1.0` |
//! | the result of a function that draws | [`from_fn`] |
//! | one of several values | [`elements`], [`constant`] |
//! | one of several generators | [`one_of`](fn@one_of), [`frequency`](fn@frequency), [`optional`] |
//! | collections | [`vec()`], [`btree_set`], [`hash_map`], …, [`string`] |
//! | strings that match a regular expression | `regex` (feature `regex`) |
//! | a subsequence or a permutation | [`subsequence`], [`shuffle`] |
//! | trees | [`recursive()`], or the derive |
//! | the transformed values of another generator | [`GeneratorExt`]: `map`, `flat_map`, `filter`, … |
//! | values of another size | [`sized`], [`GeneratorExt::resize`], [`GeneratorExt::scale`] |
//! | sample values, checks of a generator | [`sample`], [`show_samples`], [`check_generator`], [`check_shrinker`] |

/// The part of an implementation for searches: its series, the number of its values, and whether its values are plain
/// (see [`Shape`](crate::lazy::Shape)).
#[cfg(feature = "full")]
macro_rules! in_search {
    (plain, |$series:ident| $value:expr, |$extent:ident| $count:expr) => {
        in_search!(opaque, |$series| $value, |$extent| $count);

        // SAFETY: the values own their parts, without interior mutability.
        const SHAPE: crate::generate::series::Shape = unsafe { crate::generate::series::Shape::plain() };
    };
    (opaque, |$series:ident| $value:expr, |$extent:ident| $count:expr) => {
        fn series($series: &mut crate::generate::series::Series<'_>) -> Self {
            $value
        }

        fn extent($extent: &mut crate::generate::series::Extent) -> f64 {
            $count
        }
    };
}

#[cfg(not(feature = "full"))]
macro_rules! in_search {
    ($($anything:tt)*) => {};
}

mod arbitrary;
pub(crate) mod calendar;
mod character;
mod choose;
mod collections;
mod combine;
mod containers;
mod float;
mod float_range;
mod heights;
mod integer;
mod laws;
mod lengths;
mod misuse;
mod network;
mod numbers;
mod pointers;
pub(crate) mod printed;
mod products;
mod range;
mod recursive;
#[cfg(feature = "regex")]
mod regex;
mod sample;
#[cfg(feature = "full")]
pub(crate) mod series;
mod shrink;
mod structure;
mod sums;
mod system;
mod text;
mod vec;

pub use arbitrary::{Any, Arbitrary, any};
pub(crate) use character::{code_of, is_character, simplest_wide, stand_ins, utf8_width};
#[doc(hidden)]
pub use choose::{Alternatives, alternatives, uniform};
pub use choose::{
    Elements, Frequency, OneOf, Optional, Shuffle, Subsequence, elements, frequency, one_of, optional, shuffle,
    subsequence,
};
pub use collections::{
    BTreeMapOf, BTreeSetOf, HashMapOf, HashSetOf, SequenceOf, binary_heap, btree_map, btree_set, hash_map, hash_set,
    linked_list, vec_deque,
};
pub use combine::{
    Boxed, Constant, Filter, FilterMap, FlatMap, FromFn, GeneratorExt, Map, Resize, Scale, SizedBy, Swarm, Zip,
    constant, from_fn, just, sized,
};
pub(crate) use float::first_part;
pub(crate) use float::{float_code, is_ranged_float, ranged_float, special_floats};
pub(crate) use float_range::{places, scaled};
pub use heights::Heights;
pub(crate) use integer::Coded;
pub use laws::{
    Broken, GeneratorCheck, GeneratorReport, ShrinkerCheck, ShrinkerReport, check_generator, check_shrinker,
};
pub use lengths::Lengths;
pub(crate) use lengths::build_up_to;
pub(crate) use lengths::{ELEMENT, FIXED_ELEMENT};
pub(crate) use lengths::{Parts, build};
pub use misuse::Misuse;
pub(crate) use misuse::misuse;
pub use range::{RangeOf, Ranged, range};
pub use recursive::{Inner, Recursive, recursive};
#[doc(hidden)]
pub use recursive::{child_size, must_end, pick_variant};
#[cfg(feature = "regex")]
pub use regex::{Regex, RegexError, regex};
pub use sample::{sample, sample_with, show_samples};
pub use structure::{Code, Visitor};
pub use text::{StringOf, string};
pub use vec::{UniqueVecOf, VecOf, vec};

#[doc(no_inline)]
pub use crate::{frequency, one_of};

pub use crate::choice::generator::Generator;
