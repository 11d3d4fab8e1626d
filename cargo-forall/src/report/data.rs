//! What the page shows of a property. A pure function of what the run told.

use super::compare;
use crate::json::{scalar, value};
use crate::process::Ended;
use crate::properties::{self, Property};
use crate::results::{Examined, Remembered};
use crate::screen::{Screen, visible};
use crate::{results, statistics, words};
use forall::protocol::{
    self, Drawn, Event, Finished, Found, Quoted, Scalar, Searched, Shrunk, Started, TestCase, Tried,
};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// So many examples of a property are in the page.
const EXAMPLES: usize = 2000;

/// Longer values are cut in examples.
const VALUES: usize = 400;

/// The names of features and their values, too.
const NAME: usize = 100;

/// So many different labels are shown, the most frequent ones, and so many rows of a table are counted.
const LABELS: usize = 1000;

/// What the values of a feature are counted under that are too many.
const OTHERS: &str = "(other values)";

/// So much of a report, of a step and of a line is shown.
const TEXT: usize = 20_000;

/// So many steps of shrinking are shown, the first and the last.
const STEPS: usize = 200;

/// What the page shows of `property`, with examples of at most `budget` bytes.
///
/// It is compared with the run before it, by what is remembered of both.
pub fn property(
    property: &Property,
    ended: &Ended,
    (before, now): (Option<&Remembered>, &Remembered),
    tests: &[TestCase],
    budget: usize,
) -> Value {
    let mut page = json!({
        "name": property.name, "place": property.place, "runner": property.runner, "tests": [], "steps": [],
        "times": [], "notice": null, "depths": [], "drawing": null, "places": 0, "counted": {}, "labels": null, "tables": [], "outcomes": [], "differences": [], "covers": [], "warnings": [], "before": null, "sampled": "", "seed": "", "time": 0.0, "extent": "", "stopped": "its process ended",
        "verdict": "ended", "word": "did not end", "text": null,
    });
    let Some(finished) = ended.finished() else {
        page["text"] = json!(ended.why_nothing(property));
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
        page["text"] = json!(cut(&finished.text, TEXT));
    }
    page["before"] = before.map_or(Value::Null, |before| json!(compare::sentence(before, now)));
    let rows = before.map(|before| compare::rows(before, now)).unwrap_or_default();
    page["differences"] = rows.iter().map(compare::Row::json).collect();
    page["steps"] = steps(&ended.events);
    page["drawing"] = ended.last::<Drawn>().map_or(Value::Null, |drawn| value(&drawn.picture));
    page["places"] = tests.iter().filter_map(|test| test.metadata.places).max().unwrap_or(0).into();
    page["covers"] = statistics::demands(finished).into();
    page["times"] = json!(times(tests, finished));
    page["notice"] = json!(notice(property, finished));
    let depths = ended.all::<Searched>().map(|Searched { depth, evaluations, inputs, complete }| {
        let inputs = inputs.map_or("–".to_owned(), results::number);
        let complete = if *complete { "yes" } else { "no" };
        json!([results::number(*depth as f64), results::number(*evaluations as f64), inputs, complete])
    });
    page["depths"] = depths.collect();
    let (examples, told) = examples(tests, finished, budget);
    page["counted"] = counted(finished);
    page["labels"] = labels(finished, &examples);
    page["tables"] = finished.tables.keys().map(|name| cut(&titled(finished, name, TABLE), NAME)).collect();
    let outcomes = outcomes(finished, with_literals, tests);
    let all = outcomes.iter().map(|(_, number)| number).sum::<u64>();
    page["outcomes"] = json!(outcomes);
    if (examples.len() as u64) < all.max(told as u64) {
        let (shown, all) = (words::grouped(examples.len() as u64), words::grouped(all));
        page["sampled"] = json!(format!(
            "The examples are {shown} of {all} tests: the first ones, and a sample of the others. Charts are of all tests: what \
             was not counted is worked out from how many tests each example stands for."
        ));
    }
    page["tests"] = examples.into();
    shown(page)
}

/// What was tested, in words: so many tests with literals, and what was counted.
fn extent(finished: &Finished, with_literals: u64) -> String {
    let quoted = format!("{} with literals", words::count(with_literals, "test"));
    match how_found(finished) {
        Some(Found::Stored) => "failed on a stored counterexample".to_owned(),
        Some(Found::Example) => "failed on an example".to_owned(),
        Some(Found::Literals) => quoted,
        _ if with_literals == 0 => words::extent(finished),
        _ => format!("{quoted}, then {}", words::extent(finished)),
    }
}

fn how_found(finished: &Finished) -> Option<Found> {
    finished.counterexample.as_ref().map(|found| found.found)
}

