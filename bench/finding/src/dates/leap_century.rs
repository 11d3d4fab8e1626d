//! `OpenLoco` (issue 2458), and many before: 1900 had a 29 February, because the exception for centuries was missing.

use super::civil::month_length;
use crate::Bug;

pub fn holds(bug: Bug, year: &u16, month: &u8) -> Option<bool> {
    let (year, month) = (i32::from(*year), u32::from(month % 12) + 1);
    Some(days(bug, year, month) == month_length(year, month))
}

pub fn witness() -> (u16, u8) {
    (1900, 1)
}

fn days(bug: Bug, year: i32, month: u32) -> u32 {
    let leap = match bug {
        Bug::Present => year % 4 == 0,
        Bug::Fixed => year % 4 == 0 && (year % 100 != 0 || year % 400 == 0),
    };
    match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
