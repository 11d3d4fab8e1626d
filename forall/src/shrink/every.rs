//! Tries every simpler input, if there are few.
//!
//! In terms generated from their types, hardly anything can be changed alone: a subterm has a different type from the
//! term that contains it, so the type, which was drawn earlier, has to change with it. No edit can do that. But by then
//! the term is small, and each of its choices has only a few alternatives: so all simpler inputs are tried, simplest
//! first, and the first one that fails is the smallest of all. If all numbers are 0, they stay 0, and only the shapes
//! of trees vary. Shapes drawn by hand-written recursion, which has no spans, are tried when nothing else helps: there a
//! part that moves up may draw choices that it did not draw at the depth limit. Numbers in them take values that the best
//! case has. This missed terms with numbers at first, and numbers that save a choice at the end of their range, as in
//! search trees drawn by intervals. Not covered: inputs with more than three different numbers, because there are too many;
//! inputs beyond the limit; and inputs whose end can be made shorter than with the simplest choices.

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
/// The limit for shapes with only the values that the best case has.
const MAX_RUNS_WITH_FEW: u64 = 500;
/// Shapes with more different numbers have too many simpler inputs.
const MAX_NUMBERS: usize = 3;
/// Larger maxima are hardly the end of a range that was divided, and take generators long.
const MAX_END: u64 = 10_000;
/// The largest number of generated inputs: rejected and overlong ones are not run.
const MAX_GENERATED: u32 = 20_000;
/// The same for shapes, which other passes rarely leave.
const MAX_GENERATED_SHAPES: u32 = 2000;

pub(super) fn every(search: &mut Search<'_>) {
    let is_tree = search.structure().has_trees();
    let is_small = |item: &Item| matches!(item, Item::Choice(choice) if choice.max <= MAX_KIND || choice.value == 0);
    let small = search.items().iter().all(is_small);
    if !is_tree || !small || search.items().len() > MAX_CHOICES || search.has_frozen() || search.tried_every() {
        return;
    }
    let has_numbers = search.items().iter().any(|item| edit::max(item) > MAX_KIND);
    let end = search.spent_after(if has_numbers { MAX_RUNS_WITH_NUMBERS } else { MAX_RUNS });
    let above = |value, max| if max <= MAX_KIND { (value < max).then_some(value + 1) } else { None };
    simplest_that_fails(search, &above, (end, MAX_GENERATED));
    search.has_tried_every();
}

/// The same for shapes without spans. Their numbers are 0 or what numbers of the best case are. First no choice is larger than
/// the largest of its kind in the best case, but numbers may be 1 or their maximum: fewer choices may follow at the end of a
/// range.
pub(super) fn shapes(search: &mut Search<'_>) {
    let structure = search.structure();
    let is_shape = !structure.has_trees() && structure.groups.is_empty() && !search.items().iter().any(edit::is_fork);
    let known = numbers(search.items());
    if !is_shape || known.len() > MAX_NUMBERS || search.items().len() > MAX_CHOICES || search.tried_every() {
        return;
    }
    let mut largest = [0; MAX_KIND as usize + 1];
    for item in search.items().iter().filter(|item| edit::max(item) <= MAX_KIND) {
        let largest = &mut largest[edit::max(item) as usize];
        *largest = edit::value(item).max(*largest);
    }
    let above = |value, max| known.iter().copied().filter(|&next| value < next && next <= max).min();
    let few = |value: u64, max: u64| match largest.get(max as usize) {
        Some(&largest) => (value < largest).then_some(value + 1),
        None => above(value, max).into_iter().chain([1, max.min(MAX_END)]).filter(|&next| next > value).min(),
    };
    let all = |value, max| if max <= MAX_KIND { (value < max).then_some(value + 1) } else { above(value, max) };
    let end = search.spent_after(MAX_RUNS);
    let first = search.spent_after(MAX_RUNS_WITH_FEW);
    if !simplest_that_fails(search, &few, (first, MAX_GENERATED_SHAPES)) {
        simplest_that_fails(search, &all, (end, MAX_GENERATED_SHAPES));
    }
    search.has_tried_every();
}

/// The different values of numbers above 0.
fn numbers(items: &[Item]) -> Vec<u64> {
    let mut numbers = Vec::new();
    for item in items {
        let value = edit::value(item);
        if edit::max(item) > MAX_KIND && value > 0 && !numbers.contains(&value) {
            numbers.push(value);
        }
    }
    numbers
}

/// The next larger value to try for a choice, given its value and its maximum.
type Above<'a> = &'a dyn Fn(u64, u64) -> Option<u64>;

/// Runs inputs in order, up to the first that fails; at most until so many were run, and so many generated. Returns whether
/// one failed.
fn simplest_that_fails(search: &mut Search<'_>, above: Above<'_>, (end, most): (u64, u32)) -> bool {
    let mut generated = 0;
    for length in 1..=search.items().len() {
        let mut next = Some(Vec::new());
        while let Some(values) = next.take() {
            let (drawn, taken) = generate(search, &values);
            generated += 1;
            search.stop_at_the_limits();
            if search.spent() >= end || generated >= most {
                return false;
            }
            if taken && drawn.items.len() == length && search.consider(drawn.items.clone()) {
                return true;
            }
            // Ending an input with the simplest choices usually makes it as short as possible.
            let too_long = drawn.items.len() > length;
            let advanceable =
                if too_long { values.len().min(drawn.items.len()) } else { drawn.items.len().min(length) };
            next = advanced(&drawn.items[..advanceable], above);
        }
    }
    false
}

/// The choices that the generators draw for these values, and whether they accept them.
fn generate(search: &Search<'_>, values: &[u64]) -> (Sequence, bool) {
    let sequence = Sequence::from_values(search.best.sequence.size, values);
    search.tester.generated_from(&Case { sequence, steps: search.best.steps.clone() })
}

/// The values with the last one that has a next larger value at that, without those after it.
fn advanced(items: &[Item], above: Above<'_>) -> Option<Vec<u64>> {
    let next = |place: usize| above(edit::value(&items[place]), edit::max(&items[place]));
    let place = last_below(items.len(), &|place| next(place).is_some())?;
    let mut values: Vec<u64> = items[..=place].iter().map(edit::value).collect();
    values[place] = next(place)?;
    Some(values)
}
