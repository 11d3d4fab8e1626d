//! What happens during runs, written down for programs to read.
//!
//! Nothing is written unless the environment asks for it:
//!
//! | variable | what is written |
//! | --- | --- |
//! | `FORALL_EVENTS=FILE` | the events of each run, added to the file: a line of JSON each. `cargo forall` reads it |
//! | `FORALL_OBSERVE=1` | each test with its values, in the form that Tyche opens, in `.forall/observed/` |
//! | `FORALL_OBSERVE=FOLDER` | the same in another folder |
//!
//! # The events, version 1
//!
//! Each line is an object with `v` (the version), `event` and `property`. What else it has depends on `event`; fields may be added
//! without a new version. Times are in seconds. Texts are for people, and what they say may change.
//!
//! | `event` | fields |
//! | --- | --- |
//! | `started` | `file`, `line`, `seed` (as text, like `0x1f`), `tests` wanted, `runner`, `threads`, `time_limit` or null, `at` (Unix time) |
//! | `replaying`, `replayed` | `origin`, where a stored counterexample is; `outcome`, and its `fact` |
//! | `failed` | `case`, the input as it can be pasted; `message` |
//! | `shrunk` | `case`, `evaluations` so far, `pass`, `values` |
//! | `tried` | an input that shrinking ran and did not take: `evaluations` so far, `pass`, `values`, `outcome`; of many only some are told |
//! | `drawn` | `picture`, a parallel run of a machine that failed: `prefix` and `branches`, lists of objects with `command`, `response` or null, and `from` and `to`, the rows of its call and of its return in the drawing of the report |
//! | `quoted` | `tests`: so many ran with literals of the source, before those that are counted; `complete`, whether those were all that were meant to |
//! | `explained` | how many `claims`; `evaluations` |
//! | `kept` | `path` |
//! | `searched` | `depth`, `evaluations`, `inputs` or null, `complete` |
//! | `warned` | `text`, `fact` |
//! | `urgent` | `text`, `fact`: what cannot wait for the end of a run |
//! | `sampled` | `index`, `size`, `values`, `discarded` (`FORALL_DO='sample PROPERTY N'`) |
//! | `profiled` | of how many `inputs` of the run how many were `duplicates` of others; `draws`, a list of objects with `variable`, `seconds`, `slowest` and its `test` |
//! | `step` | `number`, `of`, `values`: an input that is replayed, after each step of a shrinker on its values |
//! | `measured` | `tests`, `seconds`, `generating`: what `FORALL_DO='bench PROPERTY N'` found out |
//! | `finished` | `verdict`, `why` or null, its `fact` or null, `valid`, `discarded`, `inputs` or null, `seed`, `time`, `labels`, `tables`, `covers`, `features`, `warnings`, their `facts`, `workers`, `text` (the whole report), `counterexample` or null |
//!
//! A fact, see [`Fact`](crate::run::Fact), is an object with its `name`, its `text` and its fields; times are in seconds. Decide by the name: texts change.
//! `values` is a list of objects with `name`, `type` and `text`. `labels` maps names to numbers of tests, `tables` names to such
//! maps, `covers` names to `percent` and `hits`, `features` as `tables`. A counterexample has `case`, `found` (`random`, `literals`, `stored`, `example`, …), `values`, `message`, `location` or null, `notes`, `caveats` (facts),
//! `claims` (each with `variable` or null, `whole` if the value of the variable does not matter, `text`, and `runs` that failed as it says), `stored` or null, `shrinking` with `accepted`, `evaluations`, `time` and `passes`, and
//! `reruns` with `runs` and `failed`: how often a flaky input was run again, and failed.
//!
//! # The tests
//!
//! One file for each process and property, `NAME_PROCESS_testcases.jsonl`, has an object for each test that was written down, and
//! `NAME_PROCESS_info.jsonl` what is to be said of the run. The fields are those of OpenPBTStats, so Tyche shows them:
//! [tyche-pbt.github.io](https://tyche-pbt.github.io). What [`feature!`](crate::feature!) says of a
//! test, its labels, rows of tables and score are its features. `labels` in `metadata` says which of them are labels; one that is
//! named like another feature of the test has ` (label)` behind its name.
//!
//! Of the first [`EACH`] tests each is written down, after that fewer: every tenth, from ten times as many on every hundredth, and
//! so on; `stands_for` in `metadata` is how many tests each stands for. `how_generated` is `at random`, `by the runner`, or
//! `literals`. Tests run one by one then, on one thread. In an instrumented build (`forall report --coverage`),
//! `metadata` has how many `reached` there are of the `places` of the program, by this test and those before it.

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

