//! The exhaustive runner: every input, once.

use super::generational::{SMALL_DOMAIN, small_domain, try_all};
use super::{Budget, Report, Session, Statistics, Verdict};
use crate::report::advice;

/// Runs a property on every input, however many tests are asked for; or says that there are too many.
///
/// This is `runner = "exhaustive"`. The generational runner does the same by itself where there are no more inputs than tests;
/// here nothing less will do.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, exhaustive};
///
/// let property = property! { forall a: u8; forall b: bool; check a.wrapping_add(u8::from(*b)) != 77 || *a != 76 || !b };
/// let session = Run::new("sums", &property).settings(Settings::new().tests(10)).session().unwrap();
/// assert_eq!(exhaustive(session).verdict, Verdict::Failed, "one of 512 inputs");
///
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let session = Run::new("bits", &property).session().unwrap();
/// assert!(matches!(exhaustive(session).verdict, Verdict::NotDecidable(why) if why.contains("generational")));
/// ```
pub fn exhaustive(mut session: Session<'_>) -> Report {
    let Some(domain) = small_domain(&session, SMALL_DOMAIN) else {
        let why = advice::too_many_inputs(SMALL_DOMAIN);
        return session.finish((Verdict::NotDecidable(why), None), Statistics::default());
    };
    let mut budget = Budget::new(&session);
    let ending = try_all(&mut session, &mut budget, domain);
    budget.finish(session, Some(ending))
}
