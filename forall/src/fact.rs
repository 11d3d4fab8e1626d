//! Facts: everything that a run can report, as data.
//!
//! A [`Fact`] has a stable name and figures; its sentence is rendered elsewhere. Verdicts, warnings and caveats contain facts, events have
//! their names and fields, and programs match on them. The text is rendered in one place, `report/facts.rs`, where
//! `Display` is implemented.

use self::figure::Figure;
pub use self::figure::{Kept, Value};
use std::fmt;
use std::time::Duration;

mod figure;
pub(crate) mod urgent;

/// The indices of tests with literals begin here, which no random test reaches.
pub(crate) const LITERALS_INDICES: u64 = 1 << 63;

/// Defines [`Fact`]: each variant with its name in events, and its fields.
macro_rules! facts {
    ($($(#[$about:meta])* $variant:ident $({ $($(#[$what:meta])* $field:ident: $of:ty),* $(,)? })? = $name:literal;)*) => {
        /// A fact that a run reports, with its figures: a warning, a caveat, or the reason for a verdict.
        ///
        /// Match on the variants that matter to you. All variants have a [`name`](Fact::name), which identifies them in
        /// events, and a message with advice. Variants that are not documented may change.
        ///
        /// ```
        /// use forall::prelude::*;
        /// use forall::run::{Fact, Run, Settings, Verdict};
        /// let property = property! { forall n: u64; check { assume!(*n == 7_654_321); true } };
        /// let report = Run::new("rare", &property).settings(Settings::new().seed(1)).report();
        /// let Verdict::GaveUp(why) = report.verdict else { panic!("too few inputs are valid") };
        /// assert!(matches!(why, Fact::TooManyDiscards { valid: 0, .. }));
        /// assert_eq!(why.name(), "too-many-discards");
        /// assert!(why.to_string().starts_with("No valid test ran"));
        /// ```
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum Fact {
            $($(#[$about])* $variant $({ $($(#[$what])* $field: $of),* })?,)*
        }

        impl Fact {
            /// Returns the name of this kind of fact, as used in events.
            ///
            /// ```
            /// use forall::run::Fact;
            /// assert_eq!(Fact::RaceWithItself { threads: 4 }.name(), "race-with-itself");
            /// ```
            pub fn name(&self) -> &'static str {
                match self {
                    $(Fact::$variant { .. } => $name,)*
                }
            }

            /// Whether this is a warning of a health check, which `Settings::health` disables.
            pub(crate) fn is_health(&self) -> bool {
                matches!(self, Fact::ManyDiscards { .. } | Fact::SlowGeneration { .. } | Fact::LargeInputs { .. })
            }

            /// The names of all facts.
            #[cfg(test)]
            const NAMES: &[&str] = &[$($name),*];

            /// Passes on each figure with its name. One call for each: building lists would dominate the compile time
            /// of this file.
            fn each_figure(&self, take: &mut dyn FnMut(&'static str, &dyn Figure)) {
                match self {
                    $(Fact::$variant $({ $($field),* })? => { $($(take(stringify!($field), $field);)*)? })*
                }
            }
        }
    };
}

impl Fact {
    /// The figures, by their names.
    pub(crate) fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        self.each_figure(&mut |name, figure| fields.push((name, figure.value())));
        fields
    }
}

// Compares names and fields, which exist for events anyway: a derive would generate code for each variant.
impl PartialEq for Fact {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.fields() == other.fields()
    }
}

impl fmt::Debug for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(self.name());
        for (name, value) in &self.fields() {
            shown.field(name, value);
        }
        shown.finish()
    }
}

