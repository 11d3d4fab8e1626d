//! `fuzzydate` (pull request 9): adding a month to 31 January panicked, since the code assumed that the next month has
//! the same day.

use super::civil::{date, day_number, month_length};
use crate::Bug;

pub fn holds(bug: Bug, day: &u16, months: &u8) -> Option<bool> {
    let (year, month, _) = date(i32::from(*day));
    let (later_year, later_month, _) = date(later(bug, i32::from(*day), u32::from(*months)));
    let passed = (later_year - year) * 12 + later_month as i32 - month as i32;
    Some(passed == i32::from(*months))
}

pub fn witness() -> (u16, u8) {
    (30, 1)
}

fn later(bug: Bug, day: i32, months: u32) -> i32 {
    let (year, month, day) = date(day);
    let month = month - 1 + months;
    let (year, month) = (year + (month / 12) as i32, month % 12 + 1);
    let length = month_length(year, month);
    let day = if bug == Bug::Fixed { day.min(length) } else { day };
    assert!(day <= length, "a day of the month");
    day_number(year, month, day)
}
