//! Run settings: the builder and its precedence.
//!
//! Environment variables are read in `run/environment.rs`.

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
/// | [`seed`](Settings::seed) | fresh; in CI from the property's name; the same for all attempts of nextest | `FORALL_SEED=0x1f` | the seed of random choices |
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
/// | [`depth`](Settings::depth) | none | `FORALL_DEPTH=5` | the runner `exhaustive`: maximum depth; the default runner: then every input up to this depth |
/// | [`evaluations`](Settings::evaluations) | 100,000 | `FORALL_EVALUATIONS=1000000` | the runner `exhaustive`: maximum calls of the property |
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
/// use forall::run::Settings;
/// let settings = Settings::new().tests(1000).seed(7).discard_ratio(50);
/// assert_eq!(settings.tests, 1000);
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
            runner: "generational".to_owned(),
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

/// Records that a setting was set.
macro_rules! said {
    ($settings:ident, $key:ident) => {
        $settings.said.push(stringify!($key))
    };
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

    /// Sets the number of valid random tests. Default 256.
    ///
    /// Examples, saved failures and up to a quarter as many tests with literals of the body run before them. Where the body must run exactly
    /// this often, remove those and set `FORALL_LITERALS=off`.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().tests(1000).tests, 1000);
    /// ```
    #[doc(alias("cases"))]
    pub fn tests(mut self, tests: u64) -> Self {
        said!(self, tests);
        self.tests_are_set = true;
        self.tests = tests;
        self
    }

    /// Sets the seed of all random choices. By default every run has a new one, which the report prints; in CI it is
    /// derived from the property's name. CI is detected by `CI`, or by a variable that only one service sets, such as
    /// `GITHUB_ACTIONS` or `JENKINS_URL`; `CI=false` overrides the detection.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().seed(0x1f).seed, Some(31));
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        said!(self, seed);
        self.seed = Some(seed);
        self
    }

    /// Sets the size of values: a constant, or a [`Schedule`]. Default: from 0 to 100.
    ///
    /// ```
    /// # use forall::run::{Schedule, Settings};
    /// assert!(matches!(Settings::new().size(50).size, Schedule::Constant(50)));
    /// ```
    pub fn size(mut self, size: impl Into<Schedule>) -> Self {
        said!(self, size);
        self.size = size.into();
        self
    }

    /// Sets how many tests may be discarded for each valid one before the run gives up. Default 100.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Verdict}};
    /// let property = property! { forall n: u64; implies n % 100 == 37; check n % 10 == 7 };
    /// let verdict = |settings| Run::new("thirty-sevens", &property).settings(settings).report().verdict;
    /// assert!(matches!(verdict(Settings::new().discard_ratio(1)), Verdict::GaveUp(_)));
    /// assert_eq!(verdict(Settings::new().discard_ratio(1000)), Verdict::Passed);
    /// ```
    #[doc(alias("max_global_rejects", "rejects"))]
    pub fn discard_ratio(mut self, ratio: u64) -> Self {
        said!(self, discard_ratio);
        self.discard_ratio = ratio;
        self
    }

    /// Sets whether to warn about health problems: many discarded tests, generators that take most of the time, large
    /// inputs. A run with too few valid tests gives up in any case. Default on.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// let property = property! { forall n: u64; implies n % 8 == 0; check n % 4 == 0 };
    /// let warnings = |health| Run::new("eights", &property).settings(Settings::new().seed(1).health(health)).report().warnings;
    /// assert!(warnings(true)[0].to_string().contains("discarded") && warnings(false).is_empty());
    /// ```
    pub fn health(mut self, health: bool) -> Self {
        said!(self, health);
        self.health = health;
        self
    }

    /// Sets a time limit, after which the run stops even if fewer tests ran. Such a run passes, reports its number of
    /// tests, and is not reproducible. Default: no limit.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// # use std::time::Duration;
    /// assert_eq!(Settings::new().max_time("30s").max_time, Some(Duration::from_secs(30)));
    /// ```
    pub fn max_time(mut self, max_time: impl IntoTime) -> Self {
        said!(self, max_time);
        self.max_time = self.readable("max_time", max_time.into_time());
        self
    }

    /// Sets how long a run continues with more tests after all requested tests have passed.
    ///
    /// By default, an interactive run continues for 50 ms, or until 20,000 more tests have passed (10,000 after 15 ms):
    /// not in CI, not if `tests` or `seed` is set, only if the run took less than 10 ms, and for at most 2 s for all
    /// properties of a process together. In CI, a commit therefore always gets the same verdict, and a property with
    /// side effects can ask for an exact number of tests. If this setting is given, the run always continues for that
    /// long. Zero disables it. The extra tests are counted separately, and a failure among them is saved, shrunk and
    /// replayed like any other.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// # use std::time::Duration;
    /// assert_eq!(Settings::new().extra_time("1s").extra_time, Some(Duration::from_secs(1)));
    /// ```
    pub fn extra_time(mut self, time: impl IntoTime) -> Self {
        said!(self, extra_time);
        self.extra_time = self.readable("extra_time", time.into_time());
        self
    }

    /// For benchmarks: a run with a seed explores for as long as an interactive one does.
    #[doc(hidden)]
    pub fn explores_as_at_desk(mut self) -> Self {
        (self.extra_time, self.ends_exploring_soon) = (Some(DESK_TIME), true);
        self
    }

    /// Sets the deadline of a test: a test that takes longer in each of three runs fails. Default: no limit.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Run, Settings, Store};
    /// # use std::{thread::sleep, time::Duration};
    /// let slow = property! { forall n in 0..2u64; check sleep(Duration::from_millis(20 * n)) };
    /// let settings = Settings::new().deadline("10ms").store(Store::Off);
    /// assert!(!Run::new("slow", &slow).settings(settings).report().verdict.is_success());
    /// ```
    pub fn deadline(mut self, deadline: impl IntoTime) -> Self {
        said!(self, deadline);
        self.deadline = self.readable("deadline", deadline.into_time());
        self
    }

    /// Sets how many evaluations shrinking may use. 0 disables shrinking. Default 10,000.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// let property = property! { forall n: u32; check *n < 100 };
    /// let settings = Settings::new().shrink_evaluations(0).store(Store::Off);
    /// let found = Run::new("small", &property).settings(settings).report().counterexample.unwrap();
    /// assert!(found.original.is_none(), "it is shown as it was found");
    /// ```
    #[doc(alias("max_shrink_iters"))]
    pub fn shrink_evaluations(mut self, evaluations: u64) -> Self {
        said!(self, shrink_evaluations);
        self.shrink_evaluations = evaluations;
        self
    }

    /// Sets how long shrinking may take. Default 30 s.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// # use std::time::Duration;
    /// assert_eq!(Settings::new().shrink_time("5s").shrink_time, Duration::from_secs(5));
    /// ```
    pub fn shrink_time(mut self, time: impl IntoTime) -> Self {
        said!(self, shrink_time);
        self.shrink_time = self.readable("shrink_time", time.into_time()).unwrap_or_default();
        self
    }

    /// Sets how variables with their own shrinkers are shrunk: on values, choices, or both. Default: values.
    ///
    /// ```
    /// # use forall::run::{Settings, ShrinkOn};
    /// assert_eq!(Settings::new().shrink_on, ShrinkOn::Values);
    /// assert_eq!(Settings::new().shrink_on(ShrinkOn::Both).shrink_on, ShrinkOn::Both);
    /// ```
    pub fn shrink_on(mut self, on: ShrinkOn) -> Self {
        said!(self, shrink_on);
        self.shrink_on = on;
        self
    }

    /// Sets how many runs may be spent on explaining a counterexample; see [`explain`](crate::explain). They follow
    /// shrinking. Slow tests get fewer runs, so that explaining takes at most about five seconds per two thousand runs
    /// set here. Where tests are fast, up to ten times as many runs confirm the claims. 0 disables explanations.
    /// Default 2,000.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// let property = property! { forall n: u32; forall flag: bool; check *n < 100 };
    /// let explained = |settings: Settings| {
    ///     let run = Run::new("small", &property).settings(settings.store(Store::Off));
    ///     run.report().counterexample.unwrap().explanation.claims.len()
    /// };
    /// assert_eq!(explained(Settings::new()), 2, "the flag does not matter, and n is 100 or more");
    /// assert_eq!(explained(Settings::new().explain(0)), 0);
    /// ```
    pub fn explain(mut self, runs: u64) -> Self {
        said!(self, explain);
        self.explain = runs;
        self
    }

    /// Sets whether a domain with no more inputs than tests is tested exhaustively, each input once. Default on.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Run, Settings, Verdict};
    /// let property = property! { forall b: bool; check *b == !!*b };
    /// let run = |settings| Run::new("twice", &property).settings(settings).report().verdict;
    /// assert_eq!(run(Settings::new()), Verdict::Exhausted { inputs: 2, at_size: None });
    /// assert_eq!(run(Settings::new().enumerate(false)), Verdict::Passed);
    /// ```
    pub fn enumerate(mut self, enumerate: bool) -> Self {
        said!(self, enumerate);
        self.enumerate = enumerate;
        self
    }

    /// Sets the runner, by name. Default `generational`.
    ///
    /// | runner | how it tests |
    /// | --- | --- |
    /// | [`generational`](crate::run::generational()) | generates random inputs; every input once, if there are few |
    /// | [`targeted`](crate::guide::targeted()) | maximises the scores of `target!`: keeps the best inputs and mutates them |
    /// | [`combinatorial`](crate::guide::combinatorial()) | generates eight inputs and runs the one with the newest combinations of constructors |
    /// | [`constructors`](crate::guide::constructor_guided()) | grows valid inputs of new forms, where nearly all are discarded |
    /// | `exhaustive` | tests every input up to a depth, then to the next: see `forall::lazy` |
    /// | [`coverage`](crate::guide::coverage_guided()) | searches for new coverage: needs `cargo forall instrumented test` |
    ///
    /// Your own runner is registered with [`#[forall::runner]`](macro@crate::runner), or passed to
    /// [`Run::runner`](crate::run::Run::runner).
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Verdict}};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let report = Run::new("bits", &property).settings(Settings::new().runner("fastest")).report();
    /// assert!(matches!(report.verdict, Verdict::Misconfigured(why) if why.to_string().contains("generational")));
    /// ```
    pub fn runner(mut self, runner: impl Into<String>) -> Self {
        said!(self, runner);
        self.runner = runner.into();
        self
    }

    /// Sets the maximum depth of the runner `exhaustive`. By default it continues until its evaluations are spent.
    ///
    /// The default runner tries every input up to this depth after its tests have passed, if the inputs can be
    /// enumerated from the types of the variables.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().depth(5).depth, Some(5));
    /// ```
    pub fn depth(mut self, depth: u32) -> Self {
        said!(self, depth);
        self.depth = Some(depth);
        self
    }

    /// Sets how often the runner `exhaustive` may call the property and its quantifiers. The report says if the search
    /// is incomplete. Default 100,000.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().evaluations(1_000_000).evaluations, 1_000_000);
    /// ```
    pub fn evaluations(mut self, evaluations: u64) -> Self {
        said!(self, evaluations);
        self.evaluations = evaluations;
        self
    }

    /// Sets the number of threads that test this property. Default 1: the test harness already runs tests in parallel,
    /// and tests may share ports and files. `threads = all` in an attribute and `FORALL_THREADS=all` mean the available
    /// parallelism.
    ///
    /// The result is the same on any number: verdict, counterexample, statistics. The exception is a run with a time
    /// limit. Shrinking and explaining use all threads once tests are slow enough. Guided runners use one thread; so does a
    /// run whose observer wants every test. Property values must be shareable: see [`Run::parallel`](crate::run::Run::parallel).
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().threads(4).threads, 4);
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        said!(self, threads);
        self.threads = threads;
        self
    }

    /// Sets whether the property must not run in parallel with itself, for example because it uses a single port, file
    /// or device. Default off. Such a property runs on one thread even if `FORALL_THREADS` asks for more; the report
    /// says so.
    ///
    /// Other tests of the same program still run in parallel with it, if the harness runs tests in parallel.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// let property = property! { forall n: u64; check forall::worker() == 0 };
    /// let settings = Settings::new().threads(4).serial(true);
    /// let report = Run::parallel("one at a time", &property).settings(settings).report();
    /// assert!(report.verdict.is_success());
    /// assert!(report.warnings[0].to_string().contains("serial"));
    /// ```
    pub fn serial(mut self, serial: bool) -> Self {
        self.serial = serial;
        self
    }

    /// Sets whether each test starts in its own current directory: an empty one, which is removed after the test. Default
    /// off. For tested programs that write into the current directory. [`Cwd::PerThread`] gives each thread one directory
    /// for all of its tests. A test that needs no *current* directory can use [`scratch_dir`](crate::scratch_dir).
    ///
    /// Supported on Linux only: on other systems, the run is refused. Threads and child processes that a test starts
    /// inherit the directory. The calling thread gets its old directory back when the run ends, but a later
    /// `set_current_dir` in it affects only itself and threads that it starts then. Ctrl-C removes the directories, as
    /// for [`graceful`](crate::graceful).
    ///
    /// Isolated tests ([`isolate`](Self::isolate)) have these directories in their child processes. That is also the
    /// fallback where the system denies threads their own directory, as many containers do.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// # if cfg!(target_os = "linux") {
    /// let property = property! {
    ///     forall n: u64;
    ///     check {
    ///         std::fs::write("number", n.to_string()).unwrap();
    ///         std::fs::read_to_string("number").unwrap() == n.to_string()
    ///     }
    /// };
    /// let settings = Settings::new().threads(4).own_cwd(true);
    /// assert!(Run::parallel("files", &property).settings(settings).report().verdict.is_success());
    /// assert!(!std::path::Path::new("number").exists());
    /// # }
    /// ```
    pub fn own_cwd(mut self, own_cwd: impl Into<Cwd>) -> Self {
        self.own_cwd = own_cwd.into();
        self
    }

    /// Sets the number of threads that run each input at once. Default 1. For tested code that must be thread-safe: the
    /// threads start together, several times for each input, and the test fails if it fails on any of them. Shrinking and
    /// replaying run each input in the same way, and a saved failure records the number.
    ///
    /// Unlike [`threads`](Self::threads), which runs *different* inputs in parallel, this finds races between calls
    /// with the same input. Inputs run one after the other, whatever `threads` says. Whether a race shows up depends on
    /// the machine; see [`machine`](mod@crate::machine) for parallel programs that are checked against a model.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// let calls = AtomicU64::new(0);
    /// let property = property! { forall n: u64; check calls.fetch_add(1, Ordering::Relaxed) < *n || true };
    /// let settings = Settings::new().tests(10).beside(4).enumerate(false);
    /// let report = Run::parallel("beside itself", &property).settings(settings).report();
    /// assert_eq!(report.statistics.valid, 10);
    /// assert!(calls.into_inner() >= 40);
    /// ```
    pub fn beside(mut self, beside: usize) -> Self {
        said!(self, beside);
        self.beside = beside;
        self
    }

    /// Sets whether tests run in child processes, so that a crash or a hang is a counterexample like any other. Default
    /// off. See `forall::isolate` for the requirements: where they are not met, the run is refused.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert!(Settings::new().isolate(true).isolate);
    /// ```
    #[doc(alias("fork", "crash"))]
    pub fn isolate(mut self, isolate: bool) -> Self {
        said!(self, isolate);
        self.isolate = isolate;
        self
    }

    /// Sets the timeout of a test, after which it is killed and fails. Default: none, and 10 s for isolated tests.
    /// Enables [`isolate`](Settings::isolate); a [`deadline`](Settings::deadline) does not, and waits until the test
    /// ends by itself.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// # use std::time::Duration;
    /// assert_eq!(Settings::new().timeout("2s").timeout, Some(Duration::from_secs(2)));
    /// ```
    pub fn timeout(mut self, timeout: impl IntoTime) -> Self {
        said!(self, timeout);
        self.timeout = self.readable("timeout", timeout.into_time());
        self
    }

    /// Sets how much memory a test may allocate, in addition to what its process has at the start. Further allocations
    /// fail, which usually aborts the process. Default: no limit. Enables [`isolate`](Settings::isolate).
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().memory("512MB").memory, Some(512_000_000));
    /// assert_eq!(Settings::new().memory(1u64 << 30).memory, Some(1 << 30));
    /// ```
    pub fn memory(mut self, memory: impl IntoBytes) -> Self {
        said!(self, memory);
        self.memory = self.readable("memory", memory.into_bytes());
        self
    }

    /// Sets the stack size of a test. Default: that of the test harness, usually 2 MiB. Enables
    /// [`isolate`](Settings::isolate).
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert_eq!(Settings::new().stack("256KiB").stack, Some(256 << 10));
    /// ```
    pub fn stack(mut self, stack: impl IntoBytes) -> Self {
        said!(self, stack);
        self.stack = self.readable("stack", stack.into_bytes());
        self
    }

    /// Whether tests run in child processes: by `isolate`, or by a limit that requires it.
    pub(crate) fn isolates(&self) -> bool {
        self.isolate || self.timeout.is_some() || self.memory.is_some() || self.stack.is_some()
    }

    /// Returns the value, or records a problem that the run reports.
    fn readable<T>(&mut self, setting: &'static str, value: Result<T, String>) -> Option<T> {
        value.map_err(|error| self.problem = Some(Fact::SettingUnreadable { setting, error })).ok()
    }

    /// Sets where failures are saved. Default `.forall` beside the package's `Cargo.toml`.
    ///
    /// ```
    /// # use forall::run::{Settings, Store};
    /// assert_eq!(Settings::new().store(Store::Off).store, Store::Off);
    /// ```
    #[doc(alias("failure_persistence", "replay", "regression"))]
    pub fn store(mut self, store: Store) -> Self {
        said!(self, store);
        self.store = store;
        self
    }

    /// Sets whether to replay saved failures without writing any. Default off.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert!(Settings::new().read_only(true).read_only);
    /// ```
    #[doc(alias("replay"))]
    pub fn read_only(mut self, read_only: bool) -> Self {
        said!(self, read_only);
        self.read_only = read_only;
        self
    }

    /// Sets whether to print more. Default off.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert!(Settings::new().verbose(true).verbose);
    /// ```
    pub fn verbose(mut self, verbose: bool) -> Self {
        said!(self, verbose);
        self.verbose = verbose;
        self
    }

    /// Also replays shared failures: those in a corpus of `cargo forall run --corpus` that is a directory, relative to
    /// the package. It is only read. Default none.
    ///
    /// ```
    /// # use forall::run::Settings;
    /// assert!(Settings::new().corpus("/shared/corpus").corpus.is_some());
    /// ```
    #[doc(hidden)]
    pub fn corpus(mut self, directory: impl Into<PathBuf>) -> Self {
        self.corpus = Some(directory.into());
        self
    }

    /// Runs only the tests of this shard: other machines run the rest. They all need the same [`seed`](Settings::seed).
    /// Default none.
    ///
    /// ```
    /// # use forall::run::{Settings, Shard};
    /// assert_eq!(Settings::new().shard("3/64".parse().unwrap()).shard, Shard::new(3, 64));
    /// ```
    #[doc(hidden)]
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = Some(shard);
        self
    }

    /// Declares that the body prints, as the attribute detects.
    #[doc(hidden)]
    pub fn prints(mut self) -> Self {
        self.prints = true;
        self
    }

    /// Declares that the test has `#[should_panic]`, with this expected message.
    #[doc(hidden)]
    pub fn expected_panic(mut self, message: &'static str) -> Self {
        self.expected_panic = Some(message);
        self
    }
}
