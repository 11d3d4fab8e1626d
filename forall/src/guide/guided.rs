//! The guided runner: asks the pool for an action, generates or mutates, runs, and lets the feedback decide what to
//! keep.
//!
//! It is the loop of coverage-guided and of targeted testing; they differ in their feedback and their pools.

use crate::Context;
use crate::choice::{AtEnd, Random, Sequence, Source};
use crate::fact::Fact;
use crate::guide::{Directive, Guide, Mutator, Observed, Seed};
use crate::panic::{Unwound, catch_once};
use crate::property::Step;
use crate::run::{Budget, Found, Report, Session, Tested, Verdict};

/// Runs a property with guides, which take turns.
///
/// Reproducible if the feedback is: generation and mutation are deterministic for a given seed.
///
/// ```
/// use forall::guide::{Energy, Guide, Heap, feedback_fn};
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
/// use forall::guide::guided;
/// let property = property! { forall xs: Vec<bool>; check xs.len() < 300 };
/// let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
/// let session = Run::new("short", &property).settings(settings).session().unwrap();
/// let longer = feedback_fn(|test| test.case.sequence.len() as f64);
/// let report = guided(session, &mut [Guide::new(longer, Heap::new(Energy::up_to(100)))]);
/// assert_eq!(report.counterexample.unwrap().case.sequence.len(), 601, "300 elements and the end");
/// ```
pub fn guided(mut session: Session<'_>, guides: &mut [Guide<'_>]) -> Report {
    let mut budget = Budget::new(&session);
    let mut maker = Maker::new(&session);
    let context = session.tester.context().clone();
    let (mut turns, mut ending) = (0, None);
    let scouts = matches!(&*guides, [only] if only.feedback.scouts()) && !session.one_by_one();
    for index in 0.. {
        if budget.is_spent(&session) {
            break;
        }
        let turn = turns % guides.len().max(1);
        let asked = ask(&context, || {
            let made = maker.make(&session, guides, turn, index);
            for Guide { feedback, .. } in &mut *guides {
                if made.is_some() { feedback.prepare() } else { feedback.skip() }
            }
            made
        });
        let Draft { input, steps, made } = match asked {
            Ok(Some(made)) => made,
            Ok(None) => {
                budget.count(&Tested::Discard(None));
                continue;
            }
            Err(fault) => {
                ending = Some((fault, None));
                break;
            }
        };
        turns += 1;
        let mut scouted = None;
        if scouts && made != Made::Elsewhere && !maker.mutator.is_probing() && !is_recorded_first(index) {
            let tested = Budget::scout(&session, index, input.unrecorded(&session), &steps);
            match ask(&context, || judge(&mut session, guides, made, &tested, &mut maker.mutator)) {
                Ok(Judged::Useless) => {
                    budget.count(&tested);
                    maker.sieve.count(made, &tested);
                    continue;
                }
                Ok(Judged::Again) => scouted = Some(tested),
                Err(fault) => {
                    ending = Some((fault, None));
                    break;
                }
            }
            // Its labels are counted when it runs again.
            context.forget();
            guides.iter_mut().for_each(|guide| guide.feedback.prepare_again());
        }
        let source = input.source(&session);
        let (case, tested) = budget.run(&mut session, index, source, &steps);
        maker.sieve.count(made, &tested);
        let was_judged = scouted.is_some();
        // A failure that does not repeat is flaky, and is reported as such.
        let tested = match scouted {
            Some(failed @ Tested::Fail(_)) if !matches!(tested, Tested::Fault(_)) => failed,
            _ => tested,
        };
        ending = match &tested {
            Tested::Fail(failure) => Some(session.found(case, failure.clone(), Found::Guided { index })),
            Tested::Fault(fault) => Some(session.fault(&case, fault.clone())),
            _ => {
                let score = session.tester.context().take_score();
                let test = Observed { score, ..Observed::new(index, &case, &tested) };
                ask(&context, || learn(&mut session, guides, turn, made, &test, was_judged, &mut maker.mutator))
                    .err()
                    .map(|fault| (fault, None))
            }
        };
        ending = ending.and_then(|ending| session.past(ending));
        if ending.is_some() {
            break;
        }
    }
    budget.finish(session, ending)
}

/// The first tests are recorded, since many of them are useful.
const RECORDED_FIRST: u64 = 256;

/// Later one in this many is, to donate parts to mutants.
const RECORDED_LATER: u64 = 64;

fn is_recorded_first(index: u64) -> bool {
    index < RECORDED_FIRST || index.is_multiple_of(RECORDED_LATER)
}

/// The result of a test that was not recorded.
enum Judged {
    Useless,
    /// It may be useful, did not pass, or broke a comparison that is worth a repair: its choices are needed.
    Again,
}