/// So many tests of a run are written down, each; later ones are sampled.
///
/// ```
/// assert_eq!(forall::observe::EACH, 1000);
/// ```
#[doc(hidden)]
pub const EACH: u64 = 1000;

inventory::submit! { Passing(pass_on) }
inventory::submit! { Recording { begin: Recorders::begin, profile: profile::profile } }

/// Whoever the environment wants to hear of a run.
struct Recorders {
    stream: Option<Stream>,
    tests: Option<TestCases>,
    tried: Tried,
    /// Which places of the program were reached, in a build that can tell.
    #[cfg(feature = "coverage")]
    reached: Option<crate::coverage::Reached>,
}

impl Recorders {
    /// Those that the environment names. None inside of another test, which has its own.
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

    /// One that failed is always told.
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
            // What ran since then told of the test, and is none.
            reached.forget();
            reached.places()
        });
        #[cfg(not(feature = "coverage"))]
        let places = None;
        if let Some(tests) = &mut self.tests {
            tests.tested(test, places);
        }
    }

    fn tell(&mut self, event: protocol::Event) {
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
        if let Some(tried) = self.tried.tell(tester) {
            self.tell(tried.into());
        }
    }

    fn show_steps(&mut self, tester: &Tester<'_>, case: &Case) {
        let of = case.steps.len();
        for number in 0..=of {
            let part = Case { sequence: case.sequence.clone(), steps: case.steps[..number].to_vec() };
            let values = stream::values(&tester.print(&part));
            self.tell(protocol::Step { number: number as u64, of: of as u64, values }.into());
        }
    }
}

/// How many tests one stands for that is written down: at first each is, then one in ten, one in a hundred, …. None if it is not.
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

/// A file that lines are added to. When that fails, it is said once, and the run goes on.
struct Lines {
    path: PathBuf,
    file: Option<File>,
    failed: bool,
}

impl Lines {
    fn to(path: PathBuf) -> Self {
        Self { path, file: None, failed: false }
    }

    /// A line is written whole, in one call: other processes may add to the file.
    fn add(&mut self, mut line: String) {
        if self.failed {
            return;
        }
        line.push('\n');
        if let Err(error) = self.write(line.as_bytes()) {
            self.failed = true;
            let why = format!(
                "forall: warning: cannot write {}: {error}. What happens is not written down; make it writable, or set \
                 FORALL_EVENTS and FORALL_OBSERVE to another place.\n",
                self.path.display()
            );
            crate::output::shout(&why);
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

/// Adds what cannot wait to the events, from the thread that noticed it. A child process tells its parent instead.
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
    fn the_first_tests_are_all_told_and_later_ones_ever_fewer() {
        let told = |indices: std::ops::Range<u64>| indices.filter_map(stands_for).count();
        assert_eq!(told(0..1000), 1000);
        assert_eq!(told(1000..10_000), 900);
        assert_eq!(told(10_000..100_000), 900);
        assert_eq!(told(100_000..1_000_000), 900);
        assert_eq!((0..1_000_000).filter_map(stands_for).sum::<u64>(), 1_000_000, "together they stand for all");
    }
}
