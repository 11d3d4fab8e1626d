//! The parts of an input as passes see them: collections with their elements, subtrees, and numbers.

use super::edit::{self, Change};
use crate::choice::{Choice, Item, Sequence, Span};
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::sort::{order, sort_by};
use std::cmp::Ordering;
use std::ops::Range;

/// The parts of one sequence. Choices of a variable with its own shrinker are not included.
pub(crate) struct Structure {
    /// The spans that hold something, outer before inner, left before right.
    pub(crate) spans: Vec<Part>,
    /// The collections, outer before inner, left before right.
    pub(crate) groups: Vec<Group>,
    /// The positions of the choices other than "continue" choices, from left to right.
    pub(crate) numbers: Vec<usize>,
}

/// A span that holds something.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) label: u32,
    pub(crate) range: Range<usize>,
    pub(crate) depth: usize,
    /// The span around it, by its place in the list.
    pub(crate) parent: Option<usize>,
}

impl Part {
    /// Whether another part of the same kind is inside.
    pub(crate) fn holds(&self, other: &Part) -> bool {
        other.label == self.label
            && other.depth > self.depth
            && self.range.start <= other.range.start
            && other.range.end <= self.range.end
    }
}

/// Neighbouring parts of one kind: a collection.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) elements: Vec<Range<usize>>,
    /// From the first element to the last, the choice to stop included.
    pub(crate) whole: Range<usize>,
    /// Whether elements can be removed without lowering a number: each starts with a "continue" choice.
    pub(crate) open: bool,
    /// Where the choice to stop is, if there is one.
    pub(crate) stop: Option<usize>,
    /// Whether it has its maximum length, so that there is no "stop" choice although there could be one.
    full: bool,
    pub(crate) depth: usize,
}

impl Group {
    /// Its start and nesting level: they identify it among the groups, even after some of its elements have been
    /// removed.
    pub(crate) fn key(&self) -> (usize, usize) {
        (self.depth, self.whole.start)
    }

    /// Whether it is a list of this library, of variable length.
    pub(crate) fn is_list(&self) -> bool {
        self.full || self.stop.is_some()
    }

    /// The items without the elements at some positions; none if there are no such elements.
    pub(crate) fn without(&self, items: &[Item], positions: Range<usize>) -> Option<Vec<Item>> {
        Some(edit::changed(items, &self.removal(positions)?))
    }

    /// The changes that remove the elements at some positions, which are adjacent.
    pub(crate) fn removal(&self, positions: Range<usize>) -> Option<Vec<Change<'static>>> {
        let elements = self.elements.get(positions)?;
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else { return Some(Vec::new()) };
        let mut changes: Vec<Change<'_>> = vec![(first.start..last.end, &[])];
        if self.full {
            changes.push((self.whole.end..self.whole.end, &[STOP]));
        }
        Some(changes)
    }
}

/// The "stop" choice: a collection has no more elements.
const STOP: Item = Item::Choice(Choice { value: 0, max: 1 });

impl Structure {
    pub(crate) fn new(sequence: &Sequence, frozen: &[bool]) -> Self {
        let items = &sequence.items;
        let is_frozen = |span: &Span| matches!(span.variable(), Some(variable) if frozen.get(variable) == Some(&true));
        let mut closed: Vec<Range<usize>> = Vec::new();
        for span in &sequence.spans {
            if is_frozen(span) {
                closed.push(range(span));
            }
        }
        let is_open = |range: &Range<usize>| !closed.iter().any(|c| range.start < c.end && c.start < range.end);
        let spans = parts(&sequence.spans, &is_open);
        let groups = groups(&spans, items);
        let mut flags = vec![false; items.len()];
        for part in &spans {
            flags[part.range.start] |= part.label == ELEMENT;
        }
        let mut numbers = Vec::new();
        for (place, item) in items.iter().enumerate() {
            if !flags[place] && edit::max(item) > 0 && is_open(&(place..place + 1)) {
                numbers.push(place);
            }
        }
        Self { spans, groups, numbers }
    }

