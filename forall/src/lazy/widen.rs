//! Generalises a counterexample: finds which of its decided parts could be anything.
//!
//! A search stops at the first failing path, and not every decision on it matters. So one cell after the other is
//! released while the others stay *pinned* (`pins.rs`), and all its possible values up to the depth are tried: if all
//! of them fail, the cell does not matter, and stays open while the next one is released. (Extrapolate does this for
//! total values; Lazy SmallCheck stops before.)
//!
//! The results are the same [`Claim`]s as in other explanations, except that nothing is left to chance here.

use super::path::{Path, take};
use super::trail::Next;
use crate::explain::{Any, Claim, Explanation, OfSearch, Open};
use crate::panic::{Unwound, catch};
use crate::property::Outcome;
use crate::run::{Case, Tester};
use std::time::Instant;

inventory::submit! { OfSearch(explain) }

/// Explains the case of a search: what else it could be, up to its depth, in at most `most` evaluations.
fn explain(tester: &Tester<'_>, case: &Case, depth: u32, most: u64) -> Explanation {
    let started = Instant::now();
    let _active = tester.context().activate();
    let mut explanation = Explanation::default();
    take(tester.property(), case, depth, |path| {
        if path.evaluate().is_ok_and(|outcome| !outcome.is_fail()) {
            return;
        }
        widen(path, most, &mut explanation);
    });
    explanation.time = started.elapsed();
    explanation
}

/// Releases one decided cell after the other, in the order in which they were read, as long as everything fails.
pub(super) fn widen(path: &Path<'_>, most: u64, explanation: &mut Explanation) {
    let Path { search, block, .. } = *path;
    let (trail, mut pins) = search.pins(block);
    search.restore(block, trail.clone(), &pins);
    let Some(narrow) = path.print() else { return };
    // The evidence for the claim: the evaluations of the last released cell, with all earlier ones open.
    let mut runs = 0;
    for cell in 0..pins.len() {
        if pins.is_inside_free(cell) {
            continue;
        }
        pins.set_free(cell, true);
        search.pin(block, pins);
        let (fails, tried) = all_fail(path, most.saturating_sub(explanation.evaluations).min(MAX_FOR_A_CELL));
        pins = search.unpin(block);
        pins.set_free(cell, fails);
        explanation.evaluations += tried;
        runs = if fails { tried } else { runs };
    }
    search.restore(block, trail, &pins);
    let Some(wide) = path.print() else { return };
    for (variable, (narrow, wide)) in narrow.iter().zip(&wide).enumerate() {
        let text = wide.printed.text();
        if text != narrow.printed.text() {
            let open = if text == "_" { Open::Whole } else { Open::Pattern(text.to_owned()) };
            let up_to_depth = Some(path.depth);
            explanation.claims.push(Claim::Any(Any { variable, open, together: true, runs, every: true, up_to_depth }));
        }
    }
}

/// The maximum number of evaluations to find out whether a cell can be anything.
const MAX_FOR_A_CELL: u64 = 500;

/// Whether every path fails, and how many evaluations it took to see that. More than `most` are not made.
fn all_fail(path: &Path<'_>, most: u64) -> (bool, u64) {
    let mut tried = 0;
    loop {
        if tried == most {
            return (false, tried);
        }
        tried += 1;
        let fails = match path.evaluate() {
            Ok(outcome) => matches!(outcome, Outcome::Fail(_)),
            Err(Unwound::Panic(_)) => true,
            Err(Unwound::Signal(_)) => false,
        };
        if !fails {
            return (false, tried);
        }
        match catch(|| path.search.advance(path.block, false)) {
            Ok(Next::Done) => return (true, tried),
            Ok(_) => {}
            Err(_) => return (false, tried),
        }
    }
}
