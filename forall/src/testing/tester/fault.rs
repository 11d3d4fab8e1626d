//! Tests that could not be run, and why.

use crate::choice::MAX_ITEMS;
use crate::fact::Fact;
use crate::property::{ContractBroken, Failure};
use std::fmt;

/// A fault of a generator, a shrinker or a mutator.
///
/// Its `Display` output includes advice.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A value violates the contract of its variable.
    #[doc(hidden)]
    Contract(ContractBroken),
    /// A combinator has invalid arguments.
    #[doc(hidden)]
    Misuse {
        /// The variable, if known.
        quantifier: Option<&'static str>,
        /// The problem, and what to do.
        text: String,
    },
    /// The specification of a machine is invalid, with the reason.
    #[doc(hidden)]
    Specification(String),
    /// The generator exceeded the recording limit.
    #[doc(hidden)]
    TooLarge {
        /// The variable, if known.
        quantifier: Option<&'static str>,
    },
    /// The generator panicked.
    #[doc(hidden)]
    Panic {
        /// The variable, if known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// The body exceeded the recording limit.
    #[doc(hidden)]
    EndlessDraws {
        /// The source, if known.
        quantifier: Option<&'static str>,
    },
    /// The body drew from one source on several threads.
    #[doc(hidden)]
    SeveralThreads {
        /// The source, if known.
        quantifier: Option<&'static str>,
    },
    /// The property has nested quantifiers, which only a search can decide.
    #[doc(hidden)]
    NotDecidable,
    /// A shrinker or a mutator panicked.
    #[doc(hidden)]
    ShrinkerPanic {
        /// The variable, if known.
        quantifier: Option<&'static str>,
        /// The panic.
        failure: Failure,
    },
    /// The process for the test could not be started, with the reason.
    #[doc(hidden)]
    NoProcess(String),
    /// The test cannot be searched, or the input comes from a search and cannot be run: the reason, and what to do.
    #[doc(hidden)]
    Search(Fact),
}

impl Fault {
    /// Returns the fact for the report.
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
            Fault::NoProcess(error) => Fact::NoProcess { error: error.clone() },
            Fault::Search(why) => why.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fact().fmt(f)
    }
}
