//! Inputs that follow from one that ran: one side of a comparison put where the other side came from.
//!
//! Mutation does that too, now and then and anywhere. But when a test is worth keeping, or breaks a comparison that had held,
//! the few inputs that follow from its comparisons are worth trying one after the other: this is how magic values are met
//! within a handful of tests, and how a changed input gets its checksum back. And where a text ends too early to be compared
//! with anything, it is continued to see what the program expects.

use super::Operands;
use super::cells::Cell;
use super::operands::code_for;
use crate::choice::{Choice, Item, Random, Sequence};
use crate::shrink::splice;
use std::collections::VecDeque;
use std::ops::Range;

/// No more inputs follow from one test.
const MOST: usize = 64;

/// No more are waiting at any time.
const MOST_WAITING: usize = 4 * MOST;

/// A value that is in more places than this came from none in particular.
const MOST_PLACES: usize = 4;

/// So many bytes are moved: as many as a probe adds.
const MOST_MOVED: usize = 4;

/// What is to be tried next.
#[derive(Clone, Debug, Default)]
pub(super) struct Followups {
    inputs: VecDeque<(Sequence, Why)>,
}

/// Why an input is to be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The test that it follows from was of use.
    Useful,
    /// The test that it follows from broke a comparison.
    Broken,
    /// The test that it follows from was of use, and may have ended where there was nothing left to compare.
    Probe,
}

impl Followups {
    /// The next input to try. Choices that it lacks are to be drawn at random.
    pub(super) fn next(&mut self) -> Option<(Sequence, Why)> {
        self.inputs.pop_front()
    }

    /// Adds the inputs that follow from one that compared this.
    pub(super) fn add(&mut self, input: &Sequence, operands: &Operands, why: Why) {
        for change in changes(input, operands) {
            if self.inputs.len() == MOST_WAITING {
                break;
            }
            let mut items = input.items.clone();
            match change {
                Change::Value { at, value } => {
                    if let Item::Choice(choice) = &mut items[at] {
                        choice.value = value;
                    }
                }
                Change::Text { start, end, by } => splice(&mut items, start..end, &by),
            }
            let followup = (Sequence { size: input.size, items, spans: Vec::new() }, why);
            // What is broken is mended at once; what is useful waits for its turn, or one line of inputs would go on and on.
            match why {
                Why::Broken => self.inputs.push_front(followup),
                Why::Useful | Why::Probe => self.inputs.push_back(followup),
            }
        }
    }

