//! Follow-up inputs: replace one operand of a comparison with the other.
//!
//! Mutation does this as well, occasionally and anywhere. But if a test is useful, or breaks a comparison that used to
//! hold, the few inputs that follow from its comparisons are worth trying one by one: this finds magic values within a
//! handful of tests, and repairs the checksum of a changed input. And if a string ends too early to be compared, it is
//! extended to see what the program expects.

use super::Operands;
use super::cells::Cell;
use super::operands::code_for;
use crate::choice::{Choice, Item, Random, Sequence};
use crate::shrink::splice;
use std::collections::VecDeque;
use std::ops::Range;

/// The limit on inputs that follow from one test.
const MAX_FOLLOWUPS: usize = 64;

/// The limit on pending inputs.
const MAX_WAITING: usize = 4 * MAX_FOLLOWUPS;

/// A value that occurs in more positions than this has no identifiable origin.
const MAX_PLACES: usize = 4;

/// The maximum number of trailing bytes to shift: as many as a probe adds.
const MAX_MOVED: usize = 4;

/// The pending inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Followups {
    inputs: VecDeque<(Sequence, Why)>,
}

/// Why an input is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It follows from a useful test.
    Useful,
    /// It follows from a test that broke a comparison.
    Broken,
    /// It follows from a useful test that may have ended where there was nothing left to compare.
    Probe,
}

impl Followups {
    /// The next input to try. Missing choices are drawn at random.
    pub(super) fn next(&mut self) -> Option<(Sequence, Why)> {
        self.inputs.pop_front()
    }

