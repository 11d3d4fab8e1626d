//! Days of the Gregorian calendar, for `extra` and the interop crates.

use super::range::{decode, encode};
use crate::choice::{Random, Source};

/// The number of days of a month.
pub(crate) fn days_of(year: u16, month: u8) -> u8 {
    let leaps = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + u8::from(leaps),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const LAST_YEAR: u16 = 9999;

/// Special years: those relevant to leap-year rules, those in which counters start or overflow, and the first and last
/// year.
const NOTABLE: [u16; 16] =
    [2000, 2024, 1900, 2100, 1600, 4, 400, 9996, 1970, 1969, 1999, 2001, 2038, 1904, 1, LAST_YEAR];

/// A day from the year 1 to 9999: year, month and day. Half are in the computer age; ends of months and years, and leap
/// days, are frequent. The simplest is the first of January of the year `simplest`.
pub(crate) fn day(source: &mut Source, simplest: u16) -> (u16, u8, u8) {
    let (span, simplest) = (u128::from(LAST_YEAR - 1), u128::from(simplest - 1));
    let code = source.choice_with(span as u64, |random, _| encode(u128::from(year(random)) - 1, span, simplest) as u64);
    let year = 1 + decode(u128::from(code), span, simplest) as u16;
    let month = 1 + source.choice_with(11, |random, _| month(random)) as u8;
    let last = u64::from(days_of(year, month)) - 1;
    (year, month, 1 + source.choice_with(last, |random, _| day_of_month(random, last)) as u8)
}

fn year(random: &mut Random) -> u16 {
    let draw = random.draw();
    match draw.selector & 3 {
        0 => NOTABLE[(draw.word % NOTABLE.len() as u64) as usize],
        1 => 1 + random.up_to(u64::from(LAST_YEAR) - 1) as u16,
        _ => 1900 + random.up_to(199) as u16,
    }
}

/// The month, counted from 0.
fn month(random: &mut Random) -> u64 {
    match random.draw().selector & 7 {
        0 | 1 => 1,
        2 => 11,
        _ => random.up_to(11),
    }
}

/// The day of the month, counted from 0.
fn day_of_month(random: &mut Random, last: u64) -> u64 {
    match random.draw().selector & 7 {
        0 | 1 => last,
        2 => 0,
        _ => random.up_to(last),
    }
}
