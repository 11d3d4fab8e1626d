//! Events and test cases of runs, written to files for programs to read.
//!
//! Nothing is written unless an environment variable is set:
//!
//! | variable | output |
//! | --- | --- |
//! | `FORALL_EVENTS=FILE` | the events of each run, appended to the file as JSON lines. `cargo forall` reads it |
//! | `FORALL_OBSERVE=1` | each test with its values, in the format of Tyche, in `.forall/observed/` |
//! | `FORALL_OBSERVE=FOLDER` | the same in another folder |
//!
//! # The events, version 1
//!
//! Each line is an object with `v` (the version), `event` and `property`. The other fields depend on `event`; fields
//! may be added without a new version. Times are in seconds. Texts are for people, and may change.
//!
//! | `event` | fields |
//! | --- | --- |
//! | `started` | `file`, `line`, `seed` (as a string, like `0x1f`), `tests` requested, `runner`, `threads`, `time_limit` or null, `at` (Unix time) |
//! | `replaying`, `replayed` | `origin`, the path of a saved failure; `outcome`, and its `fact` |
//! | `failed` | `case`, the input to paste; `message` |
//! | `shrunk` | `case`, `evaluations` so far, `pass`, `values` |
//! | `tried` | a candidate that shrinking ran and rejected: `evaluations` so far, `pass`, `values`, `outcome`; of many only a sample |
//! | `drawn` | `picture`, a parallel run of a machine that failed: `prefix` and `branches`, lists of objects with `command`, `response` or null, and `from` and `to`, the rows of its call and of its return in the drawing of the report |
//! | `quoted` | `tests`, the number of tests with literals of the source, which are not counted among the others; `complete`, whether all of them ran |
//! | `explained` | the number of `claims`; `evaluations` |
//! | `kept` | `path` |
//! | `searched` | `depth`, `evaluations`, `inputs` or null, `complete` |
//! | `warned` | `text`, `fact` |
//! | `urgent` | `text`, `fact`: a message that cannot wait for the end of a run |
//! | `sampled` | `index`, `size`, `values`, `discarded` (`FORALL_DO='sample PROPERTY N'`) |
//! | `profiled` | the number of `inputs` examined and of `duplicates` among them; `draws`, a list of objects with `variable`, `seconds`, `slowest` and its `test` |
//! | `step` | `number`, `of`, `values`: a replayed input, after each step of a shrinker on its values |
//! | `measured` | `tests`, `seconds`, `generating`: the results of `FORALL_DO='bench PROPERTY N'` |
//! | `finished` | `verdict`, `why` or null, its `fact` or null, `valid`, `discarded`, `inputs` or null, `seed`, `time`, `labels`, `tables`, `covers`, `features`, `warnings`, their `facts`, `workers`, `text` (the whole report), `counterexample` or null |
//!
//! A fact, see [`Fact`], is an object with its `name`, its `text` and its fields; times are in seconds. Programs should
//! use the name, because texts change. `values` is a list of objects with `name`, `type` and `text`. `labels` maps
//! names to numbers of tests, `tables` names to such maps, `covers` names to `percent` and `hits`, `features` has the
//! form of `tables`. A counterexample has `case`, `found` (`random`, `literals`, `stored`, `example`, …), `values`,
//! `message`, `location` or null, `notes`, `caveats` (facts), `claims` (each with `variable` or null, `whole` if the
//! value of the variable does not matter, `text`, and the number of `runs` that confirm it), `stored` or null,
//! `shrinking` with `accepted`, `evaluations`, `time` and `passes`, and `reruns` with `runs` and `failed`: how often a
//! flaky input was rerun, and how often it failed then.
//!
//! # The tests
//!
//! Each process writes two files per property: `NAME_PROCESS_testcases.jsonl` has an object for each recorded test, and
//! `NAME_PROCESS_info.jsonl` has information about the run. The fields are those of OpenPBTStats, which
//! [Tyche](https://tyche-pbt.github.io) displays. The values of [`feature!`](crate::feature!), labels, rows of tables
//! and the score of a test are its features. `labels` in `metadata` lists which of them are labels; a label with the
//! name of another feature of the test gets ` (label)` appended.
//!
//! Each of the first [`EACH`] tests is recorded, after that every tenth, from ten times as many on every hundredth, and
//! so on; `stands_for` in `metadata` is the number of tests that each represents. `how_generated` is `at random`, `by
//! the runner`, or `literals`. Recorded tests run one by one, on one thread. In an instrumented build (`forall report
//! --coverage`), `metadata` has the number of `places` of the program and how many are `reached` by this test and the
//! earlier ones.

mod drawing;
mod openpbt;
mod profile;
mod request;
mod stream;
mod tried;

use crate::context;
use crate::context::told::{cut, events, folder, is_asked_for};
use crate::fact::Fact;
use crate::fact::urgent::Passing;
use crate::protocol;
use crate::protocol::{Encode, Told};
use crate::run::recorders::{Observed, Recorder, Recording};
use crate::run::{Case, Event, Identity, Settings, Tested, Tester};
use openpbt::TestCases;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use stream::Stream;
use tried::Tried;

/// The number of tests that are each recorded; later ones are sampled.
///
/// ```
/// assert_eq!(forall::observe::EACH, 1000);
/// ```
#[doc(hidden)]
pub const EACH: u64 = 1000;

inventory::submit! { Passing(pass_on) }
inventory::submit! { Recording { begin: Recorders::begin, profile: profile::profile } }

