//! Properties of humantime: durations and timestamps round-trip through their text, and other texts are rejected.

use humantime::{
    format_duration, format_rfc3339, format_rfc3339_micros, format_rfc3339_millis, format_rfc3339_nanos,
    format_rfc3339_seconds, parse_duration, parse_rfc3339, parse_rfc3339_weak,
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The first second of the year 10000, which has no timestamp.
const END: u64 = 253_402_300_800;

fn at(seconds: u64, nanos: u32) -> SystemTime {
    UNIX_EPOCH + Duration::new(seconds % END, nanos % 1_000_000_000)
}

/// The units, with their lengths in nanoseconds.
const UNITS: [(&str, u64); 12] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("sec", 1_000_000_000),
    ("m", 60_000_000_000),
    ("minutes", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("hours", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
    ("w", 604_800_000_000_000),
    ("y", 31_557_600_000_000_000),
];

/// Returns the date of a day, from the first of January 1970, by counting.
fn date(mut day: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    for (month, length) in
        [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate()
    {
        if day < length {
            return (year, month as u64 + 1, day + 1);
        }
        day -= length;
    }
    unreachable!("a year has 365 or 366 days")
}

crate::properties! {
    fn a_duration_is_parsed_as_it_is_printed(seconds: u64, nanos: u32) {
        let duration = Duration::new(seconds / 2, nanos % 1_000_000_000);
        assert_eq!(parse_duration(&format_duration(duration).to_string()).unwrap(), duration);
    }

    fn short_durations_are_parsed_as_they_are_printed(seconds: u32, nanos: u32) {
        let duration = Duration::new(seconds.into(), nanos % 1_000_000_000);
        assert_eq!(parse_duration(&format_duration(duration).to_string()).unwrap(), duration);
    }

    fn units_have_their_lengths(number: u16, unit: u8) {
        let (name, nanos) = UNITS[usize::from(unit) % UNITS.len()];
        let number = u64::from(number) % 500;
        assert_eq!(parse_duration(&format!("{number}{name}")).unwrap(), Duration::from_nanos(number * nanos));
        assert_eq!(parse_duration(&format!("{number} {name}")).unwrap(), Duration::from_nanos(number * nanos));
    }

    fn parts_of_a_duration_are_added(hours: u8, minutes: u8, seconds: u8) {
        let text = format!("{hours}h {minutes}min{seconds}s");
        let expected = u64::from(hours) * 3600 + u64::from(minutes) * 60 + u64::from(seconds);
        assert_eq!(parse_duration(&text).unwrap(), Duration::from_secs(expected));
    }

    fn a_printed_duration_has_its_largest_units_first(days: u8, hours: u8, minutes: u8) {
        let (days, hours, minutes) = (u64::from(days % 29) + 1, u64::from(hours % 23) + 1, u64::from(minutes % 59) + 1);
        let text = format_duration(Duration::from_secs(days * 86_400 + hours * 3600 + minutes * 60)).to_string();
        let plural = if days == 1 { "" } else { "s" };
        assert_eq!(text, format!("{days}day{plural} {hours}h {minutes}m"));
        assert_eq!(format_duration(Duration::ZERO).to_string(), "0s");
    }

    fn a_number_without_a_unit_is_an_error(number: u32) {
        assert!(parse_duration(&number.to_string()).is_err() || number == 0);
        assert!(parse_duration("").is_err() && parse_duration("s").is_err());
    }

    fn an_unknown_unit_is_an_error(number: u8, unit: u8) {
        let letter = char::from(b'a' + unit % 26);
        assert!(parse_duration(&format!("{number}{letter}q")).is_err());
    }

    fn durations_that_do_not_fit_are_errors(more: u32) {
        let text = format!("{}s", u128::from(u64::MAX) + 1 + u128::from(more));
        assert!(parse_duration(&text).is_err());
        assert!(parse_duration(&format!("{}y", u64::MAX - u64::from(more))).is_err());
    }

    fn parsing_any_text_does_not_panic(text: String) {
        let _ = (parse_duration(&text), parse_rfc3339(&text), parse_rfc3339_weak(&text));
    }

    fn a_timestamp_is_parsed_as_it_is_printed(seconds: u64, nanos: u32) {
        let time = at(seconds, nanos);
        assert_eq!(parse_rfc3339(&format_rfc3339(time).to_string()).unwrap(), time);
        assert_eq!(parse_rfc3339(&format_rfc3339_nanos(time).to_string()).unwrap(), time);
    }

    fn shorter_timestamps_leave_out_digits(seconds: u64, nanos: u32) {
        let whole = format_rfc3339_nanos(at(seconds, nanos)).to_string();
        assert_eq!(format_rfc3339_seconds(at(seconds, nanos)).to_string(), format!("{}Z", &whole[..19]));
        assert_eq!(format_rfc3339_millis(at(seconds, nanos)).to_string(), format!("{}Z", &whole[..23]));
        assert_eq!(format_rfc3339_micros(at(seconds, nanos)).to_string(), format!("{}Z", &whole[..26]));
    }

    fn a_timestamp_has_the_date_of_its_day(day: u32, second: u32) {
        let (day, second) = (u64::from(day) % (END / 86_400), u64::from(second) % 86_400);
        let (year, month, date) = date(day);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let expected = format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z");
        let time = UNIX_EPOCH + Duration::from_secs(day * 86_400 + hour * 3600 + minute * 60 + second);
        assert_eq!(format_rfc3339(time).to_string(), expected);
        assert_eq!(parse_rfc3339(&expected).unwrap(), time);
    }

    fn weak_timestamps_may_have_a_space_and_no_zone(seconds: u64) {
        let text = format_rfc3339_seconds(at(seconds, 0)).to_string();
        let weak = text.replace('T', " ").replace('Z', "");
        assert_eq!(parse_rfc3339_weak(&weak).unwrap(), at(seconds, 0));
        assert_eq!(parse_rfc3339_weak(&text).unwrap(), at(seconds, 0));
        assert!(parse_rfc3339(&weak).is_err());
    }

    fn days_that_no_month_has_are_errors(year: u16, month: u8, day: u8) {
        let (year, month, day) = (1970 + year % 100, month % 20, day % 40);
        let result = parse_rfc3339(&format!("{year}-{month:02}-{day:02}T00:00:00Z"));
        let leap = u8::from(year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)));
        let last = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + leap,
            _ => 0,
        };
        assert_eq!(result.is_ok(), day >= 1 && day <= last, "{year}-{month}-{day}");
    }

    fn times_that_no_day_has_are_errors(hour: u8, minute: u8, second: u8) {
        let (hour, minute, second) = (hour % 30, minute % 70, second % 70);
        let result = parse_rfc3339(&format!("2000-01-01T{hour:02}:{minute:02}:{second:02}Z"));
        // Second 60 is a leap second.
        assert_eq!(result.is_ok(), hour < 24 && minute < 60 && second <= 60);
    }

    fn fractions_of_a_second_have_any_number_of_digits(digits: u32, length: u8) {
        let text = &format!("{digits:09}")[..usize::from(length % 9) + 1];
        let nanos: u32 = format!("{text:0<9}").parse().unwrap();
        let parsed = parse_rfc3339(&format!("2018-02-14T00:28:07.{text}Z")).unwrap();
        assert_eq!(parsed, UNIX_EPOCH + Duration::new(1_518_568_087, nanos));
    }

    fn other_characters_in_a_timestamp_are_errors(place: u8, other: char) {
        let mut text: Vec<char> = "2018-02-14T00:28:07Z".chars().collect();
        let place = usize::from(place) % text.len();
        if !other.is_ascii_digit() && text[place] != other {
            text[place] = other;
            assert!(parse_rfc3339(&text.into_iter().collect::<String>()).is_err());
        }
    }
}
