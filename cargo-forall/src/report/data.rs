//! The page's data of one property: a pure function of its events.

use super::{compare, shape};
use crate::json::{scalar, value};
use crate::process::Ended;
use crate::properties::{self, Property};
use crate::results::{Examined, Remembered};
use crate::screen::{Screen, visible};
use crate::{results, statistics, words};
use forall::protocol::{
    self, Counterexample, Drawn, Event, Finished, Found, Quoted, Scalar, Searched, Shrunk, Started, TestCase, Tried,
};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// The note above charts of another run than the one that failed.
const FRESH: &str =
    "The run ended at a saved failure or an example. The charts below are from a second run without it.";

/// The number of examples of a property.
const EXAMPLES: usize = 2000;

/// The length at which values in examples are truncated.
const VALUES: usize = 400;

/// The length at which names and values of features are truncated.
const NAME: usize = 100;

/// The number of labels that are shown, and of rows of a table that are counted; the most frequent ones.
const LABELS: usize = 1000;

/// The number of labels that are shown, however long they are.
const LEAST: usize = 5;

/// The bytes beside a label or a row: its count and punctuation.
const NUMBER: usize = 12;

/// The row for the remaining values of a feature.
const OTHERS: &str = "(other values)";

/// The limits on a report, a step and a line.
const TEXT: usize = 20_000;

/// The number of shrink steps shown, half from the start and half from the end.
const STEPS: usize = 200;

/// The runs of a property.
#[derive(Debug)]
pub struct Ran<'a> {
    /// The run whose result is shown.
    pub ended: &'a Ended,
    /// A second run without saved failures and examples, for the charts.
    pub fresh: Option<&'a Ended>,
    /// The recorded tests of the last run.
    pub tests: &'a [TestCase],
}

/// Whether a saved failure or an example failed, so that the run generated nothing.
pub fn is_replayed(ended: &Ended) -> bool {
    matches!(ended.finished().and_then(how_found), Some(Found::Stored | Found::Example))
}

/// The limits on the parts of a property's data, so that a page of hundreds of properties stays small.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The characters of a report, a message and the code of a counterexample.
    text: usize,
    /// The bytes of the shrink steps.
    steps: usize,
    /// The bytes of the labels, and of the rows of a table.
    labels: usize,
}

impl Limits {
    /// The limits for data of about `budget` bytes. What is left of it is for examples.
    fn of(budget: usize) -> Self {
        Self { text: (budget / 8).clamp(400, TEXT), steps: budget / 8, labels: budget / 6 }
    }
}

