//! Properties: entry points that should return `true` for every candidate.

mod ahead;
mod attribute;
mod automatic;
mod candidate;
mod compatible;
mod coverage;
mod draw;
mod lengths;
mod lost;
pub mod machine;
mod own;
mod random;
mod shown;
mod simpler;
mod sizes;
mod smaller;
mod sources;
mod stateful;
mod statistics;
mod testing;
mod trying;
mod validate;

pub use attribute::{Attribute, attributes_in};
pub use compatible::Stopped;
pub use coverage::{Coverage, coverage_flags};
pub use own::Passed;
pub(crate) use random::SplitMix;
pub(crate) use sources::imported_by;
pub use validate::{Property, Rules, validate};

pub(crate) use attribute::ARGUMENTS;

use crate::client::{Error, Server};
use std::path::PathBuf;
use std::time::Duration;

/// The settings for testing properties.
///
/// ```
/// use forall_futhark::properties::Settings;
/// let settings = Settings::default();
/// assert_eq!((settings.tests, settings.size, settings.tries), (100, 50, 5));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The number of candidates for each property: `-n`.
    pub tests: u64,
    /// The largest size, unless the property has its own: `-m`.
    pub size: i64,
    /// The seed of all candidates: `--seed`.
    pub seed: u64,
    /// The number of consecutive shrinking steps that may be rejected: `--num-tries`.
    pub tries: u64,
    /// The program's file without `.fut`; counterexamples are saved beside it.
    pub program: PathBuf,
    /// The file that every candidate is appended to with its outcome, as a line of JSON.
    pub log: Option<PathBuf>,
    /// The time for further exploration of a property that passed within this time, with up to 5,000 more candidates.
    /// Not used if candidates are logged.
    pub extra_time: Duration,
    /// The time limit for shrinking a counterexample.
    pub shrink_time: Option<Duration>,
    /// The time limit for calls of a property that time out, after the first.
    pub hang_time: Duration,
    /// The counters of the server, if the search is guided by coverage.
    pub coverage: Option<Coverage>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tests: 100,
            size: 50,
            seed: 0,
            tries: 5,
            program: PathBuf::from("program"),
            log: None,
            extra_time: Duration::ZERO,
            shrink_time: None,
            hang_time: Duration::from_secs(60),
            coverage: None,
        }
    }
}

impl Settings {
    /// Returns the path that the counterexample of a property is saved to.
    ///
    /// ```
    /// use forall_futhark::properties::Settings;
    /// assert_eq!(Settings::default().counterexample_file("p").to_str(), Some("program_p.counterexample"));
    /// ```
    pub fn counterexample_file(&self, property: &str) -> PathBuf {
        let mut name = self.program.clone().into_os_string();
        name.push(format!("_{property}.counterexample"));
        name.into()
    }
}

/// The report of a property that failed.
///
/// ```no_run
/// # use forall_futhark::{blocks::Blocks, client::{Options, Server}};
/// # use forall_futhark::properties::{Rules, Settings, Stopped, run, validate};
/// # let start = || Server::start("./program", &Options::default());
/// # let (properties, _) = validate(&start().unwrap(), &Blocks::default(), Rules::Ours, &|_| None).unwrap();
/// if let Err(Stopped::Failed(failure)) = run(&start, &properties[0], &Settings::default()) {
///     println!("{}: {}", failure.property, failure.counterexample.unwrap_or_default());
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The whole report.
    pub text: String,
    /// The property.
    pub property: String,
    /// The phase that failed: the property, its generator, and so on.
    pub phase: String,
    /// The maximum size of the candidates.
    pub size: i64,
    /// The seed of all candidates.
    pub seed: u64,
    /// The minimal counterexample, if there is one.
    pub counterexample: Option<String>,
}

/// Runs a property. `start` starts the server, initially and whenever it is lost: a crash or a call that never ends is
/// a counterexample, and is shrunk like any other.
///
/// ```no_run
/// use forall_futhark::blocks::Blocks;
/// use forall_futhark::client::{Options, Server};
/// use forall_futhark::properties::{Rules, Settings, run, validate};
///
/// let start = || Server::start("./program", &Options::default());
/// let blocks = Blocks::parse(&std::fs::read_to_string("program.fut").unwrap()).unwrap();
/// let (properties, _) = validate(&start().unwrap(), &blocks, Rules::Ours, &|_| None).unwrap();
/// for property in &properties {
///     println!("{}: {}", property.name, run(&start, property, &Settings::default()).is_ok());
/// }
/// ```
pub fn run(
    start: &dyn Fn() -> Result<Server, Error>,
    property: &Property,
    settings: &Settings,
) -> Result<Passed, Stopped> {
    own::run(start, property, settings)
}

/// Returns candidates of a property in Futhark syntax, at increasing sizes.
///
/// ```no_run
/// # use forall_futhark::{blocks::Blocks, client::{Options, Server}, properties::{Rules, Settings, sample, validate}};
/// # let start = || Server::start("./program", &Options::default());
/// # let (properties, _) = validate(&start().unwrap(), &Blocks::default(), Rules::Ours, &|_| None).unwrap();
/// for candidate in sample(&start, &properties[0], &Settings::default(), 10).unwrap() {
///     println!("{candidate}");
/// }
/// ```
pub fn sample(
    start: &dyn Fn() -> Result<Server, Error>,
    property: &Property,
    settings: &Settings,
    count: u64,
) -> Result<Vec<String>, Error> {
    own::sample(start, property, settings, count)
}

/// Runs a property exactly as `futhark test` does.
///
/// ```no_run
/// use forall_futhark::blocks::Blocks;
/// use forall_futhark::client::{Options, Server};
/// use forall_futhark::properties::{Rules, Settings, run_compatible, validate};
///
/// let server = Server::start("./program", &Options::default()).unwrap();
/// let blocks = Blocks::parse(&std::fs::read_to_string("program.fut").unwrap()).unwrap();
/// let (properties, _) = validate(&server, &blocks, Rules::Compatible, &|_| None).unwrap();
/// for property in &properties {
///     let passed = run_compatible(&server, property, &Settings::default()).is_ok();
///     println!("{}: {passed}", property.name);
/// }
/// ```
pub fn run_compatible(server: &Server, property: &Property, settings: &Settings) -> Result<(), Stopped> {
    compatible::run(server, property, settings)
}

/// Removes the comments of a source.
fn without_comments(source: &str) -> String {
    let lines: Vec<&str> = source.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    lines.join("\n")
}
