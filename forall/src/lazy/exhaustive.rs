//! The exhaustive runner: all inputs up to one depth, then up to the next.

use crate::fact::Fact;
use crate::lazy::{Exploration, Trouble, Until, Witnessed, explore_in_parallel, explore_within, witnesses};
use crate::run::runners::{After, Named};
use crate::run::{Ending, Event, Found, Report, Searched, Session, Settings, Verdict};
use std::sync::Arc;
use std::time::Instant;

inventory::submit! { Named { is_parallel: true, refusal, ..Named::new("exhaustive", exhaustive) } }

/// A search is one walk through all inputs, in one process: it is neither split into shards nor isolated.
fn refusal(settings: &Settings) -> Option<Fact> {
    if settings.shard.is_some() {
        return Some(Fact::SearchIsNotSplit);
    }
    settings.isolates().then_some(Fact::IsolatedSearch)
}

/// The exhaustive runner: tests all inputs of a property up to depth 0, 1, 2, …, until one fails or the budget is
/// spent: see [`lazy`](crate::lazy).
///
/// ```
/// use forall::lazy::{Lazy, List};
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict};
///
/// let property = property! { forall xs: Lazy<List<bool>>; check xs.len() < 3 };
/// let settings = Settings::new().runner("exhaustive").store(Store::Off);
/// let report = Run::new("short", &property).settings(settings).report();
/// assert_eq!(report.verdict, Verdict::Failed);
/// assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "_:_:_:[]");
/// assert_eq!(report.searched.iter().map(|depth| depth.evaluations).collect::<Vec<_>>(), [1, 2, 3, 4]);
/// ```
pub fn exhaustive(mut session: Session<'_>) -> Report {
    let deepest = session.settings.depth.unwrap_or(u32::MAX);
    let Searches { ending, discarded, checked } = search_depths(&mut session, deepest);
    let evaluations: u64 = session.seen.searched.iter().map(|depth| depth.evaluations).sum();
    let ending = match ending.unwrap_or_else(|| (verdict(&mut session), None)) {
        (verdict, _) if verdict.is_success() && discarded > 0 && checked == 0 => {
            (Verdict::GaveUp(Fact::SearchDiscardedAll { tests: discarded }), None)
        }
        ending => ending,
    };
    let mut statistics = session.tester.context().take_statistics();
    (statistics.valid, statistics.discarded) = (evaluations.saturating_sub(discarded), discarded);
    session.finish(ending, statistics)
}

inventory::submit! { After(second_opinion) }

/// After another runner's tests have passed: tests every input up to `depth`, if that is set and the inputs can be
/// enumerated from their types. Labels are not counted here; only those of the preceding tests are.
fn second_opinion(session: &mut Session<'_>) -> Option<Ending> {
    let deepest = session.settings.depth?;
    crate::lazy::inputs(session.tester.property(), deepest)?;
    let context = session.tester.context().clone();
    context.count_labels(false);
    let searches = search_depths(session, deepest);
    context.count_labels(true);
    match searches.ending? {
        // The tests passed, so a search that cannot continue is no reason to fail.
        (Verdict::Faulty(why), None) => {
            session.warn(why);
            None
        }
        (Verdict::Passed | Verdict::GaveUp(_), _) => None,
        ending => Some(ending),
    }
}

/// The result of the searches of a run.
struct Searches {
    ending: Option<Ending>,
    discarded: u64,
    checked: u64,
}

/// Searches one depth after the other, as far as the budget allows.
fn search_depths(session: &mut Session<'_>, deepest: u32) -> Searches {
    let mut left = session.settings.evaluations;
    let mut searches = Searches { ending: None, discarded: 0, checked: 0 };
    let mut unpruned = None;
    for depth in 0..=deepest {
        if session.is_over() || left == 0 {
            break;
        }
        let (threads, until) = (session.settings.threads, until(session));
        let explored = match session.on_several_threads() {
            Some(property) => explore_in_parallel(&session.tester, property, depth, left, threads, until),
            None => explore_within(&session.tester, depth, left, move || until()),
        };
        left = left.saturating_sub(explored.evaluations);
        searches.discarded += explored.discarded;
        searches.checked += explored.checked;
        unpruned = explored.pruning.unpruned().map(|rejected| (rejected, depth));
        let searched = Searched {
            depth,
            evaluations: explored.evaluations,
            inputs: explored.inputs,
            complete: explored.is_complete(),
            witnesses: if explored.asks_for_witnesses { shown(session, depth) } else { Vec::new() },
        };
        session.emit(&Event::Searched { depth: &searched });
        session.seen.searched.push(searched);
        searches.ending = end(session, explored);
        if searches.ending.is_some() || session.settings.depth.is_none() && is_hopeless(session) {
            break;
        }
    }
    if let Some((rejected, depth)) = unpruned {
        session.warn(Fact::PrunesNothing { rejected, depth: depth.into() });
    }
    searches
}

