//! Whose fault it is that a test could not be run.

use crate::choice::MAX_ITEMS;
use crate::property::{ContractBroken, Failure, FailureKind};
use crate::report::advice;
use std::fmt;

/// What a generator, a shrinker or a mutator did wrong.
///
/// As text it says what to do.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Fault, Tested, Tester};
/// let property = property! { forall n in 1..9u32, contract n % 2 == 0; check *n > 0 };
/// let tester = Tester::new("even", &property, 7);
/// let fault = (0..100).find_map(|index| match tester.record(index, 10).1 {
///     Tested::Fault(fault) => Some(fault),
///     _ => None,
/// });
/// assert!(matches!(fault, Some(Fault::Contract(broken)) if broken.quantifier == "n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A value breaks the contract of its variable.
    Contract(ContractBroken),
    /// A combinator was given something that it cannot work with.
    Misuse {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// What is wrong, and what to do.
        text: String,
    },
    /// The generator drew more choices than can be recorded.
    TooLarge {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The generator panicked.
    Panic {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// The body drew more choices than can be recorded.
    EndlessDraws {
        /// The source, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The body drew from one source on several threads.
    SeveralThreads {
        /// The source, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The property has quantifiers inside that only a search can decide.
    NotDecidable,
    /// A shrinker or a mutator panicked.
    ShrinkerPanic {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// Nobody is at fault but the system: there is no process to run the test in. Why.
    NoProcess(String),
    /// The test cannot be searched, or the input comes from a search and cannot be run. Why, and what to do.
    Search(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNKNOWN: &str = "a variable";
        f.write_str(&match self {
            Fault::Contract(broken) => {
                let value = if let Some(binding) = broken.bindings.last() { binding.printed.text() } else { "" };
                advice::contract_broken(broken.quantifier, broken.text, value, broken.maker)
            }
            Fault::TooLarge { quantifier } => advice::input_too_large(quantifier.unwrap_or(UNKNOWN), MAX_ITEMS as u64),
            Fault::Misuse { quantifier, text } => {
                #[cfg(feature = "machine")]
                if let Some(told) = crate::machine::misused::told(text) {
                    return f.write_str(&told);
                }
                advice::misused(quantifier.unwrap_or(UNKNOWN), text)
            }
            Fault::EndlessDraws { quantifier } => advice::endless_draws(quantifier.unwrap_or("s"), MAX_ITEMS as u64),
            Fault::SeveralThreads { quantifier } => advice::drawn_on_several_threads(quantifier.unwrap_or("s")),
            Fault::NotDecidable => advice::not_decidable(),
            Fault::Panic { failure, .. } if failure.kind == FailureKind::Crash => {
                advice::generator_crashed(&failure.message)
            }
            Fault::Panic { quantifier, failure } => {
                advice::generator_panicked(quantifier.unwrap_or(UNKNOWN), &failure.message, failure.location.as_ref())
            }
            Fault::ShrinkerPanic { quantifier, failure } => {
                advice::shrinker_panicked(quantifier.unwrap_or(UNKNOWN), &failure.message, failure.location.as_ref())
            }
            Fault::NoProcess(why) => advice::no_process(why),
            Fault::Search(why) => why.clone(),
        })
    }
}
