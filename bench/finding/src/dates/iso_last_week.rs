//! The C++ library `date` (issue 256): the Monday of the last ISO week of 2015 was in 2016. In this model, the search
//! goes forward from the last Thursday.

use super::civil::{date, day_number, weekday};
use crate::Bug;

pub fn holds(bug: Bug, year: &u16, day_of_week: &u8) -> Option<bool> {
    let (year, day_of_week) = (i32::from(*year), u32::from(day_of_week % 7));
    let day = in_last_week(bug, year, day_of_week);
    // A week belongs to the year of its Thursday.
    let thursday = |day: i32| day + 3 - (weekday(day) as i32 + 6) % 7;
    let (this, next) = (date(thursday(day)).0, date(thursday(day + 7)).0);
    Some(weekday(day) == day_of_week && this == year && next == year + 1)
}

pub fn witness() -> (u16, u8) {
    (2015, 1)
}

fn in_last_week(bug: Bug, year: i32, day_of_week: u32) -> i32 {
    let last = day_number(year, 12, 31);
    let thursday = last - (weekday(last) as i32 + 3) % 7;
    match (bug, day_of_week) {
        (Bug::Present, 1) => thursday + 4,
        (_, 0) => thursday + 3,
        _ => thursday + day_of_week as i32 - 4,
    }
}
