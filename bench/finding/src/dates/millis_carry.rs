//! `calamine` (pull request 605): times are rounded to milliseconds, and 1000 of them were not carried into the seconds.

use crate::Bug;

pub fn holds(bug: Bug, micros: &u32) -> Option<bool> {
    let (second, milli) = rounded(bug, *micros);
    let expected = (u64::from(*micros) + 500) / 1000;
    Some(milli < 1000 && u64::from(second) * 1000 + u64::from(milli) == expected)
}

pub fn witness() -> (u32,) {
    (1_999_500,)
}

/// Returns seconds and milliseconds.
fn rounded(bug: Bug, micros: u32) -> (u32, u32) {
    let (second, milli) = (micros / 1_000_000, (micros % 1_000_000 + 500) / 1000);
    if bug == Bug::Fixed && milli == 1000 { (second + 1, 0) } else { (second, milli) }
}