/// The number of inputs for which witnesses are shown, if requested.
const MAX_WITNESSES: usize = 10;

/// The witnesses for the first inputs of a search: `n = 1: m = -1`.
fn shown(session: &Session<'_>, depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for Witnessed { bindings, witnesses, .. } in witnesses(session.tester.property(), depth, MAX_WITNESSES) {
        let mut input = Vec::new();
        for binding in &bindings {
            input.push(format!("{} = {}", binding.name, binding.printed.text()));
        }
        let colon = if input.is_empty() { "" } else { ": " };
        lines.push(format!("{}{colon}{}", input.join(", "), witnesses.join(", ")));
    }
    lines
}

/// Returns a function that says whether the run is over, usable without the session.
fn until(session: &Session<'_>) -> Until {
    let end = session.settings.max_time.map(|time| Instant::now() + time.saturating_sub(session.elapsed()));
    let context = session.tester.context().clone();
    Arc::new(move || context.is_cancelled() || matches!(end, Some(end) if Instant::now() >= end))
}

/// The ending of the run, if the result at this depth ends it.
fn end(session: &mut Session<'_>, explored: Exploration) -> Option<Ending> {
    let Exploration { depth, failure, case, trouble, inputs, nests, .. } = explored;
    match (failure, trouble) {
        (_, Some(Trouble::Fault(why))) => Some((Verdict::Faulty(why), None)),
        (Some(failure), _) => Some(session.found(case.unwrap_or_default(), failure, Found::Searched { depth })),
        (None, Some(Trouble::Spent)) => Some((verdict(session), None)),
        // A domain that stops growing has been tested completely, unless a nested quantifier has a domain of its own.
        (None, None) => (!nests && is_whole(session, depth)).then(|| {
            let inputs = inputs.unwrap_or(0.0) as u64;
            (Verdict::Exhausted { inputs, at_size: None }, None)
        }),
    }
}

/// If this many consecutive depths have the same number of inputs, there are no further ones: no type is nested so
/// deeply before it grows.
const SETTLED: u32 = 100;

/// Whether enough depths had nothing to test that no deeper one will.
fn is_hopeless(session: &Session<'_>) -> bool {
    session.seen.searched.len() > SETTLED as usize
        && session.seen.searched.iter().all(|depth| depth.inputs == Some(0.0))
}

/// Whether the inputs up to this depth are all inputs.
fn is_whole(session: &Session<'_>, depth: u32) -> bool {
    let known = session.seen.searched.last().and_then(|searched| searched.inputs);
    let Some(inputs) = known.filter(|inputs| *inputs > 0.0 && inputs.is_finite()) else { return false };
    let property = session.tester.property();
    (1..=SETTLED).all(|more| crate::lazy::inputs(property, depth + more) == Some(inputs))
}

/// The verdict on a search in which nothing failed.
fn verdict(session: &mut Session<'_>) -> Verdict {
    let tried = |depth: &Searched| depth.complete && depth.inputs != Some(0.0);
    if session.seen.searched.iter().any(tried) {
        return Verdict::Passed;
    }
    Verdict::GaveUp(match session.seen.searched.last() {
        Some(last) if last.inputs == Some(0.0) => Fact::NothingToSearch { depth: last.depth.into() },
        Some(last) => Fact::SearchUnfinished { depth: last.depth.into(), evaluations: last.evaluations },
        None if session.settings.evaluations == 0 => Fact::NoEvaluations,
        None => Fact::Stopped { valid: 0, wanted: session.settings.tests },
    })
}