/// Lets the only guide judge a test that was not recorded.
fn judge(
    session: &mut Session<'_>,
    guides: &mut [Guide<'_>],
    made: Made,
    tested: &Tested,
    mutator: &mut Mutator,
) -> Judged {
    let score = session.tester.context().take_score();
    let [Guide { feedback, pool, .. }] = guides else { return Judged::Again };
    let is_mutant = made == Made::OfASeed;
    let again = match tested {
        Tested::Fail(_) | Tested::Fault(_) => true,
        _ => {
            let is_new = feedback.is_new(score);
            let mut is_repaired = || is_mutant && mutator.repairs() && !feedback.broken().is_empty();
            matches!(tested, Tested::Pass) && (is_new || is_repaired())
        }
    };
    if again {
        return Judged::Again;
    }
    if is_mutant {
        pool.revise();
    }
    Judged::Useless
}

/// A test to run.
struct Draft {
    input: Choices,
    steps: Vec<Step>,
    made: Made,
}

/// The choices of a test to run.
enum Choices {
    /// Those of the test with this index.
    Test(u64),
    /// Given ones, and what follows them.
    Given(Sequence, AtEnd),
}

impl Choices {
    fn source(&self, session: &Session<'_>) -> Source {
        match self {
            Choices::Test(index) => Source::test(session.seed, *index, session.size(*index)),
            Choices::Given(sequence, at_end) => Source::tape(sequence, *at_end),
        }
    }

    /// The same choices, which are not recorded.
    fn unrecorded(&self, session: &Session<'_>) -> Source {
        match self {
            Choices::Test(index) => Source::test_unrecorded(session.seed, *index, session.size(*index)),
            Choices::Given(sequence, at_end) => Source::tape_unrecorded(sequence, *at_end),
        }
    }
}

/// The origin of a test.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    FromScratch,
    /// By mutating a seed.
    OfASeed,
    /// Another worker found it, which tries its follow-ups.
    Elsewhere,
}

/// Produces inputs.
struct Maker {
    random: Random,
    mutator: Mutator,
    sieve: Sieve,
}

impl Maker {
    fn new(session: &Session<'_>) -> Self {
        Self {
            random: Random::for_test(session.seed, u64::MAX - 1),
            mutator: Mutator::new(session.tester.property(), session.seed),
            sieve: Sieve::default(),
        }
    }

    /// The input of a test, as the current guide's pool requests. `None` if it would be discarded, and is skipped.
    fn make(&mut self, session: &Session<'_>, guides: &mut [Guide<'_>], turn: usize, index: u64) -> Option<Draft> {
        if !self.sieve.owes
            && let Some(Guide { feedback, pool, .. }) = guides.get_mut(turn)
        {
            match pool.sample(&mut self.random) {
                Directive::Generate => {}
                Directive::Mutate(seed) => {
                    let (choices, at_end, steps) = self.mutator.mutant_unless(seed, |input| feedback.is_known(input));
                    return Some(Draft { input: Choices::Given(choices, at_end), steps, made: Made::OfASeed });
                }
                Directive::Try(seed) => {
                    let input = Choices::Given(seed.case.sequence.clone(), AtEnd::Simplest);
                    return Some(Draft { input, steps: seed.case.steps.clone(), made: Made::Elsewhere });
                }
            }
        }
        let generate = || Draft { input: Choices::Test(index), steps: Vec::new(), made: Made::FromScratch };
        (!self.sieve.throws_away(session, guides, index)).then(generate)
    }
}

/// If most inputs from scratch are discarded and no feedback learns from them, they are skipped before anything is
/// recorded or counted. The pool is not asked again then: it gets a valid input, as requested.
#[derive(Default)]
struct Sieve {
    /// Whether the pool waits for an input from scratch.
    owes: bool,
    /// The number of inputs from scratch, and of discarded ones.
    made: u64,
    discarded: u64,
}

impl Sieve {
    fn throws_away(&mut self, session: &Session<'_>, guides: &[Guide<'_>], index: u64) -> bool {
        let pays = 2 * self.discarded > self.made && !guides.is_empty() && !session.one_by_one();
        let thrown = pays
            && guides.iter().all(|guide| !guide.feedback.needs_discards())
            && session.tester.is_discarded(index, session.size(index));
        self.owes = thrown;
        if thrown {
            (self.made, self.discarded) = (self.made + 1, self.discarded + 1);
        }
        thrown
    }

    fn count(&mut self, made: Made, tested: &Tested) {
        if made == Made::FromScratch {
            self.made += 1;
            self.discarded += u64::from(matches!(tested, Tested::Discard(_)));
        }
    }
}

/// Pools and feedback are user code: if they panic, the run ends with a report.
fn ask<T>(context: &Context, body: impl FnOnce() -> T) -> Result<T, Verdict> {
    context.say_chosen(true);
    let answered = catch_once(body);
    context.say_chosen(false);
    answered.map_err(|unwound| {
        let message = match unwound {
            Unwound::Panic(panic) => panic.message,
            Unwound::Signal(_) => "it called `assume!` outside of a test body".to_owned(),
        };
        Verdict::Faulty(Fact::FeedbackPanicked { message })
    })
}

/// Lets every guide judge a test: useful ones are invested, and the seed of a useless mutant loses energy.
fn learn(
    session: &mut Session<'_>,
    guides: &mut [Guide<'_>],
    turn: usize,
    made: Made,
    test: &Observed<'_>,
    was_judged: bool,
    mutator: &mut Mutator,
) {
    // Discarded inputs have good parts as well.
    if made != Made::OfASeed {
        mutator.offer(&test.case.sequence);
    }
    for (number, guide) in guides.iter_mut().enumerate() {
        if !test.is_valid() && !guide.watches_discards {
            continue;
        }
        let test = Observed { best: guide.pool.best().map(|seed| seed.utility), ..test.clone() };
        let mut worth = guide.feedback.observe(&test);
        if matches!(&worth, Some(worth) if worth.utility.is_nan()) {
            session.warn_once(Fact::ScoreIsNan);
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
                } else if was_judged || mutator.repairs() {
                    mutator.mend(test.case, &guide.feedback.broken());
                }
                guide.pool.revise();
            }
            _ => {}
        }
    }
}
