//! Whose fault it is that a test could not be run.

use crate::choice::MAX_ITEMS;
use crate::fact::Fact;
use crate::property::{ContractBroken, Failure};
use std::fmt;

/// A fault of a generator, a shrinker or a mutator.
///
/// Its `Display` has advice.
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
    #[doc(hidden)]
    Contract(ContractBroken),
    /// A combinator was given something that it cannot work with.
    #[doc(hidden)]
    Misuse {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// What is wrong, and what to do.
        text: String,
    },
    /// A specification of a machine makes no sense. What is wrong.
    #[doc(hidden)]
    Specification(String),
    /// The generator drew more choices than can be recorded.
    #[doc(hidden)]
    TooLarge {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The generator panicked.
    #[doc(hidden)]
    Panic {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// The body drew more choices than can be recorded.
    #[doc(hidden)]
    EndlessDraws {
        /// The source, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The body drew from one source on several threads.
    #[doc(hidden)]
    SeveralThreads {
        /// The source, as far as it is known.
        quantifier: Option<&'static str>,
    },
    /// The property has quantifiers inside that only a search can decide.
    #[doc(hidden)]
    NotDecidable,
    /// A shrinker or a mutator panicked.
    #[doc(hidden)]
    ShrinkerPanic {
        /// The variable, as far as it is known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// Nobody is at fault but the system: there is no process to run the test in. Why.
    #[doc(hidden)]
    NoProcess(String),
    /// The test cannot be searched, or the input comes from a search and cannot be run. Why, and what to do.
    #[doc(hidden)]
    Search(String),
}

impl Fault {
    /// Returns what a report says of it.
    pub(crate) fn fact(&self) -> Fact {
        const LIMIT: u64 = MAX_ITEMS as u64;
        let name = |quantifier: &Option<&'static str>, unknown: &str| quantifier.unwrap_or(unknown).to_owned();
        let variable = |quantifier: &Option<&'static str>| name(quantifier, "a variable");
        let place = |failure: &Failure| Some(failure.location.as_ref()?.to_string());
        match self {
            Fault::Contract(broken) => {
                let value = if let Some(binding) = broken.bindings.last() { binding.printed.text() } else { "" };
                let (variable, contract) = (broken.quantifier.to_owned(), broken.text.to_owned());
                Fact::ContractBroken { variable, contract, value: value.to_owned(), by: broken.maker.to_string() }
            }
            Fault::TooLarge { quantifier } => Fact::InputTooLarge { variable: variable(quantifier), limit: LIMIT },
            Fault::Misuse { quantifier, text } => {
                Fact::Misuse { variable: variable(quantifier), message: text.clone() }
            }
            Fault::Specification(what) => Fact::SenselessSpecification { what: what.clone() },
            Fault::EndlessDraws { quantifier } => Fact::EndlessDraws { source: name(quantifier, "s"), limit: LIMIT },
            Fault::SeveralThreads { quantifier } => Fact::DrawnOnSeveralThreads { source: name(quantifier, "s") },
            Fault::NotDecidable => Fact::NotDecidable,
            Fault::Panic { failure, .. } if failure.kind.takes_the_process() => {
                Fact::GeneratorCrashed { message: failure.message.clone() }
            }
            Fault::Panic { quantifier, failure } => {
                let message = failure.message.clone();
                Fact::GeneratorPanicked { variable: variable(quantifier), message, place: place(failure) }
            }
            Fault::ShrinkerPanic { quantifier, failure } => {
                let message = failure.message.clone();
                Fact::ShrinkerPanicked { variable: variable(quantifier), message, place: place(failure) }
            }
            Fault::NoProcess(why) => Fact::NoProcess { why: why.clone() },
            Fault::Search(why) => Fact::SearchFaulty { why: why.clone() },
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fact().fmt(f)
    }
}
