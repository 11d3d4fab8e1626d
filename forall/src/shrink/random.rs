//! Random candidates, once no pass makes progress.
//!
//! If failing inputs are scattered, like pairs of numbers with a certain greatest common divisor, no single step
//! succeeds, and the end of a search depends on its start. Most searches end long before their limit. This pass spends
//! part of the remaining budget: it gives random values to several numbers, mostly small ones, and removes several
//! elements at once. No pass does either. The gate decides as always, so each improvement is simpler. After one, the
//! passes run again. Not covered: improvements that need more than a few changes at once, or large values that random ones
//! seldom hit.
//!
//! The passes in `passes::RARE` run first: single edits, listed one by one, that are hardly ever of use.
//!
//! The seed is derived from the case, and limits are counts rather than times, so the search is deterministic. Its runs
//! are counted separately (`Shrinking::at_random`).

use super::edit::{self, Change};
use super::loops;
use super::passes::RARE;
use super::search::{SLACK, Search};
use crate::choice::{Item, Random};
use crate::hash::Set;
use crate::testing::Case;
use std::ops::Range;

/// The number of evaluations without progress where failing inputs are scattered and have few numbers; half as many where there
/// are more, since each candidate is less likely to be of use.
const MOST: u64 = 2000;
/// Elsewhere the number per choice of the case, and the maximum, so that searches that the passes already completed stay short.
const FOR_EACH_CHOICE: u64 = 10;
const MOST_ELSEWHERE: u64 = 300;
/// After this many candidates in a row that are known or not simpler, new ones are unlikely.
const IN_VAIN: u32 = 200;
/// Cases with more choices are left to the passes: a random candidate is hardly ever useful.
const MAX_CHOICES: usize = 200;
/// Values below this are small, and more likely to work than others.
const SMALL: u64 = 32;
/// Increments: to the next value, to the next of the same sign, and to one that is unlikely to equal another number.
const LARGER: [u64; 3] = [1, 2, 37];
/// The number of numbers that are checked for being scattered, and set to small values together.
const FEW: usize = 4;

impl Search<'_> {
    /// Tries rare edits, random candidates and then the passes again, until no better case is found.
    pub(super) fn descend_at_random(&mut self) {
        while self.may_descend() && (self.run_rare(RARE) || self.random_candidates()) {
            self.shrink_choices();
        }
    }

    /// Whether there is anything that random candidates could change.
    fn may_descend(&mut self) -> bool {
        let few = (1..=MAX_CHOICES).contains(&self.items().len());
        few && !self.has_frozen() && !self.goes_both_ways() && self.may_go_on()
    }

    /// Tries random candidates. Returns whether one is better.
    fn random_candidates(&mut self) -> bool {
        self.begin("random candidates");
        let before = self.accepted();
        let lists = lists(self);
        self.at_random = true;
        let scattered = if self.structure().numbers.len() <= FEW { MOST } else { MOST / 2 };
        let most = if is_scattered(self) {
            scattered
        } else {
            (FOR_EACH_CHOICE * self.items().len() as u64).min(MOST_ELSEWHERE)
        };
        let end = self.left().min(most) + self.spent();
        let mut random = Random::from_key(edit::hash(self.items()));
        let mut in_vain = 0;
        while self.accepted() == before && in_vain < IN_VAIN && self.spent() < end {
            let spent = self.spent();
            let candidate = candidate(self, &lists, &mut random);
            if let Some(items) = &candidate
                && self.is_new(items)
            {
                let (case, most) = (edit::candidate(&self.best, items.clone()), self.best.sequence.len() + SLACK);
                let wanted = end - spent;
                self.foresee(&case, most, false, |search, count| {
                    candidates_ahead(search, &lists, random, wanted.min(count as u64) as usize)
                });
            }
            self.consider_some(candidate);
            in_vain = if self.spent() > spent { 0 } else { in_vain + 1 };
        }
        self.at_random = false;
        self.accepted() > before
    }
}

/// The elements of a list that may go, and the number that counts them, if one does.
pub(super) struct List {
    pub(super) elements: Vec<Range<usize>>,
    count: Option<usize>,
    /// The change that follows from removing one.
    stop: Option<Change<'static>>,
}

pub(super) fn lists(search: &mut Search<'_>) -> Vec<List> {
    let mut lists = Vec::new();
    for group in &search.structure().groups {
        if group.open && group.elements.len() > 1 {
            let stop = group.removal(0..1).and_then(|changes| changes.get(1).cloned());
            lists.push(List { elements: group.elements.clone(), count: None, stop });
        }
    }
    loops::for_each_loop(search, &mut |_, place, iterations| {
        lists.push(List { elements: iterations.to_vec(), count: Some(place), stop: None });
    });
    lists
}

