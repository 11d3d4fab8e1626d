//! `croner` (pull request 25): `1W`, the weekday nearest to the first of the month, was in the month before where the first
//! is a Saturday.

use super::civil::{date, day_number, month_length, weekday};
use crate::Bug;

pub fn holds(bug: Bug, month: &u16, day: &u8) -> Option<bool> {
    let (year, month) = (1970 + i32::from(month / 12), u32::from(month % 12) + 1);
    let day = u32::from(day % 31) + 1;
    if day > month_length(year, month) {
        return None;
    }
    let near = nearest(bug, year, month, day);
    Some((1..=5).contains(&weekday(near)) && date(near).1 == month)
}

pub fn witness() -> (u16, u8) {
    // August 1970 began with a Saturday.
    (7, 0)
}

fn nearest(bug: Bug, year: i32, month: u32, day: u32) -> i32 {
    let wanted = day_number(year, month, day);
    match weekday(wanted) {
        6 if day == 1 && bug == Bug::Fixed => wanted + 2,
        6 => wanted - 1,
        0 if day == month_length(year, month) => wanted - 2,
        0 => wanted + 1,
        _ => wanted,
    }
}
