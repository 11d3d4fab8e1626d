//! Health checks: too few valid tests, and warnings about slow generators, large inputs and many discards.

use super::session::Session;
use super::{Budget, Schedule, Settings, Verdict};
use crate::choice::{Sequence, Source};
use crate::fact::Fact;
use std::time::{Duration, Instant};

/// Slow generators are reported only in runs that take longer than this.
const SLOW_RUN: Duration = Duration::from_secs(1);

/// Large inputs are reported only in runs that take longer than this.
const NOTICEABLE_RUN: Duration = Duration::from_millis(10);

/// An input with more choices than this is large, such as a vector of more than 5,000 numbers. Testing them is quick
/// (30 ms for 256 tests, optimised), so the run's time is no indication; but each shrinking candidate is as large, and
/// so is the report.
const LARGE_INPUT: u64 = 10_000;

/// More discards than this per valid test are reported, even if the run passes.
const MANY_DISCARDS: u64 = 3;

/// The number of tests examined to find the clause that discards.
const LOOKED_AT: u64 = 100;

/// The number of inputs generated again to measure the cost and the size of inputs.
const SAMPLES: u64 = 5;

/// There is one more sample for each of this many tests, so that sampling stays cheap. The number does not depend on time,
/// so that the warnings are deterministic.
const TESTS_PER_SAMPLE: u64 = 50;

/// The verdict on a run with too few valid tests.
pub(super) fn gave_up(session: &Session<'_>, budget: &Budget, start: u64) -> Verdict {
    let clause = most_discarding(session, start);
    let Budget { valid, discarded, .. } = *budget;
    shortage(session, budget, start, &clause).unwrap_or_else(|| {
        let ratio = session.settings.discard_ratio;
        Verdict::GaveUp(Fact::TooManyDiscards { valid, discarded, clause, ratio })
    })
}

/// The verdict on an exhaustive run that discarded every input.
pub(super) fn no_input_is_left(session: &Session<'_>, budget: &Budget) -> Verdict {
    let clause = most_discarding(session, 0);
    let shortage = shortage(session, budget, 0, &clause);
    shortage.unwrap_or(Verdict::GaveUp(Fact::AllDiscarded { discarded: budget.discarded, clause }))
}

/// The verdict, if nothing was tested because a collection cannot reach its minimum length.
fn shortage(session: &Session<'_>, budget: &Budget, start: u64, clause: &str) -> Option<Verdict> {
    let Budget { valid, discarded, .. } = *budget;
    if valid == 0
        && let Some((found, least)) = session.tester.ran_out(start, session.size(start))
    {
        let (variable, found, least) = (clause.to_owned(), found as u64, least as u64);
        return Some(Verdict::GaveUp(Fact::TooFewOperations { variable, discarded, found, least }));
    }
    if valid == 0
        && let Some((found, least)) = session.tester.shortage(start, session.size(start))
    {
        let (variable, found, least) = (clause.to_owned(), found as u64, least as u64);
        return Some(Verdict::GaveUp(Fact::TooFewDifferent { variable, discarded, found, least }));
    }
    None
}

/// Warns about generators of a run that passed. Discards are not reported if the discard ratio was raised, nor large inputs
/// if a size was set or the generators have no smaller ones: the user asked for them.
pub(super) fn advise(session: &mut Session<'_>, budget: &Budget) {
    if !session.settings.health {
        return;
    }
    let Budget { valid, discarded, .. } = *budget;
    let accepts_discards = session.settings.discard_ratio > Settings::new().discard_ratio;
    if discarded / MANY_DISCARDS > valid && !accepts_discards {
        let clause = most_discarding(session, 0);
        session.warn(Fact::ManyDiscards { valid, discarded, clause });
    }
    let (elapsed, made) = (session.elapsed(), valid.saturating_add(discarded));
    // The time of all threads together.
    let total = elapsed.saturating_mul(session.seen.workers.len().max(1) as u32);
    if total < NOTICEABLE_RUN {
        return;
    }
    let schedule = session.settings.size;
    let (mut choices, mut samples, mut least) = (0, 0, Duration::MAX);
    while samples < (made / TESTS_PER_SAMPLE).clamp(1, SAMPLES) {
        let (index, began) = (made / SAMPLES * (SAMPLES - 1 - samples), Instant::now());
        let drawn = session.tester.choices(index, schedule.size(index)).len() as u64;
        // Time per choice. The fastest sample counts: on a busy machine, others are interrupted.
        least = least.min(began.elapsed() / drawn.max(1) as u32);
        (choices, samples) = (choices + drawn, samples + 1);
    }
    let per_input = least.saturating_mul((choices / samples).max(1) as u32);
    let share = per_input.as_secs_f64() * made as f64 / total.as_secs_f64();
    if elapsed >= SLOW_RUN && share > 0.5 && per_input > Duration::from_millis(1) {
        session.warn(Fact::SlowGeneration { mean: per_input, tests: made, share: share.min(1.0) });
    }
    if choices / samples > LARGE_INPUT && has_default_sizes(schedule) && smallest_input(session) <= LARGE_INPUT {
        session.warn(Fact::LargeInputs { choices: choices / samples, tests: made });
    }
}

/// Whether the size was left at its default.
fn has_default_sizes(schedule: Schedule) -> bool {
    let bounds = |schedule| if let Schedule::Spread { from, to } = schedule { Some((from, to)) } else { None };
    bounds(schedule) == bounds(Schedule::default())
}

/// The number of choices of the simplest input: a fixed length such as `.len(20_000)` makes it large.
fn smallest_input(session: &Session<'_>) -> u64 {
    let mut source = Source::replay(&Sequence::default());
    let _ = session.tester.generate(&mut source, &[]);
    source.into_sequence().len() as u64
}

/// The clause that discards most among the first tests, as written in the source; the body, if no clause does. Only
/// generates: the body does not run.
fn most_discarding(session: &Session<'_>, start: u64) -> String {
    let schedule = session.settings.size;
    let mut clauses: Vec<(&str, u32)> = Vec::new();
    for index in start..start.saturating_add(LOOKED_AT) {
        if let Some(discarded) = session.tester.discarding_clause(index, schedule.size(index)) {
            match clauses.iter_mut().find(|(clause, _)| *clause == discarded.text) {
                Some((_, count)) => *count += 1,
                None => clauses.push((discarded.text, 1)),
            }
        }
    }
    let mut most = ("assume!", 0);
    for &(clause, count) in &clauses {
        if count >= most.1 {
            most = (clause, count);
        }
    }
    most.0.to_owned()
}
