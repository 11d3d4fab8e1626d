//! Runners and their components.
//!
//! A runner is an ordinary function over [`Tester`], [`Shrinker`](crate::shrink::Shrinker), [`Schedule`], [`Budget`]
//! and [`Session`]. [`generational()`] is one, and [`guide`](crate::guide) and [`lazy`](crate::lazy) have others. You
//! write a custom runner in the same way, outside this crate; [`#[forall::runner]`](macro@crate::runner) registers it under its
//! name, and [`Run::runner`] runs one that is a closure. The documentation of the
//! package `forall-example-runners` in this repository explains the components and writes three runners from scratch.
//!
//! A short custom runner, which collects all distinct failures:
//!
//! ```
//! use forall::property::{self, Property, Telescope};
//! use forall::run::{Tested, Tester};
//! use std::collections::BTreeSet;
//!
//! fn distinct_failures(property: &dyn Property, tests: u64) -> BTreeSet<String> {
//!     let tester = Tester::new("distinct", property, 7);
//!     let run = |index| match tester.record(index, 100).1 {
//!         Tested::Fail(failure) => Some(failure.message),
//!         _ => None,
//!     };
//!     (0..tests).filter_map(run).collect()
//! }
//!
//! let property = property::forall("n", |(), s| s.draw(0..100u32)).check(|(n, ())| {
//!     assert!(*n != 3, "three");
//!     assert!(*n % 2 == 0, "odd");
//! });
//! assert!(distinct_failures(&property, 1000).contains("odd"));
//! ```

mod budget;
mod checkpoint;
mod domain;
pub(crate) mod elsewhere;
mod enumerate;
pub(crate) mod environment;
mod event;
mod exploring;
mod generational;
mod health;
mod keeping;
#[cfg(feature = "full")]
mod labelled;
mod namesakes;
#[cfg_attr(not(feature = "full"), path = "../lean/parallel.rs")]
mod parallel;
pub(crate) mod prepared;
#[cfg_attr(not(feature = "full"), path = "../lean/profiles.rs")]
pub mod profiles;
#[doc(hidden)]
pub mod protocol;
pub(crate) mod recorders;
pub(crate) mod registered;
mod report;
mod requirements;
pub(crate) mod runners;
mod session;
mod shard;
mod unclaimed;
mod watch;
pub(crate) mod workers;

// The parts of a run, from lower layers.
pub use crate::context::cancel::Cancel;
pub use crate::effects::Cwd;
pub use crate::property::identity::{Example, Identity};
pub use crate::settings::{Bytes, IntoBytes, IntoTime, Schedule, Settings, Shard, Time};
pub use crate::shrink::on::ShrinkOn;
pub use crate::shrink::story::{Pass, Shrinking};
pub use crate::statistics::{ByName, Cover, Explored, Statistics};
pub use crate::store::setting::Store;
pub use crate::testing::{BlockTested, Case, CaseError, Fault, Tested, Tester};

pub use crate::fact::Fact;
#[doc(hidden)]
pub use crate::fact::Kept;
pub use budget::Budget;
pub use enumerate::Enumeration;
#[doc(hidden)]
pub use environment::all_threads;
pub use event::{Event, Observer};
pub use generational::generational;
pub(crate) use generational::stopped;
#[cfg(feature = "full")]
pub use labelled::{LabelledExample, labelled_examples, labelled_examples_with};
pub use parallel::generational_by_workers;
pub use report::{Counterexample, Earlier, Found, Report, Reruns, Searched, Verdict};
pub(crate) use session::run_example;
pub use session::{Ending, Session};
pub(crate) use unclaimed::warning as unclaimed_regressions;

use crate::property::Property;
use crate::registry::{self, Entry};
use runners::OwnRunner;
use std::borrow::Cow;

/// A property to run.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings};
///
/// let property = property! { forall xs: Vec<u8>; check xs.iter().rev().rev().eq(xs) };
/// let report = Run::new("reversing twice", &property).settings(Settings::new().tests(100)).report();
/// assert!(report.verdict.is_success());
/// assert_eq!(report.statistics.valid, 100);
/// ```
#[must_use = "nothing is run before `test` or `report`"]
pub struct Run<'a> {
    pub(crate) identity: Identity,
    property: &'a dyn Property,
    shared: Option<&'a (dyn Property + Sync)>,
    pub(crate) settings: Settings,
    examples: &'a [Example],
    pub(crate) observer: Option<&'a mut dyn Observer>,
    cancel: Option<Cancel>,
    runner: Option<OwnRunner<'a>>,
    by_workers: bool,
    without_environment: bool,
}

impl<'a> Run<'a> {
    /// Creates a run of `property` under `name`, which identifies its saved failures. The name should be unique: a run
    /// that finds another property of the same name warns.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// let property = property! { forall n in 0..10u32; check *n < 10 };
    /// let report = forall::run::Run::new("below ten", &property).report();
    /// assert_eq!(report.identity.name, "below ten");
    /// ```
    #[track_caller]
    pub fn new(name: impl Into<Cow<'static, str>>, property: &'a dyn Property) -> Self {
        Self::named(declared_at(Identity::here(name), property), property)
    }