    /// Adds the inputs that follow from one with these comparisons.
    pub(super) fn add(&mut self, input: &Sequence, operands: &Operands, why: Why) {
        for change in changes(input, operands) {
            if self.inputs.len() == MAX_WAITING {
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
            // Repairs come first; useful inputs wait for their turn, since otherwise a single chain of inputs could
            // continue endlessly.
            match why {
                Why::Broken => self.inputs.push_front(followup),
                Why::Useful | Why::Probe => self.inputs.push_back(followup),
            }
        }
    }

    /// Adds the input without its last byte or character, in case it is one too many; and with a few added at its end.
    /// Those are rarely useful themselves; but their comparisons show how the input continues.
    pub(super) fn probe(&mut self, input: &Sequence, random: &mut Random) {
        let last = input.spans.iter().rev().find_map(|span| Cell::of(input, span));
        // A fixed length excludes both.
        let Some(last) = last.filter(|last| !last.is_fixed() && self.inputs.len() < MAX_WAITING) else { return };
        // Distinct ones, so that each can be recognised in a comparison.
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
            if changes.len() < MAX_FOLLOWUPS && !changes.contains(&change) {
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
            // A string may have been read as a number: "input-to-state" of REDQUEEN (Aschermann et al., NDSS 2019).
            // The optimiser may compare it together with the tag of its `Result`: then it is the upper half of a word.
            let is_upper_half = old.max(new) > u64::from(u32::MAX) && (old | new) as u32 == 0;
            let (old, new) = if is_upper_half { (old >> 32, new >> 32) } else { (old, new) };
            for (old, new) in as_text(old, new) {
                add(texts(&cells, old.as_bytes(), new.as_bytes()));
            }
            // Consecutive bytes may have been compared as one number.
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

/// Two numbers as a program prints and reads them: decimal, signed and unsigned, and hexadecimal.
fn as_text(old: u64, new: u64) -> Vec<(String, String)> {
    let mut pairs = vec![(old.to_string(), new.to_string())];
    let is_wide = old.max(new) > u64::from(u32::MAX);
    let signed = |number: u64| if is_wide { number as i64 } else { i64::from(number as i32) };
    if signed(old) < 0 || signed(new) < 0 {
        pairs.push((signed(old).to_string(), signed(new).to_string()));
    }
    // A single hexadecimal digit in a string is mostly just a letter.
    if old > 0xf {
        pairs.push((format!("{old:x}"), format!("{new:x}")));
        pairs.push((format!("{old:X}"), format!("{new:X}")));
    }
    pairs
}

/// `new` in each position of `old`.
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
        if changes.len() - first > MAX_PLACES {
            changes.truncate(first);
        }
    }
    changes
}

/// One of the last bytes or characters shifted by the difference between `old` and just below `new`: a byte may be
/// compared after a subtraction, for example to check for a digit.
fn moved(cells: &[Cell], old: u8, new: u8) -> Vec<Change> {
    let mut changes = Vec::new();
    for cell in cells.iter().rev().take(MAX_MOVED) {
        let moved = cell.byte.map(|byte| byte.wrapping_add(new).wrapping_sub(old).wrapping_sub(1));
        if let Some(moved @ 0..=0x7f) = moved {
            let Range { start, end } = cell.range;
            changes.push(Change::Text { start, end, by: cell.spell(&[moved]) });
        }
    }
    changes
}

/// `new` in each position where a collection of bytes or characters spells `old`.
fn texts(cells: &[Cell], old: &[u8], new: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    for run in cells.windows(old.len().max(1)) {
        if run.iter().zip(old).all(|(cell, byte)| cell.byte == Some(*byte)) && changes.len() < MAX_PLACES {
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

    /// The inputs to try after the first test whose input prints as `fits`, in order.
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
    fn one_operand_replaces_the_other() {
        let mut operands = Operands::default();
        operands.number(0xdead_beef, 7);
        let number = property! { forall n: u32; check *n < u32::MAX };
        assert_eq!(followups(&number, "7", &operands), ["3735928559"]);
        let signed = property! { forall n: i64; check *n < i64::MAX };
        assert!(followups(&signed, "7", &operands).contains(&"3735928559".to_owned()));
    }

    #[test]
    fn strings_replace_strings_and_characters_replace_characters() {
        let (mut texts, mut letters) = (Operands::default(), Operands::default());
        texts.text(b"a", b"keyword");
        letters.number(u64::from(b'['), u64::from(b'a'));
        let text = property! { forall s: String; check s.len() < 10_000 };
        assert_eq!(followups(&text, "String::from(\"a\")", &texts), ["String::from(\"keyword\")"]);
        assert_eq!(followups(&text, "String::from(\"a\")", &letters), ["String::from(\"[\")"]);
    }

    #[test]
    fn a_number_that_was_read_from_a_string_is_replaced_in_its_decimal_or_hexadecimal_form() {
        let text = property! { forall s: String; check s.len() < 10_000 };
        for (old, new, expected) in [
            (7, 31_337, "31337"),
            (7, u64::from(-5i32 as u32), "-5"),
            (7, u64::MAX, "-1"),
            (7 << 32, 31_337 << 32, "31337"),
        ] {
            let mut operands = Operands::default();
            operands.number(new, old);
            let tried = followups(&text, "String::from(\"7\")", &operands);
            assert!(tried.contains(&format!("String::from(\"{expected}\")")), "{tried:?}");
        }
        let pairs = as_text(0xab, 0xbeef);
        assert!(pairs.contains(&("ab".to_owned(), "beef".to_owned())), "{pairs:?}");
    }

    #[test]
    fn operands_without_a_unique_origin_are_ignored() {
        let mut operands = Operands::default();
        operands.number(1000, 999);
        let number = property! { forall n: u32; check *n < u32::MAX };
        assert_eq!(followups(&number, "7", &operands), [] as [&str; 0]);
    }

    #[test]
    fn a_character_compared_as_a_digit_becomes_a_digit() {
        // The code of `is_ascii_digit`: the byte minus `0` is compared with 10.
        let mut operands = Operands::default();
        operands.byte(10, b'a' - b'0');
        let text = property! { forall s: String; check s.len() < 10_000 };
        assert_eq!(followups(&text, "String::from(\"a\")", &operands), ["String::from(\"9\")"]);
    }

    #[test]
    fn a_useful_string_is_truncated_and_extended() {
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
    fn repairs_come_before_follow_ups() {
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
