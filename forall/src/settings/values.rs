//! Values of settings: durations, amounts of memory.

use std::time::Duration;

/// A duration for a setting: a `Duration`, or a string such as `"200ms"`, `"30s"`, `"5m"`, `"1h"`.
///
/// ```
/// use forall::run::Time;
/// use std::time::Duration;
/// assert_eq!("1.5s".parse::<Time>().unwrap().0, Duration::from_millis(1500));
/// assert!("soon".parse::<Time>().unwrap_err().contains("200ms"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Time(pub Duration);

/// A type that a setting accepts as a duration: a `Duration`, a [`Time`], or a string that parses as one.
///
/// ```
/// use forall::run::IntoTime;
/// use std::time::Duration;
/// assert_eq!("200ms".into_time(), Ok(Duration::from_millis(200)));
/// assert!("soon".into_time().is_err());
/// ```
pub trait IntoTime {
    /// Returns the duration, or what to write instead.
    #[doc(hidden)]
    fn into_time(self) -> Result<Duration, String>;
}

impl IntoTime for Duration {
    fn into_time(self) -> Result<Duration, String> {
        Ok(self)
    }
}

impl IntoTime for Time {
    fn into_time(self) -> Result<Duration, String> {
        Ok(self.0)
    }
}

impl IntoTime for &str {
    fn into_time(self) -> Result<Duration, String> {
        self.parse::<Time>().map(|time| time.0)
    }
}

/// An amount of memory for a setting: a string such as `"64KB"`, `"512MB"`, `"2GiB"`.
///
/// ```
/// use forall::run::Bytes;
/// assert_eq!("64KB".parse::<Bytes>().unwrap().0, 64_000);
/// assert_eq!("1.5GiB".parse::<Bytes>().unwrap().0, 3 << 29);
/// assert!("much".parse::<Bytes>().unwrap_err().contains("512MB"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Bytes(pub u64);

/// A type that a setting accepts as an amount of memory: a number of bytes, [`Bytes`], or a string that parses as one.
///
/// ```
/// use forall::run::IntoBytes;
/// assert_eq!("512MB".into_bytes(), Ok(512_000_000));
/// assert_eq!(4096u64.into_bytes(), Ok(4096));
/// ```
pub trait IntoBytes {
    /// Returns the number of bytes, or what to write instead.
    #[doc(hidden)]
    fn into_bytes(self) -> Result<u64, String>;
}

impl IntoBytes for u64 {
    fn into_bytes(self) -> Result<u64, String> {
        Ok(self)
    }
}

impl IntoBytes for Bytes {
    fn into_bytes(self) -> Result<u64, String> {
        Ok(self.0)
    }
}

impl IntoBytes for &str {
    fn into_bytes(self) -> Result<u64, String> {
        self.parse::<Bytes>().map(|bytes| bytes.0)
    }
}
