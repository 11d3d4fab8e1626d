//! The generational runner: generates and runs tests, then shrinks the first failure.
//!
//! Test *i* of a run is a function of the seed, of *i*, and of its size, which the schedule derives from *i*. A small
//! domain is tested exhaustively instead. Nothing here depends on the clock, except for a
//! time limit, extra time, and the minute for undecided `cover!` requirements.

use super::checkpoint::Checkpoint;
use super::domain::{Domain, Inputs};
use super::exploring;
use super::health;
use super::parallel::{run_inputs_on_threads, run_tests_on_threads};
use super::requirements::{self, Decision};
use super::session::{Ending, Session};
use super::{Budget, Case, Found, Report, Verdict};
use crate::choice::{MAX_ITEMS, Sequence, Source};
use crate::fact::Fact;
use crate::panic::Hold;
use crate::property::Property;
use crate::testing::Tested;
use std::ops::Range;
use std::time::Duration;

/// Extra time allowed while `cover!` requirements are still undecided.
const UNSURE_TIME: Duration = Duration::from_secs(60);

/// Larger domains are not enumerated, for any number of tests.
const SMALL_DOMAIN: u64 = 1 << 20;

/// The same for a run that is limited only by time: measuring the domain should take little of it.
const SMALL_FOR_ENDLESS: u64 = 1 << 16;

/// Whether a domain is small is decided by enumerating it, which takes some microseconds per input without
/// optimisation. At this many inputs per second, a short run spends a small part of its time on it.
const SMALL_PER_SECOND: f64 = 32_000.0;

/// The default runner: tests generated inputs, or every input if there are few.
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
    let small = match session.settings.max_time {
        _ if tests != u64::MAX => tests.min(SMALL_DOMAIN),
        Some(time) => SMALL_FOR_ENDLESS.min((time.as_secs_f64() * SMALL_PER_SECOND) as u64),
        None => SMALL_FOR_ENDLESS,
    };
    let domain = if session.settings.enumerate { Domain::of(&session, small) } else { None };
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
    if ending.0 == Verdict::Passed
        && let Some(found) = super::runners::test_after(&mut session)
    {
        ending = found;
    }
    budget.finish(session, Some(ending))
}

