//! The generational runner: generate, run, generate, run, …; then shrink, run, shrink, run.
//!
//! Test *i* of a run is a function of the seed, of *i*, and of its size, which the schedule makes of *i*. A small domain is
//! tried input by input instead. Nothing here depends on the clock but a time budget, when one is set.

use super::demands::{self, Decision};
use super::exploring;
use super::health;
use super::parallel::run_tests_on_threads;
use super::session::{Ending, Session};
use super::{Budget, Case, Enumeration, Found, Report, Schedule, Verdict};
use crate::choice::{MAX_ITEMS, Rejected, Sequence, Source};
use crate::fact::Fact;
use crate::panic::{Hold, Unwound};
use crate::testing::Tested;
use std::ops::Range;
use std::time::Duration;

/// So long a run may go on, beyond what was asked for, because it is not sure.
const UNSURE_TIME: Duration = Duration::from_secs(60);

/// So many choices may be drawn to find out whether a domain is small, and four more for each test.
const LEAST_DRAWS: u64 = 10_000;

/// A domain with more inputs is not walked through, however many tests are asked for.
const SMALL_DOMAIN: u64 = 1 << 20;

/// The same for a run that only its time ends: to find out how large a domain is should take little of it.
const SMALL_FOR_ENDLESS: u64 = 1 << 16;

/// Whether a domain is small is found out by walking through it, at some microseconds an input without optimisation. Of a run that is
/// to end soon, so many inputs a second take a small part.
const SMALL_PER_SECOND: f64 = 32_000.0;

/// The default runner: tests generated inputs one after the other, or every input if there are few.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, generational};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let session = Run::new("bits", &property).settings(Settings::new().tests(100)).session().unwrap();
/// let report = generational(session);
/// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
/// ```
pub fn generational(mut session: Session<'_>) -> Report {
    let tests = session.settings.tests;
    let small = match session.settings.time {
        _ if tests != u64::MAX => tests.min(SMALL_DOMAIN),
        Some(time) => SMALL_FOR_ENDLESS.min((time.as_secs_f64() * SMALL_PER_SECOND) as u64),
        None => SMALL_FOR_ENDLESS,
    };
    let domain = if session.settings.exhaustive { small_domain(&session, small) } else { None };
    let mut budget = Budget::new(&session);
    let mut ending = match domain {
        Some(domain) => run_all_inputs(&mut session, &mut budget, domain),
        None => run_tests_until_sure(&mut session, &mut budget),
    };
    if ending.0 == Verdict::Passed
        && let Some(found) = exploring::explore(&mut session, &mut budget)
    {
        ending = found;
    }
    budget.finish(session, Some(ending))
}

/// Tests at random as often as was asked for, and then for as long as it is not sure whether what `cover!` demands is there.
fn run_tests_until_sure(session: &mut Session<'_>, budget: &mut Budget) -> Ending {
    if let Some(ending) = super::runners::test_before(session) {
        return ending;
    }
    if let Some(ending) = run_tests(session, budget, 0..u64::MAX) {
        return ending;
    }
    if budget.discarded > budget.may_discard
        && budget.valid > 0
        && let Some(ending) = exploring::make_up_for_discards(session, budget)
    {
        return ending;
    }
    let (verdict, counterexample) = (budget.verdict(session, 0), None);
    if verdict != Verdict::Passed || budget.left() > 0 {
        return (verdict, counterexample);
    }
    loop {
        match demands::decide(&session.tester.context().covers(), budget.valid) {
            Decision::Met => return (verdict, None),
            Decision::NotMet(why) => return (Verdict::Uncovered(why), None),
            Decision::Unsure => {}
        }
        // As many again.
        let enough = budget.valid.saturating_mul(2);
        while budget.valid < enough {
            if session.is_over() || session.elapsed() > UNSURE_TIME {
                // That it is not sure is said at the end.
                return (verdict, None);
            }
            let mut again = Budget::new(session);
            let stopped = run_tests(session, &mut again, budget.valid + budget.discarded..u64::MAX);
            (budget.valid, budget.discarded) = (budget.valid + again.valid, budget.discarded + again.discarded);
            if stopped.is_some() || again.valid == 0 {
                return stopped.unwrap_or((verdict, None));
            }
        }
    }
}

