//! What settings are given: places, ways to shrink, lengths of time, amounts of memory.

use std::path::PathBuf;
use std::time::Duration;

/// Where local finds are kept.
///
/// ```
/// use forall::run::{Settings, Store};
/// assert_eq!(Settings::new().store, Store::Default);
/// let elsewhere = Settings::new().store(Store::Directory("target/finds".into()));
/// assert_ne!(elsewhere.store, Store::Off);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// In `.forall` beside the package's `Cargo.toml`.
    Default,
    /// In this directory.
    Directory(PathBuf),
    /// Nowhere.
    Off,
}

/// What variables with shrinkers of their own are shrunk on. All others are shrunk on choices.
///
/// A variable has a shrinker of its own by an annotation: `forall term: Term, shrink |term| …`, or `shrink Arbitrary::shrink`
/// for the one that `#[derive(Arbitrary)]` makes, which follows the structure of the type. All parameters of a test have the
/// latter under `#[forall::test(shrink_on = values)]` or `both`.
///
/// A shrinker knows nothing of the generator, and may offer values that it could not have made. What must hold of all values
/// is said by `implies`, or, if the shrinker is to keep it, by `contract`.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, ShrinkOn, Store};
///
/// // The steps of a shrinker change one number; choices can lower both.
/// let property = property! {
///     forall pair: (u32, u32) in any::<u32>().map(|n| (n, n)), shrink Arbitrary::shrink;
///     check pair.0 != pair.1 || pair.0 < 10
/// };
/// let shrunk = |on| {
///     let settings = Settings::new().seed(1).store(Store::Off).shrink_on(on);
///     let report = Run::new("pairs", &property).settings(settings).report();
///     report.counterexample.unwrap().bindings[0].printed.text().to_owned()
/// };
/// assert_ne!(shrunk(ShrinkOn::Values), "(10, 10)");
/// assert_eq!(shrunk(ShrinkOn::Choices), "(10, 10)");
/// assert_eq!(shrunk(ShrinkOn::Both), "(10, 10)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShrinkOn {
    /// The choices that generators make, as if there were no shrinkers.
    Choices,
    /// Values, by the shrinkers alone.
    #[default]
    Values,
    /// Both: values first, then choices, and the other way round; the smaller end stands. For when smaller choices do not
    /// make a smaller value and shrinkers alone get stuck. Takes more evaluations.
    Both,
}

impl std::str::FromStr for ShrinkOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "choices" => Ok(Self::Choices),
            "values" => Ok(Self::Values),
            "both" => Ok(Self::Both),
            _ => Err(format!("`{text}` is nothing to shrink on: write choices, values or both")),
        }
    }
}

/// A length of time for a setting: a `Duration`, or a text such as `"200ms"`, `"30s"`, `"5m"`, `"1h"`.
///
/// ```
/// use forall::run::Time;
/// use std::time::Duration;
/// assert_eq!("1.5s".parse::<Time>().unwrap().0, Duration::from_millis(1500));
/// assert!("soon".parse::<Time>().unwrap_err().contains("200ms"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

/// What a setting takes as a length of time: a `Duration`, a [`Time`], or a text that is one.
///
/// ```
/// use forall::run::IntoTime;
/// use std::time::Duration;
/// assert_eq!("200ms".into_time(), Ok(Duration::from_millis(200)));
/// assert!("soon".into_time().is_err());
/// ```
pub trait IntoTime {
    /// The length of time, or what to write instead.
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

/// An amount of memory for a setting: a text such as `"64KB"`, `"512MB"`, `"2GiB"`.
///
/// ```
/// use forall::run::Bytes;
/// assert_eq!("64KB".parse::<Bytes>().unwrap().0, 64_000);
/// assert_eq!("1.5GiB".parse::<Bytes>().unwrap().0, 3 << 29);
/// assert!("much".parse::<Bytes>().unwrap_err().contains("512MB"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

/// What a setting takes as an amount of memory: a number of bytes, [`Bytes`], or a text that is one.
///
/// ```
/// use forall::run::IntoBytes;
/// assert_eq!("512MB".into_bytes(), Ok(512_000_000));
/// assert_eq!(4096u64.into_bytes(), Ok(4096));
/// ```
pub trait IntoBytes {
    /// How many bytes, or what to write instead.
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
