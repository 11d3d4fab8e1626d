//! Shrinking on choices: it works for every generator and never leaves what the generator can make.
//!
//! Each pass is a loop that proposes candidates to the gate, from the end of the sequence to its beginning, because what
//! comes later depends on what comes earlier. They run until none of them gets anywhere.

use super::{Improved, Shrinker};
use crate::choice::{Choice, Item, Span};
use std::ops::Range;

impl Shrinker<'_> {
    /// Runs all passes until none gets anywhere. Whether any did.
    pub(super) fn shrink_choices(&mut self, improved: Improved<'_>) -> bool {
        let before = self.story.accepted;
        loop {
            let round = self.story.accepted;
            self.delete_spans(improved);
            self.delete_runs(improved);
            self.simplify_spans(improved);
            self.lower_values(improved);
            self.lower_equal_values(improved);
            if self.story.accepted == round || !self.may_go_on() {
                return self.story.accepted > before;
            }
        }
    }

    /// Removes whole parts of the input, large ones first: elements, subtrees. What one deletion made possible is tried
    /// at the same place again, so that a run of elements goes in one sweep.
    fn delete_spans(&mut self, improved: Improved<'_>) {
        let mut at = 0;
        loop {
            let mut spans = self.open_spans();
            spans.sort_by_key(|span| std::cmp::Reverse((span.len(), span.start)));
            let Some(span) = spans.get(at) else { return };
            let deleted = delete(&self.best.sequence.items, span.clone());
            if !self.consider(deleted, improved) {
                at += 1;
            }
        }
    }

    /// Removes neighbouring choices that no span holds together, and lowers the choice before them by as many: a drawn
    /// length and what it governs.
    fn delete_runs(&mut self, improved: Improved<'_>) {
        for length in [8, 4, 2, 1] {
            let mut end = self.best.sequence.len();
            while end >= length && self.may_go_on() {
                end = end.min(self.best.sequence.len());
                let Some(start) = end.checked_sub(length) else { break };
                if self.is_open(start..end) {
                    let deleted = delete(&self.best.sequence.items, start..end);
                    if self.consider(deleted.clone(), improved) {
                        continue;
                    }
                    // A length is no larger than what comes after it.
                    let plausible = length as u64..=self.best.sequence.len() as u64;
                    let governing = (0..start).rev().take(8).find(|&i| plausible.contains(&value(&deleted[i])));
                    if let Some(i) = governing.filter(|&i| self.is_open(i..i + 1)) {
                        let mut shorter = deleted;
                        let lowered = value(&shorter[i]) - length as u64;
                        set(&mut shorter[i], lowered);
                        if self.consider(shorter, improved) {
                            continue;
                        }
                    }
                }
                end -= 1;
            }
        }
    }

    /// Sets whole parts to their simplest.
    fn simplify_spans(&mut self, improved: Improved<'_>) {
        let everything = 0..self.best.sequence.len();
        let mut at = 0;
        loop {
            let mut spans = self.open_spans();
            if self.is_open(everything.clone()) {
                spans.push(0..self.best.sequence.len());
            }
            spans.sort_by_key(|span| std::cmp::Reverse((span.len(), span.start)));
            let Some(span) = spans.get(at) else { return };
            let mut items = self.best.sequence.items.clone();
            for item in &mut items[span.clone()] {
                set(item, 0);
            }
            self.consider(items, improved);
            at += 1;
        }
    }

    /// Lowers each choice: to nothing, then by bisection, which ends at the smallest value that fails if failing is
    /// monotone in it, and at some smaller value otherwise.
    fn lower_values(&mut self, improved: Improved<'_>) {
        let mut i = self.best.sequence.len();
        while i > 0 {
            i = (i - 1).min(self.best.sequence.len().saturating_sub(1));
            if self.best.sequence.is_empty() {
                return;
            }
            if self.is_open(i..i + 1) {
                self.lower(&[i], improved);
            }
        }
    }

    /// Lowers equal values together: a number that occurs twice must often stay equal to itself.
    fn lower_equal_values(&mut self, improved: Improved<'_>) {
        let mut values: Vec<u64> = self.best.sequence.values().filter(|&value| value > 0).collect();
        values.sort_unstable();
        values.dedup_by(|a, b| a == b);
        for wanted in values.into_iter().rev() {
            let places: Vec<usize> =
                (0..self.best.sequence.len()).filter(|&i| value(&self.best.sequence.items[i]) == wanted).collect();
            let places: Vec<usize> = places.into_iter().filter(|&i| self.is_open(i..i + 1)).collect();
            if places.len() > 1 {
                self.lower(&places, improved);
            }
        }
    }

    /// Lowers the equal values at `places` to the smallest that still fails.
    fn lower(&mut self, places: &[usize], improved: Improved<'_>) {
        let high = value(&self.best.sequence.items[places[0]]);
        let mut try_value = |shrinker: &mut Self, value: u64| {
            let mut items = shrinker.best.sequence.items.clone();
            if places.iter().any(|&place| place >= items.len()) {
                return false;
            }
            places.iter().for_each(|&place| set(&mut items[place], value));
            shrinker.consider(items, improved)
        };
        if high == 0 || try_value(self, 0) {
            return;
        }
        // Small values are tried one by one, since small choices are often kinds of things, not quantities.
        for small in 1..high.min(5) {
            if try_value(self, small) {
                return;
            }
        }
        let (mut low, mut high) = (high.min(5) - 1, high);
        while high - low > 1 && self.may_go_on() {
            let middle = low + (high - low) / 2;
            if try_value(self, middle) { high = middle } else { low = middle }
        }
    }

    /// The spans that choices may be changed in.
    fn open_spans(&self) -> Vec<Range<usize>> {
        let spans = self.best.sequence.spans.iter().map(|span| span.start as usize..span.end as usize);
        spans.filter(|span| !span.is_empty() && self.is_open(span.clone())).collect()
    }

    /// Whether none of these choices belongs to a variable that has a shrinker of its own.
    fn is_open(&self, range: Range<usize>) -> bool {
        let frozen = |span: &Span| span.variable().is_some_and(|variable| self.frozen.get(variable) == Some(&true));
        let overlaps = |span: &Span| range.start < span.end as usize && (span.start as usize) < range.end;
        !self.frozen.contains(&true) || !self.best.sequence.spans.iter().any(|span| frozen(span) && overlaps(span))
    }
}

fn value(item: &Item) -> u64 {
    match item {
        Item::Choice(choice) => choice.value,
        Item::Fork { .. } => 0,
    }
}

fn set(item: &mut Item, value: u64) {
    if let Item::Choice(Choice { value: old, .. }) = item {
        *old = value;
    }
}

/// The items without `range`, the extents of the forks around it adjusted.
fn delete(items: &[Item], range: Range<usize>) -> Vec<Item> {
    let mut kept = Vec::with_capacity(items.len() - range.len());
    for (i, item) in items.iter().enumerate() {
        if range.contains(&i) {
            continue;
        }
        kept.push(match *item {
            Item::Fork { len } => {
                let extent = i + 1..i + 1 + len as usize;
                let lost = extent.end.min(range.end).saturating_sub(extent.start.max(range.start));
                Item::Fork { len: len - lost as u32 }
            }
            choice => choice,
        });
    }
    kept
}