/// How the counterexample that shrinking made came about.
const MINIMAL: &str = "minimal counterexample";

/// The status of a test that was discarded.
const DISCARDED: &str = "gave_up";

/// How many tests of the run one stands for. The counterexample that shrinking made is none of them.
fn stands_for(test: &TestCase) -> u64 {
    test.metadata.stands_for.unwrap_or(u64::from(test.how_generated != MINIMAL))
}

/// How many tests passed, failed and were discarded, those with literals included.
fn outcomes(finished: &Finished, with_literals: u64, tests: &[TestCase]) -> Vec<(&'static str, u64)> {
    let discarded = tests.iter().filter(|test| test.how_generated == "literals" && test.status == DISCARDED);
    let discarded = discarded.map(stands_for).sum::<u64>().min(with_literals);
    let failed = u64::from(how_found(finished) == Some(Found::Literals));
    let mut outcomes = vec![
        ("passed", finished.valid + with_literals.saturating_sub(discarded + failed)),
        ("discarded", finished.discarded + discarded),
        // The first one ends the run.
        ("failed", u64::from(finished.counterexample.is_some())),
    ];
    outcomes.retain(|(_, number)| *number > 0);
    outcomes
}

/// What was counted over all random tests, by name: each value with how many tests have it, of how many. Where not every value
/// was counted, nothing.
fn counted(finished: &Finished) -> Value {
    let mut counted = Map::new();
    let mut add = |name: &str, values: Vec<(Value, u64)>| {
        // A test may be in several rows of a table.
        let whole = finished.valid.max(values.iter().map(|(_, number)| number).sum());
        if whole > 0 {
            counted.insert(cut(name, NAME), json!({"whole": whole, "values": values}));
        }
    };
    for (label, cover) in &finished.covers {
        let title = titled(finished, label, COVER);
        add(&title, vec![(json!("yes"), cover.hits), (json!("no"), finished.valid.saturating_sub(cover.hits))]);
    }
    let tables = finished.tables.iter().map(|(name, rows)| (titled(finished, name, TABLE), rows));
    for (name, rows) in tables.chain(finished.features.iter().map(|(name, rows)| (name.clone(), rows))) {
        let values: Vec<(Value, u64)> = rows.iter().map(|(value, number)| (number_or_text(value), *number)).collect();
        if values.len() <= LABELS && rows.get(OTHERS).is_none() {
            add(&name, values);
        }
    }
    counted.into()
}

/// What is said behind the name of a table or a `cover!` that has the name of something else: tests say the same of themselves.
const TABLE: &str = " (table)";
const COVER: &str = " (cover)";

/// What the chart of a table or a `cover!` is called.
fn titled(finished: &Finished, name: &str, kind: &str) -> String {
    let is_taken = finished.features.get(name).is_some() || kind == COVER && finished.tables.get(name).is_some();
    format!("{name}{}", if is_taken { kind } else { "" })
}

/// The labels of all tests, the most frequent ones first, as one chart: collected values are labels, too. If a test with literals
/// failed, they are those of the examples, which were not counted.
fn labels(finished: &Finished, examples: &[Value]) -> Value {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (label, number) in &finished.labels {
        *counts.entry(cut(label, NAME)).or_default() += number;
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
    let more = values.len().saturating_sub(LABELS);
    values.truncate(LABELS);
    json!({"whole": whole, "values": values, "more": more})
}

/// As tests tell their features: what looks like a number is one, unless it is an integer that is too large to be exact.
fn number_or_text(text: &str) -> Value {
    let is_integer = text.parse::<i128>().is_ok() || text.parse::<u128>().is_ok();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && !(is_integer && number.abs() > (1u64 << 53) as f64) => json!(number),
        _ => json!(cut(text, NAME)),
    }
}

/// The same with everything in its texts made visible that a reader would not see.
pub(super) fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => visible(&text).into(),
        Value::Array(items) => items.into_iter().map(shown).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (visible(&key), shown(value))).collect(),
        other => other,
    }
}

