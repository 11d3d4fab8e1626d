//! What a runner says while it runs, and to whom.
//!
//! Runners print nothing. They tell an [`Observer`] what happens; terminal text, statistics and every other thing a
//! person sees are made from these events. The one exception is said while a test runs and runs: that it hangs, or that it
//! ended the process. Then the runner cannot say anything any more, and `run/watch.rs` does.

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
    /// Returns whether to receive [`Event::Tested`] for every test. If not, tests run in a loop without observation
    /// costs.
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

    /// Whether [`Event::Shrunk`] is to tell the variables of each simpler input. If not, they are not printed.
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

    /// Whether this observer sits at a terminal on which a line may show how far a run is that takes longer than a second.
    /// The line is written to stderr, past the capture of the test harness, and is gone when the run ends.
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
        /// Which property.
        identity: &'a Identity,
        /// Its seed.
        seed: u64,
        /// How many valid tests are wanted.
        tests: u64,
    },
    /// A stored counterexample is tried before anything else.
    #[doc(hidden)]
    Replaying {
        /// Where it is kept.
        origin: &'a str,
    },
    /// A stored counterexample was tried: whether it still fails, and what is to be said of it.
    #[doc(hidden)]
    Replayed {
        /// Where it is kept.
        origin: &'a str,
        /// The outcome.
        outcome: &'a Fact,
    },
    /// A test ran. Only observers that want tests receive this event.
    Tested {
        /// The index, unique in the run. Tests with literals of the source have indices from 2^63 on.
        index: u64,
        /// The size.
        size: u32,
        /// The outcome.
        outcome: &'a Outcome,
        /// If a clause discarded it: which, and what was bound by then.
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
        /// The number of inputs run since shrinking began.
        evaluations: u64,
        /// The pass of the shrinker that proposed it.
        pass: &'static str,
        /// The variables, for observers that want values; empty for others.
        bindings: &'a [Binding],
    },
    /// What of the simplest failing input matters was found out.
    #[doc(hidden)]
    Explained {
        /// What can be said.
        explanation: &'a Explanation,
    },
    /// A local find was moved to the committed regressions, because a person asked for it.
    #[doc(hidden)]
    Kept {
        /// Where it is now.
        path: &'a str,
    },
    /// An exhaustive search is done with a depth.
    #[doc(hidden)]
    Searched {
        /// What it did there.
        depth: &'a Searched,
    },
    /// A warning, with advice.
    Warned {
        /// The warning.
        fact: &'a Fact,
    },
    /// The run ended.
    Finished {
        /// What it came to.
        report: &'a Report,
    },
}
