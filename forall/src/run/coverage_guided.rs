//! The coverage-guided runner: a search for tests that do something new.

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
pub fn coverage_guided(session: Session<'_>) -> Report {
    use crate::coverage::Coverage;
    use crate::guide::{Corpus, Guide};
    match Coverage::new() {
        Ok(mut coverage) => {
            coverage.forget();
            super::guided(session, &mut [Guide::new(coverage, Corpus::new())])
        }
        Err(why) => misconfigured(session, why.to_string()),
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
