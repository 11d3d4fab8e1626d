//! Fewer commands, and different ones.
//!
//! In a list of commands, several can often do the work of one: two pushes and an addition have the same effect as one
//! larger push. Then no single command can be removed or lowered. So short runs of them are removed, or replaced by one
//! command at its simplest, with the number before them as it is or as large as it may be, which the other passes lower
//! again; and a command is removed while two others are swapped. In short lists, all combinations are tried; longer
//! lists are skipped, because this would take too many runs. The iterations of a loop are treated like the elements of
//! a list, and their count is adjusted. Not covered: two numbers that must both change.
//!
//! Three rare edits: a command is removed and another one moved, because it is needed elsewhere then; two commands are removed
//! where one of another kind, somewhere else, has their effect; and a run of commands is replaced by a shorter one of any kinds.
//! Often the failure requires only that two numbers of commands differ, and which two depends on the order. So they are set to
//! different values, which the other passes lower again.

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
/// Commands are moved in lists with at most this many stretches of commands of one kind.
const MAX_STRETCHES: usize = 10;
/// Two commands are not replaced by one where this would take more candidates.
const MAX_INSERTED: usize = 500;
/// The lengths of runs that are replaced by a shorter one of any kinds: shorter runs are left to the other edits.
const REWRITTEN: std::ops::RangeInclusive<usize> = 3..=4;
/// Runs of a length are not replaced where this would take more candidates.
const MAX_REWRITTEN: usize = 500;

pub(super) fn commands(search: &mut Search<'_>) {
    for_each_list(search, improve);
}

/// Removes a command and moves another one.
pub(super) fn moved(search: &mut Search<'_>) {
    for_each_list(search, removes_and_moves);
}

/// Removes two commands and inserts one.
pub(super) fn two_for_one(search: &mut Search<'_>) {
    for_each_list(search, removes_and_inserts);
}

/// Replaces a run of commands by a shorter one.
pub(super) fn rewritten(search: &mut Search<'_>) {
    for_each_list(search, rewrites);
}

/// Improves each list of commands as long as that succeeds. The commands of a loop have a count instead of "continue" choices.
fn for_each_list(search: &mut Search<'_>, improve: fn(&mut Search<'_>, &[Range<usize>], Option<usize>) -> bool) {
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

/// Searches for a better list of commands.
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
    if elements.len() > MAX_COMMANDS {
        return None;
    }
    let mut shorter = vec![Vec::new()];
    shorter.extend(simplest(items, elements, flags)?);
    Some(shorter)
}

/// The simplest form of each kind of command, if the elements are commands.
fn simplest(items: &[Item], elements: &[Range<usize>], flags: usize) -> Option<Vec<Vec<Item>>> {
    let max = kinds(items, elements, flags)?;
    let mut simplest = Vec::new();
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
        simplest.push(command);
    }
    Some(simplest)
}