/// Runs the tests with these indices and no others.
pub(super) fn run_indices(mut session: Session<'_>, indices: Range<u64>) -> Report {
    let mut budget = Budget::new(&session).wanting(indices.end.saturating_sub(indices.start));
    let ending = if indices.is_empty() {
        (Verdict::Misconfigured(Fact::EmptyIndices { start: indices.start, end: indices.end }), None)
    } else {
        let start = indices.start;
        let ending = run_tests(&mut session, &mut budget, indices);
        ending.unwrap_or_else(|| (budget.verdict(&mut session, start), None))
    };
    budget.finish(session, Some(ending))
}

/// The loop: tests at random with indices from `indices`, as far as the budget goes and they are this shard's. What the run ends
/// with, if a test did not pass.
pub(super) fn run_tests(session: &mut Session<'_>, budget: &mut Budget, indices: Range<u64>) -> Option<Ending> {
    if let Some(shard) = session.settings.shard {
        return super::shard::run_tests_of_shard(session, budget, shard, indices);
    }
    run_tests_of_range(session, budget, indices)
}

/// The loop without shards: on this thread or on several.
pub(super) fn run_tests_of_range(
    session: &mut Session<'_>,
    budget: &mut Budget,
    indices: Range<u64>,
) -> Option<Ending> {
    if let Some(property) = session.on_several_threads() {
        let start = indices.start;
        let (index, tested, sequence) = run_tests_on_threads(session, property, budget, indices)?;
        session.seen.passed = start..index;
        return Some(stopped(session, tested, index, sequence));
    }
    let mut next = indices.start;
    while next < indices.end && !budget.is_spent(session) {
        let tested = budget.run_block(session, next..indices.end);
        if let Some(failed) = tested.stopped_by {
            let sequence = session.tester.choices(tested.index, session.size(tested.index));
            session.seen.passed = indices.start..tested.index;
            return Some(stopped(session, failed, tested.index, sequence));
        }
        next = tested.index;
    }
    None
}

/// A test that drew these choices did not pass.
pub(crate) fn stopped(session: &mut Session<'_>, tested: Tested, index: u64, sequence: Sequence) -> Ending {
    let size = session.size(index);
    let mut case = Case { sequence, steps: Vec::new() };
    match tested {
        // Recorded, it is known at which variable. Replayed it may not be: what a type refused is off the record, and so is what the
        // body drew.
        Tested::Fault(fault) => match session.tester.record(index, size).1 {
            Tested::Fault(named) => session.fault(&case, named),
            _ => session.fault(&case, fault),
        },
        Tested::Fail(failure) if case.sequence.len() > MAX_ITEMS => {
            session.found_unrecorded(&case.sequence, failure, Found::Random { index, size })
        }
        Tested::Fail(failure) => {
            session.begin_work(&case, &failure);
            let _hold = Hold::begin();
            // Again, recorded: the check may draw too, from what was forked for it.
            if case.sequence.has_forks()
                && let (drawn, Tested::Fail(again)) = session.tester.record(index, size)
                && again.same_origin(&failure)
            {
                case = drawn;
            }
            session.found(case, failure, Found::Random { index, size })
        }
        Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {
            unreachable!("blocks are stopped by failures and faults")
        }
    }
}

/// A domain that is small enough to be tested exhaustively.
pub(super) struct Domain {
    inputs: u64,
    size: u32,
    depends_on_size: bool,
    /// Its inputs, if they are few.
    few: Option<Vec<Sequence>>,
}

/// A domain of at most this many inputs is held in memory, and tested in a scattered order: else the largest values, whose
/// bytes have their highest bit set, would always come last.
const FEW: u64 = 4096;

