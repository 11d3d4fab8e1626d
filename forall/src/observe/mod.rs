//! What happens during runs, written down for programs to read (feature `observe`).
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
//! | `replaying`, `replayed` | `origin`, where a stored counterexample is; `outcome` |
//! | `failed` | `case`, the input as it can be pasted; `message` |
//! | `shrunk` | `case`, `evaluations` so far, `pass`, `values` |
//! | `tried` | an input that shrinking ran and did not take: `evaluations` so far, `pass`, `values`, `outcome`; of many only some are told |
//! | `drawn` | `picture`, a parallel run of a machine that failed: `prefix` and `branches`, lists of objects with `command`, `response` or null, and `from` and `to`, the rows of its call and of its return in the drawing of the report |
//! | `quoted` | `tests`: so many ran with literals of the source, before those that are counted; `complete`, whether those were all that were meant to |
//! | `explained` | how many `claims`; `evaluations` |
//! | `kept` | `path` |
//! | `searched` | `depth`, `evaluations`, `inputs` or null, `complete` |
//! | `warned` | `text` |
//! | `sampled` | `index`, `size`, `values`, `discarded` (`FORALL_DO='sample PROPERTY N'`) |
//! | `profiled` | of how many `inputs` of the run how many were `duplicates` of others; `draws`, a list of objects with `variable`, `seconds`, `slowest` and its `test` |
//! | `step` | `number`, `of`, `values`: an input that is replayed, after each step of a shrinker on its values |
//! | `measured` | `tests`, `seconds`, `generating`: what `FORALL_DO='bench PROPERTY N'` found out |
//! | `finished` | `verdict`, `why` or null, `valid`, `discarded`, `inputs` or null, `seed`, `time`, `labels`, `tables`, `covers`, `features`, `warnings`, `workers`, `text` (the whole report), `counterexample` or null |
//!
//! `values` is a list of objects with `name`, `type` and `text`. `labels` maps names to numbers of tests, `tables` names to such
//! maps, `covers` names to `percent` and `hits`, `features` as `tables`. A counterexample has `case`, `found` (`random`, `literals`, `stored`, `example`, …), `values`, `message`, `location` or null, `notes`,
//! `claims` (each with `variable` or null, `whole` if the value of the variable does not matter, and `text`), `stored` or null, `shrinking` with `accepted`, `evaluations`, `time` and `passes`, and
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

#[cfg(feature = "machine")]
pub(crate) mod drawing;
pub(crate) mod draws;
mod json;
mod openpbt;
mod profile;
mod request;
mod stream;
mod tried;

pub(crate) use profile::profile;
pub(crate) use request::{bench, sample, show_steps};
pub(crate) use tried::Tried;

use crate::property::Binding;
use crate::run::{Event, Identity, Settings, Tested};
use openpbt::TestCases;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stream::Stream;

/// So many tests of a run are written down, each; later ones are sampled.
///
/// ```
/// assert_eq!(forall::observe::EACH, 1000);
/// ```
pub const EACH: u64 = 1000;

/// A longer text of a value is cut, and says so.
const MAX_TEXT: usize = 4000;

/// So many values of a feature are counted; the others together.
pub(crate) const FEATURE_VALUES: usize = 1000;

/// What the others are counted under.
pub(crate) const OTHERS: &str = "(other values)";

/// Whether the environment wants to hear of runs.
pub(crate) fn is_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| events().is_some() || folder().is_some())
}

/// What `FORALL_EVENTS` names.
fn events() -> Option<PathBuf> {
    std::env::var_os("FORALL_EVENTS").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// What `FORALL_OBSERVE` says, unless it says no.
fn folder() -> Option<PathBuf> {
    let value = std::env::var_os("FORALL_OBSERVE").filter(|value| !value.is_empty() && value != "0" && value != "off");
    value.map(PathBuf::from)
}

/// A test of a run that is observed.
pub(crate) struct Observed<'a> {
    pub(crate) tested: &'a Tested,
    pub(crate) size: u32,
    /// How its input was made.
    pub(crate) how: &'static str,
    /// How many tests it stands for: itself, and those after it that are not told.
    pub(crate) stands_for: u64,
    /// How long it took, and how much of that to generate its values.
    pub(crate) time: Duration,
    pub(crate) generating: Duration,
    /// How long each variable took to be drawn, by its number.
    pub(crate) draws: &'a [Duration],
    pub(crate) values: &'a [Binding],
    pub(crate) said: &'a [crate::context::Record],
    pub(crate) score: Option<f64>,
}

