//! What a worker says of itself: a line of JSON for each property that it ran, kept in the corpus.

use crate::properties::Property;
use crate::scratch::{host, worker};
use crate::shard::Part;
use forall::protocol::{Finished, Status};
use serde_json::{Value, json};
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

/// What all lines have: who, what, when, for how long. Clocks of machines differ; nothing is decided by them.
fn line(property: &Property, part: Option<&Part>, took: Duration) -> Value {
    let ended = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let began = ended.saturating_sub(took);
    json!({
        "v": VERSION,
        "worker": worker(),
        "host": host(),
        "build": build(&property.binary.path),
        "shard": part.map(|part| part.shard.to_string()),
        "property": property.name,
        "began": began.as_secs_f64(),
        "time": took.as_secs_f64(),
    })
}

/// What came of a run: `finished` is the event that says so, if it came to an end.
pub fn of_run(property: &Property, part: Option<&Part>, finished: Option<&Finished>, took: Duration) -> String {
    let mut line = line(property, part, took);
    line["did"] = "run".into();
    line["verdict"] = finished.map_or("did not end", |finished| finished.verdict.word()).into();
    line["valid"] = json!(finished.map(|finished| finished.valid));
    line["discarded"] = json!(finished.map(|finished| finished.discarded));
    line["seed"] = json!(finished.map(|finished| &finished.seed));
    if let Some(finished) = finished {
        let (all, once) = crate::share::behaviours(finished);
        (line["behaviours"], line["once"]) = (all.into(), once.into());
    }
    line.to_string()
}

/// How many edges a search had reached, and how many inputs it had, at some times: seconds from its beginning.
pub type Growth = Vec<(f64, u64, u64)>;

/// Inputs come all the time; a step for them is written down only after this part of the time so far.
const STEP: f64 = 0.005;

/// Adds a step to the growth of a search, if it is one.
pub fn grow(growth: &mut Growth, at: f64, status: &Status) {
    let &(before, edges, inputs) = growth.last().unwrap_or(&(f64::NEG_INFINITY, 0, 0));
    if status.edges > edges || status.corpus > inputs && at - before > STEP * at.max(1.0) {
        growth.push((at, edges.max(status.edges), inputs.max(status.corpus)));
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
    let mut line = line(property, part, took);
    line["did"] = "fuzz".into();
    line["verdict"] = verdict.into();
    line["executions"] = last.executions.into();
    line["edges"] = last.edges.into();
    line["places"] = last.places.into();
    line["inputs"] = last.corpus.into();
    line["growth"] = json!(growth);
    line.to_string()
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
        assert!(growth.len() < 700 && growth.contains(&(60.0, 6, 600)), "{growth:?}");
        assert!(growth.last().unwrap().0 > 99.0);
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