    /// Whether some part holds another of the same kind.
    pub(crate) fn has_trees(&self) -> bool {
        !recursive_labels(&self.spans).is_empty()
    }

    /// The group that began here before, if it still does.
    pub(crate) fn group(&self, key: (usize, usize)) -> Option<&Group> {
        self.groups.get(self.first_group_from(key)).filter(|group| group.key() == key)
    }

    /// The same, if elements of it may be removed.
    pub(crate) fn open_group(&self, key: (usize, usize)) -> Option<&Group> {
        self.group(key).filter(|group| group.open)
    }

    /// The place of the first group in the list that has this key or comes after it.
    pub(crate) fn first_group_from(&self, key: (usize, usize)) -> usize {
        first_without(self.groups.len(), &|place| self.groups[place].key() < key)
    }

    /// The parts inside one, given by its index in the list: they follow it there.
    pub(crate) fn inside(&self, part: usize) -> &[Part] {
        let end = self.spans[part].range.end;
        let later = &self.spans[part + 1..];
        &later[..first_without(later.len(), &|place| later[place].range.start < end)]
    }

    /// The innermost span around a place.
    pub(crate) fn innermost(&self, place: usize) -> Option<&Part> {
        // The last one that starts before it, or an ancestor of that.
        let begins = |part: usize| self.spans[part].range.start <= place;
        let mut part = first_without(self.spans.len(), &begins).checked_sub(1)?;
        while !self.spans[part].range.contains(&place) {
            part = self.spans[part].parent?;
        }
        Some(&self.spans[part])
    }

    /// Where the numbers in a range are.
    pub(crate) fn numbers_in(&self, range: &Range<usize>) -> &[usize] {
        let (start, end) = (self.first_number_from(range.start), self.first_number_from(range.end));
        &self.numbers[start..end.max(start)]
    }

    /// The index of the first number at or after a position.
    fn first_number_from(&self, place: usize) -> usize {
        first_without(self.numbers.len(), &|number| self.numbers[number] < place)
    }

    /// Whether a choice is a number.
    pub(crate) fn is_number(&self, place: usize) -> bool {
        self.numbers.get(self.first_number_from(place)) == Some(&place)
    }
}

