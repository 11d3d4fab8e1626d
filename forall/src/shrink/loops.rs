//! A smaller count, and the draws of correspondingly fewer iterations.
//!
//! A hand-written generator may draw a number and then loop that many times. No span marks an iteration, and neither
//! the number nor an iteration can be removed alone. So this pass queries the generator: with a smaller number it draws
//! the same up to the end of the remaining iterations. An iteration ends where these draws end, or where the
//! maximum of a draw first differs, so iterations may draw anything, and any amount. Only the generator runs for that,
//! not the property.
//!
//! If a loop has a minimum number of iterations, the first ones are recognised by their shape. The rows of a matrix are
//! iterations; its columns are removed from the same position of each row. Other passes sort, join and replace
//! iterations as they do elements: `order.rs`, `join.rs`, `together.rs`, `commands.rs`.
//!
//! After other iterations have been removed, an iteration may draw more or fewer choices: a choice of operation only if
//! there are operands, say. Then the remaining choices are realigned with the draws (`uneven`, `realign.rs`).
//!
//! Not covered: draws after a loop that start like an iteration, counts above `MAX_COUNT`, and counts that are computed
//! from several numbers.

use super::edit;
use super::elements::{Piece, shorten};
use super::realign::MAX_ITEMS;
use super::search::Search;
use crate::choice::{Item, Sequence};
use std::ops::Range;

/// The maximum number of numbers that are tested as counts: the generator runs for each.
const MANY: usize = 100;
/// Larger numbers are not considered counts: the generator runs once for each iteration.
const MAX_COUNT: u64 = 1000;
/// The maximum of a minimum count.
const MAX_LEAST: usize = 4;

pub(super) fn loops(search: &mut Search<'_>) {
    let mut at = 0;
    while at < MANY
        && let Some(&place) = search.structure().numbers.get(at)
    {
        search.stop_at_the_limits();
        at += 1;
        let (count, max) = (search.value(place), search.max(place));
        if (1..=MAX_COUNT).contains(&count) && max > 1 {
            shorten_loop(search, place);
        }
    }
}

/// Loops with more iterations are only shortened.
const MAX_ITERATIONS: u64 = 32;

