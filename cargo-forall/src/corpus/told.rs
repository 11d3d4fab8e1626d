//! A worker's statistics in the corpus: a line of JSON for each property that it ran.

use crate::properties::Property;
use crate::scratch::{host, worker};
use crate::shard::Part;
use forall::__record as record;
use forall::protocol::parts::JsonValue;
use forall::protocol::{Decode, Encode, Finished, Status};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The format version of the line.
const VERSION: u64 = 1;

/// Returns a hash that identifies the build of a test program; `None` if the program cannot be read.
pub(super) fn build(program: &Path) -> Option<String> {
    static KNOWN: LazyLock<Mutex<BTreeMap<PathBuf, Option<String>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(program.to_owned()).or_insert_with(|| hash(program).ok()).clone()
}

fn hash(program: &Path) -> std::io::Result<String> {
    let (mut file, mut part, mut hash) = (File::open(program)?, vec![0; 1 << 16], 0xcbf2_9ce4_8422_2325_u64);
    loop {
        let length = file.read(&mut part)?;
        if length == 0 {
            return Ok(format!("{:08x}", (hash ^ (hash >> 32)) as u32));
        }
        for word in part[..length].chunks(8) {
            let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
    }
}

record! {
    /// A worker's statistics of one property. Missing and malformed fields have their defaults.
    Line {
        /// The format version of the line.
        v: u64,
        /// The worker.
        worker: Option<String>,
        /// The worker's machine.
        host: Option<String>,
        /// The build of the worker's tests.
        build: Option<String>,
        /// The worker's shard.
        shard: Option<String>,
        /// The name of the property.
        property: String,
        /// The start of the run, by its machine's clock. Clocks differ, so nothing depends on it.
        began: f64,
        /// The duration of the run in seconds.
        time: f64,
        /// The command: `run` or `fuzz`.
        did: Option<String>,
        /// The verdict.
        verdict: Option<String>,
        [
            /// The number of valid tests of a run.
            valid: Option<u64>,
            /// The number of discarded tests.
            discarded: Option<u64>,
            /// The seed.
            seed: Option<String>,
            /// The index of the first test of a run that continues its shard's progress.
            from: Option<u64>,
            /// The index after its last test.
            next: Option<u64>,
            /// The number of behaviours that the tests showed.
            behaviours: Option<u64>,
            /// The number of behaviours that were seen once.
            once: Option<u64>,
            /// The number of executions of a search.
            executions: Option<u64>,
            /// The number of edges that the search reached.
            edges: Option<u64>,
            /// The total number of edges.
            places: Option<u64>,
            /// The number of the search's inputs.
            inputs: Option<u64>,
            /// The search's growth over time.
            growth: Option<Growth>,
            /// The commit of the tests.
            commit: Option<String>,
            /// The failures that the run saw, and the failures of the corpus that passed.
            failures: Option<Vec<Sighting>>,
        ]
    }

    /// A failure that a run saw, or replayed and saw passing.
    Sighting {
        /// The id of the entry in the corpus, at the time it was saved.
        id: String,
        /// The first line of the message.
        message: String,
        /// Whether the input failed.
        fails: bool,
        [
            /// Whether this run was the first to find the failure.
            is_new: bool,
            /// The location of the failure.
            place: Option<String>,
        ]
    }
}

impl Line {
    /// Reads a line. `None` if it is malformed or of a later version.
    pub fn of(text: &str) -> Option<Self> {
        Self::read(text).filter(|line| line.v <= VERSION)
    }

    /// Returns a line with the common fields: worker, property, start and duration.
    fn new(property: &Property, part: Option<&Part>, took: Duration) -> Self {
        let ended = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            v: VERSION,
            worker: Some(worker()),
            host: Some(host()),
            build: build(&property.binary.path),
            shard: part.map(|part| part.shard.to_string()),
            property: property.name.clone(),
            began: ended.saturating_sub(took).as_secs_f64(),
            time: took.as_secs_f64(),
            ..Self::default()
        }
    }

    /// Adds the commit, and the failures that the run saw.
    pub fn seeing(mut self, failures: &[Sighting]) -> Self {
        self.commit = commit().map(str::to_owned);
        self.failures = (!failures.is_empty()).then(|| failures.to_vec());
        self
    }

    /// Sets the indices of the tests of a run that continues its shard's progress.
    pub fn within(mut self, indices: Option<(u64, u64)>) -> Self {
        (self.from, self.next) = indices.filter(|(from, next)| from < next).unzip();
        self
    }

    /// Returns the worker: its shard, which restarted workers share, or its name.
    pub fn who(&self) -> Option<&str> {
        self.shard.as_deref().or(self.worker.as_deref())
    }

    /// Returns the number of tests, including those that another worker ran as well.
    pub fn tests(&self) -> u64 {
        let counts = [self.valid, self.discarded, self.executions];
        counts.into_iter().flatten().fold(0, u64::saturating_add)
    }
}

