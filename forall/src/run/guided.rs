//! The guided runner: ask the pool what to do, generate or mutate, run, and let the feedback decide what to keep.
//!
//! It is the loop of coverage-guided and of targeted testing; they differ in their feedback and their pools.

use super::{Budget, Found, Report, Session, Tested, Verdict};
use crate::choice::{Random, Source};
use crate::guide::{Directive, Guide, Mutator, Observed, Seed};
use crate::panic::{Unwound, catch_once};
use crate::report::advice;

/// Runs a property under guides, which take turns.
///
/// Reproducible, if the feedback is: what is generated and how it is mutated is a function of the seed.
///
/// ```
/// use forall::guide::{Energy, Guide, Heap, feedback_fn};
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, guided};
/// let property = property! { forall xs: Vec<bool>; check xs.len() < 300 };
/// let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
/// let session = Run::new("short", &property).settings(settings).session().unwrap();
/// let longer = feedback_fn(|test| test.case.sequence.len() as f64);
/// let report = guided(session, &mut [Guide::new(longer, Heap::new(Energy::up_to(100)))]);
/// assert_eq!(report.counterexample.unwrap().case.sequence.len(), 601, "300 elements and the end");
/// ```
pub fn guided(mut session: Session<'_>, guides: &mut [Guide<'_>]) -> Report {
    let mut budget = Budget::new(&session);
    let mut random = Random::for_test(session.seed, u64::MAX - 1);
    let mut mutator = Mutator::new(session.tester.property(), session.seed);
    let mut ending = None;
    for index in 0.. {
        if budget.is_spent(&session) {
            break;
        }
        let turn = index as usize % guides.len().max(1);
        let asked = ask(|| {
            let generate = || (Source::record(session.seed, index, session.size(index)), Vec::new());
            let mut made = Made::FromScratch;
            let (source, steps) = match guides.get_mut(turn) {
                None => generate(),
                Some(Guide { feedback, pool, .. }) => match pool.sample(&mut random) {
                    Directive::Generate => generate(),
                    Directive::Mutate(seed) => {
                        made = Made::OfASeed;
                        mutator.mutate_unless(seed, |input| feedback.is_known(input))
                    }
                    Directive::Try(seed) => {
                        made = Made::Elsewhere;
                        (Source::replay(&seed.case.sequence), seed.case.steps.clone())
                    }
                },
            };
            guides.iter_mut().for_each(|guide| guide.feedback.prepare());
            (source, steps, made)
        });
        let (source, steps, made) = match asked {
            Ok(asked) => asked,
            Err(fault) => {
                ending = Some((fault, None));
                break;
            }
        };
        let (case, tested) = budget.run(&mut session, index, source, &steps);
        ending = match &tested {
            Tested::Fail(failure) => Some(session.found(case, failure.clone(), Found::Guided { index })),
            Tested::Fault(fault) => Some(session.fault(&case, fault.clone())),
            _ => {
                let score = session.tester.context().take_score();
                let test = Observed { score, ..Observed::new(index, &case, &tested) };
                ask(|| learn(&mut session, guides, turn, made, &test, &mut mutator)).err().map(|fault| (fault, None))
            }
        };
        if ending.is_some() {
            break;
        }
    }
    budget.finish(session, ending)
}

/// How a test came about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    FromScratch,
    /// By changing a seed.
    OfASeed,
    /// Somebody else found it. What follows from it, they try.
    Elsewhere,
}

/// Pools and feedback are the user's: whatever they do, the run ends with a word on it.
fn ask<T>(body: impl FnOnce() -> T) -> Result<T, Verdict> {
    catch_once(body).map_err(|unwound| {
        let message = match unwound {
            Unwound::Panic(panic) => panic.message,
            Unwound::Signal(_) => "it gave a test up, as only tests may".to_owned(),
        };
        Verdict::Faulty(advice::feedback_panicked(&message))
    })
}

/// Lets every guide look at a test: what is useful is invested, and the seed of a useless mutant loses energy.
fn learn(
    session: &mut Session<'_>,
    guides: &mut [Guide<'_>],
    turn: usize,
    made: Made,
    test: &Observed<'_>,
    mutator: &mut Mutator,
) {
    // Also what was discarded has good parts.
    if made != Made::OfASeed {
        mutator.offer(&test.case.sequence);
    }
    for (number, guide) in guides.iter_mut().enumerate() {
        if !test.is_valid() && !guide.watches_discards {
            continue;
        }
        let test = Observed { best: guide.pool.best().map(|seed| seed.utility), ..test.clone() };
        let mut worth = guide.feedback.observe(&test);
        if worth.as_ref().is_some_and(|worth| worth.utility.is_nan()) {
            session.warn_once(advice::score_is_nan());
            worth = None;
        }
        match worth {
            Some(worth) if test.is_valid() => {
                let operands = worth.operands;
                if made != Made::Elsewhere {
                    mutator.follow(test.case, &operands);
                }
                guide.pool.invest(Seed { operands, ..Seed::new(test.case.clone(), worth.utility) });
            }
            None if made == Made::OfASeed && number == turn => {
                if mutator.is_probing() {
                    mutator.follow(test.case, &guide.feedback.compared());
                } else {
                    mutator.mend(test.case, &guide.feedback.broken());
                }
                guide.pool.revise();
            }
            _ => {}
        }
    }
}
