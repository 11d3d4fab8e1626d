//! Going over to an ordinary size.
//!
//! Under a small size a tree may have no room for its simplest form: where no size is left, generators draw fewer choices,
//! so that other forms count as shorter. What shrinking ends with should not depend on the size at which the failure
//! happened to be found. So before all else the case is put under the size of the last tests of an ordinary run. Where the
//! same choices are drawn, nothing needs to be run. Where more are drawn at the end of some parts, these get zeros there:
//! then the values are the same again. What this misses: generators that make something else of the same choices.

use super::search::Search;
use crate::choice::{Choice, Item, Sequence, Span};
use crate::run::{Case, Tester};

/// The size at which cases are shrunk: that of the last tests of an ordinary run.
const SIZE: u32 = 100;
/// So many zeros are added at most. Each takes the generator a run.
const MAX_ADDED: usize = 200;

impl Search<'_> {
    pub(super) fn resize(&mut self) {
        if self.best.sequence.size >= SIZE || !self.best.steps.is_empty() {
            return;
        }
        let mut larger = self.best.clone();
        larger.sequence.size = SIZE;
        let drawn = self.tester.drawn(&larger);
        if drawn.items == self.best.sequence.items {
            self.go_over_to(Case { sequence: drawn, steps: Vec::new() });
            return;
        }
        self.begin("size");
        let fitted = fit(self.tester, &larger, drawn);
        let _ = fitted.is_some_and(|fitted| self.go_over_if_it_fails(&fitted)) || self.go_over_if_it_fails(&larger);
    }
}

/// The case with zeros where parts draw more than they did; `drawn` is what it draws now.
fn fit(tester: &Tester<'_>, case: &Case, mut drawn: Sequence) -> Option<Case> {
    let mut case = case.clone();
    for _ in 0..MAX_ADDED {
        let Some(part) = longer(&case.sequence.spans, &drawn.spans) else {
            return (drawn.items.len() == case.sequence.items.len()).then_some(case);
        };
        insert(&mut case.sequence, part);
        drawn = tester.drawn(&case);
    }
    None
}

/// The first part to end that is longer now: the innermost of them.
fn longer(before: &[Span], now: &[Span]) -> Option<usize> {
    let mut longer: Option<usize> = None;
    for (part, (a, b)) in before.iter().zip(now).enumerate() {
        if a.label != b.label || a.start != b.start {
            break;
        }
        if b.end > a.end && longer.is_none_or(|first| a.end <= before[first].end) {
            longer = Some(part);
        }
    }
    longer
}

/// Adds a zero at the end of a part.
fn insert(sequence: &mut Sequence, part: usize) {
    let Span { start, end, .. } = sequence.spans[part];
    sequence.items.insert(end as usize, Item::Choice(Choice { value: 0, max: u64::MAX }));
    for (other, span) in sequence.spans.iter_mut().enumerate() {
        if span.start > end || span.start == end && other > part {
            span.start += 1;
            span.end += 1;
        } else if other <= part && span.start <= start && span.end >= end {
            span.end += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::property::{Empty, Telescope};

    /// A chain that is at most as long as the size.
    fn chain(source: &mut Source, size: u32) -> u32 {
        source.span(9, |source| match size {
            0 => 0,
            _ if source.choice(1) == 0 => 0,
            _ => 1 + chain(source, size - 1),
        })
    }

    #[test]
    fn parts_that_draw_more_under_a_larger_size_get_zeros() {
        let draw = |s: &mut Source| {
            let size = s.size();
            chain(s, size)
        };
        let property = Empty.forall("a", move |(), s| draw(s)).forall("b", move |_, s| draw(s)).check(|_| true);
        let tester = Tester::new("fit", &property, 1);
        let small = Case { sequence: Sequence::from_values(2, &[1, 1, 1, 0]), steps: Vec::new() };
        let mut case = tester.run(&small).0;
        case.sequence.size = SIZE;
        let drawn = tester.drawn(&case);
        let fitted = fit(&tester, &case, drawn).unwrap();
        assert_eq!(fitted.sequence.values().collect::<Vec<_>>(), [1, 1, 0, 1, 0]);
    }
}
