//! What the page shows of a property. A pure function of what the run told, but for the source.

use crate::process::Ended;
use crate::properties::Property;
use crate::screen::Screen;
use crate::workspace::Workspace;
use crate::{statistics, words};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fs;

/// So many examples of a property are in the page.
const EXAMPLES: usize = 2000;

/// Longer values are cut in examples.
const VALUES: usize = 400;

/// So much of a report, of a step and of a line is shown.
const TEXT: usize = 20_000;

/// So many lines of the source are shown.
const LINES: usize = 40;

/// What the page shows of `property`, with examples of at most `budget` bytes.
pub fn property(
    property: &Property,
    ended: &Ended,
    before: Option<&Value>,
    tests: &[Value],
    budget: usize,
    workspace: &Workspace,
) -> Value {
    let mut page = json!({
        "name": property.name, "place": property.place, "runner": property.runner, "tests": [], "steps": [], "source": [],
        "covers": [], "warnings": [], "before": null, "sampled": "", "seed": "", "time": 0.0, "extent": "", "stopped": "its process ended",
        "verdict": "ended", "word": "did not end", "text": null,
    });
    let Some(finished) = ended.finished() else {
        page["text"] = json!(ended.why_nothing(property));
        return page;
    };
    let verdict = finished["verdict"].as_str().unwrap_or_default();
    page["verdict"] = json!(verdict);
    page["word"] = json!(words::verdict(verdict, &Screen::plain()));
    page["extent"] = json!(words::extent(finished));
    page["stopped"] = json!(words::why_stopped(ended.all("started").last(), finished));
    for field in ["seed", "time", "warnings"] {
        page[field] = finished[field].clone();
    }
    if !words::is_success(verdict) {
        page["text"] = json!(cut(finished["text"].as_str().unwrap_or_default(), TEXT));
        page["source"] = source(property, &finished["counterexample"], workspace);
    }
    page["before"] = before.map_or(Value::Null, |before| json!(comparison(before, finished)));
    page["steps"] = ended.all("shrunk").map(step).collect();
    page["covers"] = statistics::demands(finished).into();
    let (examples, told) = examples(tests, budget);
    let all = finished["valid"].as_u64().unwrap_or(0) + finished["discarded"].as_u64().unwrap_or(0);
    if (examples.len() as u64) < all.max(told as u64) {
        let (shown, all) = (crate::status::grouped(examples.len() as u64), crate::status::grouped(all));
        page["sampled"] = json!(format!(
            "The charts and examples are of {shown} of {all} tests: the first ones, and a sample of the others."
        ));
    }
    page["tests"] = examples.into();
    page
}

