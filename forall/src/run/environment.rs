//! Settings from the environment. Only this module reads them, except `FORALL_OBSERVE` and `FORALL_LITERALS`. Variables
//! that tools set for a test program are read where they are used (`docs/design/files.md`).

use super::{Bytes, Identity, Schedule, Settings, Store, Time};
use crate::fact::Fact;
use crate::hash::Fnv;
use crate::kind::Kind;
use crate::settings::DESK_TIME;
use crate::store::Places;
use crate::testing::MOST_BESIDE;
use crate::within;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

impl Settings {
    /// Overrides the settings with those of the environment.
    ///
    /// ```
    /// use forall::run::Settings;
    /// let environment = |name: &str| (name == "FORALL_TESTS").then(|| "x10".to_owned());
    /// assert_eq!(Settings::new().with_environment(environment).unwrap().tests, 2560);
    /// let environment = |name: &str| (name == "FORALL_SEED").then(|| "banana".to_owned());
    /// assert!(Settings::new().with_environment(environment).unwrap_err().to_string().contains("FORALL_SEED=banana"));
    /// ```
    #[doc(hidden)]
    pub fn with_environment(mut self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, Fact> {
        self.read(&Environment { variable: &variable })?;
        Ok(self)
    }

    fn read(&mut self, environment: &Environment<'_>) -> Result<(), Fact> {
        if let Some(value) = environment.text("FORALL_TESTS") {
            self.tests_are_set = true;
            let times: Kind = |c| matches!(c, 'x' | 'X');
            let parse = |digits: &str| number("FORALL_TESTS", digits, &value, "1000` or `x10", u64::MAX);
            self.tests = match value.strip_prefix(times) {
                Some(factor) => self.tests.saturating_mul(parse(factor)?),
                None => parse(&value)?,
            };
        }
        if let Some(value) = environment.text("FORALL_SEED") {
            self.seed = Some(seed(&value)?);
        }
        if let Some(size) = environment.number("FORALL_SIZE", "50", u64::from(u32::MAX))? {
            self.size = Schedule::Constant(size as u32);
        }
        environment.set_number("FORALL_DISCARD_RATIO", "50", &mut self.discard_ratio)?;
        environment.set_number("FORALL_SHRINK_EVALUATIONS", "10000", &mut self.shrink_evaluations)?;
        if let Some(depth) = environment.number("FORALL_DEPTH", "5", u64::from(MAX_DEPTH))? {
            self.depth = Some(depth as u32);
        }
        environment.set_number("FORALL_EVALUATIONS", "1000000", &mut self.evaluations)?;
        if matches!(environment.text("FORALL_EXPLAIN"), Some(value) if value == "off") {
            self.explain = 0;
        } else {
            environment.set_number("FORALL_EXPLAIN", "5000` or `off", &mut self.explain)?;
        }
        if matches!(environment.text("FORALL_THREADS"), Some(value) if value == "all") {
            self.threads = all_threads();
        } else if let Some(threads) =
            environment.number("FORALL_THREADS", "4` or `FORALL_THREADS=all", usize::MAX as u64)?
        {
            self.threads = threads as usize;
        }
        if let Some(beside) = environment.number("FORALL_BESIDE", "4", MOST_BESIDE as u64)? {
            self.beside = beside as usize;
        }
        environment.set_switch("FORALL_HEALTH", &mut self.health)?;
        self.max_time = environment.time("FORALL_MAX_TIME")?.or(self.max_time);
        if matches!(environment.text("FORALL_EXTRA_TIME"), Some(value) if value == "off" || value == "0") {
            self.extra_time = Some(Duration::ZERO);
        } else {
            let expected = "a duration, such as `200ms`, `30s`, `5m` or `1h`, or `off`";
            self.extra_time = environment.time_or("FORALL_EXTRA_TIME", expected)?.or(self.extra_time);
        }
        self.deadline = environment.time("FORALL_DEADLINE")?.or(self.deadline);
        self.shrink_time = environment.time("FORALL_SHRINK_TIME")?.unwrap_or(self.shrink_time);
        self.timeout = environment.time("FORALL_TIMEOUT")?.or(self.timeout);
        environment.set_switch("FORALL_ENUMERATE", &mut self.enumerate)?;
        self.memory = environment.bytes("FORALL_MEMORY")?.or(self.memory);
        self.stack = environment.bytes("FORALL_STACK")?.or(self.stack);
        match environment.switch("FORALL_ISOLATE")? {
            Some(true) => self.isolate = true,
            // For a debugger: a single process, and no timeouts.
            Some(false) => (self.isolate, self.timeout, self.memory, self.stack) = (false, None, None, None),
            None => {}
        }
        environment.set_switch("FORALL_READ_ONLY", &mut self.read_only)?;
        environment.set_switch("FORALL_VERBOSE", &mut self.verbose)?;
        if let Some(value) = environment.text("FORALL_CORPUS") {
            if value.contains("://") {
                let scheme = value.split("://").next().unwrap_or_default().to_owned();
                return Err(Fact::CorpusIsNoDirectory { scheme });
            }
            self.corpus = Some(PathBuf::from(value));
        }
        if let Some(value) = environment.text("FORALL_SHARD") {
            let wrong = |why: String| does_not_parse("FORALL_SHARD", &value, &format!("a shard: {why}"));
            self.shard = Some(value.parse().map_err(wrong)?);
        }
        if let Some(value) = environment.text("FORALL_SHRINK_ON") {
            let expected = "`choices`, `values` or `both`";
            self.shrink_on = value.parse().map_err(|_| does_not_parse("FORALL_SHRINK_ON", &value, expected))?;
        }
        if let Some(value) = environment.text("FORALL_RUNNER") {
            self.runner = value;
        }
        if let Some(value) = environment.text("FORALL_STORE") {
            self.store = match value.as_str() {
                "off" | "0" => Store::Off,
                path if within::contains(path, "\u{fffd}") => {
                    let expected = "a path in Unicode, or `off`";
                    return Err(does_not_parse("FORALL_STORE", path, expected));
                }
                path => Store::Directory(PathBuf::from(path)),
            };
        }
        Ok(())
    }

    /// Enables exploring if no setting excludes it and no CI service runs the tests.
    pub(super) fn explore_at_desk(&mut self, variable: impl Fn(&str) -> Option<String>) {
        let is_part = self.shard.is_some();
        let is_set = self.tests_are_set || self.tests != Self::default().tests || self.seed.is_some();
        let is_limited = self.max_time.is_some() || self.isolates() || is_part;
        if self.extra_time.is_none() && !is_set && !is_limited && !is_ci(&variable) {
            self.extra_time = Some(DESK_TIME);
            (self.explores_at_desk, self.ends_exploring_soon) = (true, true);
        }
    }

    /// The seed of a run of the property called `name`. All nextest attempts at one test share a seed, so that a retry
    /// cannot pass by testing other inputs, even if nothing can be saved; each run of a stress test has its own seed.
    pub(super) fn seed_for(&self, name: &str, variable: impl Fn(&str) -> Option<String>) -> u64 {
        if let Some(seed) = self.seed {
            return seed;
        }
        let ci = is_ci(&variable);
        let run = if ci { None } else { variable("NEXTEST_RUN_ID") };
        if !ci && run.is_none() {
            return RandomState::new().hash_one(name);
        }
        let stress = variable("NEXTEST_STRESS_CURRENT").filter(|current| current != "none");
        if run.is_none() && stress.is_none() {
            return Fnv::of(name);
        }
        Fnv::of(&format!("{name} {} {}", run.unwrap_or_default(), stress.unwrap_or_default()))
    }
}

/// A variable of this process. Invalid Unicode is replaced, so that the value is rejected instead of ignored.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Variables that identify CI services, for those that do not set `CI` as most do.
const CI_SERVICES: &[&str] = &[
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "BUILDKITE",
    "TF_BUILD",
    "JENKINS_URL",
    "TEAMCITY_VERSION",
    "CIRCLECI",
    "TRAVIS",
    "APPVEYOR",
    "DRONE",
    "CODEBUILD_BUILD_ID",
    "BITBUCKET_BUILD_NUMBER",
    "CIRRUS_CI",
];

/// Whether a CI service runs the tests. `CI` takes precedence if it is set: `CI=false` disables it.
pub(super) fn is_ci(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let says_so = |name: &str| variable(name).map(|value| !matches!(value.as_str(), "" | "0" | "false"));
    says_so("CI").unwrap_or_else(|| CI_SERVICES.iter().any(|name| says_so(name) == Some(true)))
}

/// Whether Ctrl-C stops the runs instead of ending the process immediately.
pub(super) fn interrupt() -> Result<bool, Fact> {
    let is_wanted = Environment { variable: &variable }.switch("FORALL_INTERRUPT")?;
    Ok(is_wanted.unwrap_or(false))
}

/// Whether runs continue past failures, and search for others.
pub(super) fn continues_past_failures() -> Result<bool, Fact> {
    let is_wanted = Environment { variable: &variable }.switch("FORALL_PAST_FAILURES")?;
    Ok(is_wanted.unwrap_or(false))
}

/// Whether runs skip examples and saved failures, committed ones included.
pub(super) fn skips_known_inputs() -> Result<bool, Fact> {
    let is_wanted = Environment { variable: &variable }.switch("FORALL_FRESH")?;
    Ok(is_wanted.unwrap_or(false))
}

/// Cells store their depth in 16 bits; a search of this depth never ends.
const MAX_DEPTH: u32 = 10_000;

/// All known variables, of the library or of its tests.
const KNOWN: &[&str] = &[
    "FORALL_TESTS",
    "FORALL_SEED",
    "FORALL_SIZE",
    "FORALL_DISCARD_RATIO",
    "FORALL_HEALTH",
    "FORALL_MAX_TIME",
    "FORALL_DEADLINE",
    "FORALL_SHRINK_EVALUATIONS",
    "FORALL_EXTRA_TIME",
    "FORALL_SHRINK_TIME",
    "FORALL_SHRINK_ON",
    "FORALL_EXPLAIN",
    "FORALL_ENUMERATE",
    "FORALL_RUNNER",
    "FORALL_DEPTH",
    "FORALL_EVALUATIONS",
    "FORALL_BESIDE",
    "FORALL_THREADS",
    "FORALL_ISOLATE",
    "FORALL_TIMEOUT",
    "FORALL_MEMORY",
    "FORALL_STACK",
    "FORALL_STORE",
    "FORALL_FRESH",
    "FORALL_READ_ONLY",
    "FORALL_VERBOSE",
    "FORALL_DO",
    "FORALL_RUNNING",
    "FORALL_CARGO_OPTIONS",
    "FORALL_RACE_OPTIONS",
    "FORALL_REQUIRE_TOOLS",
];

/// Variables that the lean core ignores.
const NOT_LEAN: &[&str] = &[
    "FORALL_LITERALS",
    "FORALL_CORPUS",
    "FORALL_SHARD",
    "FORALL_BEST",
    "FORALL_PROFILE",
    "FORALL_EVENTS",
    "FORALL_OBSERVE",
    "FORALL_INTERRUPT",
    "FORALL_PAST_FAILURES",
    "FORALL_CHECKPOINT",
];

/// The name of a project's settings file.
pub(super) const PROFILES: &str = "forall.toml";

/// Warnings about configuration without effect: unknown variables, and in the lean core the variables and the file that
/// it ignores.
pub(super) fn ineffective(package: &Path) -> Vec<Fact> {
    let mut warnings = Vec::new();
    for (name, _) in std::env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        if !name.starts_with("FORALL_") || KNOWN.contains(&name) {
            continue;
        }
        if !NOT_LEAN.contains(&name) {
            warnings.push(Fact::UnknownVariable { variable: name.to_owned() });
        } else if cfg!(not(feature = "full")) {
            warnings.push(Fact::IgnoredWithoutFeature { what: name.to_owned(), feature: "full" });
        }
    }
    // Once per process, for all properties.
    static LOOKED: AtomicBool = AtomicBool::new(cfg!(feature = "full"));
    if !LOOKED.swap(true, Ordering::Relaxed) {
        let package = std::path::absolute(package).unwrap_or_else(|_| package.to_owned());
        for directory in package.ancestors() {
            let path = directory.join(PROFILES);
            if path.is_file() {
                warnings.push(Fact::IgnoredWithoutFeature { what: path.display().to_string(), feature: "full" });
                break;
            }
        }
    }
    warnings
}

