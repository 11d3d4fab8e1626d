//! `chrono` (issue 934): a whole second before 1970 became the second before it and a full second of nanoseconds.

use crate::Bug;

pub fn holds(bug: Bug, millis: &i32) -> Option<bool> {
    let (second, nano) = split(bug, *millis);
    Some(nano < 1_000_000_000 && i64::from(second) * 1000 + i64::from(nano / 1_000_000) == i64::from(*millis))
}

pub fn witness() -> (i32,) {
    (-3000,)
}

/// Returns seconds and nanoseconds.
fn split(bug: Bug, millis: i32) -> (i32, u32) {
    let (mut second, mut milli) = (millis / 1000, millis % 1000);
    let before = match bug {
        Bug::Present => millis < 0,
        Bug::Fixed => milli < 0,
    };
    if before {
        second -= 1;
        milli += 1000;
    }
    (second, milli as u32 * 1_000_000)
}
