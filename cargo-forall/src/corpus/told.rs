//! What a worker says of itself: a line of JSON for each property that it ran, kept in the corpus.

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
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of what the line means.
const VERSION: u64 = 1;

/// Which build a test program is of: a hash of it, so that two builds on one corpus can be told apart. Nothing if it cannot be read.
fn build(program: &Path) -> Option<String> {
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
    /// What a worker says of one property that it ran. A field that it does not know, or that makes no sense, has its default.
    Line {
        /// The version of what the line means.
        v: u64,
        /// Which worker.
        worker: Option<String>,
        /// Its machine.
        host: Option<String>,
        /// The build of its tests.
        build: Option<String>,
        /// Its shard.
        shard: Option<String>,
        /// The name of the property.
        property: String,
        /// When it began, by the clock of its machine. Clocks differ; nothing is decided by them.
        began: f64,
        /// How long it took, in seconds.
        time: f64,
        /// What it did: `run` or `fuzz`.
        did: Option<String>,
        /// What it came to.
        verdict: Option<String>,
        [
            /// Of a run: how many tests were valid.
            valid: Option<u64>,
            /// And how many were discarded.
            discarded: Option<u64>,
            /// And its seed.
            seed: Option<String>,
            /// And how many behaviours its tests showed.
            behaviours: Option<u64>,
            /// And how many of them once.
            once: Option<u64>,
            /// Of a search: how many inputs it ran.
            executions: Option<u64>,
            /// And how many edges it reached.
            edges: Option<u64>,
            /// Of how many.
            places: Option<u64>,
            /// And how many inputs it has.
            inputs: Option<u64>,
            /// And when it came to that.
            growth: Option<Growth>,
        ]
    }
}

impl Line {
    /// Reads a line. None if it is no line, or one of a later version.
    pub fn of(text: &str) -> Option<Self> {
        Self::read(text).filter(|line| line.v <= VERSION)
    }

    /// What all lines have: who, what, when, for how long.
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

    /// How many tests it ran.
    pub fn tests(&self) -> u64 {
        let counts = [self.valid, self.discarded, self.executions];
        counts.into_iter().flatten().fold(0, u64::saturating_add)
    }
}

/// What came of a run: `finished` is the event that says so, if it came to an end.
pub fn of_run(property: &Property, part: Option<&Part>, finished: Option<&Finished>, took: Duration) -> String {
    let mut line = Line::new(property, part, took);
    line.did = Some("run".to_owned());
    line.verdict = Some(finished.map_or("did not end", |finished| finished.verdict.word()).to_owned());
    if let Some(finished) = finished {
        let (all, once) = crate::share::behaviours(finished);
        (line.valid, line.discarded) = (Some(finished.valid), Some(finished.discarded));
        (line.seed, line.behaviours, line.once) = (Some(finished.seed.clone()), Some(all), Some(once));
    }
    line.encode()
}

/// How many edges a search had reached, and how many inputs it had, at some times.
pub type Growth = Vec<Step>;

/// A step of growth: seconds from the beginning, edges, inputs. On the wire, an array of the three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Seconds from the beginning.
    pub at: f64,
    /// Places of the program that were reached.
    pub edges: u64,
    /// Inputs that did something new.
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

/// Inputs come all the time; a step for them is written down only after this part of the time so far.
const STEP: f64 = 0.005;

/// Adds a step to the growth of a search, if it is one.
pub fn grow(growth: &mut Growth, at: f64, status: &Status) {
    let none = Step { at: f64::NEG_INFINITY, ..Step::default() };
    let &Step { at: before, edges, inputs } = growth.last().unwrap_or(&none);
    if status.edges > edges || status.corpus > inputs && at - before > STEP * at.max(1.0) {
        growth.push(Step { at, edges: edges.max(status.edges), inputs: inputs.max(status.corpus) });
    }
}

/// What came of a search guided by coverage.
pub fn of_search(
    property: &Property,
    part: Option<&Part>,
    verdict: &str,
    last: &Status,
    growth: &Growth,
    took: Duration,
) -> String {
    let mut line = Line::new(property, part, took);
    (line.did, line.verdict) = (Some("fuzz".to_owned()), Some(verdict.to_owned()));
    (line.executions, line.inputs) = (Some(last.executions), Some(last.corpus));
    (line.edges, line.places) = (Some(last.edges), Some(last.places));
    line.growth = Some(growth.clone());
    line.encode()
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
    fn a_line_is_read_as_it_was_written_whatever_a_later_field_or_a_wrong_one_says() {
        let growth = Some(vec![Step { at: 0.5, edges: 6, inputs: 2 }]);
        let line = Line { v: VERSION, edges: Some(6), growth, did: Some("fuzz".to_owned()), ..Line::default() };
        assert_eq!(Line::of(&line.encode()), Some(line));
        let odd = Line::of(r#"{"v":1,"mood":"good","worker":7,"time":"long","growth":[[1.5,3],["x"],7]}"#).unwrap();
        assert_eq!((odd.worker, odd.time), (None, 0.0));
        assert_eq!(odd.growth.unwrap_or_default().first().map(|step| step.edges), Some(3));
        assert_eq!(Line::of(r#"{"v":2,"worker":"a"}"#), None, "it may mean something else");
        assert_eq!(Line::of("7"), None);
    }

    #[test]
    fn builds_are_told_apart_and_a_program_that_is_gone_is_of_none() {
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