/// The tests that are shown, and how many were told.
fn examples(tests: &[Value], budget: usize) -> (Vec<Value>, usize) {
    let mut seen = HashSet::new();
    let mut examples = Vec::new();
    for test in tests {
        let text = test["representation"].as_str().unwrap_or_default();
        let is_new = test["status"] != "gave_up" && seen.insert(text);
        let status = match test["status"].as_str() {
            Some("gave_up") => "gave up",
            Some(status) => status,
            None => continue,
        };
        let microseconds = |part: &str| (test["timing"][part].as_f64().unwrap_or(0.0) * 1e8).round() / 1e2;
        examples.push(json!({
            "s": status, "r": cut(&values(text), VALUES), "f": features(&test["features"]), "n": is_new,
            "g": microseconds("generate:values"), "e": microseconds("execute:test"),
        }));
    }
    let told = examples.len();
    // Evenly from all, with the last one: if a test failed, it is that.
    let fits = |examples: &[Value]| {
        examples.len() <= EXAMPLES && examples.iter().map(|test| test.to_string().len()).sum::<usize>() <= budget
    };
    while examples.len() > 1 && !fits(&examples) {
        let last = examples.len() - 1;
        let mut at = 0;
        examples.retain(|_| {
            at += 1;
            at % 2 == 1 || at - 1 == last
        });
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

fn features(features: &Value) -> Value {
    let mut short = Map::new();
    for (name, value) in features.as_object().into_iter().flatten() {
        let value = value.as_str().map_or(value.clone(), |text| json!(cut(text, 100)));
        short.insert(cut(name, 100), value);
    }
    short.into()
}

fn step(event: &Value) -> Value {
    let values = event["values"].as_array().into_iter().flatten();
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let values: Vec<String> =
        values.map(|value| format!("{} = {}", text(value, "name"), text(value, "text"))).collect();
    json!({"run": event["evaluations"], "pass": event["pass"], "values": cut(&values.join(", "), VALUES)})
}

/// How a run differs from the one before it.
fn comparison(before: &Value, now: &Value) -> String {
    let verdict = |run: &Value| words::verdict(run["verdict"].as_str().unwrap_or("unknown"), &Screen::plain());
    let mut parts = Vec::new();
    if verdict(before) != verdict(now) {
        parts.push(format!("{}, {} now", verdict(before), verdict(now)));
    } else {
        parts.push(format!("{}, too", verdict(before)));
    }
    parts.push(words::extent(before));
    let share = |run: &Value, label: &str| {
        let valid = run["valid"].as_f64().unwrap_or(0.0).max(1.0);
        100.0 * run["labels"][label].as_f64().unwrap_or(0.0) / valid
    };
    let labels: HashSet<&String> =
        [before, now].into_iter().filter_map(|run| run["labels"].as_object()).flat_map(Map::keys).collect();
    let mut labels: Vec<&String> = labels.into_iter().collect();
    labels.sort();
    for label in labels {
        let (was, is) = (share(before, label), share(now, label));
        // Chance alone moves a share by a few points.
        if (was - is).abs() >= 5.0 {
            parts.push(format!("{label} was {was:.0} % and is {is:.0} %"));
        }
    }
    format!("Last time: {}.", parts.join("; "))
}

/// The lines of the property, with what is known of the counterexample below each.
fn source(property: &Property, found: &Value, workspace: &Workspace) -> Value {
    let (file, line) = property.place.rsplit_once(':').unwrap_or((&property.place, "0"));
    let Ok(text) = fs::read_to_string(workspace.root.join(file)) else { return json!([]) };
    let first = line.parse::<usize>().unwrap_or(0).max(1);
    annotated(&text, file, first, found)
}

fn annotated(text: &str, file: &str, first: usize, found: &Value) -> Value {
    let (mut lines, mut depth, mut open) = (Vec::new(), 0i64, false);
    let mut values: Vec<&Value> = found["values"].as_array().into_iter().flatten().collect();
    let failed = found["location"].as_str().and_then(|location| location.strip_prefix(&format!("{file}:")));
    let failed = failed.and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
    for (at, line) in text.lines().enumerate().skip(first - 1).take(LINES) {
        let mut remarks = Vec::new();
        values.retain(|value| {
            let name = value["name"].as_str().unwrap_or_default();
            let is_here = line.contains(&format!("{name}:")) && !line.trim_start().starts_with("#[forall::");
            if is_here {
                remarks.push(cut(&format!("{name} = {}", value["text"].as_str().unwrap_or_default()), VALUES));
            }
            !is_here
        });
        if failed == Some(at + 1) {
            remarks.push(cut(found["message"].as_str().unwrap_or_default(), VALUES));
        }
        lines.push(json!({"n": at + 1, "text": line, "remarks": remarks}));
        // Braces in strings are rare in what is shown, and cost a line more or less.
        open |= line.contains('{');
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if open && depth <= 0 {
            break;
        }
    }
    lines.into()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_is_shown_with_values_and_the_failure() {
        let text = "\n#[forall::test]\nfn small(n: u8) {\n    if n > 3 {\n        panic!();\n    }\n}\nfn other() {}\n";
        let found =
            json!({"values": [{"name": "n", "text": "4"}], "location": "a.rs:5:9", "message": "explicit panic"});
        let lines = annotated(text, "a.rs", 2, &found);
        let lines = lines.as_array().unwrap();
        assert_eq!(lines.len(), 6);
        assert_eq!((&lines[1]["remarks"], &lines[3]["remarks"]), (&json!(["n = 4"]), &json!(["explicit panic"])));
    }

    #[test]
    fn examples_fit_whatever_the_values_are() {
        let test = |n: usize| json!({"status": "passed", "representation": format!("a(\n    n = {n}{},\n)", "x".repeat(5000)), "features": {}});
        let tests: Vec<Value> = (0..5000).map(test).collect();
        let (examples, told) = examples(&tests, 100_000);
        assert_eq!(told, 5000);
        assert!(examples.len() > 50 && Value::from(examples.clone()).to_string().len() < 130_000, "{}", examples.len());
        assert!(examples.last().unwrap()["r"].as_str().unwrap().starts_with("n = 4999x"));
    }

    #[test]
    fn a_run_is_compared_with_the_last() {
        let before = json!({"verdict": "failed", "valid": 100, "labels": {"even": 50, "old": 1}});
        let now = json!({"verdict": "passed", "valid": 100, "labels": {"even": 80}});
        assert_eq!(comparison(&before, &now), "Last time: FAILED, passed now; 100 tests; even was 50 % and is 80 %.");
    }
}
