//! Removes runs of elements from collections.
//!
//! Most elements of most failing inputs do not matter. If only a few matter, they are found with few runs: the shortest
//! tail that still fails is found by doubling and bisecting, then the shortest head of that, and the elements left
//! between are halved. Not covered: elements that can only be removed together with something else; see `counts.rs`,
//! `indices.rs` and `join.rs`.

use super::search::Search;
use super::structure::Group;
use std::ops::Range;

/// Trims the outermost collections coarsely.
pub(super) fn outermost(search: &mut Search<'_>) {
    let outermost = if let Some(group) = search.structure().groups.first() { group.depth } else { 0 };
    trim(search, Piece::Rough, Some(outermost));
}

/// Trims each collection, outermost first, coarsely: elements that must be removed one by one are left to `each`.
pub(super) fn rough(search: &mut Search<'_>) {
    trim(search, Piece::Rough, None);
}

/// Trims each collection, outer ones first, down to single elements.
pub(super) fn each(search: &mut Search<'_>) {
    trim(search, Piece::Single, None);
}

/// The maximum length for which neighbours are tried: it takes as many runs as there are elements.
const MAX_NEIGHBOURS: usize = 40;

/// Removes two or three neighbours together. One element may undo another, as with machine commands that open and close
/// something: neither can be removed alone, and trimming from the ends does not reach them in the middle.
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

/// The minimum size of the runs that are removed.
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
            if tried.was_tried(search, group, range.clone(), 0) {
                return false;
            }
            let candidate = group.without(search.items(), range);
            search.consider_some(candidate)
        });
    });
}

/// The removals from runs of equal elements that were tried. Only the number of removed elements matters: which of them
/// are removed makes no difference, and checking that via each candidate would take quadratic time.
#[derive(Default)]
pub(super) struct Tried {
    /// The number of improvements when this was created.
    accepted: u64,
    /// Where the run of each element begins.
    runs: Vec<usize>,
    /// The start of the run, the number of removed elements, and whatever else distinguishes candidates, sorted.
    removed: Vec<(usize, usize, usize)>,
}

impl Tried {
    /// Whether the candidate without the elements at these positions was already tried; if not, records it.
    pub(super) fn was_tried(&mut self, search: &Search<'_>, group: &Group, range: Range<usize>, apart: usize) -> bool {
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

/// Calls `act` with the key of each group, although groups may appear and disappear in the meantime.
pub(super) fn for_each_group(search: &mut Search<'_>, act: &mut dyn FnMut(&mut Search<'_>, (usize, usize))) {
    let mut next = (0, 0);
    loop {
        // A collection may have nothing to propose, and there may be many of them.
        search.stop_at_the_limits();
        let structure = search.structure();
        let Some(group) = structure.groups.get(structure.first_group_from(next)) else { return };
        let (depth, start) = group.key();
        next = (depth, start + 1);
        act(search, (depth, start));
    }
}

/// Removes the positions in `range`, and returns whether the rest still fails.
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

/// Finds how many of `count` positions must be kept: tries 1, 2, 4, … until it fails, then bisects.
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

/// Removes the range, or otherwise whatever can be removed from its second half and then from its first, in runs of at
/// least `least`.
fn halve(search: &mut Search<'_>, range: Range<usize>, least: usize, remove: Remove<'_>) {
    if range.len() < least || remove(search, range.clone()) || range.len() == 1 || !search.may_go_on() {
        return;
    }
    let middle = range.start + range.len() / 2;
    halve(search, middle..range.end, least, remove);
    halve(search, range.start..middle, least, remove);
}
