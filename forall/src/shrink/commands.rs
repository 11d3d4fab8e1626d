//! Fewer commands, and different ones.
//!
//! In a list of commands, several can often do the work of one: two pushes and an addition have the same effect as one
//! larger push. Then no single command can be removed or lowered. So short runs of them are removed, or replaced by one
//! command at its simplest, with the number before them as it is or as large as it may be, which the other passes lower
//! again; and a command is removed while two others are swapped. In short lists, all combinations are tried; longer
//! lists are skipped, because this would take too many runs. The iterations of a loop are treated like the elements of
//! a list, and their count is adjusted. Not covered: two numbers that must both change.

use super::edit;
use super::elements::for_each_group;
use super::loops::{for_each_loop, iterations as iterations_of};
use super::lower::MAX_KIND;
use super::search::Search;
use super::structure::Structure;
use crate::choice::{Choice, Item};
use crate::sort::last_below;
use std::ops::Range;

/// Longer lists are left as they are.
const MAX_COMMANDS: usize = 8;
/// The largest number of commands that are removed at once.
const MAX_RUN: usize = 3;

pub(super) fn commands(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        while let Some(group) = search.structure().open_group(key)
            && improve(search, &group.elements, None)
        {}
    });
    for_each_loop(search, &mut |search, place, iterations| {
        let mut better = improve(search, iterations, Some(place));
        while better && let Some(iterations) = iterations_of(search, place) {
            better = improve(search, &iterations, Some(place));
        }
    });
}

/// Looks for a better list of commands. The commands of a loop have a count instead of "continue" choices.
fn improve(search: &mut Search<'_>, elements: &[Range<usize>], count: Option<usize>) -> bool {
    let structure = search.structure();
    let flags = usize::from(count.is_none());
    let Some(shorter) = shorter(search.items(), elements, flags) else { return false };
    for length in (1..=MAX_RUN.min(elements.len() - 1)).rev() {
        for first in 0..=elements.len() - length {
            let run = elements[first].start..elements[first + length - 1].end;
            let raised = raised(search, &structure, elements[0].start..run.start);
            for by in &shorter {
                // A shorter list, or one in which a command was replaced by one without numbers.
                if by.len() >= run.len() {
                    continue;
                }
                let gone = length - usize::from(!by.is_empty());
                let Some(counted) = with_fewer(search.items(), count, gone) else { continue };
                let replaced = edit::replaced(&counted, run.clone(), by);
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
    removes_and_swaps(search, elements, count)
}

/// The items with the count, if any, lowered by `gone`.
fn with_fewer(items: &[Item], count: Option<usize>, gone: usize) -> Option<Vec<Item>> {
    let Some(place) = count else { return Some(items.to_vec()) };
    edit::with_values(items, &[(place, edit::value(&items[place]).checked_sub(gone as u64)?)])
}

/// The possible replacements of a run of commands, if the elements are commands: nothing, or the simplest form of a
/// kind. Each begins with a choice of its kind after `flags` flags, and they are not all of the same length.
fn shorter(items: &[Item], elements: &[Range<usize>], flags: usize) -> Option<Vec<Vec<Item>>> {
    let max = edit::max(items.get(elements.first()?.start + flags)?);
    let are_commands = elements.iter().all(|e| e.len() > flags && edit::max(&items[e.start + flags]) == max);
    let differ = elements.iter().any(|element| element.len() != elements[0].len());
    if !are_commands || !differ || max > MAX_KIND || elements.len() > MAX_COMMANDS {
        return None;
    }
    let mut shorter = vec![Vec::new()];
    for kind in 0..=max {
        let known = elements.iter().find(|element| edit::value(&items[element.start + flags]) == kind);
        let mut command = match known {
            Some(element) => items[element.clone()].to_vec(),
            // It may or may not have numbers; if it has, it is unlikely to be useful.
            None => {
                let mut command = vec![Item::Choice(Choice { value: 1, max: 1 }); flags];
                command.push(Item::Choice(Choice { value: kind, max }));
                command
            }
        };
        for item in &mut command[flags + 1..] {
            if let Item::Choice(choice) = item {
                choice.value = 0;
            }
        }
        shorter.push(command);
    }
    Some(shorter)
}

/// The last number in a range that does not choose a variant, and its maximum.
fn raised(search: &Search<'_>, structure: &Structure, range: Range<usize>) -> Option<(usize, u64)> {
    let numbers = structure.numbers_in(&range);
    let last = last_below(numbers.len(), &|at| search.max(numbers[at]) > MAX_KIND)?;
    Some((numbers[last], search.max(numbers[last])))
}

/// Removes a command and swaps two neighbours among the remaining ones.
fn removes_and_swaps(search: &mut Search<'_>, elements: &[Range<usize>], count: Option<usize>) -> bool {
    let Some(counted) = with_fewer(search.items(), count, 1) else { return false };
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
            let items = edit::replaced(&counted, whole, &list);
            if search.consider(items) {
                return true;
            }
        }
    }
    false
}