    /// Creates a run as [`Run::new`] does, with the whole identity.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Identity, Run};
    /// let property = property! { forall n in 0..10u32; check *n < 10 };
    /// let place = Identity { file: file!(), line: line!(), ..Identity::new("below ten") };
    /// assert_eq!(Run::named(place.clone(), &property).report().identity, place);
    /// ```
    pub fn named(identity: Identity, property: &'a dyn Property) -> Self {
        runs_a_value();
        Self::declared(identity, property)
    }

    /// As [`Run::named`], for the properties that attributes declare.
    fn declared(identity: Identity, property: &'a dyn Property) -> Self {
        let (settings, examples) = declared(property);
        let (shared, observer, cancel, runner) = (None, None, None, None);
        let (by_workers, without_environment) = (false, false);
        Self {
            identity,
            property,
            shared,
            settings,
            examples,
            observer,
            cancel,
            runner,
            by_workers,
            without_environment,
        }
    }

    /// Ignores the environment variables and profiles, and prints no progress: for programs with their own options and
    /// output.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let settings = Settings::new().tests(10).seed(1).enumerate(false);
    /// let report = Run::new("bits", &property).settings(settings).without_environment().report();
    /// // Whatever FORALL_TESTS and FORALL_SEED say.
    /// assert_eq!((report.statistics.valid, report.seed), (10, 1));
    /// ```
    pub fn without_environment(mut self) -> Self {
        self.without_environment = true;
        self
    }

    /// Creates a run as [`Run::new`] does, for a property that can be tested on several threads if `threads` is set.
    ///
    /// The result is the same on any number of threads, except for runs with a time limit.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings};
    /// let property = property! { forall n: u64; check { label!("{} bits", n.count_ones()); } };
    /// let statistics = |threads| {
    ///     let settings = Settings::new().tests(5000).seed(7).threads(threads);
    ///     Run::parallel("bits", &property).settings(settings).report().statistics
    /// };
    /// assert_eq!(statistics(1), statistics(4));
    /// ```
    ///
    /// A property that captures values that threads cannot share is tested on one thread, by [`Run::new`]:
    ///
    /// ```compile_fail
    /// # use forall::prelude::*;
    /// use forall::run::Run;
    /// let seen = std::cell::Cell::new(0);
    /// let property = property! { forall n: u64; check seen.get() < *n };
    /// Run::parallel("bits", &property).test();
    /// ```
    #[track_caller]
    pub fn parallel<P>(name: impl Into<Cow<'static, str>>, property: &'a P) -> Self
    where
        P: Property + Sync, // `Run::new` takes those that are not `Sync`, and tests them on one thread.
    {
        runs_a_value();
        Self::named_parallel(declared_at(Identity::here(name), property), property)
    }

    /// Creates a run as [`Run::parallel`] does, with the whole identity.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Identity, Run, Settings};
    /// let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let place = Identity { file: file!(), line: line!(), ..Identity::new("bits") };
    /// let report = Run::named_parallel(place, &property).settings(Settings::new().threads(2)).report();
    /// assert!(report.verdict.is_success());
    /// ```
    #[doc(hidden)]
    pub fn named_parallel(identity: Identity, property: &'a (dyn Property + Sync)) -> Self {
        Self { shared: Some(property), ..Self::declared(identity, property) }
    }

    /// Uses the code path for several threads even with one thread, to measure its cost.
    #[doc(hidden)]
    pub fn by_workers(mut self) -> Self {
        self.by_workers = true;
        self
    }

    /// Uses these settings instead of those of the property's attribute. The environment overrides both.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings};
    /// let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let report = Run::new("bits", &property).settings(Settings::new().tests(10).seed(7)).report();
    /// assert_eq!((report.statistics.valid, report.seed), (10, 7));
    /// ```
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Runs these examples first.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::property::Outcome;
    /// use forall::run::{Example, Run};
    /// let zero = Example { bindings: &[("n", "u32", "0")], run: || Outcome::Discard };
    /// let property = property! { forall n in 1..10u32; check 10 % n < *n };
    /// let report = Run::new("remainders", &property).examples(&[zero]).report();
    /// assert!(report.verdict.is_success());
    /// assert!(report.warnings[0].to_string().contains("example"), "a discarded example is a warning");
    /// ```
    #[doc(hidden)]
    pub fn examples(mut self, examples: &'a [Example]) -> Self {
        self.examples = examples;
        self
    }

