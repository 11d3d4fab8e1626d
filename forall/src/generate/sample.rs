//! Samples of a generator, outside of any test.

use super::{Generator, Misuse};
use crate::choice::{Rejected, Source};
use std::fmt::{Debug, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The seed of samples: always the same, so that documented output stays valid.
const SEED: u64 = 1;
/// The size of the last sample: that of the last test of an ordinary run.
pub(super) const LARGEST: u32 = 100;
/// The number of tests that may be rejected for each sample.
const PATIENCE: usize = 10;

/// The result of one attempt to generate.
pub(super) enum Attempt<T> {
    Value(T),
    Rejected,
    Misused(Misuse),
    Panicked(Box<dyn std::any::Any + Send>),
}

pub(super) fn attempt<G: Generator>(generator: &G, source: &mut Source) -> Attempt<G::Value> {
    match catch_unwind(AssertUnwindSafe(|| generator.generate(source))) {
        Ok(_) if source.is_rejected() => Attempt::Rejected,
        Ok(value) => Attempt::Value(value),
        Err(payload) if payload.is::<Rejected>() => Attempt::Rejected,
        Err(payload) => match payload.downcast::<Misuse>() {
            Ok(misuse) => Attempt::Misused(*misuse),
            Err(payload) => Attempt::Panicked(payload),
        },
    }
}

/// Returns the first `count` values of a generator, at sizes that grow from 0 to 100, always from the same seed.
/// Returns fewer if too many were rejected.
///
/// ```
/// use forall::generate::{any, sample};
/// let numbers = sample(any::<u8>(), 100);
/// assert!(numbers.iter().any(|n| *n < 5) && numbers.iter().any(|n| *n > 200));
/// ```
///
/// # Panics
/// When the generator does, and when it was [misused](Misuse), with the message.
#[track_caller]
pub fn sample<G: Generator>(generator: G, count: usize) -> Vec<G::Value> {
    sample_with(generator, count, SEED, |index| {
        (index as u64 * u64::from(LARGEST) / (count as u64 - 1).max(1)).min(u64::from(LARGEST)) as u32
    })
}

/// Like [`sample`], with your own seed and sizes.
///
/// ```
/// use forall::generate::{any, sample_with};
/// let long = sample_with(any::<Vec<u8>>(), 10, 42, |_| 1000);
/// assert!(long.iter().any(|bytes| bytes.len() > 100));
/// ```
///
/// # Panics
/// When the generator does, and when it was [misused](Misuse), with the message.
#[track_caller]
#[doc(hidden)]
pub fn sample_with<G: Generator>(generator: G, count: usize, seed: u64, size: impl Fn(usize) -> u32) -> Vec<G::Value> {
    let mut values = Vec::new();
    for index in 0..count.saturating_mul(PATIENCE) {
        if values.len() == count {
            break;
        }
        let mut source = Source::random(seed, index as u64, size(values.len()));
        match attempt(&generator, &mut source) {
            Attempt::Value(value) => values.push(value),
            Attempt::Rejected => {}
            Attempt::Misused(misuse) => panic!("{misuse}"),
            Attempt::Panicked(payload) => resume_unwind(payload),
        }
    }
    values
}

/// Returns the values of [`sample`] as a string with one line per value: `print!("{}", show_samples(any::<f64>(),
/// 20))`.
///
/// ```
/// use forall::generate::show_samples;
/// let text = show_samples('a'..='c', 3);
/// assert_eq!(text.lines().count(), 3);
/// ```
///
/// # Panics
/// Like [`sample`].
#[track_caller]
pub fn show_samples<G: Generator<Value: Debug>>(generator: G, count: usize) -> String {
    let mut text = String::new();
    for value in sample(generator, count) {
        // Writing to a string cannot fail; a `Debug` that fails leaves its line incomplete.
        let _ = writeln!(text, "{value:?}");
    }
    text
}