/// Runs the requested number of random tests, and then more while `cover!` requirements are undecided.
fn run_tests_until_sure(session: &mut Session<'_>, budget: &mut Budget) -> Ending {
    // After a failure that the run continues past, these tests start over and skip that failure.
    while let Some(ending) = super::runners::test_before(session) {
        if let Some(ending) = session.past(ending) {
            return ending;
        }
    }
    let ending = match Checkpoint::of(session) {
        Some(checkpoint) => checkpoint.run_tests(session, budget),
        None => run_tests(session, budget, 0..u64::MAX),
    };
    if let Some(ending) = ending {
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
        match requirements::decide(&session.tester.context().covers(), budget.valid) {
            Decision::Met => return (verdict, None),
            Decision::NotMet(why) => return (Verdict::Uncovered(why), None),
            Decision::Unsure => {}
        }
        // Doubles the number of tests.
        let enough = budget.valid.saturating_mul(2);
        while budget.valid < enough {
            if session.is_over() || session.elapsed() > UNSURE_TIME {
                // The undecided requirement is reported at the end.
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

/// Runs only the tests with these indices.
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

/// The main loop: random tests with indices from `indices` that belong to this shard, while the budget lasts. Returns
/// the ending if a test did not pass.
pub(super) fn run_tests(session: &mut Session<'_>, budget: &mut Budget, indices: Range<u64>) -> Option<Ending> {
    if let Some(shard) = session.settings.shard {
        return super::shard::run_tests_of_shard(session, budget, shard, indices);
    }
    run_tests_of_range(session, budget, indices)
}

/// The main loop without shards, on one or several threads. Continues past failures, if the run does so.
pub(super) fn run_tests_of_range(
    session: &mut Session<'_>,
    budget: &mut Budget,
    indices: Range<u64>,
) -> Option<Ending> {
    let mut ended = run_up_to_a_failure(session, budget, indices.clone());
    while let Some((index, ending)) = ended {
        let ending = session.past(ending);
        if ending.is_some() {
            return ending;
        }
        // It ran to its check.
        budget.valid += 1;
        if index + 1 >= indices.end || budget.is_spent(session) {
            return None;
        }
        let mut part = budget.rest();
        ended = run_up_to_a_failure(session, &mut part, index + 1..indices.end);
        budget.add(&part);
    }
    None
}

/// Runs tests up to the first that does not pass. Returns its index, and the ending.
fn run_up_to_a_failure(session: &mut Session<'_>, budget: &mut Budget, indices: Range<u64>) -> Option<(u64, Ending)> {
    if let Some(property) = session.on_several_threads() {
        let start = indices.start;
        let (index, tested, sequence) = run_tests_on_threads(session, property, budget, indices)?;
        session.seen.passed = start..index;
        return Some((index, stopped(session, tested, index, sequence)));
    }
    let mut next = indices.start;
    while next < indices.end && !budget.is_spent(session) {
        let tested = budget.run_block(session, next..indices.end);
        if let Some(failed) = tested.stopped_by {
            let sequence = session.tester.choices(tested.index, session.size(tested.index));
            session.seen.passed = indices.start..tested.index;
            return Some((tested.index, stopped(session, failed, tested.index, sequence)));
        }
        next = tested.index;
    }
    None
}

/// Handles a test with these choices that did not pass.
pub(crate) fn stopped(session: &mut Session<'_>, tested: Tested, index: u64, sequence: Sequence) -> Ending {
    let size = session.size(index);
    let mut case = Case { sequence, steps: Vec::new() };
    match tested {
        // Run it again with recording, to find out which variable is at fault. A replay may not show it: choices that a
        // type rejected are not recorded, nor are those of the body.
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
            // Recorded again: the check may draw from forked sources.
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

/// Tests every input once.
fn run_all_inputs(session: &mut Session<'_>, budget: &mut Budget, domain: Domain) -> Ending {
    *budget = budget.clone().wanting(domain.inputs);
    if let Some(shard) = session.settings.shard {
        *budget = budget.clone().wanting(shard.share_of_domain(domain.inputs));
    }
    if let (Some(property), None) = (session.on_several_threads(), session.settings.shard) {
        return run_all_on_threads(session, property, budget, &domain);
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
        if let Some(ending) = after_input(session, budget, case, tested) {
            return ending;
        }
        index += 1;
        if index < domain.inputs && session.is_over() {
            return (budget.verdict(session, 0), None);
        }
    }
    all_inputs_passed(session, budget, &domain)
}

/// Tests every input once, on several threads. Continues past failures, if the run does so.
fn run_all_on_threads(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    domain: &Domain,
) -> Ending {
    let mut start = 0;
    while let Some((index, tested, sequence)) =
        run_inputs_on_threads(session, property, budget, domain, start..domain.inputs)
    {
        let case = Case { sequence, steps: Vec::new() };
        if let Some(ending) = after_input(session, budget, case, tested) {
            return ending;
        }
        start = index + 1;
        if start < domain.inputs && session.is_over() {
            return (budget.verdict(session, 0), None);
        }
    }
    all_inputs_passed(session, budget, domain)
}

/// Processes the result of an input of a small domain. Returns the ending, if the run ends with this input.
fn after_input(session: &mut Session<'_>, budget: &mut Budget, case: Case, tested: Tested) -> Option<Ending> {
    match tested {
        Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => None,
        Tested::Fail(failure) => {
            let ending = session.found(case, failure, Found::Enumerated);
            let ending = session.past(ending);
            // A run that continues counts it: the test ran to its check.
            budget.valid += u64::from(ending.is_none());
            ending
        }
        Tested::Fault(fault) => Some(session.fault(&case, fault)),
    }
}

/// The end of a run over a small domain in which no test failed.
fn all_inputs_passed(session: &mut Session<'_>, budget: &mut Budget, domain: &Domain) -> Ending {
    if session.settings.shard.is_some() || budget.valid + budget.discarded < domain.inputs {
        // Neither all inputs nor all requirements are covered.
        return (budget.verdict(session, 0), None);
    }
    if budget.valid == 0 {
        return (health::no_input_is_left(session, budget), None);
    }
    if let Decision::NotMet(why) = requirements::decide_exactly(&session.tester.context().covers(), budget.valid) {
        return (Verdict::Uncovered(why), None);
    }
    let at_size = domain.depends_on_size.then_some(domain.size);
    (Verdict::Exhausted { inputs: domain.inputs, at_size }, None)
}
