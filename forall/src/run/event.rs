//! Events of a run, and their observers.
//!
//! Runners print nothing. They send events to an [`Observer`], from which terminal output, statistics and all other
//! output are produced. The exception is a test that hangs or ends the process: the runner cannot send an event then, and
//! `run/watch.rs` prints the message.

use super::{Case, Identity, Report, Searched};
use crate::explain::Explanation;
use crate::fact::Fact;
use crate::property::{Binding, Discarded, Failure, Outcome};
use std::time::Duration;

/// An observer of the events of a run.
///
/// ```
/// use forall::property::{self, Telescope};
/// use forall::run::{Event, Observer, Run, Settings};
///
/// #[derive(Default)]
/// struct Count(u64);
/// impl Observer for Count {
///     fn wants_tests(&self) -> bool { true }
///     fn event(&mut self, event: &Event<'_>) {
///         if let Event::Tested { .. } = event { self.0 += 1; }
///     }
/// }
///
/// let property = property::forall("n", |(), s| s.draw(0..1000u32)).check(|(n, ())| *n < 1000);
/// let mut count = Count::default();
/// Run::new("count", &property).settings(Settings::new().tests(50)).observer(&mut count).report();
/// assert_eq!(count.0, 50);
/// ```
pub trait Observer {
    /// Returns whether to receive [`Event::Tested`] for every test. If not, tests run in a loop without the cost of
    /// observation.
    ///
    /// ```
    /// use forall::run::{Event, Observer};
    /// struct Quiet;
    /// impl Observer for Quiet {
    ///     fn event(&mut self, _: &Event<'_>) {}
    /// }
    /// assert!(!Quiet.wants_tests(), "unless you say otherwise");
    /// ```
    fn wants_tests(&self) -> bool {
        false
    }

    /// Whether [`Event::Shrunk`] includes the variables of each simpler input. If not, they are not printed.
    ///
    /// ```
    /// use forall::prelude::*;
    /// use forall::run::{Event, Observer, Run, Settings, Store};
    /// struct Steps(Vec<String>);
    /// impl Observer for Steps {
    ///     fn wants_values(&self) -> bool { true }
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Shrunk { bindings, .. } = event { self.0.push(bindings[0].printed.text().to_owned()); }
    ///     }
    /// }
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let mut steps = Steps(Vec::new());
    /// Run::new("steps", &property).settings(Settings::new().seed(1).store(Store::Off)).observer(&mut steps).report();
    /// assert_eq!(steps.0.last().unwrap(), "10");
    /// ```
    #[doc(hidden)]
    fn wants_values(&self) -> bool {
        false
    }

    /// Whether this observer has a terminal that can show a progress line for runs of more than a second. The line is
    /// written to stderr, past the capture of the test harness, and erased at the end of the run.
    ///
    /// ```
    /// use forall::run::{Event, Observer};
    /// struct Quiet;
    /// impl Observer for Quiet {
    ///     fn event(&mut self, _: &Event<'_>) {}
    /// }
    /// assert!(!Quiet.shows_progress(), "unless you say otherwise");
    /// ```
    #[doc(hidden)]
    fn shows_progress(&self) -> bool {
        false
    }

    /// Receives an event.
    ///
    /// ```
    /// use forall::run::{Event, Observer};
    /// struct Warnings(Vec<String>);
    /// impl Observer for Warnings {
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Warned { fact } = event { self.0.push(fact.to_string()); }
    ///     }
    /// }
    /// let mut warnings = Warnings(Vec::new());
    /// warnings.event(&Event::Warned { fact: &"the disk is full".into() });
    /// assert_eq!(warnings.0, ["the disk is full"]);
    /// ```
    fn event(&mut self, event: &Event<'_>);
}

/// An event of a run.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Event, Observer, Run, Settings, Store};
///
/// /// Writes down what happens, in a word each.
/// #[derive(Default)]
/// struct Words(Vec<&'static str>);
/// impl Observer for Words {
///     fn event(&mut self, event: &Event<'_>) {
///         self.0.push(match event {
///             Event::Started { .. } => "started",
///             Event::Failed { .. } => "failed",
///             Event::Shrunk { .. } => "shrunk",
///             Event::Explained { .. } => "explained",
///             Event::Finished { .. } => "finished",
///             _ => "other",
///         });
///     }
/// }
///
/// let property = property! { forall n in 0..1000u32; check *n < 10 };
/// let mut words = Words::default();
/// let settings = Settings::new().seed(1).store(Store::Off);
/// Run::new("below ten", &property).settings(settings).observer(&mut words).report();
/// words.0.dedup();
/// assert_eq!(words.0, ["started", "failed", "shrunk", "explained", "finished"]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A run begins.
    Started {
        /// The property.
        identity: &'a Identity,
        /// Its seed.
        seed: u64,
        /// The number of valid tests that are requested.
        tests: u64,
    },
    /// A saved failure is about to be replayed.
    #[doc(hidden)]
    Replaying {
        /// Its path.
        origin: &'a str,
    },
    /// A saved failure was replayed: whether it still fails.
    #[doc(hidden)]
    Replayed {
        /// Its path.
        origin: &'a str,
        /// The outcome.
        outcome: &'a Fact,
    },
    /// A test ran. Only observers that want tests receive this event.
    Tested {
        /// The index, unique in the run. Tests with literals from the source code have indices from 2^63 on.
        index: u64,
        /// The size.
        size: u32,
        /// The outcome.
        outcome: &'a Outcome,
        /// The clause that discarded the test, if one did.
        #[doc(hidden)]
        discarded_by: Option<&'a Discarded>,
        /// The duration.
        time: Duration,
    },
    /// A failing input was found. Shrinking has not begun.
    Failed {
        /// The input.
        case: &'a Case,
        /// How it fails.
        failure: &'a Failure,
    },
    /// Shrinking found a simpler failing input.
    Shrunk {
        /// The input.
        case: &'a Case,
        /// The number of inputs that were run since shrinking began.
        evaluations: u64,
        /// The pass of the shrinker that proposed it.
        pass: &'static str,
        /// The variables, for observers that want values; empty for others.
        bindings: &'a [Binding],
    },
    /// The minimal counterexample was explained.
    #[doc(hidden)]
    Explained {
        /// The claims.
        explanation: &'a Explanation,
    },
    /// A saved failure was moved to the committed regressions, as requested.
    #[doc(hidden)]
    Kept {
        /// Its new path.
        path: &'a str,
    },
    /// An exhaustive search completed a depth.
    #[doc(hidden)]
    Searched {
        /// Its work at that depth.
        depth: &'a Searched,
    },
    /// A warning, with advice.
    Warned {
        /// The warning.
        fact: &'a Fact,
    },
    /// The run ended.
    Finished {
        /// The report.
        report: &'a Report,
    },
}