    /// Adds the input without its last byte or character, which may be one too many; and with a few more at its end. By
    /// themselves those are of little use; but what they are compared with tells how the input goes on.
    pub(super) fn probe(&mut self, input: &Sequence, random: &mut Random) {
        let last = input.spans.iter().rev().find_map(|span| Cell::of(input, span));
        // Where the length is given, there is no more and no less.
        let Some(last) = last.filter(|last| !last.is_fixed() && self.inputs.len() < MOST_WAITING) else { return };
        // Different ones, so that each can be told in a comparison.
        let first = random.up_to(u64::from(b'z' - b'a')) as u8;
        let text = [0, 7, 14, 21].map(|step| b'a' + (first + step) % 26);
        let (mut shorter, mut longer) = (input.items.clone(), input.items.clone());
        splice(&mut shorter, last.range.clone(), &[]);
        splice(&mut longer, last.range.end..last.range.end, &last.spell(&text));
        for (items, why) in [(shorter, Why::Useful), (longer, Why::Probe)] {
            self.inputs.push_back((Sequence { size: input.size, items, spans: Vec::new() }, why));
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Value { at: usize, value: u64 },
    Text { start: usize, end: usize, by: Vec<Item> },
}

fn changes(input: &Sequence, operands: &Operands) -> Vec<Change> {
    let mut changes = Vec::new();
    let cells: Vec<Cell> = input.spans.iter().filter_map(|span| Cell::of(input, span)).collect();
    let mut add = |some: Vec<Change>| {
        for change in some {
            if changes.len() < MOST && !changes.contains(&change) {
                changes.push(change);
            }
        }
    };
    for (a, b) in operands.texts() {
        add(texts(&cells, a, b));
        add(texts(&cells, b, a));
    }
    for &(a, b) in operands.numbers() {
        for (old, new) in [(b, a), (a, b)] {
            add(numbers(input, old, new));
            // Bytes in a row may have been compared as one number.
            let width = if old.max(new) > u64::from(u32::MAX) { 8 } else { 4 };
            if old.max(new) > 0xff {
                let (old, new) = (old.to_le_bytes(), new.to_le_bytes());
                add(texts(&cells, &old[..width], &new[..width]));
                add(texts(&cells, &old[..2], &new[..2]));
            }
        }
    }
    for &(constant, byte) in operands.bytes() {
        if numbers(input, byte.into(), constant.into()).is_empty() {
            add(moved(&cells, byte, constant));
        }
    }
    changes
}

/// `new` in each place that has `old`.
fn numbers(input: &Sequence, old: u64, new: u64) -> Vec<Change> {
    let mut changes = Vec::new();
    for way in 0..2 {
        let first = changes.len();
        for (at, item) in input.items.iter().enumerate() {
            let &Item::Choice(Choice { value, max }) = item else { continue };
            let (from, to) = (code_for(max, old)[way], code_for(max, new)[way]);
            let change = Change::Value { at, value: to };
            if value == from && to <= max && max > 1 && !changes.contains(&change) {
                changes.push(change);
            }
        }
        if changes.len() - first > MOST_PLACES {
            changes.truncate(first);
        }
    }
    changes
}

/// One of the last bytes or characters moved by as much as `old` is off what is just below `new`: for a byte may be compared
/// after something was taken from it, as when the program asks whether it is a digit.
fn moved(cells: &[Cell], old: u8, new: u8) -> Vec<Change> {
    let mut changes = Vec::new();
    for cell in cells.iter().rev().take(MOST_MOVED) {
        let moved = cell.byte.map(|byte| byte.wrapping_add(new).wrapping_sub(old).wrapping_sub(1));
        if let Some(moved @ 0..=0x7f) = moved {
            let Range { start, end } = cell.range;
            changes.push(Change::Text { start, end, by: cell.spell(&[moved]) });
        }
    }
    changes
}

/// `new` in each place where a collection of bytes or of characters spells `old`.
fn texts(cells: &[Cell], old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    for run in cells.windows(old.len().max(1)) {
        if run.iter().zip(old).all(|(cell, byte)| cell.byte == Some(*byte)) && changes.len() < MOST_PLACES {
            let (start, end) = (run[0].range.start, run[run.len() - 1].range.end);
            changes.push(Change::Text { start, end, by: run[0].spell(new) });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::property::Property;
    use crate::run::{Case, Tested, Tester};

    /// What is to be tried after the first test whose input prints as `fits`, in the order in which it will be.
    fn tried(property: &dyn Property, fits: &str, add: impl Fn(&mut Followups, &Sequence)) -> Vec<(String, Why)> {
        let tester = Tester::new("followups", property, 1);
        let shown = |case: &Case| tester.print(case)[0].printed.text().to_owned();
        let found = (0..100_000).map(|index| tester.record(index, 100)).find(|(case, _)| shown(case) == fits);
        let (case, tested) = found.expect("some test has this value");
        assert_eq!(tested, Tested::Pass);
        let mut followups = Followups::default();
        add(&mut followups, &case.sequence);
        let mut all = Vec::new();
        while let Some((sequence, why)) = followups.next() {
            all.push((shown(&Case { sequence, steps: Vec::new() }), why));
        }
        all
    }

    fn followups(property: &dyn Property, fits: &str, operands: &Operands) -> Vec<String> {
        let tried = tried(property, fits, |followups, input| followups.add(input, operands, Why::Useful));
        tried.into_iter().map(|(shown, _)| shown).collect()
    }

    #[test]
    fn one_side_stands_where_the_other_did() {
        let mut operands = Operands::default();
        operands.number(0xdead_beef, 7);
        let number = property! { forall n: u32; check *n < u32::MAX };
        assert_eq!(followups(&number, "7", &operands), ["3735928559"]);
        let signed = property! { forall n: i64; check *n < i64::MAX };
        assert!(followups(&signed, "7", &operands).contains(&"3735928559".to_owned()));
    }

    #[test]
    fn texts_are_written_over_texts_and_characters_over_characters() {
        let (mut texts, mut letters) = (Operands::default(), Operands::default());
        texts.text(b"a", b"keyword");
        letters.number(u64::from(b'['), u64::from(b'a'));
        let text = property! { forall s: String; check s.len() < 10_000 };
        assert_eq!(followups(&text, "String::from(\"a\")", &texts), ["String::from(\"keyword\")"]);
        assert_eq!(followups(&text, "String::from(\"a\")", &letters), ["String::from(\"[\")"]);
    }

    #[test]
    fn what_is_nowhere_or_everywhere_is_left_alone() {
        let mut operands = Operands::default();
        operands.number(1000, 999);
        let number = property! { forall n: u32; check *n < u32::MAX };
        assert_eq!(followups(&number, "7", &operands), [] as [&str; 0]);
    }

    #[test]
    fn a_digit_is_made_of_what_was_compared_as_one() {
        // What `is_ascii_digit` comes to: the byte less `0` is compared with 10.
        let mut operands = Operands::default();
        operands.byte(10, b'a' - b'0');
        let text = property! { forall s: String; check s.len() < 10_000 };
        assert_eq!(followups(&text, "String::from(\"a\")", &operands), ["String::from(\"9\")"]);
    }

    #[test]
    fn a_text_is_cut_short_and_continued_to_see_what_is_expected() {
        let text = property! { forall s: String; check s.len() < 10_000 };
        let tried = tried(&text, "String::from(\"a\")", |followups, input| {
            followups.probe(input, &mut Random::from_key(1));
        });
        assert_eq!(tried[0], ("String::from(\"\")".to_owned(), Why::Useful));
        let (longer, why) = &tried[1];
        assert!(longer.starts_with("String::from(\"a") && longer.len() == "String::from(\"a1234\")".len(), "{longer}");
        assert_eq!((tried.len(), *why), (2, Why::Probe));
    }

    #[test]
    fn what_is_broken_is_mended_before_what_is_useful_is_followed() {
        let (mut useful, mut broken) = (Operands::default(), Operands::default());
        useful.number(8, 7);
        broken.number(9, 7);
        let number = property! { forall n: u32; check *n < u32::MAX };
        let tried = tried(&number, "7", |followups, input| {
            followups.add(input, &useful, Why::Useful);
            followups.add(input, &broken, Why::Broken);
        });
        assert_eq!((&*tried[0].0, tried[0].1), ("9", Why::Broken));
        assert_eq!((&*tried[tried.len() - 1].0, tried[tried.len() - 1].1), ("8", Why::Useful));
    }
}
