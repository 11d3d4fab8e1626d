//! `chrono` 0.4.6 (issue 324): timestamps in milliseconds panicked before 1970 unless they were whole seconds, because the
//! remainder is negative.

use crate::Bug;

pub fn holds(bug: Bug, millis: &i64) -> Option<bool> {
    let (second, nano) = split(bug, *millis);
    Some(i128::from(second) * 1000 + i128::from(nano / 1_000_000) == i128::from(*millis))
}

pub fn witness() -> (i64,) {
    (-7001,)
}

/// Returns seconds and nanoseconds.
fn split(bug: Bug, millis: i64) -> (i64, u32) {
    let (second, milli) = match bug {
        Bug::Present => (millis / 1000, millis % 1000),
        Bug::Fixed => (millis.div_euclid(1000), millis.rem_euclid(1000)),
    };
    (second, u32::try_from(milli).expect("a part of a second") * 1_000_000)
}
