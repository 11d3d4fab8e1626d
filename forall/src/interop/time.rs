//! `time`.

use super::by_parts::{by_parts, code_of};
use crate::choice::Source;
use crate::generate::{Arbitrary, Code, calendar};
use ::time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset, Weekday};

/// The day of the epoch, as `time` counts days.
const EPOCH: i32 = 2_440_588;
/// The years 1 to 9999, as days from the epoch.
const DAYS: std::ops::RangeInclusive<i32> = -719_162..=2_932_896;

fn of_days(days: i32) -> Option<Date> {
    Date::from_julian_day(days + EPOCH).ok()
}

fn of_midnight((seconds, nanoseconds): (u32, u32)) -> Option<Time> {
    let (hours, minutes) = (u8::try_from(seconds / 3600).ok()?, (seconds / 60 % 60) as u8);
    Time::from_hms_nano(hours, minutes, (seconds % 60) as u8, nanoseconds).ok()
}

fn from_midnight(time: Time) -> (u32, u32) {
    let (hours, minutes, seconds, nanoseconds) = time.as_hms_nano();
    (u32::from(hours) * 3600 + u32::from(minutes) * 60 + u32::from(seconds), nanoseconds)
}

by_parts! {
    // From the year 1 to 9999, to the epoch; often leap days and the ends of months.
    Date: |source| {
            let (year, month, day) = calendar::day(source, 1970);
            let month = Month::try_from(month).unwrap_or(Month::January);
            Date::from_calendar_date(year.into(), month, day).unwrap_or(Date::MIN)
        },
        |date| date.to_julian_day() - EPOCH,
        |days: i32| of_days(days).filter(|_| DAYS.contains(&days)),
        format!(
            "time::Date::from_calendar_date({}, time::Month::{:?}, {}).unwrap()",
            date.year(),
            date.month(),
            date.day()
        );
    // Half of them without a fraction of a second.
    Time: |source| {
            let seconds = source.draw(0..86_400u32);
            let nanoseconds = if source.choice(1) == 1 { source.draw(0..1_000_000_000u32) } else { 0 };
            of_midnight((seconds, nanoseconds)).unwrap_or(Time::MIDNIGHT)
        },
        |time| from_midnight(*time),
        of_midnight,
        {
            let (hours, minutes, seconds, nanoseconds) = time.as_hms_nano();
            format!("time::Time::from_hms_nano({hours}, {minutes}, {seconds}, {nanoseconds}).unwrap()")
        };
    PrimitiveDateTime: |source| PrimitiveDateTime::new(Date::arbitrary(source), Time::arbitrary(source)),
        |time| (time.date(), time.time()),
        |(date, time): (Date, Time)| Some(PrimitiveDateTime::new(date, time)),
        format!("time::PrimitiveDateTime::new({}, {})", code_of(&time.date()), code_of(&time.time()));
    // In quarters of an hour, to UTC.
    UtcOffset: |source| UtcOffset::from_whole_seconds(900 * source.draw(-48..=56i32)).unwrap_or(UtcOffset::UTC),
        |offset| offset.whole_seconds(),
        |seconds: i32| UtcOffset::from_whole_seconds(seconds).ok(),
        format!("time::UtcOffset::from_whole_seconds({}).unwrap()", offset.whole_seconds());
    // Half of them in UTC.
    OffsetDateTime: |source| {
            let time = PrimitiveDateTime::arbitrary(source);
            let offset = if source.choice(1) == 1 { UtcOffset::arbitrary(source) } else { UtcOffset::UTC };
            time.assume_offset(offset)
        },
        |time| (PrimitiveDateTime::new(time.date(), time.time()), time.offset()),
        |(time, offset): (PrimitiveDateTime, UtcOffset)| Some(time.assume_offset(offset)),
        format!(
            "{}.assume_offset({})",
            code_of(&PrimitiveDateTime::new(time.date(), time.time())),
            code_of(&time.offset())
        );
    // To Monday.
    Weekday: |source| Weekday::Monday.nth_next(source.draw(0..7u8)),
        |day| day.number_days_from_monday(),
        |days: u8| (days < 7).then(|| Weekday::Monday.nth_next(days)),
        format!("time::Weekday::{day:?}");
    // To January.
    Month: |source| Month::try_from(source.draw(1..=12u8)).unwrap_or(Month::January),
        |month| u8::from(*month),
        |number: u8| Month::try_from(number).ok(),
        format!("time::Month::{month:?}");
    Duration: |source| Duration::milliseconds(i64::arbitrary(source)),
        |duration| i64::try_from(duration.whole_milliseconds()).unwrap_or(0),
        |milliseconds: i64| Some(Duration::milliseconds(milliseconds)),
        format!("time::Duration::milliseconds({})", duration.whole_milliseconds());
}