/// Returns the number of hardware threads.
#[doc(hidden)]
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |threads| threads.get())
}

/// The directory of the property's store.
pub(crate) fn package_directory(identity: &Identity) -> PathBuf {
    let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR");
    Places::package_directory(at_run_time.as_deref(), identity.package_directory)
}

impl std::str::FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is not a duration: use 200ms, 30s, 5m or 1h");
        let letter: Kind = |c| c.is_ascii_alphabetic();
        let unit = text.find(letter).ok_or_else(expected)?;
        let seconds = match &text[unit..] {
            "us" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(expected()),
        };
        let amount: f64 = text[..unit].trim().parse().map_err(|_| expected())?;
        Duration::try_from_secs_f64(amount * seconds).map(Time).map_err(|_| expected())
    }
}

impl std::str::FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is not an amount of memory: use 64KB, 512MB or 2GiB");
        let letter: Kind = |c| c.is_ascii_alphabetic();
        let unit = text.find(letter).ok_or_else(expected)?;
        let unit_bytes: f64 = match &text[unit..] {
            "B" => 1.0,
            "kB" | "KB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            "KiB" => 1024.0,
            "MiB" => 1_048_576.0,
            "GiB" => 1_073_741_824.0,
            _ => return Err(expected()),
        };
        let amount: f64 = text[..unit].trim().parse().map_err(|_| expected())?;
        let bytes = amount * unit_bytes;
        if (1.0..1e18).contains(&bytes) { Ok(Self(bytes as u64)) } else { Err(expected()) }
    }
}

