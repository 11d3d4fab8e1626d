//! The outcome as one JSON document, for other programs.

use super::outcome::Outcome;
use super::text::word;
use serde_json::{Value, json};

/// The version of the document format.
const VERSION: u64 = 1;

/// The outcome as JSON.
pub fn json(outcome: &Outcome<'_>) -> Value {
    let tally = outcome.tally();
    let (low, high) = tally.interval();
    let name = |test: &usize| outcome.tests[*test].name.clone();
    let mutants: Vec<Value> = outcome
        .mutants
        .iter()
        .map(|mutant| {
            let (file, verdict) = (outcome.library.file(mutant), outcome.verdict(mutant));
            let killed_by: Vec<String> = verdict.detected_by().iter().map(name).collect();
            let (tests, count) = outcome.reach(mutant);
            let (before, after) = outcome.change(mutant);
            json!({
                "id": mutant.id,
                "file": file.name,
                "line": outcome.library.line(mutant),
                "function": outcome.library.functions[mutant.function].name,
                "change": mutant.what,
                "before": before.join("\n"),
                "after": after.join("\n"),
                "verdict": word(verdict),
                "killed_by": killed_by,
                "reached_by": tests,
                "reached": count,
                "difference": outcome.differences.get(&mutant.id).map(|difference| difference.json()),
            })
        })
        .collect();
    let properties: Vec<Value> = outcome
        .tests
        .iter()
        .enumerate()
        .map(|(at, test)| {
            let alone: Vec<u32> = outcome.killed_alone(at).iter().map(|mutant| mutant.id).collect();
            json!({
                "name": test.name,
                "place": test.place,
                "program": test.binary.path,
                "property": test.is_property,
                "reaches": outcome.reached[at].mutants.len(),
                "kills": outcome.kills(at),
                "kills_alone": outcome.all_killers.then_some(alone),
                "kills_nothing": outcome.judged.idle.contains(&at),
            })
        })
        .collect();
    json!({
        "v": VERSION,
        "score": tally.score(),
        "interval": [low, high],
        "killed": tally.killed,
        "timed_out": tally.timed_out,
        "survived": tally.survived,
        "not_reached": tally.not_reached,
        "not_judged": tally.not_judged,
        "mutants": mutants,
        "tests": properties,
    })
}
