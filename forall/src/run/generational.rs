//! The generational runner: generate, run, generate, run, …; then shrink, run, shrink, run.
//!
//! Test *i* of a run is a function of the seed and of *i*, its size too. A small domain is tried input by input instead.

use super::session::{Ending, Session};
use super::tester::{BlockTested, Tested};
use super::{ByName, Case, Enumeration, Event, Found, Report, Schedule, Verdict};
use crate::choice::{Rejected, Source};
use crate::panic::{Unwound, catch};
use crate::property::Outcome;
use crate::report::advice;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Blocks grow until one takes this long, so that budgets are looked at often and not too often.
const BLOCK_TIME: Duration = Duration::from_millis(5);

/// The smallest and the largest block.
const BLOCKS: Range<u64> = 16..4096;

/// A run that takes less needs no advice on its generators.
const SLOW_RUN: Duration = Duration::from_secs(1);

/// An input of a slow run that takes more choices than this is called large.
const LARGE_INPUT: u64 = 100_000;

/// Runs the property.
pub(super) fn run(mut session: Session<'_>) -> Report {
    let tests = session.settings.tests;
    let inputs = if session.settings.exhaustive { small_domain(&session, tests) } else { None };
    let (counts, ending) = match inputs {
        Some(inputs) => try_all(&mut session, inputs),
        None => test_at_random(&mut session, 0..u64::MAX, tests),
    };
    finish(session, counts, ending)
}

/// Runs the tests with these indices and no others.
pub(super) fn run_indices(mut session: Session<'_>, indices: Range<u64>) -> Report {
    let (counts, ending) = test_at_random(&mut session, indices, u64::MAX);
    finish(session, counts, ending)
}

#[derive(Clone, Copy, Default)]
struct Counts {
    valid: u64,
    discarded: u64,
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
    while next < indices.end && counts.valid < wanted {
        // No longer than what may still come, valid or discarded: the run ends at the same index however it is cut.
        let left = (wanted - counts.valid).min(may_discard.saturating_add(1) - counts.discarded.min(may_discard));
        let end = indices.end.min(next.saturating_add(length.min(left)));
        let block = schedule.block(session.seed, next..end, tests);
        let started = Instant::now();
        let BlockTested { index, discarded, stopped_by } = session.tester.run_block(&block);
        counts.discarded += discarded;
        counts.valid += index - next - discarded;
        let size = schedule.size(index, tests);
        if session.one_by_one() {
            tell_tested(session, next, discarded, stopped_by.as_ref(), started.elapsed());
        }
        if let Some(tested) = stopped_by {
            return (counts, stopped(session, tested, index, size));
        }
        next = index;
        if counts.discarded > may_discard {
            return (counts, (gave_up(session, counts, schedule), None));
        }
        if let Some(budget) = session.settings.time.filter(|&budget| session.elapsed() >= budget) {
            if counts.valid < wanted {
                session.warn(advice::time_ran_out(counts.valid, wanted, budget));
            }
            break;
        }
        if !session.one_by_one() && started.elapsed() < BLOCK_TIME {
            length = (length * 2).min(BLOCKS.end);
        }
    }
    if counts.valid == 0 && indices.start < indices.end {
        return (counts, (gave_up(session, counts, schedule), None));
    }
    advise(session, counts, schedule);
    (counts, (Verdict::Passed, None))
}

/// A test did not pass.
fn stopped(session: &mut Session<'_>, tested: Tested, index: u64, size: u32) -> Ending {
    let case = Case { sequence: session.tester.choices(index, size), steps: Vec::new() };
    match tested {
        Tested::Fail(failure) => session.found(case, failure, Found::Random { index, size }),
        Tested::Fault(fault) => session.fault(&case, fault),
        Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => (Verdict::Passed, None),
    }
}

fn tell_tested(session: &mut Session<'_>, index: u64, discarded: u64, stopped_by: Option<&Tested>, time: Duration) {
    let outcome = match stopped_by {
        Some(Tested::Fail(failure)) => Outcome::Fail(Box::new(failure.clone())),
        None if discarded == 0 => Outcome::Pass,
        _ => Outcome::Discard,
    };
    let size = session.settings.size.size(index, session.settings.tests);
    session.say(&Event::Tested { index, size, outcome: &outcome, time });
}

/// The number of inputs, if there are no more than `limit`. Found by walking over what the generator draws, without
/// running the check; given up as soon as the choices seen so far leave room for more, which is at once for most.
fn small_domain(session: &Session<'_>, limit: u64) -> Option<Domain> {
    let size = session.settings.size.largest(session.settings.tests);
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
        if !enumeration.ran(&drawn) || enumeration.at_least(&drawn) > limit {
            return None;
        }
    }
    Some(domain)
}

struct Domain {
    inputs: u64,
    size: u32,
    depends_on_size: bool,
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
    }
    if counts.valid == 0 {
        let schedule = session.settings.size;
        return (counts, (gave_up(session, counts, schedule), None));
    }
    let up_to_size = domain.depends_on_size.then_some(domain.size);
    (counts, (Verdict::Exhausted { inputs: domain.inputs, up_to_size }, None))
}

fn gave_up(session: &Session<'_>, counts: Counts, schedule: Schedule) -> Verdict {
    let clause = most_discarding(session, schedule);
    Verdict::GaveUp(advice::too_many_discards(counts.valid, counts.discarded, &clause, session.settings.discard_ratio))
}

/// The clause that discards most among the first tests of the run, as its author wrote it.
fn most_discarding(session: &Session<'_>, schedule: Schedule) -> String {
    let mut clauses = ByName::default();
    for index in 0..100 {
        let size = schedule.size(index, session.settings.tests);
        if let (_, Tested::Discard(discarded)) = session.tester.record(index, size) {
            let clause = discarded.map_or("assume!", |discarded| discarded.text);
            *clauses.entry(clause.to_owned(), 0) += 1;
        }
    }
    let (mut most, mut discards) = ("", 0);
    for (clause, count) in &clauses {
        if *count >= discards {
            (most, discards) = (clause, *count);
        }
    }
    most.to_owned()
}

/// Looks at the generators of a run that was slow or discarded much, and says what could be better.
fn advise(session: &mut Session<'_>, counts: Counts, schedule: Schedule) {
    let Counts { valid, discarded } = counts;
    let total = session.elapsed();
    if total < SLOW_RUN {
        return;
    }
    const SAMPLES: u64 = 5;
    let tests = session.settings.tests;
    let started = Instant::now();
    let mut choices = 0;
    for sample in 0..SAMPLES {
        let index = sample * tests / SAMPLES;
        choices += session.tester.choices(index, schedule.size(index, tests)).len() as u64;
    }
    let per_input = started.elapsed() / SAMPLES as u32;
    let share = per_input.as_secs_f64() * (valid + discarded) as f64 / total.as_secs_f64();
    if share > 0.5 && per_input > Duration::from_millis(1) {
        session.warn(advice::slow_generation(per_input, valid + discarded, share.min(1.0)));
    }
    if choices / SAMPLES > LARGE_INPUT {
        session.warn(advice::large_inputs(choices / SAMPLES, valid + discarded));
    }
}
