//! Collections without runs of their elements.
//!
//! Most elements of most failing inputs do not matter. Those that do are found with few runs when there are few of them:
//! the shortest tail that still fails is looked for by doubling and bisecting, then the shortest head of that, and what is
//! left between is halved. What this misses: elements that can only go together with something else, which is what
//! `counts.rs`, `indices.rs` and `join.rs` are for.

use super::search::Search;
use super::structure::Group;
use std::ops::Range;

/// Trims the outermost collections, roughly.
pub(super) fn outermost(search: &mut Search<'_>) {
    let outermost = if let Some(group) = search.structure().groups.first() { group.depth } else { 0 };
    trim(search, Piece::Rough, Some(outermost));
}

/// Trims each collection, outer ones first, roughly: elements that go one by one are left to `each`.
pub(super) fn rough(search: &mut Search<'_>) {
    trim(search, Piece::Rough, None);
}

/// Trims each collection, outer ones first, down to single elements.
pub(super) fn each(search: &mut Search<'_>) {
    trim(search, Piece::Single, None);
}

/// Longer collections are not searched for neighbours: it takes as many runs as there are elements.
const MAX_NEIGHBOURS: usize = 40;

/// Removes two or three neighbours together. What an element does the next may undo, as commands of a machine do that open and
/// close: neither can go alone, and trimming from the ends does not meet them in the middle.
pub(super) fn neighbours(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        for size in 2..4 {
            let mut at = 0;
            while search.may_go_on() {
                let structure = search.structure();
                let Some(group) = structure.group(key) else { return };
                let count = group.elements.len();
                if !group.open || count > MAX_NEIGHBOURS || at + size > count {
                    break;
                }
                let candidate = group.without(search.items(), at..at + size);
                at += usize::from(!search.consider_some(candidate));
            }
        }
    });
}

/// How small the runs get that are removed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Piece {
    /// A quarter of what is there.
    Rough,
    Single,
}

/// Trims the collections of one depth, or all.
fn trim(search: &mut Search<'_>, piece: Piece, depth: Option<usize>) {
    for_each_group(search, &mut |search, key| {
        let structure = search.structure();
        let Some(group) = structure.group(key) else { return };
        if !group.open || matches!(depth, Some(depth) if depth != group.depth) {
            return;
        }
        let mut tried = Tried::default();
        shorten(search, group.elements.len(), piece, &mut |search, range| {
            let structure = search.structure();
            let Some(group) = structure.group(key) else { return false };
            if tried.is_again(search, group, range.clone(), 0) {
                return false;
            }
            let candidate = group.without(search.items(), range);
            search.consider_some(candidate)
        });
    });
}

/// What was removed from runs of equal elements. From such a run only their number can be removed: which of them they are makes no
/// difference, and to see that for each of thousands, by its candidate, takes as long as the square of their number.
#[derive(Default)]
pub(super) struct Tried {
    /// How many better cases there were when it was made.
    accepted: u64,
    /// Where the run of each element begins.
    runs: Vec<usize>,
    /// The beginnings of runs, how many elements were removed, and what else tells candidates apart, in order.
    removed: Vec<(usize, usize, usize)>,
}

impl Tried {
    /// Whether the same candidate was tried as without the elements at these positions; if not, it is now.
    pub(super) fn is_again(&mut self, search: &Search<'_>, group: &Group, range: Range<usize>, apart: usize) -> bool {
        if self.runs.len() != group.elements.len() || self.accepted != search.accepted() {
            let items = search.items();
            self.accepted = search.accepted();
            self.removed.clear();
            self.runs.clear();
            for (at, element) in group.elements.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| (self.runs[before], group.elements[before].clone()));
                let run = before.filter(|(_, before)| items.get(before.clone()) == items.get(element.clone()));
                self.runs.push(run.map_or(at, |(run, _)| run));
            }
        }
        let (Some(&first), Some(&last)) = (self.runs.get(range.start), self.runs.get(range.end.wrapping_sub(1))) else {
            return false;
        };
        if first != last {
            return false;
        }
        let removed = (first, range.len(), apart);
        match self.removed.binary_search(&removed) {
            Ok(_) => true,
            Err(place) => {
                self.removed.insert(place, removed);
                false
            }
        }
    }
}

/// Calls `act` with the key of each group, though groups come and go meanwhile.
pub(super) fn for_each_group(search: &mut Search<'_>, act: &mut dyn FnMut(&mut Search<'_>, (usize, usize))) {
    let mut next = (0, 0);
    loop {
        // A collection may have nothing to propose, and there may be many.
        search.stop_at_the_limits();
        let structure = search.structure();
        let Some(group) = structure.groups.get(structure.first_group_from(next)) else { return };
        let (depth, start) = group.key();
        next = (depth, start + 1);
        act(search, (depth, start));
    }
}

/// Removes the positions in `range`, and says whether what is left still fails.
pub(super) type Remove<'r> = &'r mut dyn FnMut(&mut Search<'_>, Range<usize>) -> bool;

/// Removes as many of `count` positions as possible.
pub(super) fn shorten(search: &mut Search<'_>, count: usize, piece: Piece, remove: Remove<'_>) {
    if count == 0 || remove(search, 0..count) {
        return;
    }
    let count = keep(search, count, &mut |search, count, kept| remove(search, 0..count - kept));
    let count = keep(search, count, &mut |search, count, kept| remove(search, kept..count));
    if count > 2 {
        let least = if piece == Piece::Single { 1 } else { count.div_ceil(4) };
        halve(search, 1..count - 1, least, remove);
    }
}

/// Finds how many of `count` must be kept: 1, 2, 4 and so on until it fails, then by bisection.
pub(super) fn keep(
    search: &mut Search<'_>,
    mut count: usize,
    cut: &mut dyn FnMut(&mut Search<'_>, usize, usize) -> bool,
) -> usize {
    let mut too_few = 0;
    let mut kept = 1;
    while kept < count {
        if cut(search, count, kept) {
            count = kept;
        } else {
            too_few = kept;
            kept *= 2;
        }
    }
    while count - too_few > 1 {
        let middle = too_few + (count - too_few) / 2;
        if cut(search, count, middle) { count = middle } else { too_few = middle }
    }
    count
}

/// Removes the range, or else what can be removed of its second half and then of its first, in runs of `least` or more.
fn halve(search: &mut Search<'_>, range: Range<usize>, least: usize, remove: Remove<'_>) {
    if range.len() < least || remove(search, range.clone()) || range.len() == 1 || !search.may_go_on() {
        return;
    }
    let middle = range.start + range.len() / 2;
    halve(search, middle..range.end, least, remove);
    halve(search, range.start..middle, least, remove);
}