/// The data of `property`, of about `budget` bytes.
///
/// It is compared with the recorded result of the run before it.
pub fn property(
    property: &Property,
    &Ran { ended, fresh, tests }: &Ran<'_>,
    (before, now): (Option<&Remembered>, &Remembered),
    budget: usize,
) -> Value {
    let mut page = json!({
        "name": property.name, "place": property.place, "runner": property.runner, "tests": [], "steps": [],
        "times": [], "notice": null, "depths": [], "drawing": null, "places": 0, "counted": {}, "labels": null, "tables": [], "outcomes": [], "differences": [], "covers": [], "warnings": [], "before": null, "sampled": "", "seed": "", "time": 0.0, "extent": "", "stopped": "its process exited",
        "verdict": "ended", "word": "crashed", "text": null, "counterexample": null,
    });
    let limits = Limits::of(budget);
    let Some(finished) = ended.finished() else {
        page["text"] = json!(cut(&ended.why_nothing(property), limits.text));
        return shown(page);
    };
    let with_literals = ended.last::<Quoted>().map_or(0, |quoted| quoted.tests);
    page["verdict"] = json!(finished.verdict.word());
    page["word"] = json!(words::verdict(finished.verdict, &Screen::plain()));
    page["extent"] = json!(extent(finished, with_literals));
    page["stopped"] = json!(words::why_stopped(ended.last::<Started>(), finished));
    page["seed"] = json!(finished.seed);
    page["time"] = json!(finished.time);
    page["warnings"] = json!(finished.warnings);
    if !finished.verdict.is_success() {
        page["text"] = json!(cut(&finished.text, limits.text));
        page["counterexample"] =
            finished.counterexample.as_ref().map_or(Value::Null, |found| counterexample(found, property, limits.text));
    }
    page["before"] = before.map_or(Value::Null, |before| json!(compare::sentence(before, now)));
    let rows = before.map(|before| compare::rows(before, now)).unwrap_or_default();
    page["differences"] = rows.iter().map(compare::Row::json).collect();
    page["steps"] = steps(&ended.events, limits.steps);
    page["drawing"] = ended.last::<Drawn>().map_or(Value::Null, |drawn| value(&drawn.picture));
    page["places"] = tests.iter().filter_map(|test| test.metadata.places).max().unwrap_or(0).into();
    page["covers"] = [statistics::requirements(finished), statistics::constant_labels(finished)].concat().into();
    page["times"] = json!(times(tests, finished));
    page["notice"] = json!(if fresh.is_some() { Some(FRESH.to_owned()) } else { notice(property, finished) });
    let depths = ended.all::<Searched>().map(|Searched { depth, evaluations, inputs, complete }| {
        let inputs = inputs.map_or("–".to_owned(), results::number);
        let complete = if *complete { "yes" } else { "no" };
        json!([results::number(*depth as f64), results::number(*evaluations as f64), inputs, complete])
    });
    page["depths"] = depths.collect();
    // From here on, the distribution of the generated inputs.
    let (finished, with_literals) = match fresh.and_then(Ended::finished) {
        Some(generated) => (generated, fresh.and_then(|fresh| fresh.last::<Quoted>()).map_or(0, |quoted| quoted.tests)),
        None => (finished, with_literals),
    };
    page["counted"] = counted(finished, limits.labels);
    let used: usize =
        ["text", "counterexample", "steps", "counted"].iter().map(|part| page[part].to_string().len()).sum();
    let left = budget.saturating_sub(used + limits.labels).max(budget / 4);
    let (examples, told) = examples(tests, finished, left);
    page["constructors"] = constructors(tests);
    page["labels"] = labels(finished, &examples, limits.labels);
    page["tables"] = finished.tables.keys().map(|name| key(&titled(finished, name, TABLE))).collect();
    let outcomes = outcomes(finished, with_literals, tests);
    let all = outcomes.iter().map(|(_, number)| number).sum::<u64>();
    page["outcomes"] = json!(outcomes);
    if (examples.len() as u64) < all.max(told as u64) {
        let (shown, all) = (words::grouped(examples.len() as u64), words::grouped(all));
        page["sampled"] = json!(format!(
            "The examples are {shown} of {all} tests: the first ones and a sample of the rest. Charts show all tests; values that \
             were not counted are estimated from the sample."
        ));
    }
    page["tests"] = examples.into();
    shown(page)
}

/// The counterexample, and the commands that the page offers to copy.
fn counterexample(found: &Counterexample, property: &Property, most: usize) -> Value {
    let mut code = String::new();
    for protocol::Value { name, type_text, text } in &found.values {
        let declared = if type_text.is_empty() { String::new() } else { format!(": {type_text}") };
        code += &format!("let {name}{declared} = {text};\n");
    }
    json!({
        "code": cut(code.trim_end(), most),
        "message": cut(&found.message, most),
        "location": found.location,
        "replay": format!("cargo forall replay {}", properties::as_argument(property.short_name())),
    })
}

/// The number of tests, as text.
fn extent(finished: &Finished, with_literals: u64) -> String {
    let quoted = format!("{} with literals", words::count(with_literals, "test"));
    match how_found(finished) {
        Some(Found::Stored) => "failed on a saved failure".to_owned(),
        Some(Found::Example) => "failed on an example".to_owned(),
        Some(Found::Literals) => quoted,
        _ if with_literals == 0 => words::extent(finished),
        _ => format!("{quoted}, then {}", words::extent(finished)),
    }
}

fn how_found(finished: &Finished) -> Option<Found> {
    finished.counterexample.as_ref().map(|found| found.found)
}

/// The status of the shrunk counterexample.
const MINIMAL: &str = "minimal counterexample";

/// The status of a discarded test.
const DISCARDED: &str = "gave_up";

/// The number of tests that an example stands for. The shrunk counterexample is not a test of the run.
fn stands_for(test: &TestCase) -> u64 {
    test.metadata.stands_for.unwrap_or(u64::from(test.how_generated != MINIMAL))
}

/// The numbers of passed, failed and discarded tests, including those with literals.
fn outcomes(finished: &Finished, with_literals: u64, tests: &[TestCase]) -> Vec<(&'static str, u64)> {
    let discarded = tests.iter().filter(|test| test.how_generated == "literals" && test.status == DISCARDED);
    let discarded = discarded.map(stands_for).sum::<u64>().min(with_literals);
    let failed = u64::from(how_found(finished) == Some(Found::Literals));
    let mut outcomes = vec![
        ("passed", finished.valid + with_literals.saturating_sub(discarded + failed)),
        ("discarded", finished.discarded + discarded),
        // The first failure ends the run.
        ("failed", u64::from(finished.counterexample.is_some())),
    ];
    outcomes.retain(|(_, number)| *number > 0);
    outcomes
}

