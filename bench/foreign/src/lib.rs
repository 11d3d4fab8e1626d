//! Generators of other libraries, in properties of `forall`.
//!
//! A quantifier's generator is any function from choices to a value. A generator of another library therefore needs
//! only a *sampling function*: it draws the library's random state, and lets the library produce a value. The property,
//! the runner, the store and the report stay what they are. (Keleş et al., "Programmable Property-Based Testing",
//! section 5, hand the sampling function to the runner, which works where generators have no types. Here it stands at
//! the quantifier, and generators of three libraries may stand in one property.)
//!
//! ```
//! use forall::prelude::*;
//! use forall::run::{Run, Settings, Store};
//! use foreign_generators::{arbitrary, strategy};
//!
//! let property = property! {
//!     forall word in strategy("[a-z]{1,8}"), shrink |word| word.simpler();       // proptest
//!     forall bytes in arbitrary::<Vec<u8>>(), shrink quickcheck::Arbitrary::shrink; // quickcheck
//!     forall at in 0..=bytes.len();                                              // forall
//!     check word.contains('q') || *at < 3
//! };
//! let settings = Settings::new().tests(1000).seed(1).store(Store::Off);
//! let found = Run::new("three libraries", &property).settings(settings).report().counterexample.unwrap();
//! let shown: Vec<&str> = found.bindings.iter().map(|variable| variable.printed.text()).collect();
//! assert_eq!(shown, [r#""a""#, "vec![0, 0, 0]", "3"]);
//! ```
//!
//! # What is drawn
//!
//! One choice of 64 bits, from which the other library's random numbers are seeded; for quickcheck, which has sizes, a second
//! one for the size of the test. They are recorded like all choices: a failing test is stored, replayed and pasted as ever.
//!
//! # What shrinks, and what does not
//!
//! A smaller seed makes another value, not a smaller one, so there is nothing in the choices for our shrinker. The
//! other library shrinks the value, and forall treats that as the variable's shrinker: [`Sampled::simpler`] for
//! proptest, `quickcheck::Arbitrary::shrink` for quickcheck. Without the `shrink` annotation such a variable stays as
//! it was found, while the others shrink around it. Guided runners can replace such a value by another, but not change
//! a part of it.
//!
//! To hand proptest our choices as its random numbers, word by word, would let our shrinker work on them. Its `PassThrough`
//! generator does not allow it: when the words are used up it says 0 for ever, and sampling from a range by rejection, as
//! `rand` does, may then never end.

mod quickchecks;

pub use forall::interop::{Sampled, strategy};
pub use quickchecks::arbitrary;
