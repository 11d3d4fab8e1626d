//! Settings for a whole project, in profiles: the file `forall.toml`.
//!
//! ```toml
//! # Beside the package's Cargo.toml, or in a directory above it.
//! deadline = "5s"                # for all profiles
//!
//! [dev]                          # the default profile
//! tests = 100
//!
//! [ci]                           # used in CI
//! tests = 1_000
//! max_time = "30s"
//!
//! [nightly]                      # FORALL_PROFILE=nightly
//! inherits = "ci"
//! tests = "x100"                 # a hundred times as many as `ci` has
//! threads = "all"
//! ```
//!
//! The keys are those of [`Settings`] that have an environment variable, with the same meaning. Later sources override
//! earlier ones:
//!
//! 1. the defaults;
//! 2. `forall.toml`: keys before the first profile, the inherited profile, the profile;
//! 3. the builder, and the keys of `#[forall::test(…)]`, even if they equal the default;
//! 4. the environment.
//!
//! `FORALL_VERBOSE=1` prints each changed setting and its source. The profile is the one that `FORALL_PROFILE` names;
//! else `ci`, if there is one and the tests run in CI; else `dev`, if there is one. CI is detected by `CI`, unless it
//! is `false` or `0`. If it is not set, one of these variables suffices: `GITHUB_ACTIONS`, `GITLAB_CI`, `BUILDKITE`,
//! `TF_BUILD`, `JENKINS_URL`, `TEAMCITY_VERSION`, `CIRCLECI`, `TRAVIS`, `APPVEYOR`, `DRONE`, `CODEBUILD_BUILD_ID`,
//! `BITBUCKET_BUILD_NUMBER`, `CIRRUS_CI`.
//!
//! The parser supports the subset of TOML that such a file needs: comments, `[name]`, and keys with a string, a number,
//! `true` or `false`. A complete parser takes longer to build than all of forall.

mod file;

use super::{Schedule, Settings, environment};
use crate::fact::Fact;
use file::{File, Line};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::{fmt, io};

/// The name of the file.
const NAME: &str = super::environment::PROFILES;

/// A key, with its setting and variable.
struct Key {
    name: &'static str,
    variable: &'static str,
    /// Whether the setting is the default.
    is_default: fn(&Settings) -> bool,
    /// Copies the setting from other settings.
    take: fn(&mut Settings, &Settings),
    show: fn(&Settings) -> String,
}

impl Key {
    /// Whether a builder or an attribute set it: by its method, or by assigning a value other than the default to the
    /// field.
    fn is_said(&self, settings: &Settings) -> bool {
        settings.said.contains(&self.name) || !(self.is_default)(settings)
    }
}

macro_rules! keys {
    ($($key:ident: $variable:literal),* $(,)?) => {
        &[$(Key {
            name: stringify!($key),
            variable: $variable,
            is_default: |settings| settings.$key == Settings::default().$key,
            take: |settings, profile| settings.$key = profile.$key.clone(),
            show: |settings| format!("{:?}", settings.$key),
        }),*, Key {
            name: "size",
            variable: "FORALL_SIZE",
            is_default: |settings| matches!(settings.size, Schedule::Spread { from: 0, to: 100 }),
            take: |settings, profile| settings.size = profile.size,
            show: |settings| format!("{:?}", settings.size),
        }]
    };
}

const KEYS: &[Key] = keys! {
    tests: "FORALL_TESTS",
    seed: "FORALL_SEED",
    discard_ratio: "FORALL_DISCARD_RATIO",
    health: "FORALL_HEALTH",
    max_time: "FORALL_MAX_TIME",
    extra_time: "FORALL_EXTRA_TIME",
    deadline: "FORALL_DEADLINE",
    shrink_evaluations: "FORALL_SHRINK_EVALUATIONS",
    shrink_time: "FORALL_SHRINK_TIME",
    shrink_on: "FORALL_SHRINK_ON",
    explain: "FORALL_EXPLAIN",
    enumerate: "FORALL_ENUMERATE",
    runner: "FORALL_RUNNER",
    depth: "FORALL_DEPTH",
    evaluations: "FORALL_EVALUATIONS",
    threads: "FORALL_THREADS",
    beside: "FORALL_BESIDE",
    isolate: "FORALL_ISOLATE",
    timeout: "FORALL_TIMEOUT",
    memory: "FORALL_MEMORY",
    stack: "FORALL_STACK",
    store: "FORALL_STORE",
    read_only: "FORALL_READ_ONLY",
    verbose: "FORALL_VERBOSE",
};

