//! rangemap 1.0.1 (issue 43): the iterator of gaps yields an empty range between two ranges that touch.

use crate::Bug;

/// Gaps are not empty, and together with the ranges they cover every number once.
pub fn holds(bug: Bug, ranges: &[(u8, u8)]) -> Option<bool> {
    let mut taken = [false; 256];
    let mut disjoint = Vec::new();
    for &(start, end) in ranges {
        let cells = usize::from(start)..usize::from(end) + 1;
        if start <= end && !taken[cells.clone()].contains(&true) {
            taken[cells].fill(true);
            disjoint.push((start, end));
        }
    }
    disjoint.sort_unstable();
    let gaps = gaps(bug, &disjoint);
    let free: Vec<i16> = (0..256).filter(|&number| !taken[number as usize]).collect();
    let listed: Vec<i16> = gaps.iter().flat_map(|&(start, end)| start..=end).collect();
    Some(gaps.iter().all(|(start, end)| start <= end) && listed == free)
}

pub fn witness() -> (Vec<(u8, u8)>,) {
    (vec![(0, 0), (1, 1)],)
}

/// Returns the inclusive gaps between sorted, disjoint, inclusive ranges, within `0..=255`.
fn gaps(bug: Bug, ranges: &[(u8, u8)]) -> Vec<(i16, i16)> {
    let mut found = Vec::new();
    let mut next = 0;
    for &(start, end) in ranges {
        let gap = (next, i16::from(start) - 1);
        let touches = next > 0 && gap.1 < gap.0;
        if gap.0 <= gap.1 || (touches && bug == Bug::Present) {
            found.push(gap);
        }
        next = i16::from(end) + 1;
    }
    if next <= 255 {
        found.push((next, 255));
    }
    found
}