/// Whether some number makes the test pass if it is slightly larger: being large is not enough to fail.
fn is_scattered(search: &mut Search<'_>) -> bool {
    let (structure, mut asked) = (search.structure(), 0);
    let mut larger = Vec::new();
    for &place in &structure.numbers {
        for &more in &LARGER {
            let changed = search.value(place).saturating_add(more).min(search.max(place));
            let items = edit::with_values(search.items(), &[(place, changed)]).filter(|_| search.value(place) > 0);
            larger.extend(items.map(|items| edit::candidate(&search.best, items)));
        }
    }
    larger.truncate(FEW * LARGER.len());
    if !larger.is_empty() && search.left() >= larger.len() as u64 {
        let first = larger.remove(0);
        search.foresee(&first, search.best.sequence.len() + SLACK, true, |_, _| larger);
    }
    for &place in &structure.numbers {
        let (value, max) = (search.value(place), search.max(place));
        let enough = asked == FEW || search.left() < LARGER.len() as u64;
        if value == 0 || max - value < LARGER[1] || enough {
            continue;
        }
        asked += 1;
        let mut passes = true;
        for &more in &LARGER {
            passes = passes && !search.fails_with(&[(place, value.saturating_add(more).min(max))]);
        }
        if passes {
            return true;
        }
    }
    false
}

/// The next random candidates that will be run if none of them is better.
fn candidates_ahead(search: &mut Search<'_>, lists: &[List], mut random: Random, count: usize) -> Vec<Case> {
    let (mut ahead, mut proposed) = (Vec::new(), Set::default());
    let mut in_vain = 0;
    while ahead.len() < count && in_vain < IN_VAIN {
        in_vain += 1;
        if let Some(items) = candidate(search, lists, &mut random)
            && search.is_new(&items)
            && proposed.insert(edit::hash(&items))
        {
            ahead.push(edit::candidate(&search.best, items));
            in_vain = 0;
        }
    }
    ahead
}

/// The best case with some elements removed, or a number lowered, and some other numbers changed.
fn candidate(search: &mut Search<'_>, lists: &[List], random: &mut Random) -> Option<Vec<Item>> {
    let structure = search.structure();
    let numbers = &structure.numbers;
    let mut items = search.items().to_vec();
    if (2..=FEW).contains(&numbers.len()) && random.up_to(3) == 0 {
        // Numbers that must fit together are most likely to do so if all are small.
        let small = SMALL >> random.up_to(3);
        for &place in numbers {
            set(&mut items, place, random.up_to(small.min(search.max(place))));
        }
        return Some(items);
    }
    let list = if random.up_to(1) == 0 { pick(lists, random) } else { None };
    // A lowered number must be the first change, or the candidate would not be simpler.
    let mut from = 0;
    if list.is_none() {
        let &first = pick(numbers, random)?;
        let value = search.value(first).checked_sub(1)?;
        set(&mut items, first, below(value, random));
        from = first + 1;
    }
    let later = structure.numbers_in(&(from..items.len()));
    for _ in 0..random.up_to(3) {
        let Some(&place) = pick(later, random) else { break };
        let value = other(search, place, numbers, random);
        set(&mut items, place, value);
    }
    match list {
        Some(list) => without_some(&items, list, random),
        None => Some(items),
    }
}

/// The items without some elements of a list, at least one.
fn without_some(items: &[Item], list: &List, random: &mut Random) -> Option<Vec<Item>> {
    let last = list.elements.len() as u64 - 1;
    let (mut left, mut kept) = (list.elements.len() as u64, random.up_to(last));
    list.without(items, &mut |_| {
        // All selections of this many elements are equally likely.
        let is_kept = random.up_to(left - 1) < kept;
        left -= 1;
        kept -= u64::from(is_kept);
        !is_kept
    })
}

impl List {
    /// The items without the elements, by their index, that are to go.
    pub(super) fn without(&self, items: &[Item], goes: &mut dyn FnMut(usize) -> bool) -> Option<Vec<Item>> {
        let mut changes: Vec<Change<'_>> = Vec::new();
        for (at, element) in self.elements.iter().enumerate() {
            if goes(at) {
                changes.push((element.clone(), &[]));
            }
        }
        let gone = changes.len() as u64;
        changes.extend_from_slice(self.stop.as_slice());
        let mut items = items.to_vec();
        if let Some(place) = self.count {
            let count = edit::value(&items[place]).checked_sub(gone)?;
            set(&mut items, place, count);
        }
        Some(edit::changed(&items, &changes))
    }
}

/// One of several.
fn pick<'l, T>(list: &'l [T], random: &mut Random) -> Option<&'l T> {
    list.get(random.up_to((list.len() as u64).saturating_sub(1)) as usize)
}

fn set(items: &mut [Item], place: usize, new: u64) {
    if let Item::Choice(choice) = &mut items[place] {
        choice.value = new;
    }
}

/// A value up to `most`, usually a small one: the smaller, the likelier.
fn below(most: u64, random: &mut Random) -> u64 {
    let small = SMALL >> random.up_to(3);
    let is_small = random.up_to(3) > 0;
    random.up_to(if is_small { most.min(small) } else { most })
}

/// Another value for the number at a place: a small one, one near what it is, that of another number, or any.
fn other(search: &Search<'_>, place: usize, numbers: &[usize], random: &mut Random) -> u64 {
    let (value, max) = (search.value(place), search.max(place));
    let near = value.saturating_mul(2);
    let drawn = match random.up_to(7) {
        0..=3 => below(SMALL, random),
        4 => random.up_to(near.min(max)),
        5 => pick(numbers, random).map_or(0, |&other| search.value(other)),
        6 => random.up_to(max) >> random.up_to(63),
        _ => max,
    };
    drawn.min(max)
}