/// Environment variables, parsed by type. White space around a value is ignored (`set NAME=4 && …` in a Windows prompt
/// leaves a space), and an empty value counts as unset.
struct Environment<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Environment<'_> {
    fn text(&self, name: &str) -> Option<String> {
        let value = (self.variable)(name)?;
        let value = value.trim();
        if value.is_empty() { None } else { Some(value.to_owned()) }
    }

    fn number(&self, name: &str, example: &str, most: u64) -> Result<Option<u64>, Fact> {
        match self.text(name) {
            Some(value) => number(name, &value, &value, example, most).map(Some),
            None => Ok(None),
        }
    }

    fn set_number(&self, name: &str, example: &str, place: &mut u64) -> Result<(), Fact> {
        *place = self.number(name, example, u64::MAX)?.unwrap_or(*place);
        Ok(())
    }

    fn time(&self, name: &str) -> Result<Option<Duration>, Fact> {
        self.time_or(name, "a duration, such as `200ms`, `30s`, `5m` or `1h`")
    }

    /// As [`time`](Self::time), with its own description of valid values.
    fn time_or(&self, name: &str, expected: &str) -> Result<Option<Duration>, Fact> {
        let Some(value) = self.text(name) else { return Ok(None) };
        match value.parse::<Time>() {
            Ok(time) => Ok(Some(time.0)),
            Err(_) => Err(does_not_parse(name, &value, expected)),
        }
    }

    fn bytes(&self, name: &str) -> Result<Option<u64>, Fact> {
        let Some(value) = self.text(name) else { return Ok(None) };
        match value.parse::<Bytes>() {
            Ok(bytes) => Ok(Some(bytes.0)),
            Err(_) => {
                let expected = "an amount of memory, such as `64KB`, `512MB` or `2GiB`";
                Err(does_not_parse(name, &value, expected))
            }
        }
    }

    fn switch(&self, name: &str) -> Result<Option<bool>, Fact> {
        let Some(value) = self.text(name) else { return Ok(None) };
        match value.as_str() {
            "1" | "true" | "on" | "yes" => Ok(Some(true)),
            "0" | "false" | "off" | "no" => Ok(Some(false)),
            _ => Err(does_not_parse(name, &value, "`1` or `0`")),
        }
    }

    fn set_switch(&self, name: &str, place: &mut bool) -> Result<(), Fact> {
        *place = self.switch(name)?.unwrap_or(*place);
        Ok(())
    }
}

/// Parses `digits`, a part of the variable's `value`.
fn number(name: &str, digits: &str, value: &str, example: &str, most: u64) -> Result<u64, Fact> {
    match within::replaced(digits, "_", "").parse() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(does_not_parse(name, value, &format!("a number, such as `{example}`"))),
    }
}

fn seed(value: &str) -> Result<u64, Fact> {
    let plain = within::replaced(value, "_", "");
    let parsed = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    parsed.map_err(|_| {
        does_not_parse("FORALL_SEED", value, "a number up to 2^64 - 1, decimal or hexadecimal, such as `7` or `0x1f`")
    })
}

fn does_not_parse(variable: &str, value: &str, expected: &str) -> Fact {
    let expected = expected.to_owned();
    Fact::SettingDoesNotParse { variable: variable.to_owned(), value: value.to_owned(), expected }
}
