//! Whether a run tested anything worth speaking of, and what its generators could do better.

use super::session::Session;
use super::{Budget, Verdict};
use crate::fact::Fact;
use std::time::{Duration, Instant};

/// A run that takes less needs no advice on the speed of its generators.
const SLOW_RUN: Duration = Duration::from_secs(1);

/// Nor, if it takes less than this, on the size of its inputs.
const NOTICEABLE_RUN: Duration = Duration::from_millis(10);

/// An input that takes more choices than this is called large: a vector of more than 5,000 numbers does. Testing them is quick (30 ms for
/// 256 tests, optimised), so the time of the run tells little; each candidate of shrinking is as large, and nobody reads the result.
const LARGE_INPUT: u64 = 10_000;

/// More discards than this for each valid test are worth a word, even if the run went through.
const MANY_DISCARDS: u64 = 3;

/// So many tests are looked at to find out which clause discards.
const LOOKED_AT: u64 = 100;

/// So many inputs are generated again to find out what generating costs, and how large they are.
const SAMPLES: u64 = 5;

/// There is one sample, and one more for so many tests: they are not to take long themselves. How many there are does not
/// depend on time, so that the same is said of the same tests.
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

/// The verdict on a run that tried all inputs, and had to discard all.
pub(super) fn no_input_is_left(session: &Session<'_>, budget: &Budget) -> Verdict {
    let clause = most_discarding(session, 0);
    let shortage = shortage(session, budget, 0, &clause);
    shortage.unwrap_or(Verdict::GaveUp(Fact::AllDiscarded { discarded: budget.discarded, clause }))
}

/// The verdict, if nothing was tested since a collection cannot be as large as it must.
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

/// Says what could be better in a run that went through.
pub(super) fn advise(session: &mut Session<'_>, budget: &Budget) {
    if !session.settings.health {
        return;
    }
    let Budget { valid, discarded, .. } = *budget;
    if discarded / MANY_DISCARDS > valid {
        let clause = most_discarding(session, 0);
        session.warn(Fact::ManyDiscards { valid, discarded, clause });
    }
    let (elapsed, made) = (session.elapsed(), valid.saturating_add(discarded));
    // What several threads did took as long as all of them together.
    let total = elapsed.saturating_mul(session.seen.workers.len().max(1) as u32);
    if total < NOTICEABLE_RUN {
        return;
    }
    let schedule = session.settings.size;
    let (mut choices, mut samples, mut least) = (0, 0, Duration::MAX);
    while samples < (made / TESTS_PER_SAMPLE).clamp(1, SAMPLES) {
        let (index, began) = (made / SAMPLES * (SAMPLES - 1 - samples), Instant::now());
        let drawn = session.tester.choices(index, schedule.size(index)).len() as u64;
        // For each choice, and the quickest sample counts: on a busy machine others are interrupted.
        least = least.min(began.elapsed() / drawn.max(1) as u32);
        (choices, samples) = (choices + drawn, samples + 1);
    }
    let per_input = least.saturating_mul((choices / samples).max(1) as u32);
    let share = per_input.as_secs_f64() * made as f64 / total.as_secs_f64();
    if elapsed >= SLOW_RUN && share > 0.5 && per_input > Duration::from_millis(1) {
        session.warn(Fact::SlowGeneration { mean: per_input, tests: made, share: share.min(1.0) });
    }
    if choices / samples > LARGE_INPUT {
        session.warn(Fact::LargeInputs { choices: choices / samples, tests: made });
    }
}

/// The clause that discards most among the first tests, as its author wrote it; the body, if no clause does. Generates
/// only: the body does not run again for this.
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