/// The inputs, if there are no more than `limit`, and the same at every size of the run. Found by walking over what the
/// generator draws, without running the check; given up as soon as the choices seen so far leave room for more, which is
/// at once for most. Where inputs get ever longer that is not to be seen, and it is given up after a while.
fn small_domain(session: &Session<'_>, limit: u64) -> Option<Domain> {
    let schedule = session.settings.size;
    let size = schedule.largest(session.settings.tests);
    let mut domain = Domain { inputs: 0, size, depends_on_size: false, few: Some(Vec::new()) };
    let mut enumeration = Enumeration::new(size);
    let mut draws_left = limit.saturating_mul(4).saturating_add(LEAST_DRAWS);
    while let Some(prefix) = enumeration.next() {
        let mut source = Source::replay(&prefix);
        match session.tester.generate(&mut source, &[]) {
            Ok(_) => {}
            Err(Unwound::Signal(signal)) if signal.is::<Rejected>() => {}
            Err(_) => return None,
        }
        domain.inputs += 1;
        domain.depends_on_size |= source.size_was_read();
        let drawn = source.into_sequence();
        draws_left = draws_left.checked_sub(drawn.len() as u64)?;
        let varies = domain.depends_on_size && !matches!(schedule, Schedule::Constant(_));
        if varies || !enumeration.ran(&drawn) || enumeration.at_least(&drawn) > limit {
            return None;
        }
        match &mut domain.few {
            Some(few) if domain.inputs <= FEW => few.push(drawn),
            _ => domain.few = None,
        }
    }
    Some(domain)
}

/// Tries every input once.
fn run_all_inputs(session: &mut Session<'_>, budget: &mut Budget, domain: Domain) -> Ending {
    *budget = budget.clone().wanting(domain.inputs);
    if let Some(shard) = session.settings.shard {
        *budget = budget.clone().wanting(shard.share_of_domain(domain.inputs));
    }
    let mut inputs = Inputs::of(&domain);
    let mut index = 0;
    while let Some(input) = inputs.next() {
        if matches!(session.settings.shard, Some(shard) if !shard.has_input(index)) {
            inputs.ran(&session.tester.generated(Source::replay(&input), &[]).sequence);
            index += 1;
            continue;
        }
        let (case, tested) = budget.run(session, index, Source::replay(&input), &[]);
        inputs.ran(&case.sequence);
        match tested {
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {}
            Tested::Fail(failure) => return session.found(case, failure, Found::Enumerated),
            Tested::Fault(fault) => return session.fault(&case, fault),
        }
        index += 1;
        if index < domain.inputs && session.is_over() {
            return (budget.verdict(session, 0), None);
        }
    }
    if session.settings.shard.is_some() {
        // It has not seen all of it, nor all that is demanded.
        return (budget.verdict(session, 0), None);
    }
    if budget.valid == 0 {
        return (health::no_input_is_left(session, budget), None);
    }
    if let Decision::NotMet(why) = demands::decide_exactly(&session.tester.context().covers(), budget.valid) {
        return (Verdict::Uncovered(why), None);
    }
    let at_size = domain.depends_on_size.then_some(domain.size);
    (Verdict::Exhausted { inputs: domain.inputs, at_size }, None)
}

/// The inputs of a domain, each once.
enum Inputs<'a> {
    /// One after the other, since the choices of one lead to the next.
    Upwards(Enumeration),
    /// All are known: every so many of them, and round again.
    Scattered { few: &'a [Sequence], at: usize, step: usize, left: usize },
}

impl<'a> Inputs<'a> {
    fn of(domain: &'a Domain) -> Self {
        let Some(few) = &domain.few else { return Self::Upwards(Enumeration::new(domain.size)) };
        // About the golden ratio of their number, and with no divisor in common, so that each comes once.
        let mut step = (few.len() * 5 / 8).max(1);
        while greatest_common_divisor(step, few.len()) != 1 {
            step += 1;
        }
        Self::Scattered { few, at: 0, step, left: few.len() }
    }

    fn next(&mut self) -> Option<Sequence> {
        match self {
            Self::Upwards(enumeration) => enumeration.next(),
            Self::Scattered { left: 0, .. } => None,
            Self::Scattered { few, at, step, left } => {
                let input = few[*at].clone();
                *at = (*at + *step) % few.len();
                *left -= 1;
                Some(input)
            }
        }
    }

    /// The input that came last drew these choices.
    fn ran(&mut self, drawn: &Sequence) {
        if let Self::Upwards(enumeration) = self {
            enumeration.ran(drawn);
        }
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