/// The largest kind of a command, if the elements are commands.
fn kinds(items: &[Item], elements: &[Range<usize>], flags: usize) -> Option<u64> {
    let max = edit::max(items.get(elements.first()?.start + flags)?);
    let are_commands = elements.iter().all(|e| e.len() > flags && edit::max(&items[e.start + flags]) == max);
    let differ = elements.iter().any(|element| element.len() != elements[0].len());
    (are_commands && differ && max <= MAX_KIND).then_some(max)
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

/// Removes a command and moves another one: to an end of the list, or to other commands of its kind. Of neighbours of one kind, only one is
/// removed or moved.
fn removes_and_moves(search: &mut Search<'_>, elements: &[Range<usize>], count: Option<usize>) -> bool {
    let flags = usize::from(count.is_none());
    if kinds(search.items(), elements, flags).is_none() {
        return false;
    }
    let kinds: Vec<u64> = elements.iter().map(|element| search.value(element.start + flags)).collect();
    let firsts: Vec<usize> = (0..kinds.len()).filter(|&at| at == 0 || kinds[at] != kinds[at - 1]).collect();
    if firsts.len() > MAX_STRETCHES {
        return false;
    }
    let whole = elements[0].start..elements[elements.len() - 1].end;
    let Some(counted) = with_fewer(search.items(), count, 1) else { return false };
    for source in [with_different_numbers(search, &whole, counted.clone()), Some(counted)].into_iter().flatten() {
        for &removed in &firsts {
            for &moved in firsts.iter().filter(|&&moved| moved != removed) {
                for target in 0..=kinds.len() {
                    let is_end = target == 0 || target == kinds.len();
                    let is_alike = !is_end && kinds[target] == kinds[moved] && firsts.contains(&target);
                    if !is_end && !is_alike || target == moved || target == moved + 1 {
                        continue;
                    }
                    let command = &source[elements[moved].clone()];
                    let list = rearranged(&source, elements, [removed, moved], target, command);
                    if search.consider(edit::replaced(&source, whole.clone(), &list)) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// Removes two commands and inserts one at its simplest, of any kind, at an end of a stretch of commands of one kind. Of a stretch, the
/// first ones are removed.
fn removes_and_inserts(search: &mut Search<'_>, elements: &[Range<usize>], count: Option<usize>) -> bool {
    let flags = usize::from(count.is_none());
    let Some(simplest) = simplest(search.items(), elements, flags) else { return false };
    let kinds: Vec<u64> = elements.iter().map(|element| search.value(element.start + flags)).collect();
    let firsts: Vec<usize> = (0..kinds.len()).filter(|&at| at == 0 || kinds[at] != kinds[at - 1]).collect();
    let stretches = firsts.len();
    if stretches * (stretches + 1) / 2 * (stretches + 1) * simplest.len() > MAX_INSERTED {
        return false;
    }
    let whole = elements[0].start..elements[elements.len() - 1].end;
    let Some(counted) = with_fewer(search.items(), count, 1) else { return false };
    for source in [with_different_numbers(search, &whole, counted.clone()), Some(counted)].into_iter().flatten() {
        for (number, &one) in firsts.iter().enumerate() {
            // The second of the same stretch, or the first of a later one.
            let second = (kinds.get(one + 1) == Some(&kinds[one])).then_some(one + 1);
            for other in second.into_iter().chain(firsts[number + 1..].iter().copied()) {
                for target in firsts.iter().copied().chain([kinds.len()]) {
                    for inserted in &simplest {
                        let list = rearranged(&source, elements, [one, other], target, inserted);
                        if search.consider(edit::replaced(&source, whole.clone(), &list)) {
                            return true;
                        }
                    }
                }
            }
        }
    }
    false
}

/// The commands without two of them, and with one inserted before the place `target`.
fn rearranged(
    source: &[Item],
    elements: &[Range<usize>],
    without: [usize; 2],
    target: usize,
    inserted: &[Item],
) -> Vec<Item> {
    let mut list = Vec::new();
    for at in 0..=elements.len() {
        if at == target {
            list.extend_from_slice(inserted);
        }
        if at < elements.len() && !without.contains(&at) {
            list.extend_from_slice(&source[elements[at].clone()]);
        }
    }
    list
}

/// Replaces a run of commands by one with a command less, of any kinds.
fn rewrites(search: &mut Search<'_>, elements: &[Range<usize>], count: Option<usize>) -> bool {
    let flags = usize::from(count.is_none());
    let Some(simplest) = simplest(search.items(), elements, flags) else { return false };
    let whole = elements[0].start..elements[elements.len() - 1].end;
    let Some(counted) = with_fewer(search.items(), count, 1) else { return false };
    let source = with_different_numbers(search, &whole, counted.clone()).unwrap_or(counted);
    for length in REWRITTEN.filter(|length| *length <= elements.len()) {
        let starts = elements.len() - length + 1;
        let lists = simplest.len().pow(length as u32 - 1);
        if starts * lists > MAX_REWRITTEN {
            return false;
        }
        for first in 0..starts {
            let run = elements[first].start..elements[first + length - 1].end;
            for list in 0..lists {
                let mut digits = list;
                let mut by = Vec::new();
                for _ in 1..length {
                    by.extend_from_slice(&simplest[digits % simplest.len()]);
                    digits /= simplest.len();
                }
                number_apart(&mut by, elements.len());
                if search.consider(edit::replaced(&source, run.clone(), &by)) {
                    return true;
                }
            }
        }
    }
    false
}

/// Sets numbers that do not choose a variant to different values above `used`.
fn number_apart(items: &mut [Item], used: usize) {
    let mut next = used as u64;
    for item in items {
        if let Item::Choice(choice) = item
            && choice.max > MAX_KIND
        {
            next += 1;
            choice.value = next.min(choice.max);
        }
    }
}

/// The items with different values for the numbers in a range that do not choose a variant; `None` if there are fewer than two of them.
fn with_different_numbers(search: &mut Search<'_>, range: &Range<usize>, items: Vec<Item>) -> Option<Vec<Item>> {
    let structure = search.structure();
    let mut changes = Vec::new();
    for &place in structure.numbers_in(range) {
        if search.max(place) > MAX_KIND {
            changes.push((place, (changes.len() as u64 + 1).min(search.max(place))));
        }
    }
    if changes.len() < 2 { None } else { edit::with_values(&items, &changes) }
}