/// The tests that are shown, and how many were told.
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
        let labels: Vec<String> = test.metadata.labels.iter().map(|label| cut(label, NAME)).collect();
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
    // Evenly from all, with the last one: if a test failed, it is that.
    let fits = |examples: &[Value]| {
        examples.len() <= EXAMPLES && examples.iter().map(|test| test.to_string().len()).sum::<usize>() <= budget
    };
    while examples.len() > 1 && !fits(&examples) {
        let last = examples.len() - 1;
        let mut kept: Vec<Value> = Vec::with_capacity(last / 2 + 2);
        for (at, test) in examples.into_iter().enumerate() {
            match kept.last_mut() {
                // The one before it stands for it, too.
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

/// The lines between the parentheses of a representation, as one.
fn values(representation: &str) -> String {
    let inside = representation.split_once("(\n").map_or(representation, |(_, inside)| inside);
    let inside = inside.strip_suffix(",\n)").unwrap_or(inside);
    let lines: Vec<&str> = inside.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n")
}

/// What else a test says of itself, by the titles of charts. Labels, tables and covers are among its features, one that is named like
/// another of them under a longer name.
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
    for (name, value) in features.0.iter().filter(|(name, _)| !own.contains(name)) {
        let value = match value {
            Scalar::Text(text) => json!(cut(text, NAME)),
            number => scalar(number),
        };
        short.insert(cut(titles.get(name).unwrap_or(name), NAME), value);
    }
    short.into()
}

/// Where the time went, in seconds: drawing each variable, checking, shrinking; with the slowest of each. Together they are the
/// whole.
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
        times.push(("making the counterexample small".to_owned(), shrinking, 0.0));
    }
    let rest = finished.time - times.iter().map(|(_, time, _)| time).sum::<f64>();
    if rest > 0.0 && !times.is_empty() {
        times.push(("the rest: writing tests down, keeping, explaining".to_owned(), rest, 0.0));
    }
    times
}