/// Returns the line of a run; `finished` is its last event, if the run finished.
pub fn of_run(property: &Property, part: Option<&Part>, finished: Option<&Finished>, took: Duration) -> Line {
    let mut line = Line::new(property, part, took);
    line.did = Some("run".to_owned());
    line.verdict = Some(finished.map_or("crashed", |finished| finished.verdict.word()).to_owned());
    if let Some(finished) = finished {
        let (all, once) = crate::share::behaviours(finished);
        (line.valid, line.discarded) = (Some(finished.valid), Some(finished.discarded));
        (line.seed, line.behaviours, line.once) = (Some(finished.seed.clone()), Some(all), Some(once));
    }
    line
}

/// The environment variables in which CI services pass the commit.
const COMMITS: [&str; 4] = ["GITHUB_SHA", "CI_COMMIT_SHA", "CIRCLE_SHA1", "BUILDKITE_COMMIT"];

/// Returns the commit of the tests: from the environment, or from git in this directory.
pub fn commit() -> Option<&'static str> {
    static COMMIT: LazyLock<Option<String>> = LazyLock::new(|| {
        let said = COMMITS.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
        said.or_else(|| {
            let mut git = Command::new("git");
            let output = git.args(["rev-parse", "HEAD"]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        })
        .map(|commit| commit.trim().chars().take(12).collect())
    });
    COMMIT.as_deref()
}

/// The growth of a search: edges and inputs over time.
pub type Growth = Vec<Step>;

/// A step of growth: seconds from the beginning, edges, inputs. On the wire, an array of the three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Seconds since the start.
    pub at: f64,
    /// Edges that were reached.
    pub edges: u64,
    /// Inputs with new coverage.
    pub inputs: u64,
}

impl Encode for Step {
    fn encode(&self) -> String {
        format!("[{},{},{}]", self.at.encode(), self.edges.encode(), self.inputs.encode())
    }
}

impl Decode for Step {
    fn decode(json: &JsonValue) -> Option<Self> {
        let JsonValue::Array(parts) = json else { return None };
        let number = |place: usize| parts.get(place).and_then(u64::decode).unwrap_or_default();
        Some(Self { at: f64::decode(parts.first()?)?, edges: number(1), inputs: number(2) })
    }
}

/// The number of inputs always grows, so a step for it is recorded only after this fraction of the elapsed time.
const STEP: f64 = 0.005;

/// Adds a growth step, if the search grew.
pub fn grow(growth: &mut Growth, at: f64, status: &Status) {
    let none = Step { at: f64::NEG_INFINITY, ..Step::default() };
    let &Step { at: before, edges, inputs } = growth.last().unwrap_or(&none);
    if status.edges > edges || status.corpus > inputs && at - before > STEP * at.max(1.0) {
        growth.push(Step { at, edges: edges.max(status.edges), inputs: inputs.max(status.corpus) });
    }
}

/// Returns the line of a coverage-guided search.
pub fn of_search(
    property: &Property,
    part: Option<&Part>,
    verdict: &str,
    last: &Status,
    growth: &Growth,
    took: Duration,
) -> Line {
    let mut line = Line::new(property, part, took);
    (line.did, line.verdict) = (Some("fuzz".to_owned()), Some(verdict.to_owned()));
    (line.executions, line.inputs) = (Some(last.executions), Some(last.corpus));
    (line.edges, line.places) = (Some(last.edges), Some(last.places));
    line.growth = Some(growth.clone());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_has_every_new_edge_and_not_every_input() {
        let mut growth = Growth::new();
        for step in 0..1000 {
            let status = Status { edges: 5 + u64::from(step >= 600), corpus: step, ..Status::default() };
            grow(&mut growth, step as f64 * 0.1, &status);
        }
        assert!(growth.len() < 700 && growth.contains(&Step { at: 60.0, edges: 6, inputs: 600 }), "{growth:?}");
        assert!(growth.last().unwrap().at > 99.0);
    }

    #[test]
    fn lines_round_trip_and_ignore_unknown_and_malformed_fields() {
        let growth = Some(vec![Step { at: 0.5, edges: 6, inputs: 2 }]);
        let line = Line { v: VERSION, edges: Some(6), growth, did: Some("fuzz".to_owned()), ..Line::default() };
        assert_eq!(Line::of(&line.encode()), Some(line));
        let odd = Line::of(r#"{"v":1,"mood":"good","worker":7,"time":"long","growth":[[1.5,3],["x"],7]}"#).unwrap();
        assert_eq!((odd.worker, odd.time), (None, 0.0));
        assert_eq!(odd.growth.unwrap_or_default().first().map(|step| step.edges), Some(3));
        assert_eq!(Line::of(r#"{"v":2,"worker":"a"}"#), None, "a later version may differ in meaning");
        assert_eq!(Line::of("7"), None);
    }

    #[test]
    fn builds_have_different_hashes_and_a_missing_program_has_none() {
        let root = std::env::temp_dir().join(format!("forall-told-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let [one, two] = ["one", "two"].map(|name| root.join(name));
        std::fs::write(&one, vec![1; 100_000]).unwrap();
        std::fs::write(&two, vec![1; 100_001]).unwrap();
        assert!(build(&one).is_some() && build(&one) != build(&two));
        assert_eq!(build(&root.join("gone")), None);
        std::fs::remove_dir_all(root).unwrap();
    }
}
