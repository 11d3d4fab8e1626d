//! `fuzzydate` (pull request 28): `12pm` was not a valid time, and `12am` was noon, since the parser added 12 to every
//! hour of the afternoon and nothing to those of the morning.

use crate::Bug;

pub fn holds(bug: Bug, minute: &u16) -> Option<bool> {
    let minute = minute % (24 * 60);
    Some(parse(bug, &format(minute)) == Some(minute))
}

pub fn witness() -> (u16,) {
    (30,)
}

fn format(minute: u16) -> String {
    let (hour, half) = (minute / 60, if minute < 12 * 60 { "am" } else { "pm" });
    format!("{}:{:02}{half}", (hour + 11) % 12 + 1, minute % 60)
}

fn parse(bug: Bug, text: &str) -> Option<u16> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, half) = rest.split_at_checked(2)?;
    let hour: u16 = hour.parse().ok()?;
    let hour = match (bug, half) {
        (Bug::Present, "am") => hour,
        (Bug::Present, _) => hour + 12,
        (Bug::Fixed, "am") => hour % 12,
        (Bug::Fixed, _) => hour % 12 + 12,
    };
    Some(hour * 60 + minute.parse::<u16>().ok()?).filter(|minute| *minute < 24 * 60)
}
