//! The coverage-guided runner: a search for tests that do something new.

#[cfg(feature = "coverage")]
use super::Schedule;
use super::{Report, Session};

/// Runs a property guided by coverage: tests that take new branches are kept and varied further, and the values that the
/// program compares are tried as inputs.
///
/// This is `runner = "coverage"`. It needs a program that was built instrumented, as `cargo forall instrumented test` does;
/// in any other the verdict says so, and how to build. Counters belong to the process, so the test should run alone
/// (`-- --test-threads=1`). For a campaign that goes on from where the last one ended, there is `cargo forall fuzz`.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, coverage_guided};
///
/// let property = property! { forall n: u32; check *n != 0xdead_beef };
/// let session = Run::new("no beef", &property).settings(Settings::new().tests(10_000)).session().unwrap();
/// // The documentation is not built instrumented.
/// assert!(matches!(coverage_guided(session).verdict, Verdict::Misconfigured(why) if why.contains("cargo forall")));
/// ```
#[cfg(feature = "coverage")]
pub fn coverage_guided(mut session: Session<'_>) -> Report {
    use crate::coverage::Coverage;
    use crate::guide::{Corpus, Guide};
    match Coverage::new() {
        Ok(mut coverage) => {
            coverage.forget();
            session.settings.size = growing_again(session.settings.size);
            super::guided(session, &mut [Guide::new(coverage, Corpus::new())])
        }
        Err(why) => misconfigured(session, why.to_string()),
    }
}

/// Sizes for a long search. One that grows until the last test would keep to empty inputs for its first hundreds, and there is
/// nothing to learn from these; so it grows again and again.
#[cfg(feature = "coverage")]
pub(crate) fn growing_again(schedule: Schedule) -> Schedule {
    match schedule {
        Schedule::Linear { from: 0, to: 100 } => Schedule::Function(|index, _| (index % 101) as u32),
        Schedule::Linear { to, .. } => Schedule::Constant(to),
        other => other,
    }
}

/// Says that this program was not built for it.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, coverage_guided};
///
/// let property = property! { forall n: u32; check *n != 0xdead_beef };
/// let session = Run::new("no beef", &property).settings(Settings::new().tests(10_000)).session().unwrap();
/// assert!(matches!(coverage_guided(session).verdict, Verdict::Misconfigured(why) if why.contains("cargo forall")));
/// ```
#[cfg(not(feature = "coverage"))]
pub fn coverage_guided(session: Session<'_>) -> Report {
    misconfigured(session, crate::report::advice::not_instrumented())
}

fn misconfigured(session: Session<'_>, why: String) -> Report {
    session.finish((super::Verdict::Misconfigured(why), None), super::Statistics::default())
}
