//! What a worker says of itself: a line of JSON for each property that it ran, kept in the corpus.

use crate::properties::Property;
use crate::shard::Part;
use crate::status::Status;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of what the line means.
const VERSION: u64 = 1;

/// Which worker this is, for people: the machine and the process.
fn worker() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    format!("{}:{}", host.as_deref().map_or("unknown", str::trim), std::process::id())
}

/// What all lines have: who, what, when, for how long. Clocks of machines differ; nothing is decided by them.
fn line(property: &Property, part: Option<&Part>, took: Duration) -> Value {
    let ended = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let began = ended.saturating_sub(took);
    json!({
        "v": VERSION,
        "worker": worker(),
        "shard": part.map(|part| part.shard.to_string()),
        "property": property.name,
        "began": began.as_secs_f64(),
        "time": took.as_secs_f64(),
    })
}

/// What came of a run: `finished` is the event that says so, if it came to an end.
pub fn of_run(property: &Property, part: Option<&Part>, finished: Option<&Value>, took: Duration) -> String {
    let mut line = line(property, part, took);
    line["verdict"] = finished.map_or("did not end".into(), |finished| finished["verdict"].clone());
    for field in ["valid", "discarded", "seed"] {
        line[field] = finished.map_or(Value::Null, |finished| finished[field].clone());
    }
    line.to_string()
}

/// What came of a search guided by coverage. `growth` has how many edges were reached, and when: seconds from its beginning.
pub fn of_search(
    property: &Property,
    part: Option<&Part>,
    verdict: &str,
    last: &Status,
    growth: &[(f64, u64)],
    took: Duration,
) -> String {
    let mut line = line(property, part, took);
    line["verdict"] = verdict.into();
    line["executions"] = last.executions.into();
    line["edges"] = last.edges.into();
    line["places"] = last.places.into();
    line["growth"] = json!(growth);
    line.to_string()
}