/// An error in a file of profiles: the location, the problem, and what to write instead.
///
/// ```
/// use forall::run::profiles::Profiles;
/// let error = Profiles::parse("[ci]\ntests = many", "forall.toml").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 9));
/// assert!(error.to_string().starts_with("forall.toml:2:9: `many`"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct ProfileError {
    /// The file.
    pub path: PathBuf,
    /// From 1; 0 if it is about the whole file.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The problem, and what to do.
    pub message: String,
}

impl ProfileError {
    fn fact(&self) -> Fact {
        let path = self.path.display().to_string();
        Fact::ProfilesInvalid { path, line: self.line as u64, column: self.column as u64, error: self.message.clone() }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fact().fmt(f)
    }
}

impl std::error::Error for ProfileError {}

/// The profiles of a project.
///
/// ```
/// use forall::run::{Settings, profiles::Profiles};
/// let text = "tests = 100\n[ci]\ntests = 1_000\n[nightly]\ninherits = \"ci\"\nmax_time = \"1h\"";
/// let profiles = Profiles::parse(text, "forall.toml").unwrap();
/// assert!(profiles.names().eq(["ci", "nightly"]));
/// let settings = profiles.under("nightly", Settings::new().seed(7)).unwrap();
/// assert_eq!((settings.tests, settings.seed, settings.max_time.map(|time| time.as_secs())), (1000, Some(7), Some(3600)));
/// // What a builder says wins, the default included.
/// assert_eq!(profiles.under("ci", Settings::new().tests(5)).unwrap().tests, 5);
/// assert_eq!(profiles.under("ci", Settings::new().tests(256)).unwrap().tests, 256);
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Profiles {
    path: PathBuf,
    file: File,
}

impl Profiles {
    /// Reads the text of a file; `path` is for errors.
    ///
    /// ```
    /// use forall::run::profiles::Profiles;
    /// assert!(Profiles::parse("# nothing yet", "forall.toml").unwrap().names().next().is_none());
    /// let error = Profiles::parse("tsts = 5", "forall.toml").unwrap_err();
    /// assert!(error.to_string().contains("`tests`"), "{error}");
    /// ```
    pub fn parse(text: &str, path: impl Into<PathBuf>) -> Result<Self, ProfileError> {
        let path = path.into();
        let error = |(line, column, message)| ProfileError { path: path.clone(), line, column, message };
        let mut file = File::parse(text).map_err(error)?;
        file.sections.retain(|section| section.name != STRENGTH);
        if let Some(line) = file.common.iter().find(|line| line.key == INHERITS) {
            let message =
                "only a profile can inherit, below its `[name]`; settings above the first profile apply to all of them";
            return Err(error((line.number, line.column, message.to_owned())));
        }
        for line in file.lines() {
            check(line, &file).map_err(|(column, message)| error((line.number, column, message)))?;
        }
        Ok(Self { path, file })
    }

