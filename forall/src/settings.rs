//! Run settings and their precedence.
//!
//! Environment variables are read in `run/environment.rs`.

mod builder;
mod schedule;
mod shard;
mod values;

pub use schedule::Schedule;
pub use shard::Shard;

pub use values::{Bytes, IntoBytes, IntoTime, Time};

use crate::effects::Cwd;
use crate::explain::Explainer;
use crate::fact::Fact;
use crate::shrink::on::ShrinkOn;
use crate::store::setting::Store;
use std::path::PathBuf;
use std::time::Duration;

/// The name of the default runner.
pub(crate) const GENERATIONAL: &str = "generational";

/// The default of `extra_time` for interactive runs.
pub(crate) const DESK_TIME: Duration = Duration::from_millis(50);

/// The settings of a run.
///
/// Settings come from the environment, from this builder or the keys of [`#[forall::test(…)]`](macro@crate::test), and
/// from the file `forall.toml`; the former take precedence over the latter.
///
/// | setting | default | environment | meaning |
/// | --- | --- | --- | --- |
/// | [`tests`](Settings::tests) | 256 | `FORALL_TESTS=1000`, `FORALL_TESTS=x10` | valid random tests to run; `x10` multiplies |
/// | [`seed`](Settings::seed) | random; in CI derived from the property's name; the same for all attempts of nextest | `FORALL_SEED=0x1f` | the seed of random choices |
/// | [`size`](Settings::size) | 0 to 100 | `FORALL_SIZE=50` | the size of values |
/// | [`discard_ratio`](Settings::discard_ratio) | 100 | `FORALL_DISCARD_RATIO=50` | discarded tests per valid one before giving up |
/// | [`health`](Settings::health) | on | `FORALL_HEALTH=0` | warn of many discarded tests, slow generators and large inputs |
/// | [`max_time`](Settings::max_time) | none | `FORALL_MAX_TIME=30s` | stop after this long, with fewer tests |
/// | [`extra_time`](Settings::extra_time) | 50 ms, interactively | `FORALL_EXTRA_TIME=1s`, `FORALL_EXTRA_TIME=off` | continue with more tests for this long when all passed quickly |
/// | [`deadline`](Settings::deadline) | none | `FORALL_DEADLINE=200ms` | a test that takes longer fails |
/// | [`shrink_evaluations`](Settings::shrink_evaluations) | 10,000 | `FORALL_SHRINK_EVALUATIONS=0` | evaluations while shrinking; 0 disables shrinking |
/// | [`shrink_time`](Settings::shrink_time) | 30 s | `FORALL_SHRINK_TIME=5s` | time for shrinking |
/// | [`shrink_on`](Settings::shrink_on) | `values` | `FORALL_SHRINK_ON=both` | how variables with their own shrinkers are shrunk: on `choices`, `values` or `both` |
/// | [`explain`](Settings::explain) | 2,000 | `FORALL_EXPLAIN=off`, `FORALL_EXPLAIN=5000` | runs to explain a counterexample; 0 disables explanations |
/// | [`enumerate`](Settings::enumerate) | on | `FORALL_ENUMERATE=0` | test small domains exhaustively |
/// | [`runner`](Settings::runner) | `generational` | `FORALL_RUNNER=targeted` | the runner |
/// | [`depth`](Settings::depth) | none | `FORALL_DEPTH=5` | maximum depth of the runner `exhaustive`; the default runner tries every input up to this depth after its tests |
/// | [`evaluations`](Settings::evaluations) | 100,000 | `FORALL_EVALUATIONS=1000000` | maximum calls of the property by the runner `exhaustive` |
/// | [`threads`](Settings::threads) | 1 | `FORALL_THREADS=4`, `FORALL_THREADS=all` | threads for one property |
/// | [`serial`](Settings::serial) | off | – | always use one thread, overriding `threads` and the tool |
/// | [`own_cwd`](Settings::own_cwd) | off | – | each test starts in its own, empty current directory |
/// | [`beside`](Settings::beside) | 1 | `FORALL_BESIDE` | the number of threads that run each input at once |
/// | [`isolate`](Settings::isolate) | off | `FORALL_ISOLATE=1` | run tests in child processes; `FORALL_ISOLATE=0` also ignores the limits |
/// | [`timeout`](Settings::timeout) | 10 s if isolated | `FORALL_TIMEOUT=2s` | a test that takes longer is killed and fails; enables isolation |
/// | [`memory`](Settings::memory) | none | `FORALL_MEMORY=512MB` | how much memory a test may allocate; enables isolation |
/// | [`stack`](Settings::stack) | that of the harness | `FORALL_STACK=1MB` | the stack size of a test; enables isolation |
/// | [`store`](Settings::store) | `.forall` beside `Cargo.toml` | `FORALL_STORE=path`, `FORALL_STORE=off` | where failures are saved |
/// | [`read_only`](Settings::read_only) | off | `FORALL_READ_ONLY=1` | replay saved failures, write nothing |
/// | [`verbose`](Settings::verbose) | off | `FORALL_VERBOSE=1` | print more |
/// | | those of the body | `FORALL_LITERALS=file`, `FORALL_LITERALS=off` | literals of the tested code as test data: see `forall::literals` |
/// | `corpus` | none | `FORALL_CORPUS=path` | replay shared failures from the directory of `cargo forall run --corpus` |
/// | `shard` | none | `FORALL_SHARD=3/64` | run the third of 64 parts of the tests; use one seed for all parts |
/// | | off | `FORALL_OBSERVE=1` | record each test with its values, for Tyche: see `forall::observe` |
/// | – | – | `FORALL_DO=…` | the protocol of tools: see [`run::protocol`](crate::run::protocol) |
///
/// `NO_COLOR` and `CLICOLOR_FORCE` are honoured.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings};
///
/// let property = property! { forall n: u32; check n.wrapping_add(1) != *n };
/// let settings = Settings::new().tests(1000).seed(7).discard_ratio(50);
/// let report = Run::new("successors differ", &property).settings(settings).report();
/// assert_eq!(report.statistics.valid, 1000);
/// ```
#[doc(alias("ProptestConfig", "config"))]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    #[doc(hidden)]
    pub tests: u64,
    #[doc(hidden)]
    pub seed: Option<u64>,
    #[doc(hidden)]
    pub size: Schedule,
    #[doc(hidden)]
    pub discard_ratio: u64,
    #[doc(hidden)]
    pub health: bool,
    #[doc(hidden)]
    pub max_time: Option<Duration>,
    #[doc(hidden)]
    pub extra_time: Option<Duration>,
    #[doc(hidden)]
    pub deadline: Option<Duration>,
    #[doc(hidden)]
    pub shrink_evaluations: u64,
    #[doc(hidden)]
    pub shrink_time: Duration,
    #[doc(hidden)]
    pub shrink_on: ShrinkOn,
    #[doc(hidden)]
    pub explain: u64,
    #[doc(hidden)]
    pub enumerate: bool,
    #[doc(hidden)]
    pub runner: String,
    #[doc(hidden)]
    pub depth: Option<u32>,
    #[doc(hidden)]
    pub evaluations: u64,
    #[doc(hidden)]
    pub threads: usize,
    #[doc(hidden)]
    pub serial: bool,
    #[doc(hidden)]
    pub own_cwd: Cwd,
    #[doc(hidden)]
    pub beside: usize,
    #[doc(hidden)]
    pub isolate: bool,
    #[doc(hidden)]
    pub timeout: Option<Duration>,
    #[doc(hidden)]
    pub memory: Option<u64>,
    #[doc(hidden)]
    pub stack: Option<u64>,
    #[doc(hidden)]
    pub store: Store,
    #[doc(hidden)]
    pub read_only: bool,
    #[doc(hidden)]
    pub verbose: bool,
    #[doc(hidden)]
    pub corpus: Option<PathBuf>,
    #[doc(hidden)]
    pub shard: Option<Shard>,
    /// Whether the number of tests was set.
    pub(crate) tests_are_set: bool,
    /// Whether the run explores by default because it is interactive, and not because of a setting.
    pub(crate) explores_at_desk: bool,
    /// Whether exploring may end early when more tests are unlikely to find anything.
    pub(crate) ends_exploring_soon: bool,
    /// Whether the body prints.
    pub(crate) prints: bool,
    /// The expected message of a `#[should_panic]` test.
    pub(crate) expected_panic: Option<&'static str>,
    /// An invalid argument that was passed to the builder: the run reports it and does not start.
    pub(crate) problem: Option<Fact>,
    /// The settings that were set explicitly, even to the default: they override a profile.
    pub(crate) said: Vec<&'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tests: 256,
            seed: None,
            size: Schedule::default(),
            discard_ratio: 100,
            health: true,
            max_time: None,
            extra_time: None,
            deadline: None,
            shrink_evaluations: 10_000,
            shrink_time: Duration::from_secs(30),
            shrink_on: ShrinkOn::Values,
            explain: Explainer::RUNS,
            enumerate: true,
            runner: GENERATIONAL.to_owned(),
            depth: None,
            evaluations: 100_000,
            threads: 1,
            serial: false,
            own_cwd: Cwd::Shared,
            beside: 1,
            isolate: false,
            timeout: None,
            memory: None,
            stack: None,
            store: Store::Default,
            read_only: false,
            verbose: false,
            corpus: None,
            shard: None,
            tests_are_set: false,
            explores_at_desk: false,
            ends_exploring_soon: false,
            prints: false,
            expected_panic: None,
            problem: None,
            said: Vec::new(),
        }
    }
}

impl Settings {
    /// Creates the default settings.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().tests, 256);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether tests run in child processes: by `isolate`, or by a limit that requires it.
    pub(crate) fn isolates(&self) -> bool {
        self.isolate || self.timeout.is_some() || self.memory.is_some() || self.stack.is_some()
    }
}
