//! Druid (issue 3791) and Mikado (issue 150): a merged interval ends at the end of the second one, even if that one is
//! contained in the first.

use crate::Bug;

/// Merged intervals cover the same points as the original ones, and are disjoint.
pub fn holds(bug: Bug, intervals: &[(u8, u8)]) -> Option<bool> {
    let intervals: Vec<_> = intervals.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let merged = merge(bug, &intervals);
    let covers =
        |intervals: &[(u8, u8)], point| intervals.iter().any(|interval| interval.0 <= point && point < interval.1);
    let equal = (0..=255).all(|point| covers(&merged, point) == covers(&intervals, point));
    Some(equal && merged.windows(2).all(|pair| pair[0].1 < pair[1].0))
}

pub fn witness() -> (Vec<(u8, u8)>,) {
    (vec![(10, 100), (15, 80)],)
}

fn merge(bug: Bug, intervals: &[(u8, u8)]) -> Vec<(u8, u8)> {
    let mut sorted = intervals.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<(u8, u8)> = vec![];
    for next in sorted {
        match merged.last_mut() {
            Some(last) if next.0 <= last.1 => {
                last.1 = match bug {
                    Bug::Present => next.1,
                    Bug::Fixed => last.1.max(next.1),
                }
            }
            _ => merged.push(next),
        }
    }
    merged
}