    /// Returns the names of the profiles.
    ///
    /// ```
    /// use forall::run::profiles::Profiles;
    /// assert!(Profiles::parse("[dev]\n[ci]", "forall.toml").unwrap().names().eq(["dev", "ci"]));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.sections.iter().map(|section| &*section.name)
    }

    /// Returns the settings of a builder over the profile of this name; an empty name means none.
    ///
    /// ```
    /// use forall::run::{Settings, profiles::Profiles};
    /// let profiles = Profiles::parse("[ci]\ntests = 1000", "forall.toml").unwrap();
    /// let error = profiles.under("cd", Settings::new()).unwrap_err();
    /// assert!(error.to_string().contains("`cd`") && error.to_string().contains("`ci`"), "{error}");
    /// ```
    pub fn under(&self, name: &str, mut settings: Settings) -> Result<Settings, ProfileError> {
        let lines = self.lines(name)?;
        // The later of two lines wins, or multiplies the value of the earlier one.
        let mut profile = Settings::default();
        for line in &lines {
            // Another test program may have a runner that this one lacks: only the selected profile is checked.
            if line.variable() == Some(RUNNER)
                && let Some(why) = super::runners::nonsense(&Settings::default().runner(&*line.value))
            {
                return Err(self.at(line, why.to_string()));
            }
            let text = |variable: &str| (line.variable() == Some(variable)).then(|| line.value.clone());
            profile = profile.with_environment(text).map_err(|why| self.whole(why.to_string()))?;
        }
        for key in KEYS {
            if !key.is_said(&settings) && lines.iter().any(|line| line.key == key.name) {
                (key.take)(&mut settings, &profile);
            }
        }
        Ok(settings)
    }

    /// The lines of a profile, by precedence.
    fn lines(&self, name: &str) -> Result<Vec<&Line>, ProfileError> {
        let mut lines: Vec<&Line> = self.file.common.iter().collect();
        if name.is_empty() {
            return Ok(lines);
        }
        let mut chain = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let Some(section) = self.file.section(name) else { return Err(self.whole(no_such(name, &self.file))) };
            chain.push(section);
            next = section.lines.iter().find(|line| line.key == INHERITS).map(|line| &*line.value);
        }
        lines.extend(chain.iter().rev().flat_map(|section| &section.lines));
        Ok(lines)
    }

    fn at(&self, line: &Line, message: String) -> ProfileError {
        ProfileError { path: self.path.clone(), line: line.number, column: line.value_column, message }
    }

    fn whole(&self, message: String) -> ProfileError {
        ProfileError { path: self.path.clone(), line: 0, column: 0, message }
    }
}

const INHERITS: &str = "inherits";

/// The variable of the setting `runner`.
const RUNNER: &str = "FORALL_RUNNER";

/// Names of settings in other libraries, each with our name for it.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cases", "tests"),
    ("max_global_rejects", "discard_ratio"),
    ("max_shrink_iters", "shrink_evaluations"),
    ("max_shrink_time", "shrink_time"),
    ("fork", "isolate"),
];

/// The section for `cargo forall strength`, which is not a profile.
const STRENGTH: &str = "strength";

impl Line {
    fn variable(&self) -> Option<&'static str> {
        KEYS.iter().find(|key| key.name == self.key).map(|key| key.variable)
    }
}

/// The problem with a line: its column, and a message.
fn check(line: &Line, file: &File) -> Result<(), (usize, String)> {
    if line.key == INHERITS {
        return inherits(line, file);
    }
    let Some(variable) = line.variable() else {
        let names: Vec<String> = KEYS.iter().map(|key| format!("`{}`", key.name)).collect();
        let ours = ELSEWHERE.iter().find(|(theirs, _)| *theirs == line.key).map_or(&*line.key, |(_, ours)| ours);
        let near = KEYS.iter().find(|key| file::alike(key.name, ours));
        let hint = near.map_or_else(|| format!("one of {}", names.join(", ")), |key| format!("`{}`?", key.name));
        return Err((line.column, format!("`{}` is not a setting; did you mean {hint}", line.key)));
    };
    let only = |name: &str| (name == variable).then(|| line.value.clone());
    match Settings::default().with_environment(only) {
        Ok(_) if variable == RUNNER => Ok(()),
        Ok(settings) => {
            super::runners::nonsense(&settings).map_or(Ok(()), |why| Err((line.value_column, why.to_string())))
        }
        Err(Fact::SettingDoesNotParse { expected, .. }) => {
            Err((line.value_column, format!("`{}` is not valid: expected {expected}", line.value)))
        }
        Err(why) => Err((line.value_column, why.to_string())),
    }
}