/// What is found out of the tests that were written down, to compare the next run with: how large they were, how many differed,
/// how long they took.
pub fn examined(tests: &[TestCase]) -> Option<Examined> {
    let mut seen = HashSet::new();
    let (mut sizes, mut valid, mut ran) = (Vec::new(), 0, 0);
    for test in tests {
        // Where `size` is what the test says, that of the library has another name.
        let size = ["size of the test", "size"].into_iter().find_map(|name| match test.features.get(name) {
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

/// What to say where nothing was generated, and so nothing can be drawn: why, and what to do.
fn notice(property: &Property, finished: &Finished) -> Option<String> {
    let path = finished.counterexample.as_ref().and_then(|found| found.stored.as_deref()).unwrap_or_default();
    let then = "Repair what fails, and the next report has them";
    let name = properties::as_argument(property.short_name());
    match how_found(finished) {
        Some(Found::Stored) => {
            let otherwise = if path.contains("forall-regressions") {
                format!("or, to see what is generated, move {path} away for the time")
            } else {
                format!("or, to see what is generated all the same, `FORALL_STORE=off forall report {name}`")
            };
            Some(format!(
                "There are no charts: a counterexample that is kept failed before anything was generated. {then}; {otherwise}."
            ))
        }
        Some(Found::Example) => Some(format!(
            "There are no charts: an `#[example]` failed before anything was generated. {then}; or, to see what is generated, take \
             it out for the time."
        )),
        _ if finished.searched.is_some() => Some(format!(
            "A search tells how far it came, and not test by test: there are no other charts. `forall sample {name}` shows inputs."
        )),
        _ => None,
    }
}

/// The tree of what shrinking tried: each simpler input that failed, with those that were run before it and not taken. The last
/// has what was tried in vain at the end.
fn steps(events: &[Event]) -> Value {
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
    // The first and the last steps, where there are many.
    if steps.len() > STEPS {
        let left_out = steps.len() - STEPS;
        steps.splice(STEPS / 2..STEPS / 2 + left_out, [json!({"left_out": left_out})]);
    }
    steps.into()
}

fn step(values: &[protocol::Value]) -> String {
    cut(&crate::values::assigned(values), VALUES)
}

/// The beginning of a text that is too long.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[test]
    fn what_was_tried_hangs_below_what_it_led_to() {
        let event = |kind: &str, n: u64| {
            let line = json!({"v": protocol::VERSION, "event": kind, "evaluations": n, "pass": "zero", "outcome": "passed", "values": [{"name": "n", "text": n.to_string()}]});
            protocol::Told::read(&line.to_string()).unwrap().unwrap().event
        };
        let events = [event("tried", 1), event("tried", 2), event("shrunk", 3), event("shrunk", 4), event("tried", 5)];
        let steps = steps(&events);
        let tried: Vec<usize> =
            steps.as_array().unwrap().iter().map(|step| step["tried"].as_array().unwrap().len()).collect();
        assert_eq!(tried, [2, 0, 1]);
        assert_eq!(steps[0]["tried"][1]["values"], "n = 2");
        let many: Vec<Event> = (0..1000).map(|n| event("shrunk", n)).collect();
        let steps = super::steps(&many);
        assert_eq!(steps.as_array().unwrap().len(), STEPS + 1);
        assert_eq!(steps[STEPS / 2]["left_out"], 1000 - STEPS);
    }

    #[test]
    fn examples_fit_whatever_the_values_are() {
        let test = |n: usize| {
            read(json!({"status": "passed", "representation": format!("a(\n    n = {n}{},\n)", "x".repeat(5000))}))
        };
        let tests: Vec<TestCase> = (0..5000).map(test).collect();
        let (examples, told) = examples(&tests, &Finished::default(), 100_000);
        assert_eq!(told, 5000);
        assert!(examples.len() > 50 && Value::from(examples.clone()).to_string().len() < 130_000, "{}", examples.len());
        assert!(examples.last().unwrap()["r"].as_str().unwrap().starts_with("n = 4999x"));
    }

    #[test]
    fn what_is_left_out_is_stood_for() {
        let test = |n: u64| read(json!({"status": "passed", "features": {"size": n}, "metadata": {"stands_for": 10}}));
        let tests: Vec<TestCase> = (0..5000).map(test).collect();
        let (examples, _) = examples(&tests, &Finished::default(), usize::MAX);
        let weight = |from: u64| -> u64 {
            examples
                .iter()
                .filter(|test| test["f"]["size"].as_u64() >= Some(from))
                .filter_map(|test| test["w"].as_u64())
                .sum()
        };
        assert!(examples.len() <= EXAMPLES && weight(0) == 50_000, "{} for {}", examples.len(), weight(0));
        assert!(weight(2500).abs_diff(25_000) < 100, "{}", weight(2500));
    }

    #[test]
    fn what_was_counted_is_counted_of_all_tests() {
        let finished: Finished = read(json!({
            "valid": 1000, "discarded": 3, "labels": {"long": 517}, "covers": {"odd": {"percent": 1.0, "hits": 400}},
            "tables": {"digits": {"1": 600, "18446744073709551615": 400}}, "features": {"n": {"7": 1, OTHERS: 999}},
        }));
        let counted = counted(&finished);
        assert!(counted.get("long").is_none(), "labels have one chart");
        let examples = [json!({"s": "passed", "w": 2, "l": ["only with literals"], "f": {"odd": "yes", "n": "yes"}})];
        assert_eq!(labels(&finished, &examples), json!({"whole": 1000, "values": [["long", 517]], "more": 0}));
        let failed = read(json!({"valid": 0, "labels": {}, "features": {"n": {}}, "covers": {"odd": {}}}));
        assert_eq!(labels(&failed, &examples), json!({"whole": 2, "values": [["only with literals", 2]], "more": 0}));
        assert_eq!(counted["odd"]["values"], json!([["yes", 400], ["no", 600]]));
        assert_eq!(counted["digits"]["values"], json!([[1.0, 600], ["18446744073709551615", 400]]));
        assert!(counted.get("n").is_none(), "not all of its values were counted");
        let with_literals =
            [read(json!({"how_generated": "literals", "status": "gave_up", "metadata": {"stands_for": 1}}))];
        assert_eq!(outcomes(&finished, 3, &with_literals), [("passed", 1002), ("discarded", 4)]);
        assert_eq!(extent(&finished, 3), "3 tests with literals, then 1,000 tests, 3 discarded");
        let found = |how: &str| read(json!({"valid": 0, "counterexample": {"found": how}}));
        assert_eq!(extent(&found("literals"), 1), "1 test with literals");
        assert_eq!(extent(&found("stored"), 0), "failed on a stored counterexample");
    }

    #[test]
    fn a_page_without_charts_says_why_and_what_to_do() {
        let property = Property {
            name: "nth is get".to_owned(),
            place: String::new(),
            runner: "value".to_owned(),
            tests: 0,
            serial: true,
            should_panic: false,
            value_of: Some("tests::nth".to_owned()),
            binary: crate::build::Binary { path: "a".into(), package: "a".to_owned(), package_directory: ".".into() },
        };
        let kept = |path: &str| json!({"counterexample": {"found": "stored", "stored": path}});
        let told = [
            kept(".forall/a/1.case"),
            kept("forall-regressions/a/1.case"),
            json!({"counterexample": {"found": "example"}}),
            json!({"searched": {"depth": 3}}),
        ];
        let told = told.map(|finished| notice(&property, &read(finished)).unwrap());
        insta::assert_snapshot!(told.join("\n\n"));
        assert_eq!(notice(&property, &read(json!({"verdict": "passed"}))), None);
    }

    #[test]
    fn what_a_reader_would_not_see_is_made_visible() {
        let page = shown(json!({"f": {"a\u{202e}b": ["\u{1b}[31m", 7]}}));
        assert_eq!(page, json!({"f": {"a\\u{202e}b": ["\\u{1b}[31m", 7]}}));
    }
}
