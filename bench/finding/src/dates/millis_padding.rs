//! `iso8601` 0.6.3 (pull request 64): milliseconds were printed without leading zeros, so that 1 ms was parsed as 100
//! ms.

use crate::Bug;

pub fn holds(bug: Bug, millis: &u32) -> Option<bool> {
    Some(parse(&format(bug, *millis)) == Some(u64::from(*millis)))
}

pub fn witness() -> (u32,) {
    (1,)
}

fn format(bug: Bug, millis: u32) -> String {
    let (second, milli) = (millis / 1000, millis % 1000);
    match bug {
        Bug::Present => format!("{second}.{milli}"),
        Bug::Fixed => format!("{second}.{milli:03}"),
    }
}

fn parse(text: &str) -> Option<u64> {
    let (second, fraction) = text.split_once('.')?;
    let second: u64 = second.parse().ok()?;
    Some(second * 1000 + format!("{fraction:0<3}").parse::<u64>().ok()?)
}