/// The recorders that the environment requests.
struct Recorders {
    stream: Option<Stream>,
    tests: Option<TestCases>,
    tried: Tried,
    /// The locations reached so far, in an instrumented build.
    #[cfg(feature = "coverage")]
    reached: Option<crate::coverage::Reached>,
}

impl Recorders {
    /// The recorders that the environment requests. None inside another test, which has its own.
    fn begin(identity: &Identity, settings: &Settings, package: &Path) -> Option<Box<dyn Recorder>> {
        if context::is_serving() || context::is_active() || !is_asked_for() {
            return None;
        }
        let stream = events().map(|path| Stream::new(Lines::to(path), identity, settings));
        let tests = folder().map(|folder| {
            let local = folder == Path::new("1") || folder == Path::new("on");
            let folder = if local { package.join(".forall").join("observed") } else { package.join(folder) };
            TestCases::new(&folder, identity)
        });
        #[cfg(feature = "coverage")]
        let reached = tests.as_ref().and_then(|_| crate::coverage::Reached::new());
        Some(Box::new(Self {
            stream,
            tests,
            tried: Tried::default(),
            #[cfg(feature = "coverage")]
            reached,
        }))
    }
}

impl Recorder for Recorders {
    fn wants_tests(&self) -> bool {
        self.tests.is_some()
    }

    /// A failed test is always recorded.
    fn wants(&self, index: u64, tested: &Tested) -> Option<u64> {
        let failed = matches!(tested, Tested::Fail(_)).then_some(1);
        stands_for(index).or(failed).filter(|_| self.wants_tests())
    }

    fn wants_values(&self) -> bool {
        self.stream.is_some()
    }

    fn count_reached(&mut self) {
        #[cfg(feature = "coverage")]
        if let Some(reached) = &mut self.reached {
            reached.count();
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Some(stream) = &mut self.stream {
            stream.event(event);
        }
        if let (Some(tests), Event::Finished { report }) = (&mut self.tests, event) {
            tests.finished(report);
        }
    }

    fn tested(&mut self, test: &Observed<'_>) {
        #[cfg(feature = "coverage")]
        let places = self.reached.as_mut().map(|reached| {
            // Coverage since the last test does not come from a test.
            reached.forget();
            reached.places()
        });
        #[cfg(not(feature = "coverage"))]
        let places = None;
        if let Some(tests) = &mut self.tests {
            tests.tested(test, places);
        }
    }

    fn record(&mut self, event: protocol::Event) {
        if let Some(stream) = &mut self.stream {
            stream.add(event);
        }
    }

    fn tried(&mut self, tester: &Tester<'_>, case: &Case, tested: &Tested, by: (&'static str, u64)) {
        self.shrunk(tester);
        self.tried.ran(case, tested, by);
    }

    fn taken(&mut self) {
        self.tried.taken();
    }

    fn shrunk(&mut self, tester: &Tester<'_>) {
        if let Some(tried) = self.tried.take(tester) {
            self.record(tried.into());
        }
    }

    fn show_steps(&mut self, tester: &Tester<'_>, case: &Case) {
        let of = case.steps.len();
        for number in 0..=of {
            let part = Case { sequence: case.sequence.clone(), steps: case.steps[..number].to_vec() };
            let values = stream::values(&tester.print(&part));
            self.record(protocol::Step { number: number as u64, of: of as u64, values }.into());
        }
    }
}

/// Returns the number of tests that a recorded one represents: at first each is recorded, then one in ten, one in a
/// hundred, …. `None` if it is not recorded.
fn stands_for(index: u64) -> Option<u64> {
    let mut step = 1;
    while index / step >= EACH * 10 {
        step *= 10;
    }
    if index >= EACH {
        step *= 10;
    }
    index.is_multiple_of(step).then_some(step)
}

/// A file to which lines are appended. A write error is reported once, and the run continues.
struct Lines {
    path: PathBuf,
    file: Option<File>,
    failed: bool,
}

impl Lines {
    fn to(path: PathBuf) -> Self {
        Self { path, file: None, failed: false }
    }

    /// A line is written in one call: other processes may append to the file.
    fn add(&mut self, mut line: String) {
        if self.failed {
            return;
        }
        line.push('\n');
        if let Err(error) = self.write(line.as_bytes()) {
            self.failed = true;
            let why = format!(
                "forall: warning: cannot write {}: {error}. Events are not recorded; make it writable, or set \
                 FORALL_EVENTS and FORALL_OBSERVE to another path.\n",
                self.path.display()
            );
            crate::output::print_uncaptured(&why);
        }
    }

    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            self.file = Some(OpenOptions::new().create(true).append(true).open(&self.path)?);
        }
        match &mut self.file {
            Some(file) => file.write_all(line),
            None => Ok(()),
        }
    }
}

/// Appends an urgent fact to the events, from the thread that noticed it. A child process reports it to its parent
/// instead.
fn pass_on(property: &str, noticed: &Fact) {
    if let Some(path) = events().filter(|_| !crate::context::is_serving()) {
        let event = protocol::Urgent { text: noticed.to_string(), fact: Some(stream::fact(noticed)) }.into();
        Lines::to(path).add(Told { property: property.to_owned(), event }.encode());
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tests_are_all_recorded_and_later_ones_are_sampled() {
        let told = |indices: std::ops::Range<u64>| indices.filter_map(stands_for).count();
        assert_eq!(told(0..1000), 1000);
        assert_eq!(told(1000..10_000), 900);
        assert_eq!(told(10_000..100_000), 900);
        assert_eq!(told(100_000..1_000_000), 900);
        assert_eq!((0..1_000_000).filter_map(stands_for).sum::<u64>(), 1_000_000, "together they stand for all");
    }
}
