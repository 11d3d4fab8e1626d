//! num's `Ratio`, as a review of CodeChain describes it (pull request 1672): ratios with equal numerators are ordered by
//! their denominators, the other way round. That is wrong where the numerators are negative.

use crate::Bug;
use std::cmp::Ordering;

/// Ratios are ordered like their values.
pub fn holds(bug: Bug, a: &(i16, u8), b: &(i16, u8)) -> Option<bool> {
    if a.1 == 0 || b.1 == 0 {
        return None;
    }
    let float = |ratio: &(i16, u8)| f64::from(ratio.0) / f64::from(ratio.1);
    Some(compare(bug, *a, *b) == float(a).total_cmp(&float(b)))
}

pub fn witness() -> ((i16, u8), (i16, u8)) {
    ((-1, 2), (-1, 3))
}

fn compare(bug: Bug, a: (i16, u8), b: (i16, u8)) -> Ordering {
    let by_denominator = b.1.cmp(&a.1);
    match a.0.signum() {
        _ if a.0 != b.0 => (i32::from(a.0) * i32::from(b.1)).cmp(&(i32::from(b.0) * i32::from(a.1))),
        0 => Ordering::Equal,
        -1 if bug == Bug::Fixed => by_denominator.reverse(),
        _ => by_denominator,
    }
}
