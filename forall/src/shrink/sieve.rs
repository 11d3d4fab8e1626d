//! Numbers most of whose values are rejected.
//!
//! A filter that accepts one number in ten, an assumption that holds just as rarely, a loop that retries until a value
//! is suitable: nearly all values that other passes probe are rejected, which says nothing about the property, and the
//! bisection ends immediately. So here each probe continues downwards from a rejected value to the first accepted one:
//! only that one decides in which direction to continue. Two numbers that must keep their sum or difference are moved
//! by the first step that is not rejected, and then by multiples of it. And the unsuitable draws of such a loop are
//! removed.
//!
//! Nothing is tried where nothing is rejected. Not covered: accepted values more than `REACH` apart, more than two
//! numbers that are only accepted together, and fractions, whose neighbours by code are numerically far away.

use super::edit;
use super::floats::is_fraction;
use super::lower::{MAX_KIND, bits};
use super::search::{Considered, Search};
use crate::choice::Item;

/// The number of values tried below a probe. If one in ten is accepted, this many rejections in a row are very
/// unlikely.
const REACH: u64 = 100;
/// The maximum number of choices that an attempt of a loop draws.
const MAX_ATTEMPT: usize = 4;
/// Two numbers are not moved together if more numbers than this are between them.
const NEAR: usize = 3;

/// Lowers each number, past what is rejected.
pub(super) fn numbers(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        if search.value(place) == 0 || search.max(place) <= MAX_KIND || is_fraction(search, place) {
            continue;
        }
        lower(search, place, 1);
        // Signed numbers alternate between positive and negative, and it may be that only one sign fails. The minimum
        // is an exception: the value two codes before it has the other sign.
        let value = search.value(place);
        if value < search.max(place) && value > 2 && propose(search, &[(place, value - 2)]) == Considered::Rejected {
            lower(search, place, 2);
        }
    }
}

/// Lowers the number at a place as far as possible, to values a multiple of `stride` below those that are probed.
fn lower(search: &mut Search<'_>, place: usize, stride: u64) {
    let step = |search: &mut Search<'_>| {
        let value = search.value(place);
        value >= stride && next_below(search, place, value - stride, stride)
    };
    if !step(search) {
        return;
    }
    let sign = search.value(place) % stride;
    bits(search, search.value(place) / stride, &mut |search, probe| {
        let probe = probe.saturating_mul(stride).saturating_add(sign);
        next_below(search, place, probe, stride)
    });
    while step(search) {}
}

/// Lowers a number to the first value from `probe` down that is not rejected. Returns whether that one fails.
fn next_below(search: &mut Search<'_>, place: usize, probe: u64, stride: u64) -> bool {
    for step in 0..REACH {
        let Some(value) = probe.checked_sub(step * stride) else { return false };
        match propose(search, &[(place, value)]) {
            Considered::Better => return true,
            Considered::Worse => return false,
            Considered::Rejected => {}
        }
    }
    false
}

/// Moves pairs of numbers that are near each other, past what is rejected: first down together, then from the first to the
/// second.
pub(super) fn pairs(search: &mut Search<'_>) {
    let mut first = 0;
    while first < search.structure().numbers.len() {
        for second in first + 1..=first + NEAR {
            let structure = search.structure();
            if let (Some(&a), Some(&b)) = (structure.numbers.get(first), structure.numbers.get(second))
                && search.max(a) > MAX_KIND
                && search.max(b) > MAX_KIND
                && !is_fraction(search, a)
            {
                shift(search, a, b, |y, by| y.checked_sub(by));
                shift(search, a, b, |y, by| y.checked_add(by));
            }
        }
        first += 1;
    }
}

/// Lowers the number at `a` and moves that at `b` by as much: by the smallest step that is not rejected, if that fails, and
/// then by as many of them as possible.
fn shift(search: &mut Search<'_>, a: usize, b: usize, moved: fn(u64, u64) -> Option<u64>) {
    let (x, y) = (search.value(a), search.value(b));
    let attempt = |search: &mut Search<'_>, by: u64| match (x.checked_sub(by), moved(y, by)) {
        (Some(x), Some(y)) => propose(search, &[(a, x), (b, y)]),
        _ => Considered::Worse,
    };
    // If a single number or a single step were accepted, other passes would have handled it.
    if x == 0 || propose(search, &[(a, x - 1)]) != Considered::Rejected {
        return;
    }
    let mut step = 1;
    while step <= REACH.min(x) && attempt(search, step) == Considered::Rejected {
        step += 1;
    }
    if search.value(a) == x {
        return;
    }
    let most = x / step;
    bits(search, most - 1, &mut |search, left| attempt(search, (most - left) * step) == Considered::Better);
    let _ = attempt(search, most * step);
}

/// Removes discarded draws: choices that are followed by others of the same kinds in the same part.
pub(super) fn attempts(search: &mut Search<'_>) {
    if !search.has_rejected() {
        return;
    }
    for length in 1..=MAX_ATTEMPT {
        let mut end = search.items().len();
        while end >= 2 * length {
            end = end.min(search.items().len());
            let Some(start) = end.checked_sub(2 * length) else { break };
            let candidate = without_attempt(search, start, length);
            if !search.consider_some(candidate) {
                end -= 1;
            }
        }
    }
}

/// The best case without some choices, if as many of the same kinds follow in the same part.
fn without_attempt(search: &mut Search<'_>, start: usize, length: usize) -> Option<Vec<Item>> {
    let (middle, end) = (start + length, start + 2 * length);
    let structure = search.structure();
    let part = if let Some(part) = structure.innermost(start) { part.range.clone() } else { 0..search.items().len() };
    let items = search.items();
    for place in start..middle {
        if edit::max(&items[place]) != edit::max(&items[place + length]) {
            return None;
        }
    }
    let loose = structure.numbers_in(&(start..end)).len() == 2 * length;
    if loose && end <= part.end { Some(edit::replaced(items, start..middle, &[])) } else { None }
}

/// Proposes other values at some places.
fn propose(search: &mut Search<'_>, changes: &[(usize, u64)]) -> Considered {
    match edit::with_values(search.items(), changes) {
        Some(items) => search.propose(items),
        None => Considered::Worse,
    }
}