/// The constructors of recursive enums in the recorded tests, by depth.
fn constructors(tests: &[TestCase]) -> Value {
    let mut counted = shape::Constructors::default();
    for test in tests.iter().filter(|test| test.status != DISCARDED) {
        counted.add(&values(&test.representation), stands_for(test));
    }
    counted.json()
}

/// The counts over all random tests, by name. Features whose values were not all counted are left out.
fn counted(finished: &Finished, most: usize) -> Value {
    let mut counted = Map::new();
    let mut add = |name: &str, values: Vec<(Value, u64)>| {
        // A test may count in several rows of a table.
        let whole = finished.valid.max(values.iter().map(|(_, number)| number).sum());
        if whole > 0 {
            counted.insert(key(name), json!({"whole": whole, "values": values}));
        }
    };
    for (label, cover) in &finished.covers {
        let title = titled(finished, label, COVER);
        add(&title, vec![(json!("yes"), cover.hits), (json!("no"), finished.valid.saturating_sub(cover.hits))]);
    }
    let tables = finished.tables.iter().map(|(name, rows)| (titled(finished, name, TABLE), rows));
    for (name, rows) in tables.chain(finished.features.iter().map(|(name, rows)| (name.clone(), rows))) {
        let values: Vec<(Value, u64)> = rows.iter().map(|(value, number)| (number_or_text(value), *number)).collect();
        let size: usize = values.iter().map(|(value, _)| value.to_string().len() + NUMBER).sum();
        if values.len() <= LABELS && size <= most && rows.get(OTHERS).is_none() {
            add(&name, values);
        }
    }
    counted.into()
}

/// The name of the size parameter where a test has its own feature `size`.
const SIZE: &str = "size of the test";

/// The suffix of a table or a `cover!` whose name is taken, as in the recorded tests.
const TABLE: &str = " (table)";
const COVER: &str = " (cover)";

/// The title of a chart.
fn titled(finished: &Finished, name: &str, kind: &str) -> String {
    let is_taken = finished.features.get(name).is_some() || kind == COVER && finished.tables.get(name).is_some();
    format!("{name}{}", if is_taken { kind } else { "" })
}

/// The labels of all tests as one chart, the most frequent first, including collected values. If a test with literals
/// failed, the labels of the examples, which were not counted.
fn labels(finished: &Finished, examples: &[Value], most: usize) -> Value {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (label, number) in &finished.labels {
        *counts.entry(key(label)).or_default() += number;
    }
    let mut whole = finished.valid;
    if whole == 0 {
        for example in examples {
            let weight = example["w"].as_u64().unwrap_or(0);
            whole += if example["s"] == "discarded" { 0 } else { weight };
            for label in example["l"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                *counts.entry(label.to_owned()).or_default() += weight;
            }
        }
    }
    let mut values: Vec<(&String, &u64)> = counts.iter().collect();
    values.sort_by_key(|(_, number)| Reverse(**number));
    let mut size = 0;
    let fit = values.iter().take_while(|(label, _)| {
        size += label.len() + NUMBER;
        size <= most
    });
    let shown = fit.count().clamp(LEAST.min(values.len()), LABELS);
    let more = values.len().saturating_sub(shown);
    values.truncate(shown);
    json!({"whole": whole, "values": values, "more": more})
}

/// A feature's value as in the recorded tests: a number if it looks like one and is exact.
fn number_or_text(text: &str) -> Value {
    let is_integer = text.parse::<i128>().is_ok() || text.parse::<u128>().is_ok();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && !(is_integer && number.abs() > (1u64 << 53) as f64) => json!(number),
        _ => json!(key(text)),
    }
}

/// The same with invisible characters escaped in its strings.
pub(super) fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => visible(&text).into(),
        Value::Array(items) => items.into_iter().map(shown).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (visible(&key), shown(value))).collect(),
        other => other,
    }
}

