//! The generational runner: generate, run, generate, run, …; then shrink, run, shrink, run.
//!
//! Test *i* of a run is a function of the seed, of *i*, and of its size, which the schedule makes of *i*. A small domain is
//! tried input by input instead. Nothing here depends on the clock but a time budget, when one is set.

use super::health;
use super::session::{Ending, Session};
use super::tester::{BlockTested, Tested};
use super::{Case, Enumeration, Event, Found, Report, Schedule, Verdict};
use crate::choice::{Rejected, Source};
use crate::panic::{Unwound, catch};
use crate::property::Outcome;
use crate::report::advice;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Blocks are cut so that each takes about this long: budgets are looked at often, and not too often.
const BLOCK_TIME: Duration = Duration::from_millis(5);

/// The first block, and the largest.
const BLOCKS: Range<u64> = 16..4096;

/// A domain with more inputs is not walked through, however many tests are asked for.
const SMALL_DOMAIN: u64 = 1 << 20;

/// How many tests were valid, and how many were discarded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) valid: u64,
    pub(super) discarded: u64,
}

/// Runs the property.
pub(super) fn run(mut session: Session<'_>) -> Report {
    let tests = session.settings.tests;
    let domain = if session.settings.exhaustive { small_domain(&session, tests.min(SMALL_DOMAIN)) } else { None };
    let (counts, ending) = match domain {
        Some(domain) => try_all(&mut session, domain),
        None => test_at_random(&mut session, 0..u64::MAX, tests),
    };
    finish(session, counts, ending)
}

/// Runs the tests with these indices and no others.
pub(super) fn run_indices(mut session: Session<'_>, indices: Range<u64>) -> Report {
    let (counts, ending) = if indices.is_empty() {
        (Counts::default(), (Verdict::Misconfigured(advice::empty_indices(&indices)), None))
    } else {
        test_at_random(&mut session, indices, u64::MAX)
    };
    finish(session, counts, ending)
}

fn finish(session: Session<'_>, counts: Counts, ending: Ending) -> Report {
    let mut statistics = session.tester.context().take_statistics();
    (statistics.valid, statistics.discarded) = (counts.valid, counts.discarded);
    session.finish(ending, statistics)
}

/// The loop: up to `wanted` valid tests with indices from `indices`.
fn test_at_random(session: &mut Session<'_>, indices: Range<u64>, wanted: u64) -> (Counts, Ending) {
    let schedule = session.settings.size;
    let tests = session.settings.tests;
    let may_discard = session.settings.discard_ratio.saturating_mul(tests);
    let mut counts = Counts::default();
    let mut length = if session.one_by_one() { 1 } else { BLOCKS.start };
    let mut next = indices.start;
    while next < indices.end && counts.valid < wanted && !session.tester.context().is_cancelled() {
        // No longer than what may still come, valid or discarded: the run ends at the same index however it is cut.
        let left = (wanted - counts.valid).min(may_discard.saturating_add(1) - counts.discarded.min(may_discard));
        let end = indices.end.min(next.saturating_add(length.min(left)));
        let block = schedule.block(session.seed, next..end, tests);
        let started = Instant::now();
        let BlockTested { index, discarded, stopped_by } = session.tester.run_block(&block);
        counts.discarded += discarded;
        counts.valid += index - next - discarded;
        if session.one_by_one() {
            tell_tested(session, next, discarded, stopped_by.as_ref(), started.elapsed());
        }
        if let Some(tested) = stopped_by {
            return (counts, stopped(session, tested, index, schedule.size(index, tests)));
        }
        next = index;
        if counts.discarded > may_discard {
            return (counts, (health::gave_up(session, counts, indices.start), None));
        }
        if time_is_up(session, counts, wanted) {
            break;
        }
        length = if session.one_by_one() { 1 } else { next_length(length, started.elapsed()) };
    }
    if counts.valid == 0 {
        return (counts, (health::gave_up(session, counts, indices.start), None));
    }
    health::advise(session, counts);
    (counts, (Verdict::Passed, None))
}

fn next_length(length: u64, took: Duration) -> u64 {
    if took < BLOCK_TIME {
        (length * 2).min(BLOCKS.end)
    } else if took > 4 * BLOCK_TIME {
        (length / 4).max(1)
    } else {
        length
    }
}

