//! `readxl` (pull request 292) and `rubyXL` (pull request 170): spreadsheets count 29 February 1900, which did not
//! exist. Without a correction, dates before it are off by one day.

use super::civil::{date, day_number};
use crate::Bug;

/// The number of the day that does not exist.
const PHANTOM: u16 = 60;

pub fn holds(bug: Bug, serial: &u16) -> Option<bool> {
    if *serial == 0 || *serial == PHANTOM {
        return None;
    }
    let (year, month, day) = from_serial(bug, *serial);
    Some(to_serial(year, month, day) == i32::from(*serial))
}

pub fn witness() -> (u16,) {
    (1,)
}

fn from_serial(bug: Bug, serial: u16) -> (i32, u32, u32) {
    let early = bug == Bug::Fixed && serial < PHANTOM;
    date(day_number(1899, 12, 30) + i32::from(serial) + i32::from(early))
}

fn to_serial(year: i32, month: u32, day: u32) -> i32 {
    let serial = day_number(year, month, day) - day_number(1899, 12, 31);
    if serial < i32::from(PHANTOM) { serial } else { serial + 1 }
}
