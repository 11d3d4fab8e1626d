//! Settings from the environment: the one place that reads `FORALL_*`.

use super::{Identity, Schedule, Settings, Store, Time};
use crate::hash::Fnv;
use crate::report::advice;
use crate::store::Places;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

impl Settings {
    /// These settings with what the environment says on top.
    ///
    /// ```
    /// use forall::run::Settings;
    /// let environment = |name: &str| (name == "FORALL_TESTS").then(|| "x10".to_owned());
    /// assert_eq!(Settings::new().with_environment(environment).unwrap().tests, 2560);
    /// let environment = |name: &str| (name == "FORALL_SEED").then(|| "banana".to_owned());
    /// assert!(Settings::new().with_environment(environment).unwrap_err().contains("FORALL_SEED=banana"));
    /// ```
    pub fn with_environment(mut self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(value) = get("FORALL_TESTS") {
            self.tests = match value.strip_prefix(['x', 'X']) {
                Some(factor) => self.tests.saturating_mul(number("FORALL_TESTS", factor, &value, "1000 or x10")?),
                None => number("FORALL_TESTS", &value, &value, "1000 or x10")?,
            };
        }
        if let Some(value) = get("FORALL_SEED") {
            self.seed = Some(seed(&value)?);
        }
        if let Some(value) = get("FORALL_SIZE") {
            self.size = Schedule::Constant(number("FORALL_SIZE", &value, &value, "50")?);
        }
        if let Some(value) = get("FORALL_DISCARD_RATIO") {
            self.discard_ratio = number("FORALL_DISCARD_RATIO", &value, &value, "50")?;
        }
        if let Some(value) = get("FORALL_SHRINK_EVALUATIONS") {
            self.shrink_evaluations = number("FORALL_SHRINK_EVALUATIONS", &value, &value, "10000")?;
        }
        if let Some(value) = get("FORALL_THREADS") {
            self.threads = number("FORALL_THREADS", &value, &value, "4")?;
        }
        if let Some(value) = get("FORALL_TIME") {
            self.time = Some(time("FORALL_TIME", &value)?);
        }
        if let Some(value) = get("FORALL_DEADLINE") {
            self.deadline = Some(time("FORALL_DEADLINE", &value)?);
        }
        if let Some(value) = get("FORALL_SHRINK_TIME") {
            self.shrink_time = time("FORALL_SHRINK_TIME", &value)?;
        }
        if let Some(value) = get("FORALL_TIMEOUT") {
            self.timeout = Some(time("FORALL_TIMEOUT", &value)?);
        }
        if let Some(value) = get("FORALL_EXHAUSTIVE") {
            self.exhaustive = switch("FORALL_EXHAUSTIVE", &value)?;
        }
        if let Some(value) = get("FORALL_ISOLATE") {
            self.isolate = switch("FORALL_ISOLATE", &value)?;
        }
        if let Some(value) = get("FORALL_READ_ONLY") {
            self.read_only = switch("FORALL_READ_ONLY", &value)?;
        }
        if let Some(value) = get("FORALL_VERBOSE") {
            self.verbose = switch("FORALL_VERBOSE", &value)?;
        }
        if let Some(value) = get("FORALL_RUNNER") {
            self.runner = value;
        }
        if let Some(value) = get("FORALL_STORE") {
            self.store = match value.as_str() {
                "off" | "0" => Store::Off,
                path => Store::Directory(PathBuf::from(path)),
            };
        }
        Ok(self)
    }

    /// The seed of a run of the property called `name`.
    pub(super) fn seed_for(&self, name: &str, variable: impl Fn(&str) -> Option<String>) -> u64 {
        let ci = variable("CI").is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
        self.seed.unwrap_or_else(|| if ci { Fnv::of(name) } else { RandomState::new().hash_one(name) })
    }
}

/// A variable of this process.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The directory that the property's store is in.
pub(super) fn package_directory(identity: &Identity) -> PathBuf {
    let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR");
    Places::package_directory(at_run_time.as_deref(), identity.package_directory)
}

impl std::str::FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is no length of time: write 200ms, 30s, 5m or 1h");
        let unit = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(expected)?;
        let seconds = match &text[unit..] {
            "us" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(expected()),
        };
        let amount: f64 = text[..unit].trim().parse().map_err(|_| expected())?;
        Duration::try_from_secs_f64(amount * seconds).map(Time).map_err(|_| expected())
    }
}

impl From<&str> for Time {
    /// Texts that are no length of time count as none at all; the macros refuse them at compile time.
    fn from(text: &str) -> Self {
        text.parse().unwrap_or(Time(Duration::ZERO))
    }
}

fn number<T: std::str::FromStr>(name: &str, digits: &str, value: &str, example: &str) -> Result<T, String> {
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    plain.parse().map_err(|_| advice::setting_does_not_parse(name, value, &format!("a number, such as `{example}`")))
}

fn seed(value: &str) -> Result<u64, String> {
    let plain: String = value.trim().chars().filter(|&c| c != '_').collect();
    let parsed = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    parsed.map_err(|_| advice::seed_does_not_parse(value))
}

fn time(name: &str, value: &str) -> Result<Duration, String> {
    let expected = "a length of time, such as `200ms`, `30s`, `5m` or `1h`";
    value.parse::<Time>().map(|time| time.0).map_err(|_| advice::setting_does_not_parse(name, value, expected))
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "1" | "true" | "on" | "yes" => Ok(true),
        "0" | "false" | "off" | "no" => Ok(false),
        _ => Err(advice::setting_does_not_parse(name, value, "`1` or `0`")),
    }
}