/// Whoever the environment wants to hear of a run.
#[derive(Default)]
pub(crate) struct Recorders {
    stream: Option<Stream>,
    tests: Option<TestCases>,
    /// Which places of the program were reached, in a build that can tell.
    #[cfg(feature = "coverage")]
    reached: Option<crate::coverage::Reached>,
}

impl Recorders {
    /// Those that the environment names. None inside of another test, which has its own.
    pub(crate) fn from_environment(identity: &Identity, settings: &Settings, package: &Path) -> Self {
        #[cfg(feature = "isolate")]
        if crate::isolate::is_serving() {
            return Self::default();
        }
        if crate::context::is_active() {
            return Self::default();
        }
        let stream = events().map(|path| Stream::new(Lines::to(path), identity, settings));
        let tests = folder().map(|folder| {
            let local = folder == Path::new("1") || folder == Path::new("on");
            let folder = if local { package.join(".forall").join("observed") } else { package.join(folder) };
            TestCases::new(&folder, identity)
        });
        #[cfg(feature = "coverage")]
        let reached = tests.as_ref().and_then(|_| crate::coverage::Reached::new());
        Self {
            stream,
            tests,
            #[cfg(feature = "coverage")]
            reached,
        }
    }

    /// A test has run: what it reached counts.
    pub(crate) fn count_reached(&mut self) {
        #[cfg(feature = "coverage")]
        if let Some(reached) = &mut self.reached {
            reached.count();
        }
    }

    /// Whether each test is to be told, with its values.
    pub(crate) fn wants_tests(&self) -> bool {
        self.tests.is_some()
    }

    /// Whether the values of test `index` are to be told, and how many tests it stands for then. One that failed is always told.
    pub(crate) fn wants(&self, index: u64, tested: &Tested) -> Option<u64> {
        let failed = matches!(tested, Tested::Fail(_)).then_some(1);
        stands_for(index).or(failed).filter(|_| self.wants_tests())
    }

    /// Whether the values of each simpler input are to be told.
    pub(crate) fn wants_values(&self) -> bool {
        self.stream.is_some()
    }

    pub(crate) fn event(&mut self, event: &Event<'_>) {
        if let Some(stream) = &mut self.stream {
            stream.event(event);
        }
        if let (Some(tests), Event::Finished { report }) = (&mut self.tests, event) {
            tests.finished(report);
        }
    }

    pub(crate) fn tested(&mut self, test: &Observed<'_>) {
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

    /// So many tests ran with literals, before those that are counted; and whether those were all.
    #[cfg(feature = "literals")]
    pub(crate) fn tested_with_literals(&mut self, tests: u64, complete: bool) {
        if let Some(stream) = self.stream.as_mut().filter(|_| tests > 0) {
            stream.add(stream.begin("quoted").whole("tests", tests).flag("complete", complete));
        }
    }

    fn stream(&mut self) -> Option<&mut Stream> {
        self.stream.as_mut()
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
            crate::report::shout(&why);
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

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// A text that is not too long. Of two that differ further on it is still seen that they do: readers tell inputs apart by their texts.
pub(crate) fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{}… ({} bytes in all, #{:08x})", &text[..end], text.len(), hasher.finish() as u32)
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

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "é".repeat(3000);
        let short = cut(&text);
        assert!(short.contains("… (6000 bytes in all, #") && short.len() < 4100, "{short}");
        assert_eq!(cut("short"), "short");
    }
}
