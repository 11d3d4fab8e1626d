//! Dates and times: conversions agree with their inverses, and with counting days.

mod civil;

crate::tasks! {
    "dates";
    am_pm_twelve(minute: u16);
    cron_sunday(month: u16, weekday: u8, nth: u8);
    duration_sign(millis: i64);
    excel_serial(serial: u16);
    iso_last_week(year: u16, weekday: u8);
    leap_century(year: u16, month: u8);
    millis_carry(micros: u32);
    millis_padding(millis: u32);
    months_clipped(day: u16, months: u8);
    nearest_weekday(month: u16, day: u8);
    offset_sign(minutes: i16);
    timestamp_millis(millis: i64);
    timestamp_whole_second(millis: i32);
}
