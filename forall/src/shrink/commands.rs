//! Fewer commands, and others.
//!
//! In a list of commands several can often do what one does: what two pushes and an addition make, a larger push makes at
//! once. No command can go alone then, and none can be lowered. So short runs of them are removed, or replaced by one command
//! at its simplest, with the number before them as it is or as large as it may be, which the other passes lower again; and a
//! command is removed where two others change places. All that is left of a list of a few commands is tried, and nothing of
//! longer ones, for which this would take too many runs. What this misses: two numbers that must both be other ones.

use super::edit;
use super::elements::for_each_group;
use super::lower::MAX_KIND;
use super::search::Search;
use super::structure::Structure;
use crate::choice::{Choice, Item};
use std::ops::Range;

/// Longer lists are left as they are.
const MAX_COMMANDS: usize = 8;
/// So many commands are removed at once.
const MAX_RUN: usize = 3;

pub(super) fn commands(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| while improve(search, key) {});
}

/// Looks for a better list of commands.
fn improve(search: &mut Search<'_>, key: (usize, usize)) -> bool {
    let structure = search.structure();
    let Some(group) = structure.group(key).filter(|group| group.open) else { return false };
    let elements = &group.elements;
    let Some(kinds) = kinds(search.items(), elements) else { return false };
    for length in (1..=MAX_RUN.min(elements.len() - 1)).rev() {
        for run in elements.windows(length) {
            let run = run[0].start..run[length - 1].end;
            let raised = raised(search, &structure, group.whole.start..run.start);
            for by in std::iter::once(&[][..]).chain(kinds.iter().map(Vec::as_slice)) {
                // A shorter list, or one in which a command became one without numbers.
                if by.len() >= run.len() {
                    continue;
                }
                let replaced = edit::replaced(search.items(), run.clone(), by);
                if search.consider(replaced.clone()) {
                    return true;
                }
                let with_larger = raised.and_then(|change| edit::with_values(&replaced, &[change]));
                if search.consider_some(with_larger) {
                    return true;
                }
            }
        }
    }
    removes_and_swaps(search, elements)
}

/// The simplest form of each kind of command, if the elements are commands: each begins with a choice of its kind, and not
/// all are of one length.
fn kinds(items: &[Item], elements: &[Range<usize>]) -> Option<Vec<Vec<Item>>> {
    let max = edit::max(items.get(elements.first()?.start + 1)?);
    let are_commands = elements.iter().all(|e| e.len() > 1 && edit::max(&items[e.start + 1]) == max);
    let differ = elements.iter().any(|element| element.len() != elements[0].len());
    if !are_commands || !differ || max > MAX_KIND || elements.len() > MAX_COMMANDS {
        return None;
    }
    let mut kinds = Vec::new();
    for kind in 0..=max {
        let known = elements.iter().find(|element| edit::value(&items[element.start + 1]) == kind);
        let mut command = known.map_or_else(|| items[..0].to_vec(), |element| items[element.clone()].to_vec());
        if command.is_empty() {
            // It may have numbers or not. If it has, it is not likely to be of use.
            command = [Choice { value: 1, max: 1 }, Choice { value: kind, max }].map(Item::Choice).to_vec();
        }
        for item in &mut command[2..] {
            if let Item::Choice(choice) = item {
                choice.value = 0;
            }
        }
        kinds.push(command);
    }
    Some(kinds)
}

/// The last number in a range that is no kind of thing, and the largest that it can be.
fn raised(search: &Search<'_>, structure: &Structure, range: Range<usize>) -> Option<(usize, u64)> {
    let is_number = |&&place: &&usize| search.max(place) > MAX_KIND;
    let place = *structure.numbers_in(&range).iter().rev().find(is_number)?;
    Some((place, search.max(place)))
}

/// Removes a command where two neighbours of the others change places.
fn removes_and_swaps(search: &mut Search<'_>, elements: &[Range<usize>]) -> bool {
    for removed in 0..elements.len() {
        let mut left = elements.to_vec();
        left.remove(removed);
        for first in 1..left.len() {
            let mut order = left.clone();
            order.swap(first - 1, first);
            let mut list = Vec::new();
            for element in &order {
                list.extend_from_slice(&search.items()[element.clone()]);
            }
            let whole = elements[0].start..elements[elements.len() - 1].end;
            let items = edit::replaced(search.items(), whole, &list);
            if search.consider(items) {
                return true;
            }
        }
    }
    false
}