/// The examples, and the number of recorded tests.
fn examples(tests: &[TestCase], finished: &Finished, budget: usize) -> (Vec<Value>, usize) {
    let mut seen = HashSet::new();
    let mut examples = Vec::new();
    for test in tests {
        let text = &test.representation;
        let is_new = test.status != DISCARDED && seen.insert(text);
        let status = match &*test.status {
            "" => continue,
            DISCARDED => "discarded",
            status => status,
        };
        let microseconds = |begins: &str| {
            let parts = test.timing.0.iter().filter(|(part, _)| part.starts_with(begins));
            (parts.map(|(_, seconds)| seconds).sum::<f64>() * 1e8).round() / 1e2
        };
        let labels: Vec<String> = test.metadata.labels.iter().map(|label| key(label)).collect();
        let mut example = json!({
            "s": status, "r": cut(&values(text), VALUES), "l": labels, "f": features(test, finished), "n": is_new, "w": stands_for(test),
            "g": microseconds("generate:"), "e": microseconds("execute:"),
        });
        if let Some(reached) = test.metadata.reached {
            example["c"] = json!(reached);
        }
        if test.how_generated == MINIMAL {
            example["m"] = json!(true);
        }
        examples.push(example);
    }
    let told = examples.len();
    // Evenly spaced, including the last one, which is the failing one if any.
    let fits = |examples: &[Value]| {
        examples.len() <= EXAMPLES && examples.iter().map(|test| test.to_string().len()).sum::<usize>() <= budget
    };
    while examples.len() > 1 && !fits(&examples) {
        let last = examples.len() - 1;
        let mut kept: Vec<Value> = Vec::with_capacity(last / 2 + 2);
        for (at, test) in examples.into_iter().enumerate() {
            match kept.last_mut() {
                // The previous example stands for it.
                Some(before) if at % 2 == 1 && at != last => {
                    before["w"] = json!(before["w"].as_u64().unwrap_or(0) + test["w"].as_u64().unwrap_or(0));
                }
                _ => kept.push(test),
            }
        }
        examples = kept;
    }
    (examples, told)
}

/// The values of a representation in one line.
fn values(representation: &str) -> String {
    let inside = representation.split_once("(\n").map_or(representation, |(_, inside)| inside);
    let inside = inside.strip_suffix(",\n)").unwrap_or(inside);
    let lines: Vec<&str> = inside.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n")
}

/// A test's other features, by the titles of charts. Labels, tables and covers are features as well; one with a name that is
/// taken has a suffix.
fn features(test: &TestCase, finished: &Finished) -> Value {
    let TestCase { features, metadata, .. } = test;
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for (names, kind) in [(&metadata.tables, TABLE), (&metadata.covers, COVER)] {
        for name in names {
            let longer = format!("{name}{kind}");
            match features.get(&longer).is_some() {
                true => drop(titles.insert(longer.clone(), longer)),
                false => drop(titles.insert(name.clone(), titled(finished, name, kind))),
            }
        }
    }
    let mut own: HashSet<String> = HashSet::new();
    for label in &metadata.labels {
        let longer = format!("{label} (label)");
        own.insert(if features.get(&longer).is_some() { longer } else { label.clone() });
    }
    let mut short = Map::new();
    if test.status != DISCARDED {
        short.extend(shape::features(&values(&test.representation)));
    }
    // The size parameter is not a feature of the input. If a test has its own feature `size`, it has another name.
    let size = if features.get(SIZE).is_some() { SIZE } else { "size" };
    own.insert(size.to_owned());
    for (name, value) in features.0.iter().filter(|(name, _)| !own.contains(name)) {
        let value = match value {
            Scalar::Text(text) => json!(key(text)),
            number => scalar(number),
        };
        short.insert(key(titles.get(name).unwrap_or(name)), value);
    }
    short.into()
}

/// The time in seconds: drawing each variable, checking, shrinking; with the slowest of each. The time that recording takes
/// is not included.
fn times(tests: &[TestCase], finished: &Finished) -> Vec<(String, f64, f64)> {
    let mut times: Vec<(String, f64, f64)> = Vec::new();
    for test in tests {
        for (part, seconds) in &test.timing.0 {
            let name = match part.split_once(':') {
                Some(("generate", "values")) => "generating".to_owned(),
                Some(("generate", variable)) => format!("drawing {variable}"),
                _ => "checking".to_owned(),
            };
            let of_all = seconds * stands_for(test) as f64;
            match times.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, all, slowest)) => (*all, *slowest) = (*all + of_all, slowest.max(*seconds)),
                None => times.push((name, of_all, *seconds)),
            }
        }
    }
    // In the order in which things happen.
    times.sort_by_key(|(name, ..)| name == "checking");
    let shrinking = finished.counterexample.as_ref().map_or(0.0, |found| found.shrinking.time);
    if shrinking > 0.0 {
        times.push(("shrinking".to_owned(), shrinking, 0.0));
    }
    times
}