/// Whether the time budget is spent. If tests are missing then, it says so.
fn time_is_up(session: &mut Session<'_>, counts: Counts, wanted: u64) -> bool {
    let Some(budget) = session.settings.time.filter(|&budget| session.elapsed() >= budget) else { return false };
    if counts.valid < wanted {
        session.warn(advice::time_ran_out(counts.valid, wanted, budget));
    }
    true
}

/// A test did not pass.
fn stopped(session: &mut Session<'_>, tested: Tested, index: u64, size: u32) -> Ending {
    let mut case = Case { sequence: session.tester.choices(index, size), steps: Vec::new() };
    match tested {
        Tested::Fault(fault) => session.fault(&case, fault),
        Tested::Fail(failure) => {
            session.keep_at_once(&case, &failure);
            // Again, recorded: the check may draw too, from what was forked for it.
            if let (drawn, Tested::Fail(again)) = session.tester.record(index, size)
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

fn tell_tested(session: &mut Session<'_>, index: u64, discarded: u64, stopped_by: Option<&Tested>, time: Duration) {
    let size = session.settings.size.size(index, session.settings.tests);
    let (outcome, clause) = match stopped_by {
        Some(Tested::Fail(failure)) => (Outcome::Fail(Box::new(failure.clone())), None),
        None if discarded == 0 => (Outcome::Pass, None),
        _ => (Outcome::Discard, session.tester.discarding_clause(index, size)),
    };
    session.say(&Event::Tested { index, size, outcome: &outcome, discarded_by: clause.as_ref(), time });
}

/// A domain that is small enough to be tried completely.
struct Domain {
    inputs: u64,
    size: u32,
    depends_on_size: bool,
}

/// The inputs, if there are no more than `limit`, and the same at every size of the run. Found by walking over what the
/// generator draws, without running the check; given up as soon as the choices seen so far leave room for more, which is
/// at once for most.
fn small_domain(session: &Session<'_>, limit: u64) -> Option<Domain> {
    let schedule = session.settings.size;
    let size = schedule.largest(session.settings.tests);
    let property = session.tester.property();
    let mut domain = Domain { inputs: 0, size, depends_on_size: false };
    let mut enumeration = Enumeration::new(size);
    while let Some(prefix) = enumeration.next() {
        let mut source = Source::replay(&prefix);
        let generated = catch(|| property.generate(&mut source, &[]).is_ok());
        match generated {
            Ok(_) => {}
            Err(Unwound::Signal(signal)) if signal.is::<Rejected>() => {}
            Err(_) => return None,
        }
        domain.inputs += 1;
        domain.depends_on_size |= source.size_was_read();
        let drawn = source.into_sequence();
        let varies = domain.depends_on_size && !matches!(schedule, Schedule::Constant(_));
        if varies || !enumeration.ran(&drawn) || enumeration.at_least(&drawn) > limit {
            return None;
        }
    }
    Some(domain)
}

/// Tries every input once.
fn try_all(session: &mut Session<'_>, domain: Domain) -> (Counts, Ending) {
    let mut counts = Counts::default();
    let mut enumeration = Enumeration::new(domain.size);
    let mut index = 0;
    while let Some(prefix) = enumeration.next() {
        session.tester.context().progress().index.store(index, Ordering::Relaxed);
        let started = Instant::now();
        let (case, tested) = session.tester.run(&Case { sequence: prefix, steps: Vec::new() });
        enumeration.ran(&case.sequence);
        if session.one_by_one() {
            let discarded = u64::from(matches!(tested, Tested::Discard(_)));
            let stopped_by = Some(&tested).filter(|tested| !matches!(tested, Tested::Pass));
            tell_tested(session, index, discarded, stopped_by, started.elapsed());
        }
        match tested {
            Tested::Pass => counts.valid += 1,
            Tested::Discard(_) | Tested::NoSuchStep => {
                counts.discarded += 1;
                session.tester.context().forget();
            }
            Tested::Fail(failure) => return (counts, session.found(case, failure, Found::Enumerated)),
            Tested::Fault(fault) => return (counts, session.fault(&case, fault)),
        }
        index += 1;
        if index < domain.inputs && time_is_up(session, counts, domain.inputs) {
            return (counts, (Verdict::Passed, None));
        }
    }
    if counts.valid == 0 {
        return (counts, (health::gave_up(session, counts, 0), None));
    }
    let at_size = domain.depends_on_size.then_some(domain.size);
    (counts, (Verdict::Exhausted { inputs: domain.inputs, at_size }, None))
}
