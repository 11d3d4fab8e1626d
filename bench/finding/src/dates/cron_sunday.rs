//! `croner` 2.0.7 (issue 13): the second Sunday was found as `0#2`, but never as `7#2`, though 7 is Sunday as well.

use super::civil::{date, day_number, month_length, weekday};
use crate::Bug;

pub fn holds(bug: Bug, month: &u16, day_of_week: &u8, nth: &u8) -> Option<bool> {
    let (year, month) = (1970 + i32::from(month / 12), u32::from(month % 12) + 1);
    let (day_of_week, nth) = (u32::from(day_of_week % 8), u32::from(nth % 5) + 1);
    let days = (1..=month_length(year, month)).map(|day| day_number(year, month, day));
    let found = days.clone().find(|day| matches(bug, *day, day_of_week, nth));
    let expected = days.filter(|day| weekday(*day) == day_of_week % 7).nth(nth as usize - 1);
    Some(found == expected)
}

pub fn witness() -> (u16, u8, u8) {
    (0, 7, 1)
}

fn matches(bug: Bug, day: i32, day_of_week: u32, nth: u32) -> bool {
    let sunday = bug == Bug::Fixed && day_of_week == 7;
    let wanted = if sunday { 0 } else { day_of_week };
    weekday(day) == wanted && (date(day).2 - 1) / 7 + 1 == nth
}
