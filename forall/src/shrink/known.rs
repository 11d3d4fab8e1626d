//! Outcomes of earlier evaluations: a radix tree over the choices that they drew.
//!
//! A test is a function of the choices it draws, not of those it is offered: values above a maximum are clamped,
//! missing ones default to the simplest, and an unread tail is ignored. So a candidate is first replayed against the
//! tree as the generators would replay it; if that ends at the end of a known run, its outcome is known, and it cannot
//! be an improvement: if it had been, the best case would be at least as simple.
//!
//! If a float outside of its range was offered, another one was drawn, as if that one had been offered.
//!
//! Runs whose input was not drawn item by item are not recorded: a filter that discarded values would read the same
//! choices differently next time. Neither are runs with forks, whose choices are drawn out of order.

use super::edit;
use crate::choice::{Choice, Item};
use crate::generate::is_ranged_float;

/// The maximum number of remembered choices, 16 bytes each. Long inputs that are changed at the front share nothing.
const MAX_DRAWS: usize = 1 << 21;

/// A sequence of draws shared by all runs through this node, and their continuations.
#[derive(Default)]
struct Node {
    /// Where the draws are.
    start: usize,
    end: usize,
    /// The continuations; empty where runs ended. All begin with draws of one maximum and different values.
    next: Vec<usize>,
}

/// The runs that were made.
#[derive(Default)]
pub(super) struct Known {
    draws: Vec<Choice>,
    nodes: Vec<Node>,
}

impl Known {
    /// Whether the outcome of a candidate is known.
    pub(super) fn tells(&self, items: &[Item]) -> bool {
        if self.nodes.is_empty() || items.iter().any(edit::is_fork) {
            return false;
        }
        let offered = |place: usize| items.get(place).map_or(0, edit::value);
        let (mut node, mut place) = (0, 0);
        loop {
            let Node { start, end, next } = &self.nodes[node];
            for draw in &self.draws[*start..*end] {
                if offered(place).min(draw.max) != draw.value {
                    return false;
                }
                place += 1;
            }
            if next.is_empty() {
                return true;
            }
            let Some(&child) = next.iter().find(|&&child| {
                let first = self.draws[self.nodes[child].start];
                offered(place).min(first.max) == first.value
            }) else {
                return false;
            };
            node = child;
        }
    }

    /// Records a run that drew `drawn` when it was offered `items`.
    pub(super) fn insert(&mut self, drawn: &[Item], items: &[Item]) {
        let offered = |place: usize| items.get(place).map_or(0, edit::value);
        if items.iter().any(edit::is_fork) || self.draws.len() + drawn.len() > MAX_DRAWS {
            return;
        }
        let mut run: Vec<Choice> = Vec::with_capacity(drawn.len());
        for (place, item) in drawn.iter().enumerate() {
            match item {
                Item::Choice(choice)
                    if offered(place).min(choice.max) == choice.value || is_ranged_float(choice.max) =>
                {
                    run.push(*choice);
                }
                _ => return,
            }
        }
        if self.nodes.is_empty() {
            self.add(&run);
            return;
        }
        let (mut node, mut place) = (0, 0);
        loop {
            let (start, end) = (self.nodes[node].start, self.nodes[node].end);
            let mut common = 0;
            while start + common < end && run.get(place) == Some(&self.draws[start + common]) {
                common += 1;
                place += 1;
            }
            if common < end - start {
                // A run that ends here, or draws with another maximum: the generator also depends on something else.
                if place == run.len() || self.draws[start + common].max != run[place].max {
                    return;
                }
                let rest = Node { start: start + common, end, next: std::mem::take(&mut self.nodes[node].next) };
                self.nodes.push(rest);
                let rest = self.nodes.len() - 1;
                let other = self.add(&run[place..]);
                self.nodes[node].end = start + common;
                self.nodes[node].next = vec![rest, other];
                return;
            }
            if place == run.len() || self.nodes[node].next.is_empty() {
                return;
            }
            let known = self.nodes[node].next.iter().find(|&&child| self.draws[self.nodes[child].start] == run[place]);
            match known {
                Some(&child) => node = child,
                None => {
                    let first = self.nodes[node].next[0];
                    if self.draws[self.nodes[first].start].max == run[place].max {
                        let other = self.add(&run[place..]);
                        self.nodes[node].next.push(other);
                    }
                    return;
                }
            }
        }
    }

    fn add(&mut self, run: &[Choice]) -> usize {
        let start = self.draws.len();
        self.draws.extend_from_slice(run);
        self.nodes.push(Node { start, end: self.draws.len(), next: Vec::new() });
        self.nodes.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(values: &[u64]) -> Vec<Item> {
        values.iter().map(|&value| Item::Choice(Choice { value, max: 9 })).collect()
    }

    fn known(runs: &[&[u64]]) -> Known {
        let mut known = Known::default();
        for run in runs {
            known.insert(&items(run), &items(run));
        }
        known
    }

    #[test]
    fn clamped_missing_and_unread_choices_are_known() {
        let known = known(&[&[3, 0], &[9, 1]]);
        for told in [&[3][..], &[3, 0], &[3, 0, 7], &[12, 1], &[9, 1, 1]] {
            let told: Vec<Item> = told.iter().map(|&value| Item::Choice(Choice { value, max: 99 })).collect();
            assert!(known.tells(&told), "{told:?}");
        }
        for unknown in [&[][..], &[3, 1], &[9], &[4]] {
            assert!(!known.tells(&items(unknown)), "{unknown:?}");
        }
    }

    #[test]
    fn runs_share_common_prefixes() {
        let known = known(&[&[1, 2, 3], &[1, 2, 4, 5], &[1, 3], &[1, 2, 3]]);
        assert_eq!(known.draws.len(), 3 + 2 + 1);
        assert!(known.tells(&items(&[1, 2, 4, 5])) && known.tells(&items(&[1, 3])) && !known.tells(&items(&[1, 2])));
    }

    #[test]
    fn runs_that_discarded_input_are_not_recorded() {
        let mut known = Known::default();
        known.insert(&items(&[3]), &items(&[2, 3]));
        assert!(!known.tells(&items(&[3])));
    }
}