/// Called with the position of a loop's count and the ranges of its iterations.
type Act<'a> = &'a mut dyn FnMut(&mut Search<'_>, usize, &[Range<usize>]);

/// Calls `act` for each loop of several iterations.
pub(super) fn for_each_loop(search: &mut Search<'_>, act: Act<'_>) {
    let mut at = 0;
    while at < MANY
        && let Some(&place) = search.structure().numbers.get(at)
    {
        search.stop_at_the_limits();
        at += 1;
        if let Some(iterations) = iterations(search, place) {
            act(search, place, &iterations);
        }
    }
}

/// The ranges of the iterations that a number counts, without empty ones; `None` if it counts fewer than two.
pub(super) fn iterations(search: &mut Search<'_>, place: usize) -> Option<Vec<Range<usize>>> {
    let count = search.value(place);
    if !(1..=MAX_ITERATIONS).contains(&count) || search.max(place) <= 1 {
        return None;
    }
    let mut ends = Ends::new(search, place)?;
    let mut iterations = Vec::new();
    for iteration in 0..count as usize + ends.least {
        let range = ends.of(search, iteration)?..ends.of(search, iteration + 1)?;
        if range.start > range.end {
            return None;
        }
        if !range.is_empty() {
            iterations.push(range);
        }
    }
    (iterations.len() > 1).then_some(iterations)
}

/// The ends of the iterations that a number counts, as far as known for the best case.
struct Ends {
    place: usize,
    /// The number of improvements when this was computed.
    accepted: u64,
    /// The end for each number of iterations.
    known: Vec<Option<usize>>,
    /// The number of iterations in addition to the counted ones.
    least: usize,
    /// The number of choices that the last iteration draws.
    drawn: usize,
}

/// Removes as many iterations as possible from the loop that the number at a position counts, if it counts one.
fn shorten_loop(search: &mut Search<'_>, place: usize) {
    let Some(mut ends) = Ends::new(search, place) else { return };
    let (count, drawn) = (search.value(place) as usize, ends.drawn);
    shorten(search, count + ends.least, Piece::Single, &mut |search, range| {
        let Some(lower) = search.value(place).checked_sub(range.len() as u64) else { return false };
        let (Some(from), Some(to)) = (ends.of(search, range.start), ends.of(search, range.end)) else { return false };
        let Some(items) = edit::with_values(search.items(), &[(place, lower)]) else { return false };
        from < to && to <= items.len() && search.consider(edit::replaced(&items, from..to, &[]))
    });
    if drawn > 1 {
        columns(search, place, drawn);
    }
}

/// Removes iterations that change how much later ones draw, and swaps neighbours that draw less in the other order.
pub(super) fn uneven(search: &mut Search<'_>) {
    if search.items().len() > MAX_ITEMS {
        return;
    }
    for_each_loop(search, &mut |search, place, _| {
        let mut iteration = 0;
        while let Some(all) = iterations(search, place)
            && let Some(range) = all.get(iteration)
        {
            search.stop_at_the_limits();
            let lower = search.value(place) - 1;
            let Some(lowered) = edit::with_values(search.items(), &[(place, lower)]) else { return };
            let swapped = all.get(iteration + 1).map(|next| swapped(search.items(), range, next));
            if !search.consider_realigned(&edit::replaced(&lowered, range.clone(), &[]))
                && !swapped.is_some_and(|items| search.consider_realigned(&items))
            {
                iteration += 1;
            }
        }
    });
}

/// The items with two neighbouring ranges swapped.
fn swapped(items: &[Item], one: &Range<usize>, next: &Range<usize>) -> Vec<Item> {
    let both = [&items[next.clone()], &items[one.end..next.start], &items[one.clone()]].concat();
    edit::replaced(items, one.start..next.end, &both)
}

/// The numbers before a loop that are raised.
const MAX_RAISED: usize = 8;
/// Loops with more iterations are left to the other passes: each needs several runs of the generator.
const MAX_TRADED: usize = 8;

/// Removes an iteration and raises a number before the loop by one: an element that a command adds may instead be
/// present from the start.
pub(super) fn traded(search: &mut Search<'_>) {
    if search.items().len() > MAX_ITEMS {
        return;
    }
    for_each_loop(search, &mut |search, place, all| {
        if all.len() > MAX_TRADED {
            return;
        }
        let structure = search.structure();
        let lower = search.value(place) - 1;
        for &raised in structure.numbers_in(&(0..place)).iter().rev().take(MAX_RAISED) {
            let changes = [(raised, search.value(raised).saturating_add(1)), (place, lower)];
            let Some(items) = edit::with_values(search.items(), &changes) else { continue };
            for range in all {
                search.stop_at_the_limits();
                let shorter = edit::replaced(&items, range.clone(), &[]);
                if search.consider(shorter.clone()) || search.consider_realigned(&shorter) {
                    return;
                }
            }
        }
    });
}

impl Ends {
    /// The ends of the iterations that a positive number counts, if it is a count.
    fn new(search: &mut Search<'_>, place: usize) -> Option<Self> {
        let mut ends = Self { place, accepted: 0, known: Vec::new(), least: 0, drawn: 0 };
        let count = search.value(place) as usize;
        let (last, end) = (ends.get(search, count - 1)?, ends.get(search, count)?);
        let first = ends.get(search, 0)?;
        // Most iterations draw something: only a command without alternatives draws nothing.
        if first <= place || last >= end || 2 * last.checked_sub(first)? < count - 1 {
            return None;
        }
        // Elements of the library's own collections have spans: `counts.rs` handles them.
        if search.structure().groups.iter().any(|group| !group.open && (place..=first).contains(&group.whole.start)) {
            return None;
        }
        ends.drawn = end - last;
        ends.least = least(search.items(), place, first, ends.drawn);
        Some(ends)
    }

    /// The end of the first iterations, including those that are always present.
    fn of(&mut self, search: &mut Search<'_>, iterations: usize) -> Option<usize> {
        if let Some(counted) = iterations.checked_sub(self.least) {
            return self.get(search, counted);
        }
        let (first, next) = (self.get(search, 0)?, self.get(search, 1)?);
        first.checked_sub((self.least - iterations) * next.checked_sub(first)?)
    }

    /// Where this many counted iterations end.
    fn get(&mut self, search: &mut Search<'_>, count: usize) -> Option<usize> {
        let all = usize::try_from(search.value(self.place)).ok()?;
        if self.accepted != search.accepted() || self.known.len() <= all {
            self.accepted = search.accepted();
            self.known = vec![None; all + 1];
        }
        if count > all {
            return None;
        }
        if self.known[count].is_none() {
            self.known[count] = if count < all { ended(search, self.place, count) } else { end(search, self.place) };
        }
        self.known[count]
    }
}

/// The draws of the generator with a smaller number at a place, and where they first differ from the earlier ones.
fn with_fewer(search: &mut Search<'_>, place: usize, count: usize) -> Option<(Sequence, usize)> {
    let items = edit::with_values(search.items(), &[(place, count as u64)])?;
    let drawn = search.tester.drawn(&edit::candidate(&search.best, items));
    let structure = search.structure();
    let part = structure.innermost(place);
    let mut until = drawn.items.len().min(search.items().len());
    for span in &drawn.spans {
        if matches!(part, Some(part) if (part.label, part.range.start) == (span.label, span.start as usize)) {
            until = until.min(span.end as usize);
        }
    }
    if until <= place {
        return None;
    }
    let mut same = place + 1;
    while same < until && edit::max(&drawn.items[same]) == edit::max(&search.items()[same]) {
        same += 1;
    }
    Some((drawn, same))
}

/// Where the first iterations end.
fn ended(search: &mut Search<'_>, place: usize, count: usize) -> Option<usize> {
    Some(with_fewer(search, place, count)?.1)
}

/// The end of the last iteration: where the following choices look as they do after one iteration fewer.
fn end(search: &mut Search<'_>, place: usize) -> Option<usize> {
    let count = usize::try_from(search.value(place)).ok()?.checked_sub(1)?;
    let (drawn, last) = with_fewer(search, place, count)?;
    let structure = search.structure();
    if let Some(part) = structure.innermost(place) {
        for span in &drawn.spans {
            if (span.label, span.start as usize, span.end as usize) == (part.label, part.range.start, last) {
                return Some(part.range.end);
            }
        }
    }
    let (items, rest) = (search.items(), &drawn.items[last..]);
    let Some(next) = rest.first() else { return Some(items.len()) };
    let alike = |place: usize| edit::max(&items[place]) == edit::max(next);
    let mut end = last + 1;
    while end < items.len() && !alike(end) {
        end += 1;
    }
    (end < items.len()).then_some(end)
}

/// The number of uncounted iterations: those before the counted ones that look like them.
fn least(items: &[Item], place: usize, first: usize, length: usize) -> usize {
    let mut least = 0;
    while least < MAX_LEAST {
        let Some(start) = first.checked_sub((least + 1) * length).filter(|start| *start > place) else { break };
        let alike =
            |at: usize| matches!(items.get(first + at), Some(item) if edit::max(item) == edit::max(&items[start + at]));
        if !(0..length).all(alike) {
            break;
        }
        least += 1;
    }
    least
}

/// Removes columns: the choices that a smaller number removes are at the same position in several rows.
fn columns(search: &mut Search<'_>, place: usize, drawn: usize) {
    for least in 0..=MAX_LEAST {
        for rows in 2..=drawn {
            if !drawn.is_multiple_of(rows) {
                continue;
            }
            let mut remove = |search: &mut Search<'_>, range: Range<usize>| {
                let candidate = without_columns(search, place, least, rows, drawn / rows, range);
                search.consider_some(candidate)
            };
            let count = search.value(place) as usize + least;
            if search.value(place) > 0 && (remove(search, count - 1..count) || remove(search, 0..1)) {
                shorten(search, count - 1, Piece::Single, &mut remove);
                return;
            }
        }
    }
}

/// The best case without some columns of a matrix with this many rows, which ends where the part does.
fn without_columns(
    search: &mut Search<'_>,
    place: usize,
    least: usize,
    rows: usize,
    length: usize,
    columns: Range<usize>,
) -> Option<Vec<Item>> {
    let structure = search.structure();
    let end = if let Some(part) = structure.innermost(place) { part.range.end } else { search.items().len() };
    let drawn = search.value(place);
    let row = (usize::try_from(drawn).ok()? + least) * length;
    let start = end.checked_sub(rows * row).filter(|start| *start > place)?;
    let lowered = edit::with_values(search.items(), &[(place, drawn.checked_sub(columns.len() as u64)?)])?;
    let mut ranges = Vec::with_capacity(rows);
    for number in 0..rows {
        let row = start + number * row;
        ranges.push(row + columns.start * length..row + columns.end * length);
    }
    Some(edit::without(&lowered, &ranges))
}
