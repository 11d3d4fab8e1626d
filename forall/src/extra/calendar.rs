//! Dates and times of the Gregorian calendar.

use crate::choice::Source;
use crate::generate::{GeneratorExt, calendar, from_fn};
use std::fmt;

/// A valid date of the calendar. Its `Display` is ISO 8601.
///
/// ```
/// use forall::extra::Date;
/// assert_eq!(Date { year: 2024, month: 2, day: 29 }.to_string(), "2024-02-29");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// 1 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to the last day of the month.
    pub day: u8,
}

impl Date {
    /// Returns the number of days in a month.
    ///
    /// ```
    /// use forall::extra::Date;
    /// assert_eq!([2000, 1900, 2024, 2023].map(|year| Date::days_of(year, 2)), [29, 28, 29, 28]);
    /// ```
    #[doc(hidden)]
    #[inline]
    pub fn days_of(year: u16, month: u8) -> u8 {
        calendar::days_of(year, month)
    }
}

impl fmt::Display for Date {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Returns a generator of dates from the year 1 to 9999: mostly of our time, often the ends of months and years, leap
/// days, and days where counters begin or overflow. The simplest is 2000-01-01.
///
/// ```
/// use forall::{choice::Source, extra::{Date, date}};
/// let Date { year, month, day } = Source::random(1, 0, 100).draw(date());
/// assert!((1..=Date::days_of(year, month)).contains(&day));
/// ```
pub fn date() -> impl GeneratorExt<Value = Date> + Copy {
    from_fn(|source: &mut Source| {
        let (year, month, day) = calendar::day(source, 2000);
        Date { year, month, day }
    })
}

/// A date and time with an offset from UTC. Its `Display` is RFC 3339.
///
/// ```
/// use forall::extra::{Date, DateTime};
/// let date = Date { year: 1999, month: 12, day: 31 };
/// let last = DateTime { date, hour: 23, minute: 59, second: 59, nanosecond: 500_000_000, offset: -90 };
/// assert_eq!(last.to_string(), "1999-12-31T23:59:59.500000000-01:30");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// The date.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// Below a billion.
    pub nanosecond: u32,
    /// The offset in minutes east of UTC, below a day.
    pub offset: i16,
}

impl fmt::Display for DateTime {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, hour, minute, second, nanosecond, offset } = self;
        write!(f, "{date}T{hour:02}:{minute:02}:{second:02}")?;
        if *nanosecond != 0 {
            write!(f, ".{nanosecond:09}")?;
        }
        match offset {
            0 => f.write_str("Z"),
            _ => {
                let (sign, distance) = (if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
                write!(f, "{sign}{:02}:{:02}", distance / 60, distance % 60)
            }
        }
    }
}

/// Returns a generator of times on a [`date`], in UTC or with an offset that some place on earth has.
///
/// ```
/// use forall::{choice::Source, extra::date_time};
/// let time = Source::random(1, 0, 100).draw(date_time());
/// assert!(time.hour < 24 && time.offset.abs() <= 14 * 60);
/// ```
pub fn date_time() -> impl GeneratorExt<Value = DateTime> + Copy {
    from_fn(|source: &mut Source| DateTime {
        date: source.draw(date()),
        hour: source.draw(0..24u8),
        minute: source.draw(0..60u8),
        second: source.draw(0..60u8),
        nanosecond: if source.choice(3) == 3 { source.draw(0..1_000_000_000u32) } else { 0 },
        // In quarters of an hour.
        offset: if source.choice(1) == 1 { 15 * source.draw(-48..=56i16) } else { 0 },
    })
}