fn inherits(line: &Line, file: &File) -> Result<(), (usize, String)> {
    let mut seen: Vec<&str> = Vec::new();
    let mut next = Some(line);
    while let Some(line) = next {
        if seen.contains(&&*line.value) {
            return Err((line.value_column, format!("the profile `{}` inherits from itself", line.value)));
        }
        seen.push(&line.value);
        let Some(section) = file.section(&line.value) else {
            return Err((line.value_column, no_such(&line.value, file)));
        };
        next = section.lines.iter().find(|line| line.key == INHERITS);
    }
    Ok(())
}

fn no_such(name: &str, file: &File) -> String {
    let names: Vec<String> = file.sections.iter().map(|section| format!("`{}`", section.name)).collect();
    match names.is_empty() {
        true => format!("unknown profile `{name}`: add `[{name}]` with its settings"),
        false => format!("unknown profile `{name}`; available profiles: {}", names.join(", ")),
    }
}

/// The profiles of a package.
pub(super) struct Found {
    profiles: Profiles,
    /// The selected profile; empty if there is none.
    name: String,
}

/// The file of a package and the selected profile. `None` if there is no file, and no profile was requested.
pub(super) fn find(package: &Path, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Found>, Fact> {
    let asked_for = variable("FORALL_PROFILE").filter(|name| !name.is_empty());
    let package = std::path::absolute(package).unwrap_or_else(|_| package.to_owned());
    let Some(path) = package.ancestors().map(|directory| directory.join(NAME)).find(|path| path.is_file()) else {
        return match asked_for {
            None => Ok(None),
            Some(profile) => Err(Fact::NoProfiles { profile, directory: package.display().to_string() }),
        };
    };
    let unreadable =
        |error: io::Error| Fact::ProfilesUnreadable { path: path.display().to_string(), error: error.to_string() };
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&path, &error).fact())?;
    let profiles = Profiles::parse(&text, path).map_err(|error| error.fact())?;
    let has = |name: &str| profiles.file.section(name).is_some();
    let name = match asked_for {
        Some(name) => name,
        None if has("ci") && environment::is_ci(&variable) => "ci".to_owned(),
        None if has("dev") => "dev".to_owned(),
        None => String::new(),
    };
    Ok(Some(Found { profiles, name }))
}

fn not_utf8(path: &Path, error: &FromUtf8Error) -> ProfileError {
    let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
    let line = before.split('\n').next_back().unwrap_or_default();
    ProfileError {
        path: path.to_owned(),
        line: before.split('\n').count(),
        column: line.chars().count() + 1,
        message: "this line is not UTF-8; save the file as UTF-8".to_owned(),
    }
}

impl Found {
    pub(super) fn under(&self, settings: Settings) -> Result<Settings, Fact> {
        self.profiles.under(&self.name, settings).map_err(|error| error.fact())
    }
}

/// Each changed setting, with its source.
pub(super) fn provenance(built: &Settings, found: Option<&Found>) -> String {
    let lines = found.and_then(|found| found.profiles.lines(&found.name).ok()).unwrap_or_default();
    let mut text = match found {
        None => format!("settings: no {NAME}"),
        Some(Found { profiles, name }) if name.is_empty() => {
            format!("settings: {}, no profile", profiles.path.display())
        }
        Some(Found { profiles, name }) => format!("settings: {}, profile `{name}`", profiles.path.display()),
    };
    for key in KEYS {
        let mut sources = Vec::new();
        if let Some(value) = environment::variable(key.variable).filter(|value| !value.is_empty()) {
            sources.push(format!("{}={value}", key.variable));
        }
        if key.is_said(built) {
            sources.push(format!("builder or attribute: {}", (key.show)(built)));
        }
        // All of them: `x10` multiplies the value below it.
        for line in lines.iter().rev().filter(|line| line.key == key.name) {
            let path = found.map_or(Path::new(NAME), |found| &found.profiles.path);
            sources.push(format!("{}:{}: {}", path.display(), line.number, line.value));
        }
        if !sources.is_empty() {
            text += &format!("\n  {}: {}", key.name, sources.join("; over "));
        }
    }
    text
}
