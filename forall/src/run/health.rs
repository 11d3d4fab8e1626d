//! Whether a run tested anything worth speaking of, and what its generators could do better.

use super::session::Session;
use super::{Budget, Verdict};
use crate::report::advice;
use std::time::{Duration, Instant};

/// A run that takes less needs no advice on the speed of its generators.
const SLOW_RUN: Duration = Duration::from_secs(1);

/// An input of a slow run that takes more choices than this is called large.
const LARGE_INPUT: u64 = 100_000;

/// More discards than this for each valid test are worth a word, even if the run went through.
const MANY_DISCARDS: u64 = 3;

/// So many tests are looked at to find out which clause discards.
const LOOKED_AT: u64 = 100;

/// So many inputs are generated again to find out what generating costs.
const SAMPLES: u64 = 5;

/// The verdict on a run with too few valid tests.
pub(super) fn gave_up(session: &Session<'_>, budget: &Budget, start: u64) -> Verdict {
    let Budget { valid, discarded, .. } = *budget;
    let clause = most_discarding(session, start);
    Verdict::GaveUp(advice::too_many_discards(valid, discarded, &clause, session.settings.discard_ratio))
}

/// Says what could be better in a run that went through.
pub(super) fn advise(session: &mut Session<'_>, budget: &Budget) {
    if !session.settings.health {
        return;
    }
    let Budget { valid, discarded, .. } = *budget;
    if discarded / MANY_DISCARDS > valid {
        let clause = most_discarding(session, 0);
        session.warn(advice::many_discards(valid, discarded, &clause));
    }
    let (total, made) = (session.elapsed(), valid.saturating_add(discarded));
    if total < SLOW_RUN {
        return;
    }
    let (schedule, tests) = (session.settings.size, session.settings.tests);
    let started = Instant::now();
    let mut choices = 0;
    for sample in 0..SAMPLES {
        let index = made / SAMPLES * sample;
        choices += session.tester.choices(index, schedule.size(index, tests)).len() as u64;
    }
    let per_input = started.elapsed() / SAMPLES as u32;
    let share = per_input.as_secs_f64() * made as f64 / total.as_secs_f64();
    if share > 0.5 && per_input > Duration::from_millis(1) {
        session.warn(advice::slow_generation(per_input, made, share.min(1.0)));
    }
    if choices / SAMPLES > LARGE_INPUT {
        session.warn(advice::large_inputs(choices / SAMPLES, made));
    }
}

/// The clause that discards most among the first tests, as its author wrote it; the body, if no clause does. Generates
/// only: the body does not run again for this.
fn most_discarding(session: &Session<'_>, start: u64) -> String {
    let (schedule, tests) = (session.settings.size, session.settings.tests);
    let mut clauses: Vec<(&str, u32)> = Vec::new();
    for index in start..start.saturating_add(LOOKED_AT) {
        if let Some(discarded) = session.tester.discarding_clause(index, schedule.size(index, tests)) {
            match clauses.iter_mut().find(|(clause, _)| *clause == discarded.text) {
                Some((_, count)) => *count += 1,
                None => clauses.push((discarded.text, 1)),
            }
        }
    }
    let most = clauses.into_iter().max_by_key(|(_, count)| *count);
    most.map_or("assume!", |(clause, _)| clause).to_owned()
}
