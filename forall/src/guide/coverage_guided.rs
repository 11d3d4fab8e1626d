//! The coverage-guided runner: a search for tests with new coverage.

use crate::fact::Fact;
use crate::run::runners::Named;
use crate::run::{Report, Session, Settings, Statistics, Verdict};

inventory::submit! { Named { refusal, ..Named::new("coverage", coverage_guided) } }

/// The counters are in the process that searches, and isolated tests run in others.
fn refusal(settings: &Settings) -> Option<Fact> {
    settings.isolates().then_some(Fact::IsolatedCoverage)
}

/// A runner guided by coverage: it keeps tests that take new branches and mutates them, and tries the operands of the
/// program's comparisons as inputs.
///
/// This is `runner = "coverage"`. It needs an instrumented program, as built by `cargo forall instrumented test`; in
/// any other build the verdict says so and shows the command. Counters belong to the process, so the test should run
/// alone (`-- --test-threads=1`). For a campaign that continues where the last one ended, use `cargo forall fuzz`.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict};
/// use forall::guide::coverage_guided;
///
/// let property = property! { forall n: u32; check *n != 0xdead_beef };
/// let session = Run::new("no beef", &property).settings(Settings::new().tests(10_000)).session().unwrap();
/// // The documentation is not built instrumented.
/// assert!(matches!(coverage_guided(session).verdict, Verdict::Misconfigured(why) if why.to_string().contains("cargo forall")));
/// ```
#[doc(alias("fuzz"))]
pub fn coverage_guided(session: Session<'_>) -> Report {
    match inventory::iter::<Instrumented>().next() {
        Some(guest) => (guest.0)(session),
        None => session.finish((Verdict::Misconfigured(Fact::NotInstrumented), None), Statistics::default()),
    }
}

/// The runner of a program with the feature `coverage`.
pub(crate) struct Instrumented(pub(crate) fn(Session<'_>) -> Report);

inventory::collect!(Instrumented);
