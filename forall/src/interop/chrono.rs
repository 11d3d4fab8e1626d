//! `chrono`.

use super::by_parts::{by_parts, code_of};
use crate::choice::Source;
use crate::generate::{Arbitrary, Code, calendar};
use ::chrono::{
    DateTime, Datelike, FixedOffset, Month, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, Timelike, Utc,
    Weekday,
};

/// Days from the epoch to a date, and back: numbers shrink well.
const EPOCH: i32 = 719_163;
/// The years 1 to 9999, as days from the epoch.
const DAYS: std::ops::RangeInclusive<i32> = -719_162..=2_932_896;

fn of_days(days: i32) -> NaiveDate {
    NaiveDate::from_num_days_from_ce_opt(days + EPOCH).unwrap_or_default()
}

by_parts! {
    // From the year 1 to 9999, to the epoch; often leap days and the ends of months.
    NaiveDate: |source| {
            let (year, month, day) = calendar::day(source, 1970);
            NaiveDate::from_ymd_opt(year.into(), month.into(), day.into()).unwrap_or_default()
        },
        |date| date.num_days_from_ce() - EPOCH,
        |days: i32| DAYS.contains(&days).then(|| of_days(days)),
        format!("chrono::NaiveDate::from_ymd_opt({}, {}, {}).unwrap()", date.year(), date.month(), date.day());
    // Half of them without a fraction of a second.
    NaiveTime: |source| {
            let seconds = source.draw(0..86_400u32);
            let nanoseconds = if source.choice(1) == 1 { source.draw(0..1_000_000_000u32) } else { 0 };
            NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanoseconds).unwrap_or_default()
        },
        |time| (time.num_seconds_from_midnight(), time.nanosecond()),
        |(seconds, nanoseconds): (u32, u32)| NaiveTime::from_num_seconds_from_midnight_opt(seconds, nanoseconds),
        format!(
            "chrono::NaiveTime::from_num_seconds_from_midnight_opt({}, {}).unwrap()",
            time.num_seconds_from_midnight(),
            time.nanosecond()
        );
    NaiveDateTime: |source| NaiveDate::arbitrary(source).and_time(NaiveTime::arbitrary(source)),
        |time| (time.date(), time.time()),
        |(date, time): (NaiveDate, NaiveTime)| Some(date.and_time(time)),
        format!("{}.and_time({})", code_of(&time.date()), code_of(&time.time()));
    DateTime<Utc>: |source| NaiveDateTime::arbitrary(source).and_utc(),
        |time| time.naive_utc(),
        |time: NaiveDateTime| Some(time.and_utc()),
        format!("{}.and_utc()", code_of(&time.naive_utc()));
    // Half of them in UTC.
    DateTime<FixedOffset>: |source| {
            let time = NaiveDateTime::arbitrary(source);
            let offset = if source.choice(1) == 1 { FixedOffset::arbitrary(source) } else { Utc.fix() };
            DateTime::from_naive_utc_and_offset(time, offset)
        },
        |time| (time.naive_utc(), *time.offset()),
        |(time, offset): (NaiveDateTime, FixedOffset)| Some(DateTime::from_naive_utc_and_offset(time, offset)),
        format!("{}.and_utc().with_timezone(&{})", code_of(&time.naive_utc()), code_of(time.offset()));
    // To Monday.
    Weekday: |source| Weekday::try_from(source.draw(0..7u8)).unwrap_or(Weekday::Mon),
        |day| day.num_days_from_monday() as u8,
        |days: u8| Weekday::try_from(days).ok(),
        format!("chrono::Weekday::{day:?}");
    // To January.
    Month: |source| Month::try_from(source.draw(1..=12u8)).unwrap_or(Month::January),
        |month| month.number_from_month() as u8,
        |number: u8| Month::try_from(number).ok(),
        format!("chrono::Month::{month:?}");
    // In quarters of an hour, to UTC.
    FixedOffset: |source| FixedOffset::east_opt(900 * source.draw(-48..=56i32)).unwrap_or_else(|| Utc.fix()),
        |offset| offset.local_minus_utc(),
        |seconds: i32| FixedOffset::east_opt(seconds),
        format!("chrono::FixedOffset::east_opt({}).unwrap()", offset.local_minus_utc());
    TimeDelta: |source| TimeDelta::milliseconds(i64::arbitrary(source).max(-i64::MAX)),
        |delta| delta.num_milliseconds(),
        |milliseconds: i64| TimeDelta::try_milliseconds(milliseconds),
        format!("chrono::TimeDelta::milliseconds({})", delta.num_milliseconds());
}