/// The statistics of the recorded tests, for the comparison with the next run: sizes, distinct inputs, times.
pub fn examined(tests: &[TestCase]) -> Option<Examined> {
    let mut seen = HashSet::new();
    let (mut sizes, mut valid, mut ran) = (Vec::new(), 0, 0);
    for test in tests {
        let size = [SIZE, "size"].into_iter().find_map(|name| match test.features.get(name) {
            Some(Scalar::Number(size)) => Some(*size),
            _ => None,
        });
        if let Some(size) = size {
            sizes.push((size, stands_for(test) as f64));
            ran += stands_for(test);
        }
        if test.status != DISCARDED {
            valid += 1;
            seen.insert(&test.representation);
        }
    }
    if sizes.is_empty() {
        return None;
    }
    let times = times(tests, &Finished::default());
    let all = times.iter().map(|(_, time, _)| time).sum::<f64>();
    let checking = times.iter().filter(|(name, ..)| name == "checking").map(|(_, time, _)| time).sum::<f64>();
    let share = |part: f64, whole: f64| 100.0 * part / whole.max(f64::MIN_POSITIVE);
    Some(Examined {
        sizes: results::summary(&sizes),
        different: share(seen.len() as f64, f64::from(valid)),
        each: all / (ran as f64).max(1.0),
        generating: share(all - checking, all),
    })
}

/// The note in place of charts where nothing was generated.
fn notice(property: &Property, finished: &Finished) -> Option<String> {
    let path = finished.counterexample.as_ref().and_then(|found| found.stored.as_deref()).unwrap_or_default();
    let then = "Fix the failure to see charts";
    let name = properties::as_argument(property.short_name());
    match how_found(finished) {
        Some(Found::Stored) => {
            let otherwise = if path.contains("forall-regressions") {
                format!("or temporarily move {path} elsewhere")
            } else {
                format!("or run `FORALL_STORE=off forall report {name}`")
            };
            Some(format!(
                "No charts: a saved counterexample failed before anything was generated. {then}, {otherwise}."
            ))
        }
        Some(Found::Example) => Some(format!(
            "No charts: an `#[example]` failed before anything was generated. {then}, or temporarily \
             remove the example."
        )),
        _ if finished.searched.is_some() => Some(format!(
            "No further charts: an exhaustive search does not record individual tests. `forall sample {name}` prints inputs."
        )),
        _ => None,
    }
}

/// The tree of shrink steps: each accepted candidate with the rejected ones before it. The last element has the rejected
/// candidates at the end. Steps in the middle are left out where there are many, or more than `budget` bytes of them.
fn steps(events: &[Event], budget: usize) -> Value {
    let mut steps: Vec<Value> = Vec::new();
    let mut tried: Vec<Value> = Vec::new();
    for event in events {
        match event {
            Event::Tried(Tried { evaluations, pass, outcome, values }) => {
                tried.push(json!({"run": evaluations, "pass": pass, "values": step(values), "outcome": outcome}));
            }
            Event::Shrunk(Shrunk { evaluations, pass, values, .. }) => {
                let tried = std::mem::take(&mut tried);
                steps.push(
                    json!({"run": evaluations, "pass": pass, "values": step(values), "outcome": null, "tried": tried}),
                );
            }
            _ => {}
        }
    }
    if !tried.is_empty() {
        steps.push(json!({"run": null, "pass": "", "values": "", "tried": tried}));
    }
    let mut most = STEPS;
    let sizes: Vec<usize> = steps.iter().map(|step| step.to_string().len()).collect();
    let size = |most: usize| sizes.iter().take(most / 2).chain(sizes.iter().rev().take(most / 2)).sum::<usize>();
    while most > 2 && size(most.min(steps.len())) > budget {
        most /= 2;
    }
    if steps.len() > most {
        let left_out = steps.len() - most;
        steps.splice(most / 2..most / 2 + left_out, [json!({"left_out": left_out})]);
    }
    steps.into()
}

fn step(values: &[protocol::Value]) -> String {
    cut(&crate::values::assigned(values), VALUES)
}

/// A name that identifies a chart or a bar: truncated for the eye, with a hash so that different names stay different.
fn key(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    format!("{} #{:04x}", cut(name, NAME), crate::shard::hash(name) & 0xffff)
}

/// Truncates a string.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
