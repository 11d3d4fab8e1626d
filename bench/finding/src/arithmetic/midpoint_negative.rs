//! `i32::midpoint` in the standard library (rust-lang/rust pull request 132191): it rounded towards negative infinity, so
//! the midpoint of negated numbers was not the negated midpoint.

use crate::Bug;

/// The midpoint commutes with negation.
pub fn holds(bug: Bug, a: &i32, b: &i32) -> Option<bool> {
    let (Some(negated_a), Some(negated_b)) = (a.checked_neg(), b.checked_neg()) else { return None };
    Some(midpoint(bug, *a, *b) == -midpoint(bug, negated_a, negated_b))
}

pub fn witness() -> (i32, i32) {
    (-1, 2)
}

fn midpoint(bug: Bug, a: i32, b: i32) -> i32 {
    let sum = i64::from(a) + i64::from(b);
    let half = match bug {
        Bug::Present => sum >> 1,
        Bug::Fixed => sum / 2,
    };
    half as i32
}
