//! The constructors of an input, inferred from its choices.
//!
//! A part of an input is a constructor, identified by its label and by its first choice, if that is one of few
//! alternatives. Other choices are numbers. Searches by common structure (exploring, guided runners) decide up to which
//! maximum a choice counts as an alternative, and what they compare: adjacent constructors, or all of them in order,
//! with the relations between the numbers.

use super::{Choice, Item, Sequence, Span};
use crate::hash::Fnv;

/// Returns the constructor of a part: its label, and its first choice, if that has a maximum of at most `few` and is
/// not a part itself.
pub(crate) fn constructor(input: &Sequence, place: usize, span: &Span, few: u64) -> u64 {
    let mut hash = Fnv::default();
    hash.mix(u64::from(span.label));
    let has_inner =
        matches!(input.spans.get(place + 1), Some(next) if next.start == span.start && next.end <= span.end);
    if let Some(Item::Choice(choice)) = input.items.get(span.start as usize)
        && span.start < span.end
        && !has_inner
        && choice.max <= few
    {
        hash.mix(choice.value);
    }
    hash.finish()
}

/// Returns a hash of the form of an input: alternatives as they are, numbers by their `name`; numbers without a name
/// are skipped.
pub(crate) fn form(items: &[Item], few: u64, mut name: impl FnMut(Choice) -> Option<u64>) -> u64 {
    let mut hash = Fnv::default();
    for item in items {
        match *item {
            Item::Choice(choice) if choice.max <= few => hash.mix(choice.value),
            Item::Choice(number) => {
                if let Some(name) = name(number) {
                    hash.mix(1 + few + name);
                }
            }
            Item::Fork { len } => hash.mix(1 << 32 | u64::from(len)),
        }
    }
    hash.finish()
}

/// A constructor around a part. Its ancestors precede it in a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosing {
    /// Where its choices end.
    end: u32,
    constructor: u64,
    /// The number of parts directly inside it so far.
    pub(crate) children: u64,
}

impl Enclosing {
    pub(crate) fn new(constructor: u64, end: u32) -> Self {
        Self { end, constructor, children: 0 }
    }

    /// Returns a hash of this constructor, the child's index and the child's constructor.
    pub(crate) fn with(&self, child: u64, below: u64) -> u64 {
        let mut hash = Fnv::default();
        hash.mix(self.constructor);
        hash.mix(child);
        hash.mix(below);
        hash.finish()
    }
}

/// Removes the constructors from a path that end before a part at this position.
pub(crate) fn leave(path: &mut Vec<Enclosing>, start: u32) {
    while matches!(path.last(), Some(above) if above.end <= start) {
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(values: &[(u64, u64)], spans: Vec<Span>) -> Sequence {
        let items = values.iter().map(|&(value, max)| Item::Choice(Choice { value, max })).collect();
        Sequence { items, spans, ..Sequence::default() }
    }

    #[test]
    fn a_constructor_is_identified_by_its_label_and_a_small_first_choice() {
        let of = |label, value, max| {
            let span = Span { label, start: 0, end: 1 };
            constructor(&input(&[(value, max)], vec![span]), 0, &span, 3)
        };
        assert_ne!(of(1, 0, 3), of(2, 0, 3));
        assert_ne!(of(1, 0, 3), of(1, 1, 3));
        assert_eq!(of(1, 0, 4), of(1, 1, 4), "a number");
    }

    #[test]
    fn a_choice_of_a_nested_part_does_not_identify_the_outer_part() {
        let [outer, inner] = [1, 2].map(|label| Span { label, start: 0, end: 1 });
        let of = |value, place, span| constructor(&input(&[(value, 3)], vec![outer, inner]), place, span, 3);
        assert_eq!(of(0, 0, &outer), of(1, 0, &outer));
        assert_ne!(of(0, 1, &inner), of(1, 1, &inner));
    }

    #[test]
    fn a_path_has_the_constructors_around_a_part() {
        let mut path = vec![Enclosing::new(7, 4), Enclosing::new(8, 2)];
        leave(&mut path, 1);
        assert_eq!(path.len(), 2);
        leave(&mut path, 2);
        assert_eq!(path.len(), 1);
        assert_ne!(path[0].with(1, 9), path[0].with(2, 9));
    }
}
