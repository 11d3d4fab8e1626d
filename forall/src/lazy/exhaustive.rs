//! The exhaustive runner: every input up to a depth, and then to the next.

use crate::fact::Fact;
use crate::lazy::{Exploration, Trouble, Until, Witnessed, explore_in_parallel, explore_within, witnesses};
use crate::run::runners::Named;
use crate::run::{Ending, Event, Found, Report, Searched, Session, Verdict};
use std::sync::Arc;
use std::time::Instant;

inventory::submit! { Named { name: "exhaustive", runner: exhaustive, learns: false } }

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
    let mut left = session.settings.evaluations;
    let deepest = session.settings.depth.unwrap_or(u32::MAX);
    let (mut ending, mut discarded, mut checked) = (None, 0, 0);
    for depth in 0..=deepest {
        if session.is_over() || left == 0 {
            break;
        }
        let (threads, until) = (session.settings.threads, until(&session));
        let explored = match session.on_several_threads() {
            Some(property) => explore_in_parallel(&session.tester, property, depth, left, threads, until),
            None => explore_within(&session.tester, depth, left, move || until()),
        };
        left = left.saturating_sub(explored.evaluations);
        discarded += explored.discarded;
        checked += explored.checked;
        let searched = Searched {
            depth,
            evaluations: explored.evaluations,
            inputs: explored.inputs,
            complete: explored.is_complete(),
            witnesses: if explored.asks_for_witnesses { shown(&session, depth) } else { Vec::new() },
        };
        session.say(&Event::Searched { depth: &searched });
        session.seen.searched.push(searched);
        ending = end(&mut session, explored);
        if ending.is_some() || session.settings.depth.is_none() && is_hopeless(&session) {
            break;
        }
    }
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

/// For so many inputs the witnesses are shown, if someone asked for them.
const MOST_WITNESSES: usize = 10;

/// The witnesses for the first inputs of a search: `n = 1: m = -1`.
fn shown(session: &Session<'_>, depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for Witnessed { bindings, witnesses, .. } in witnesses(session.tester.property(), depth, MOST_WITNESSES) {
        let mut input = Vec::new();
        for binding in &bindings {
            input.push(format!("{} = {}", binding.name, binding.printed.text()));
        }
        let colon = if input.is_empty() { "" } else { ": " };
        lines.push(format!("{}{colon}{}", input.join(", "), witnesses.join(", ")));
    }
    lines
}

/// Whether the run is over, as something that can be asked without the session.
fn until(session: &Session<'_>) -> Until {
    let deadline = session.settings.time.map(|time| Instant::now() + time.saturating_sub(session.elapsed()));
    let context = session.tester.context().clone();
    Arc::new(move || context.is_cancelled() || matches!(deadline, Some(deadline) if Instant::now() >= deadline))
}

/// How the run ends with what was found at a depth, if it does.
fn end(session: &mut Session<'_>, explored: Exploration) -> Option<Ending> {
    let Exploration { depth, failure, case, trouble, inputs, nests, .. } = explored;
    match (failure, trouble) {
        (_, Some(Trouble::Fault(why))) => Some((Verdict::Faulty(Fact::SearchFaulty { why }), None)),
        (Some(failure), _) => Some(session.found(case.unwrap_or_default(), failure, Found::Searched { depth })),
        (None, Some(Trouble::Spent)) => Some((verdict(session), None)),
        // A domain that grows no more was tried completely, unless a quantifier inside has a domain of its own.
        (None, None) => (!nests && is_whole(session, depth)).then(|| {
            let inputs = inputs.unwrap_or(0.0) as u64;
            (Verdict::Exhausted { inputs, at_size: None }, None)
        }),
    }
}

/// So many depths with the same number of inputs mean that there are no others: no type is nested so deeply before it grows.
const SETTLED: u32 = 100;

/// Whether there was nothing to try at so many depths that there will be nothing at any.
fn is_hopeless(session: &Session<'_>) -> bool {
    session.seen.searched.len() > SETTLED as usize
        && session.seen.searched.iter().all(|depth| depth.inputs == Some(0.0))
}

/// Whether there are no more inputs than those up to this depth.
fn is_whole(session: &Session<'_>, depth: u32) -> bool {
    let known = session.seen.searched.last().and_then(|searched| searched.inputs);
    let Some(inputs) = known.filter(|inputs| *inputs > 0.0 && inputs.is_finite()) else { return false };
    let property = session.tester.property();
    (1..=SETTLED).all(|more| crate::lazy::inputs(property, depth + more) == Some(inputs))
}

/// What to think of a search in which nothing failed.
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