    /// Notifies `observer` of each event.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Event, Observer, Run};
    /// #[derive(Default)]
    /// struct Seed(u64);
    /// impl Observer for Seed {
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Started { seed, .. } = event { self.0 = *seed; }
    ///     }
    /// }
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut seen = Seed::default();
    /// let report = Run::new("bits", &property).observer(&mut seen).report();
    /// assert_eq!(report.seed, seen.0);
    /// ```
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Stops when `cancel` is triggered. The report then has the results so far.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Cancel, Run, Settings, Store};
    /// let cancel = Cancel::new();
    /// let property = property! { forall n: u64; check { if *n > 1000 { cancel.cancel(); } *n < 100 } };
    /// let settings = Settings::new().seed(1).store(Store::Off);
    /// let report = Run::new("small", &property).settings(settings).cancelled_by(&cancel).report();
    /// assert_eq!(report.counterexample.unwrap().shrinking.cut_short.unwrap().name(), "run-stopped");
    /// ```
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Uses your own runner instead of the one that the settings name. It runs after the examples and the saved
    /// failures, for [`report`](Run::report) and [`test`](Run::test) alike.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Budget, Run, Session, Settings, Verdict};
    /// let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// // Always at the same size.
    /// let runner = |session: Session<'_>| {
    ///     let mut budget = Budget::new(&session);
    ///     for index in 0.. {
    ///         if budget.is_spent(&session) { break }
    ///         budget.count(&session.tester.record(index, 7).1);
    ///     }
    ///     budget.finish(session, None)
    /// };
    /// let report = Run::new("bits", &property).runner(runner).report();
    /// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 256));
    /// ```
    pub fn runner(mut self, runner: impl FnOnce(Session<'_>) -> Report + 'a) -> Self {
        self.runner = Some(Box::new(runner));
        self
    }

    /// Runs the property and returns the report.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings, Store, Verdict};
    /// let property = property! { forall n: u32; check *n < 100 };
    /// let report = Run::new("small", &property).settings(Settings::new().store(Store::Off)).report();
    /// assert_eq!(report.verdict, Verdict::Failed);
    /// assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "100");
    /// ```
    pub fn report(self) -> Report {
        self.prepare().report()
    }

    /// Creates the session for your own runner: settings with the environment on top, the tester, the store. If the
    /// settings are invalid, returns the report that says so.
    ///
    /// ```
    /// use forall::property::{self, Telescope};
    /// use forall::run::{Found, Run, Settings, Statistics, Store, Tested, Verdict};
    ///
    /// // A runner that tries sizes downwards, and otherwise does what all runners do: keep, shrink, report.
    /// let property = property::forall("n", |(), s| s.draw(0..1000u32)).check(|(n, ())| *n < 500);
    /// let settings = Settings::new().seed(1).store(Store::Off);
    /// let mut session = Run::new("downwards", &property).settings(settings).session().unwrap();
    /// let mut ending = (Verdict::Passed, None);
    /// for size in (0..100).rev() {
    ///     let index = u64::from(size);
    ///     if let (case, Tested::Fail(failure)) = session.tester.record(index, size) {
    ///         ending = session.found(case, failure, Found::Random { index, size });
    ///         break;
    ///     }
    /// }
    /// let report = session.finish(ending, Statistics::default());
    /// assert_eq!(report.counterexample.unwrap().bindings[0].printed.debug.as_deref(), Some("500"));
    /// ```
    pub fn session(self) -> Result<Session<'a>, Box<Report>> {
        self.prepare().session()
    }

    /// Sets the observer, unless the run has one.
    pub(crate) fn observed_by<'b>(self, observer: &'b mut dyn Observer) -> Run<'b>
    where
        'a: 'b,
    {
        let observer: &mut dyn Observer = match self.observer {
            Some(own) => own,
            None => observer,
        };
        Run { observer: Some(observer), ..self }
    }
}

/// The entry of a property in the registry, if an attribute declared it.
fn entry_of(property: &dyn Property) -> Option<&'static Entry> {
    let name = property.declared();
    if name.is_empty() { None } else { registry::first_named(name) }
}

/// Called where a property may be a value, whatever the source looks like. The linker removes the function from programs
/// that do not call it, so the tool finds its bytes only in those that may run such properties.
#[inline(never)]
fn runs_a_value() {
    std::hint::black_box(crate::protocol::VALUES);
}

/// The location of a property: reports quote the function that an attribute declared, wherever it is run.
fn declared_at(here: Identity, property: &dyn Property) -> Identity {
    match entry_of(property) {
        Some(entry) => Identity { name: here.name, ignored: here.ignored, ..entry.identity.clone() },
        None => here,
    }
}

/// The settings and examples of the attribute that declared a property; the defaults for properties that are values.
fn declared(property: &dyn Property) -> (Settings, &'static [Example]) {
    let Some(entry) = entry_of(property) else { return (Settings::new(), &[]) };
    // The harness expects the panic only of the test that the attribute generated, not of other runs of the property.
    (Settings { expected_panic: None, ..(entry.settings)(Settings::new()) }, entry.examples)
}
