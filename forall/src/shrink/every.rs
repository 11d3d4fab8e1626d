//! Tries every simpler input, if there are few.
//!
//! In terms generated from their types, hardly anything can be changed alone: a subterm has a different type from the
//! term that contains it, so the type, which was drawn earlier, has to change with it. No edit can do that. But by then
//! the term is small, and each of its choices has only a few alternatives: so all simpler inputs are tried, simplest
//! first, and the first one that fails is the smallest of all. If all numbers are 0, they stay 0, and only the shapes
//! of trees vary. Shapes drawn by hand-written recursion, which has no spans, are tried when nothing else helps: there a
//! part that moves up may draw choices that it did not draw at the depth limit. Not covered: inputs in which numbers matter, because there are too many; inputs beyond the limit; and
//! inputs whose end can be made shorter than with the simplest choices.

use super::edit;
use super::lower::MAX_KIND;
use super::search::Search;
use crate::choice::{Item, Sequence};
use crate::sort::last_below;
use crate::testing::Case;

/// Inputs with more choices are left to other passes: only a tiny fraction of the inputs of their length could be
/// tried.
const MAX_CHOICES: usize = 60;
/// The largest number of evaluations.
const MAX_RUNS: u64 = 1000;
/// The limit if there are numbers: other passes handle most of those.
const MAX_RUNS_WITH_NUMBERS: u64 = 32;
/// The largest number of generated inputs: rejected and overlong ones are not run.
const MAX_GENERATED: u32 = 20_000;

pub(super) fn every(search: &mut Search<'_>) {
    let is_tree = search.structure().has_trees();
    let is_small = |item: &Item| matches!(item, Item::Choice(choice) if choice.max <= MAX_KIND || choice.value == 0);
    let small = search.items().iter().all(is_small);
    if !is_tree || !small || search.items().len() > MAX_CHOICES || search.has_frozen() || search.tried_every() {
        return;
    }
    let has_numbers = search.items().iter().any(|item| edit::max(item) > MAX_KIND);
    simplest_that_fails(search, if has_numbers { MAX_RUNS_WITH_NUMBERS } else { MAX_RUNS });
    search.has_tried_every();
}

/// The same for shapes without spans and without numbers.
pub(super) fn shapes(search: &mut Search<'_>) {
    let structure = search.structure();
    let is_shape = !structure.has_trees() && structure.groups.is_empty();
    let small = search.items().iter().all(|item| matches!(item, Item::Choice(choice) if choice.max <= MAX_KIND));
    if is_shape && small && search.items().len() <= MAX_CHOICES && !search.tried_every() {
        simplest_that_fails(search, MAX_RUNS);
        search.has_tried_every();
    }
}

/// Runs inputs in order, up to the first that fails.
fn simplest_that_fails(search: &mut Search<'_>, most: u64) {
    let (end, mut generated) = (search.spent_after(most), 0);
    for length in 1..=search.items().len() {
        let mut next = Some(Vec::new());
        while let Some(values) = next.take() {
            let (drawn, taken) = generate(search, &values);
            generated += 1;
            if search.spent() >= end || generated >= MAX_GENERATED {
                return;
            }
            if taken && drawn.items.len() == length && search.consider(drawn.items.clone()) {
                return;
            }
            // Ending an input with the simplest choices usually makes it as short as possible.
            let too_long = drawn.items.len() > length;
            let advanceable =
                if too_long { values.len().min(drawn.items.len()) } else { drawn.items.len().min(length) };
            next = advanced(&drawn.items[..advanceable]);
        }
    }
}

/// The choices that the generators draw for these values, and whether they accept them.
fn generate(search: &Search<'_>, values: &[u64]) -> (Sequence, bool) {
    let sequence = Sequence::from_values(search.best.sequence.size, values);
    search.tester.generated_from(&Case { sequence, steps: search.best.steps.clone() })
}

/// The values with the last one incremented that is not a number and below its maximum, without those after it.
fn advanced(items: &[Item]) -> Option<Vec<u64>> {
    let can_be = |item: &Item| matches!(item, Item::Choice(choice) if choice.value < choice.max.min(MAX_KIND));
    let place = last_below(items.len(), &|place| edit::max(&items[place]) <= MAX_KIND && can_be(&items[place]))?;
    let mut values = Vec::with_capacity(place + 1);
    for item in &items[..=place] {
        values.push(edit::value(item));
    }
    values[place] += 1;
    Some(values)
}
