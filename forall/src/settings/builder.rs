//! The builder's methods, one for each setting.

use super::{DESK_TIME, IntoBytes, IntoTime, Schedule, Settings, Shard};
use crate::effects::Cwd;
use crate::fact::Fact;
use crate::shrink::on::ShrinkOn;
use crate::store::setting::Store;
use std::path::PathBuf;

/// Records that a setting was set.
macro_rules! said {
    ($settings:ident, $key:ident) => {
        $settings.said.push(stringify!($key))
    };
}

impl Settings {
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
    /// By default, an interactive run continues for 50 ms, or until 20,000 more tests have passed (10,000 after 15 ms), or
    /// until 2,500 more were generated if most fresh inputs are discarded: not in CI, not if `tests`, `seed`, `max_time` or `deadline` is set, only if the run took less than 10 ms, and for at most 2 s for all
    /// properties of a process together. In CI, a commit therefore always gets the same verdict. With `tests` set and
    /// `FORALL_LITERALS=off`, a passing run has exactly that number of random tests; otherwise up to a quarter as many with
    /// literals run before them, and a smaller domain is tested exhaustively instead. If this setting is given, the run always continues for that
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

    /// Lets a run with a seed explore for as long as an interactive one does, for benchmarks.
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
    /// off. Use it for programs that write into the current directory. [`Cwd::PerThread`] gives each thread one directory
    /// for all of its tests. A test that needs no *current* directory can use [`scratch_dir`](crate::scratch_dir).
    ///
    /// Supported on Linux only: on other systems, the run is rejected. Threads and child processes that a test starts
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

    /// Sets the number of threads that run each input at once. Default 1. Use it to test whether code is thread-safe: the
    /// threads start together, several times for each input, and the test fails if it fails on any of them. Shrinking and
    /// replaying run each input in the same way, and a saved failure records the number.
    ///
    /// Unlike [`threads`](Self::threads), which runs *different* inputs in parallel, this finds races between calls
    /// with the same input. Inputs run one after the other, regardless of `threads`. Whether a race shows up depends on
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
