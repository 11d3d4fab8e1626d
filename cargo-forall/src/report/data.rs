//! What the page shows of a property. A pure function of what the run told.

use crate::process::Ended;
use crate::properties::Property;
use crate::screen::Screen;
use crate::{statistics, words};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashSet};

/// So many examples of a property are in the page.
const EXAMPLES: usize = 2000;

/// Longer values are cut in examples.
const VALUES: usize = 400;

/// So much of a report, of a step and of a line is shown.
const TEXT: usize = 20_000;

/// So many steps of shrinking are shown, the first and the last.
const STEPS: usize = 200;

/// What the page shows of `property`, with examples of at most `budget` bytes.
pub fn property(property: &Property, ended: &Ended, before: Option<&Value>, tests: &[Value], budget: usize) -> Value {
    let mut page = json!({
        "name": property.name, "place": property.place, "runner": property.runner, "tests": [], "steps": [],
        "draws": [], "drawing": null, "places": 0, "differences": [], "covers": [], "warnings": [], "before": null, "sampled": "", "seed": "", "time": 0.0, "extent": "", "stopped": "its process ended",
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
    }
    page["before"] = before.map_or(Value::Null, |before| json!(comparison(before, finished)));
    page["differences"] = before.map_or(json!([]), |before| differences(before, finished).into());
    page["steps"] = steps(&ended.events);
    page["drawing"] = ended.all("drawn").last().map_or(Value::Null, |drawn| drawn["picture"].clone());
    page["places"] = tests.iter().filter_map(|test| test["metadata"]["places"].as_u64()).max().unwrap_or(0).into();
    page["covers"] = statistics::demands(finished).into();
    page["draws"] = draws(tests);
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
        let microseconds = |begins: &str| {
            let parts = test["timing"].as_object().into_iter().flatten().filter(|(part, _)| part.starts_with(begins));
            (parts.map(|(_, seconds)| seconds.as_f64().unwrap_or(0.0)).sum::<f64>() * 1e8).round() / 1e2
        };
        examples.push(json!({
            "s": status, "r": cut(&values(text), VALUES), "f": features(&test["features"]), "n": is_new,
            "g": microseconds("generate:"), "e": microseconds("execute:"),
        }));
        if let Some(reached) = test["metadata"]["reached"].as_u64()
            && let Some(last) = examples.last_mut()
        {
            last["c"] = json!(reached);
        }
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

/// How long each variable took to be drawn, in microseconds, and the slowest draw.
fn draws(tests: &[Value]) -> Value {
    let mut draws: Vec<(String, f64, f64)> = Vec::new();
    for (part, seconds) in tests.iter().filter_map(|test| test["timing"].as_object()).flatten() {
        let Some(name) = part.strip_prefix("generate:").filter(|name| *name != "values") else { continue };
        let microseconds = seconds.as_f64().unwrap_or(0.0) * 1e6;
        match draws.iter_mut().find(|(known, ..)| known == name) {
            Some((_, all, slowest)) => (*all, *slowest) = (*all + microseconds, slowest.max(microseconds)),
            None => draws.push((name.to_owned(), microseconds, microseconds)),
        }
    }
    draws.into_iter().map(|(name, all, slowest)| json!({"name": name, "all": all, "slowest": slowest})).collect()
}

/// The tree of what shrinking tried: each simpler input that failed, with those that were run before it and not taken. The last
/// has what was tried in vain at the end.
fn steps(events: &[Value]) -> Value {
    let mut steps: Vec<Value> = Vec::new();
    let mut tried: Vec<Value> = Vec::new();
    for event in events {
        match event["event"].as_str() {
            Some("tried") => tried.push(step(event)),
            Some("shrunk") => {
                let mut step = step(event);
                step["tried"] = std::mem::take(&mut tried).into();
                steps.push(step);
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

fn step(event: &Value) -> Value {
    let values = event["values"].as_array().into_iter().flatten();
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let values: Vec<String> =
        values.map(|value| format!("{} = {}", text(value, "name"), text(value, "text"))).collect();
    let values = cut(&values.join(", "), VALUES);
    json!({"run": event["evaluations"], "pass": event["pass"], "values": values, "outcome": event["outcome"]})
}

/// What is counted in both runs, beside each other: what it is, then, now.
fn differences(before: &Value, now: &Value) -> Vec<Value> {
    let number = |run: &Value, key: &str| run[key].as_f64().unwrap_or(0.0);
    let mut rows = Vec::new();
    for key in ["valid", "discarded"] {
        let text = |run: &Value| crate::status::grouped(number(run, key) as u64);
        rows.push(json!([format!("{key} tests"), text(before), text(now)]));
    }
    let time = |run: &Value| words::seconds(number(run, "time"));
    rows.push(json!(["time", time(before), time(now)]));
    for label in labels(before, now) {
        let text = |run: &Value| format!("{:.1} %", share(run, &label));
        rows.push(json!([label, text(before), text(now)]));
    }
    rows
}

/// The labels of either run.
fn labels(before: &Value, now: &Value) -> BTreeSet<String> {
    [before, now].into_iter().filter_map(|run| run["labels"].as_object()).flat_map(Map::keys).cloned().collect()
}

/// The share of tests with a label, in percent.
fn share(run: &Value, label: &str) -> f64 {
    let valid = run["valid"].as_f64().unwrap_or(0.0).max(1.0);
    100.0 * run["labels"][label].as_f64().unwrap_or(0.0) / valid
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
    for label in labels(before, now) {
        let (was, is) = (share(before, &label), share(now, &label));
        // Chance alone moves a share by a few points.
        if (was - is).abs() >= 5.0 {
            parts.push(format!("{label} was {was:.0} % and is {is:.0} %"));
        }
    }
    format!("Last time: {}.", parts.join("; "))
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
    fn what_was_tried_hangs_below_what_it_led_to() {
        let event = |kind: &str, n: u64| json!({"event": kind, "evaluations": n, "pass": "zero", "outcome": "passed", "values": [{"name": "n", "text": n.to_string()}]});
        let events = [event("tried", 1), event("tried", 2), event("shrunk", 3), event("shrunk", 4), event("tried", 5)];
        let steps = steps(&events);
        let tried: Vec<usize> =
            steps.as_array().unwrap().iter().map(|step| step["tried"].as_array().unwrap().len()).collect();
        assert_eq!(tried, [2, 0, 1]);
        assert_eq!(steps[0]["tried"][1]["values"], "n = 2");
        let many: Vec<Value> = (0..1000).map(|n| event("shrunk", n)).collect();
        let steps = super::steps(&many);
        assert_eq!(steps.as_array().unwrap().len(), STEPS + 1);
        assert_eq!(steps[STEPS / 2]["left_out"], 1000 - STEPS);
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
