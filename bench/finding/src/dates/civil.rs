//! The Gregorian calendar, shared by the tasks: days are counted from 1970-01-01.

/// Returns the number of a day.
pub fn day_number(year: i32, month: u32, day: u32) -> i32 {
    // Years that begin in March end with their leap day.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month as i32 * 153 + 2) / 5 + day as i32 - 719_469
}

/// Returns year, month and day.
pub fn date(day: i32) -> (i32, u32, u32) {
    // A lower bound of the year: years after 1970 count as long, years before as short.
    let mut year = 1970 + day.div_euclid(if day < 0 { 365 } else { 366 });
    while day_number(year + 1, 1, 1) <= day {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && day_number(year, month + 1, 1) <= day {
        month += 1;
    }
    (year, month, (day - day_number(year, month, 1)) as u32 + 1)
}

/// Returns the number of days in a month.
pub fn month_length(year: i32, month: u32) -> u32 {
    let next = if month == 12 { day_number(year + 1, 1, 1) } else { day_number(year, month + 1, 1) };
    (next - day_number(year, month, 1)) as u32
}

/// Returns the day of the week: 0 is Sunday.
pub fn weekday(day: i32) -> u32 {
    (day + 4).rem_euclid(7) as u32
}