/// A text of your own runner.
///
/// ```
/// use forall::run::{Fact, Verdict};
/// let verdict = Verdict::GaveUp("the device is not there".into());
/// assert_eq!(verdict, Verdict::GaveUp(Fact::Other { text: "the device is not there".to_owned() }));
/// ```
impl From<String> for Fact {
    fn from(text: String) -> Self {
        Fact::Other { text }
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Self {
        Fact::Other { text: text.to_owned() }
    }
}

facts! {
    /// The time limit was reached before the requested number of tests.
    #[doc(hidden)]
    TimeLimit {
        /// Valid tests so far.
        valid: u64,
        /// Requested valid tests; `u64::MAX` for an unlimited run.
        wanted: u64,
        /// The limit.
        limit: Duration,
    } = "time-limit";
    /// The run was cancelled before the requested number of tests.
    #[doc(hidden)]
    Stopped {
        /// Valid tests so far.
        valid: u64,
        /// Requested valid tests; `u64::MAX` for an unlimited run.
        wanted: u64,
    } = "stopped";
    /// More tests were discarded than the discard ratio allows.
    TooManyDiscards {
        /// Valid tests.
        valid: u64,
        /// Discarded tests.
        discarded: u64,
        /// The clause that discarded most of them: the source of an assumption, or the name of a variable whose
        /// generator rejected the test. Empty if unknown.
        clause: String,
        /// The allowed number of discards per valid test.
        ratio: u64,
    } = "too-many-discards";
    /// Every input of the domain was tested and discarded.
    #[doc(hidden)]
    AllDiscarded {
        /// The number of inputs.
        discarded: u64,
        /// As in `TooManyDiscards`.
        clause: String,
    } = "all-discarded";
    /// Many tests were discarded in a run that passed.
    #[doc(hidden)]
    ManyDiscards {
        /// Valid tests.
        valid: u64,
        /// Discarded tests.
        discarded: u64,
        /// As in `TooManyDiscards`.
        clause: String,
    } = "many-discards";
    /// Generating inputs takes most of the time of the run.
    #[doc(hidden)]
    SlowGeneration {
        /// The mean time for an input.
        mean: Duration,
        /// The number of tests.
        tests: u64,
        /// Its share of the run's time, from 0 to 1.
        share: f64,
    } = "slow-generation";
    /// Inputs are large.
    #[doc(hidden)]
    LargeInputs {
        /// The average number of choices of an input.
        choices: u64,
        /// The number of tests.
        tests: u64,
    } = "large-inputs";
    /// A `cover!` requirement is not met.
    #[doc(hidden)]
    CoverNotMet {
        /// The label of the requirement.
        label: String,
        /// The required percentage.
        percent: f64,
        /// Valid tests that it holds for.
        hits: u64,
        /// Valid tests.
        valid: u64,
        /// The lower end of the interval for the true share, from 0 to 1.
        low: f64,
        /// Its upper end; the same as `low` if every input was tested.
        high: f64,
    } = "cover-not-met";
    /// The tests do not decide whether a `cover!` requirement is met.
    #[doc(hidden)]
    CoverUndecided {
        /// The label of the requirement.
        label: String,
        /// The required percentage.
        percent: f64,
        /// Valid tests that it holds for.
        hits: u64,
        /// Valid tests.
        valid: u64,
    } = "cover-undecided";
    /// A test failed while others ran on other threads, and passes alone.
    #[doc(hidden)]
    RaceWithItself {
        /// The number of threads.
        threads: u64,
    } = "race-with-itself";
    /// The reported input failed in another way while it or other tests ran on several threads.
    #[doc(hidden)]
    FailedInAnotherWay {
        /// The number of threads.
        threads: u64,
        /// The message of that failure.
        message: String,
    } = "failed-in-another-way";
    /// An input that passed earlier in the run fails now: tests leave state behind. The failure is not shrunk.
    #[doc(hidden)]
    StateLeftBehind {
        /// The index of the test that passed.
        index: u64,
        /// Its input.
        input: String,
        /// The number of reruns of inputs that had passed, all of which failed.
        runs: u64,
    } = "state-left-behind";
    /// A generator drew differently from the same choices.
    #[doc(hidden)]
    NotDeterministic = "not-deterministic";
    /// The same choices produced a different value of a variable.
    #[doc(hidden)]
    OtherValue {
        /// The variable.
        variable: String,
        /// The value at first.
        first: String,
        /// The value when it was generated again.
        second: String,
    } = "other-value";
    /// Most candidates of shrinking were rejected.
    #[doc(hidden)]
    MostlyRejected {
        /// Candidates that were rejected by a generator or an assumption.
        rejected: u64,
        /// Candidates that ran.
        tried: u64,
    } = "mostly-rejected";
    /// The explanation is based on fewer runs because they are slow.
    #[doc(hidden)]
    ExplanationSlow {
        /// Runs so far.
        runs: u64,
    } = "explanation-slow";
    /// A text without figures, such as that of your own runner.
    Other {
        /// The text.
        text: String,
    } = "other";

    // Generators, shrinkers and mutators.
    #[doc(hidden)]
    TooFewOperations { variable: String, discarded: u64, found: u64, least: u64 } = "too-few-operations";
    #[doc(hidden)]
    TooFewDifferent { variable: String, discarded: u64, found: u64, least: u64 } = "too-few-different";
    #[doc(hidden)]
    GeneratorPanicked { variable: String, message: String, place: Option<String> } = "generator-panicked";
    #[doc(hidden)]
    GeneratorCrashed { message: String } = "generator-crashed";
    #[doc(hidden)]
    ContractBroken { variable: String, contract: String, value: String, by: String } = "contract-broken";
    #[doc(hidden)]
    Misuse { variable: String, message: String } = "misuse";
    #[doc(hidden)]
    SenselessSpecification { what: String } = "senseless-specification";
    #[doc(hidden)]
    InputTooLarge { variable: String, limit: u64 } = "input-too-large";
    #[doc(hidden)]
    EndlessDraws { source: String, limit: u64 } = "endless-draws";
    #[doc(hidden)]
    DrawnOnSeveralThreads { source: String } = "drawn-on-several-threads";
    #[doc(hidden)]
    Unrecorded { limit: u64 } = "unrecorded";
    #[doc(hidden)]
    BeginningOfUnrecorded { limit: u64 } = "beginning-of-unrecorded";
    #[doc(hidden)]
    ShrinkerPanicked { variable: String, message: String, place: Option<String> } = "shrinker-panicked";
    #[doc(hidden)]
    ShrinkerReturnsTheValue { variable: String } = "shrinker-returns-the-value";
    #[doc(hidden)]
    ShrinkerGoesInCircles { variable: String } = "shrinker-goes-in-circles";
    #[doc(hidden)]
    ShrinkerOnlyGrows { variable: String } = "shrinker-only-grows";
    #[doc(hidden)]
    TooManySteps { steps: u64 } = "too-many-steps";
    #[doc(hidden)]
    FeedbackPanicked { message: String } = "feedback-panicked";
    #[doc(hidden)]
    ScoreIsNan = "score-is-nan";

    // Caveats of a failure.
    #[doc(hidden)]
    FlakyAndLost { runs: u64 } = "flaky-and-lost";
    #[doc(hidden)]
    FlakyWhenSimpler = "flaky-when-simpler";
    #[doc(hidden)]
    FlakyRace { property: String } = "flaky-race";
    #[doc(hidden)]
    FlakyUnderControl = "flaky-under-control";
    #[doc(hidden)]
    NotControlled { tests: u64, threads: Vec<String> } = "not-controlled";
    #[doc(hidden)]
    NeverPassed = "never-passed";
    #[doc(hidden)]
    BodyPrints { runs: u64 } = "body-prints";
    #[doc(hidden)]
    HookReplaced = "hook-replaced";
    #[doc(hidden)]
    ThreadsPanicked { times: u64, last: String } = "threads-panicked";
    #[doc(hidden)]
    StrayPanics { times: u64, last: String } = "stray-panics";
    #[doc(hidden)]
    DeadlineMissed { taken: Duration, cpu: Option<Duration>, deadline: Duration } = "deadline-missed";
    #[doc(hidden)]
    DeadlineMissedWaiting { deadline: Duration } = "deadline-missed-waiting";
    #[doc(hidden)]
    TaskPanicked = "task-panicked";
    #[doc(hidden)]
    NeedsTokio = "needs-tokio";
    #[doc(hidden)]
    AssumedOutsideOfATest { condition: String } = "assumed-outside-of-a-test";

    // Why something ended early.
    #[doc(hidden)]
    EvaluationsSpent { evaluations: u64 } = "evaluations-spent";
    #[doc(hidden)]
    ShrinkTimeSpent { taken: Duration } = "shrink-time-spent";
    #[doc(hidden)]
    RetriesSpent { runs: u64 } = "retries-spent";
    #[doc(hidden)]
    LastFailedTwice = "last-failed-twice";
    #[doc(hidden)]
    ExplanationSpent { runs: u64 } = "explanation-spent";
    #[doc(hidden)]
    ExplanationOfLargeValues { runs: u64 } = "explanation-of-large-values";
    #[doc(hidden)]
    ExplanationOfSlowRuns { runs: u64 } = "explanation-of-slow-runs";
    #[doc(hidden)]
    RunStopped = "run-stopped";

    // Saved failures, and other replays.
    #[doc(hidden)]
    StillFails { origin: String } = "still-fails";
    #[doc(hidden)]
    NoLongerFails { origin: String, threads: Option<u64>, kept: Kept } = "no-longer-fails";
    #[doc(hidden)]
    RaceNotReplayed { origin: String, threads: u64, isolated: bool } = "race-not-replayed";
    #[doc(hidden)]
    StoreUnwritable { error: String } = "store-unwritable";
    #[doc(hidden)]
    StoreUnreadable { path: String, error: String } = "store-unreadable";
    #[doc(hidden)]
    StoreUnlistable { path: String, error: String } = "store-unlistable";
    #[doc(hidden)]
    StoreTrouble { error: String } = "store-trouble";
    #[doc(hidden)]
    RegressionUnreadable { path: String, error: String } = "regression-unreadable";
    #[doc(hidden)]
    RegressionsUnclaimed { count: u64, listed: Vec<String> } = "regressions-unclaimed";
    #[doc(hidden)]
    SameName { own: String, other: String } = "same-name";
    #[doc(hidden)]
    GeneratorChanged { origin: String, value: String } = "generator-changed";
    #[doc(hidden)]
    PathChanged { origin: String, value: String } = "path-changed";
    #[doc(hidden)]
    ChangedAndFails { origin: String, value: String } = "changed-and-fails";
    #[doc(hidden)]
    NotSearchable { origin: String, reason: Box<Fact> } = "not-searchable";
    #[doc(hidden)]
    WorkWasCutOff { origin: String, value: String, message: String, times: u64 } = "work-was-cut-off";
    #[doc(hidden)]
    ShrinkingEndedTheProcess { origin: String } = "shrinking-ended-the-process";
    #[doc(hidden)]
    NowDiscarded { origin: String } = "now-discarded";
    #[doc(hidden)]
    ScheduleNeedsRace { origin: String, property: String } = "schedule-needs-race";
    #[doc(hidden)]
    GivenInputChanged = "given-input-changed";
    #[doc(hidden)]
    GivenInputDiscarded = "given-input-discarded";
    #[doc(hidden)]
    ExampleDiscarded { place: u64 } = "example-discarded";
    #[doc(hidden)]
    NothingToKeep = "nothing-to-keep";
    #[doc(hidden)]
    CorpusIsNoDirectory { scheme: String } = "corpus-is-no-directory";
    #[doc(hidden)]
    CorpusIsMissing { path: String } = "corpus-is-missing";
    #[doc(hidden)]
    CorpusIsNone { path: String } = "corpus-is-none";
    #[doc(hidden)]
    CorpusIsOfAnotherVersion { path: String, found: String } = "corpus-is-of-another-version";
    #[doc(hidden)]
    SeedSkipped { path: String, error: String } = "seed-skipped";
    #[doc(hidden)]
    SeedsSkipped { count: u64 } = "seeds-skipped";

    // Settings, names, commands.
    #[doc(hidden)]
    ZeroTests = "zero-tests";
    #[doc(hidden)]
    ZeroThreads = "zero-threads";
    #[doc(hidden)]
    BesideOutOfRange { beside: u64, most: u64 } = "beside-out-of-range";
    #[doc(hidden)]
    SizeTooLarge { size: u64, most: u64 } = "size-too-large";
    #[doc(hidden)]
    SettingDoesNotParse { variable: String, value: String, expected: String } = "setting-does-not-parse";
    #[doc(hidden)]
    SettingUnreadable { setting: &'static str, error: String } = "setting-unreadable";
    #[doc(hidden)]
    NoProfiles { profile: String, directory: String } = "no-profiles";
    #[doc(hidden)]
    ProfilesUnreadable { path: String, error: String } = "profiles-unreadable";
    #[doc(hidden)]
    ProfilesInvalid { path: String, line: u64, column: u64, error: String } = "profiles-invalid";
    #[doc(hidden)]
    UnknownVariable { variable: String } = "unknown-variable";
    #[doc(hidden)]
    UnknownRunner { runner: String, known: Vec<String> } = "unknown-runner";
    /// Several functions with `#[forall::runner]` have the same name; `places` lists their locations.
    #[doc(hidden)]
    RunnerNamedTwice { runner: String, places: Vec<String> } = "runner-named-twice";
    /// A registered runner panicked.
    #[doc(hidden)]
    RunnerPanicked { runner: String, message: String } = "runner-panicked";
    /// A registered runner returned the report of another property.
    #[doc(hidden)]
    RunnerReportedAnother { runner: String, property: String } = "runner-reported-another";
    /// A registered runner returned a report that its session did not create.
    #[doc(hidden)]
    RunnerDidNotFinish { runner: String } = "runner-did-not-finish";
    #[doc(hidden)]
    NeedsFeature { what: String, feature: &'static str } = "needs-feature";
    #[doc(hidden)]
    IgnoredWithoutFeature { what: String, feature: &'static str } = "ignored-without-feature";
    #[doc(hidden)]
    NotInstrumented = "not-instrumented";
    #[doc(hidden)]
    CoverageNeedsLinux = "coverage-needs-linux";
    #[doc(hidden)]
    IsolatedCoverage = "isolated-coverage";
    #[doc(hidden)]
    IsolatedSearch = "isolated-search";
    #[doc(hidden)]
    IsolationNeedsEntry = "isolation-needs-entry";
    #[doc(hidden)]
    IsolationNeedsLinux = "isolation-needs-linux";
    #[doc(hidden)]
    IsolatedInside = "isolated-inside";
    #[doc(hidden)]
    TighterInside { limit: String } = "tighter-inside";
    #[doc(hidden)]
    ZeroTimeout = "zero-timeout";
    #[doc(hidden)]
    StackTooSmall { stack: u64, least: u64 } = "stack-too-small";
    #[doc(hidden)]
    SearchIsNotSplit = "search-is-not-split";
    #[doc(hidden)]
    EmptyIndices { start: u64, end: u64 } = "empty-indices";
    #[doc(hidden)]
    EmptyShard { tests: u64 } = "empty-shard";
    #[doc(hidden)]
    CheckpointUnusable { path: String, error: String } = "checkpoint-unusable";
    #[doc(hidden)]
    FoundMeanwhile { message: String, path: Option<String> } = "found-meanwhile";
    #[doc(hidden)]
    PastKnown { failures: u64, tests: u64 } = "past-known";
    #[doc(hidden)]
    UnusableName { property: String } = "unusable-name";
    #[doc(hidden)]
    NoSuchProperty { property: String } = "no-such-property";
    #[doc(hidden)]
    NotACommand { command: String, error: String } = "not-a-command";
    #[doc(hidden)]
    UnknownCommand { command: String } = "unknown-command";
    #[doc(hidden)]
    LiteralsUnreadable { variable: String, path: String, error: String } = "literals-unreadable";
    #[doc(hidden)]
    NoLiteral { variable: String, path: String, line: u64, text: String } = "no-literal";

    // Searches.
    #[doc(hidden)]
    NotDecidable = "not-decidable";
    #[doc(hidden)]
    SearchGeneratorPanicked { message: String } = "search-generator-panicked";
    #[doc(hidden)]
    SearchEndless { input: Vec<String> } = "search-endless";
    #[doc(hidden)]
    SearchStrayed { variable: Option<String>, quantifier: Option<String> } = "search-strayed";
    #[doc(hidden)]
    SearchLookedLate = "search-looked-late";
    #[doc(hidden)]
    SearchUnsteady = "search-unsteady";
    #[doc(hidden)]
    SearchDoesNotRepeat = "search-does-not-repeat";
    #[doc(hidden)]
    SearchDiscardedAll { tests: u64 } = "search-discarded-all";
    #[doc(hidden)]
    NothingToSearch { depth: u64 } = "nothing-to-search";
    #[doc(hidden)]
    SearchUnfinished { depth: u64, evaluations: u64 } = "search-unfinished";
    #[doc(hidden)]
    NoEvaluations = "no-evaluations";
    #[doc(hidden)]
    PrunesNothing { rejected: u64, depth: u64 } = "prunes-nothing";

    // Threads and processes.
    #[doc(hidden)]
    ThreadsRefused { got: u64, wanted: u64, error: String } = "threads-refused";
    #[doc(hidden)]
    NotShared { threads: u64 } = "not-shared";
    #[doc(hidden)]
    ThreadsNeedFeature { threads: u64 } = "threads-need-feature";
    #[doc(hidden)]
    IsSerial { threads: u64 } = "is-serial";
    #[doc(hidden)]
    RunnerOnOneThread { runner: String, threads: u64 } = "runner-on-one-thread";
    #[doc(hidden)]
    RunnerWithoutExtraTime { runner: String } = "runner-without-extra-time";
    #[doc(hidden)]
    NoOwnCwd { error: String } = "no-own-cwd";
    #[doc(hidden)]
    NoProcess { error: String } = "no-process";
    #[doc(hidden)]
    CrashDidNotRepeat { earlier: u64 } = "crash-did-not-repeat";
    #[doc(hidden)]
    CrashHistoryTooLong { earlier: u64 } = "crash-history-too-long";
    #[doc(hidden)]
    WaitsAfterInterrupt = "waits-after-interrupt";
    #[doc(hidden)]
    StillRunning {
        property: String,
        test: Option<String>,
        index: u64,
        seed: u64,
        tests: u64,
        taken: Duration,
    } = "still-running";
    #[doc(hidden)]
    FailedMeanwhile { message: String, path: Option<String> } = "failed-meanwhile";
    #[doc(hidden)]
    StillRunningInput { property: String, taken: Duration } = "still-running-input";
    #[doc(hidden)]
    StillAtTest { property: String, index: u64, seed: u64, taken: Duration } = "still-at-test";
    #[doc(hidden)]
    MayDrawWithoutEnd { limit: u64 } = "may-draw-without-end";
    #[doc(hidden)]
    PanickedTwice { property: String, index: u64, seed: u64, panics: Vec<String> } = "panicked-twice";
    #[doc(hidden)]
    Exited { property: String, index: u64, seed: u64 } = "exited";
    #[doc(hidden)]
    ExitedWhile { property: String, doing: String, input: String } = "exited-while";
    #[doc(hidden)]
    KilledBySignal { signal: u64 } = "killed-by-signal";
    #[doc(hidden)]
    CalledExit = "called-exit";
    #[doc(hidden)]
    Hung { limit: Duration } = "hung";
    #[doc(hidden)]
    NothingWasRunning = "nothing-was-running";
    #[doc(hidden)]
    InputNotWritten { path: String, error: String } = "input-not-written";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_facts_have_one_name_and_all_are_written_alike() {
        let mut names = Fact::NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Fact::NAMES.len());
        let is_plain = |name: &&str| name.chars().all(|c| c == '-' || c.is_ascii_lowercase());
        assert!(names.iter().all(is_plain), "{names:?}");
    }

    #[test]
    fn facts_are_equal_by_their_figures_and_shown_with_them() {
        let fact = |valid| Fact::TimeLimit { valid, wanted: 256, limit: Duration::from_secs(2) };
        assert_eq!(fact(17), fact(17));
        assert_ne!(fact(17), fact(18));
        assert_ne!(fact(17), Fact::Stopped { valid: 17, wanted: 256 });
        assert_eq!(format!("{:?}", fact(17)), "time-limit { valid: 17, wanted: 256, limit: 2.0 }");
    }
}