/// The first index below `count` that does not have a property which only the first ones have; `count` if there is
/// none. (A single function for all lists: the generic one of the standard library is compiled for each type.)
fn first_without(count: usize, has: &dyn Fn(usize) -> bool) -> usize {
    let (mut start, mut end) = (0, count);
    while start < end {
        let middle = start + (end - start) / 2;
        if has(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}

/// Outer before inner, left before right.
pub(crate) fn outer_first(a: &Range<usize>, b: &Range<usize>) -> Ordering {
    a.start.cmp(&b.start).then(b.end.cmp(&a.end))
}

fn range(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn parts(spans: &[Span], is_open: &dyn Fn(&Range<usize>) -> bool) -> Vec<Part> {
    // Stable: of two spans with the same range, the outer one was opened first.
    let order = order(spans.len(), &|a, b| outer_first(&range(&spans[a]), &range(&spans[b])));
    let mut parts: Vec<Part> = Vec::with_capacity(spans.len());
    let mut around: Vec<usize> = Vec::new();
    for &place in &order {
        let span = &spans[place];
        let range = range(span);
        if span.is_empty() || !is_open(&range) {
            continue;
        }
        while let Some(&outer) = around.last()
            && (parts[outer].range.end < range.end || parts[outer].range.end <= range.start)
        {
            around.pop();
        }
        parts.push(Part { label: span.label, range, depth: around.len(), parent: around.last().copied() });
        around.push(parts.len() - 1);
    }
    parts
}

fn groups(spans: &[Part], items: &[Item]) -> Vec<Group> {
    let recursive = recursive_labels(spans);
    let mut groups: Vec<Group> = Vec::new();
    // The group that each parent is adding to, with the label of its elements.
    let mut growing: Vec<Option<(u32, usize)>> = vec![None; spans.len() + 1];
    for part in spans {
        if part.label >> 31 == 1 || recursive.contains(&part.label.into()) {
            continue;
        }
        let slot = &mut growing[if let Some(parent) = part.parent { parent + 1 } else { 0 }];
        let at = match *slot {
            Some((label, at))
                if label == part.label
                    && groups[at].whole.end == part.range.start
                    && !begins_anew(items, &groups[at], part) =>
            {
                at
            }
            _ => {
                let whole = part.range.start..part.range.start;
                let (open, full) = (part.label != FIXED_ELEMENT, part.label == ELEMENT);
                groups.push(Group { elements: Vec::new(), whole, open, stop: None, full, depth: part.depth });
                groups.len() - 1
            }
        };
        let group = &mut groups[at];
        group.whole.end = part.range.end;
        *slot = Some((part.label, at));
        if part.label == ELEMENT && part.range.len() == 1 && items[part.range.start] == STOP {
            group.full = false;
            group.stop = Some(part.range.start);
            *slot = None;
        } else {
            group.elements.push(part.range.clone());
        }
    }
    sort_by(&mut groups, |a, b| a.depth.cmp(&b.depth).then(a.whole.start.cmp(&b.whole.start)));
    groups
}

/// Whether an element is the first of another collection that follows a full one: required elements never come after
/// optional ones.
fn begins_anew(items: &[Item], group: &Group, part: &Part) -> bool {
    let must_be = |element: &Range<usize>| edit::max(&items[element.start]) == 0;
    part.label == ELEMENT && must_be(&part.range) && group.elements.last().is_some_and(|last| !must_be(last))
}

/// Whether a part may be a subtree: neither an element of a library collection nor a variable.
pub(crate) fn is_tree(part: &Part) -> bool {
    part.label != ELEMENT && part.label != FIXED_ELEMENT && part.label >> 31 == 0
}

/// The labels of parts that hold parts of the same kind: subtrees are no elements. (As wide as hashes, since lists of
/// hashes are searched in the same way: searching another type would mean more code to compile.)
fn recursive_labels(spans: &[Part]) -> Vec<u64> {
    let mut labels = Vec::new();
    for part in spans {
        if !is_tree(part) || labels.contains(&part.label.into()) {
            continue;
        }
        let mut around = part.parent;
        while let Some(outer) = around {
            if spans[outer].label == part.label {
                labels.push(part.label.into());
                break;
            }
            around = spans[outer].parent;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::generate::vec;

    fn drawn(values: &[u64], draw: impl Fn(&mut Source)) -> Structure {
        let mut source = Source::replay(&Sequence::from_values(100, values));
        draw(&mut source);
        Structure::new(&source.into_sequence(), &[])
    }

    #[test]
    fn two_lists_side_by_side_are_two_groups() {
        let structure = drawn(&[1, 5, 1, 6, 0, 1, 7, 0], |s| {
            s.draw(vec(0..10));
            s.draw(vec(0..10));
        });
        let groups: Vec<_> = structure.groups.iter().map(|g| (g.elements.len(), g.whole.clone(), g.open)).collect();
        assert_eq!(groups, [(2, 0..5, true), (1, 5..8, true)]);
        assert_eq!(structure.numbers, [1, 3, 6]);
    }

    #[test]
    fn lists_of_lists_are_groups_inside_groups() {
        let structure = drawn(&[1, 1, 5, 0, 1, 0, 0], |s| drop(s.draw(vec(vec(0..10)))));
        let groups: Vec<_> = structure.groups.iter().map(|g| (g.depth, g.whole.clone(), g.elements.len())).collect();
        assert_eq!(groups, [(0, 0..7, 2), (1, 1..4, 1), (1, 5..6, 0)]);
        assert_eq!(structure.numbers, [2]);
    }

    #[test]
    fn lists_of_a_given_length_are_closed_and_their_flags_are_numbers() {
        let structure = drawn(&[1, 0, 1], |s| drop(s.draw(vec(0..=1).len(3))));
        assert_eq!((structure.groups[0].open, structure.groups[0].elements.len()), (false, 3));
        assert_eq!(structure.numbers, [0, 1, 2]);
    }
}
