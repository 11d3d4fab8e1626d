//! What a property came to, in words: for people, and for a service that reads JUnit.

use crate::junit::{Case, Suite, document};
use crate::process::Ended;
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen, visible};
use crate::workspace::Place;
use crate::{results, statistics, words};
use serde_json::{Value, json};
use std::time::Duration;

/// What one property came to.
pub(super) struct Outcome<'a> {
    pub(super) property: &'a Property,
    pub(super) ended: Ended,
    /// Whether people were told.
    pub(super) is_told: bool,
    /// Whether it needs no more tests with literals.
    pub(super) literals_done: bool,
    /// How long it took before the last slice of its time, in seconds.
    earlier: f64,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(property: &'a Property, ended: Ended) -> Self {
        let literals_done = literals_done(&ended);
        Self { property, ended, is_told: false, literals_done, earlier: 0.0 }
    }

    pub(super) fn verdict(&self) -> &str {
        self.ended.finished().and_then(|finished| finished["verdict"].as_str()).unwrap_or("did not end")
    }

    pub(super) fn passed(&self) -> bool {
        words::is_success(self.verdict()) != self.property.should_panic
    }

    pub(super) fn is_bad(&self) -> bool {
        !self.passed() && !self.ended.is_left_out()
    }

    /// Whether more time tells more: nothing was found, and the time that it had was what ended it.
    pub(super) fn goes_on(&self, time: Option<Duration>) -> bool {
        let took = self.ended.finished().and_then(|finished| finished["time"].as_f64()).unwrap_or(0.0);
        let used_all = time.is_some_and(|time| self.last_slice(took) >= NEARLY * time.as_secs_f64());
        let is_open =
            matches!(self.verdict(), "passed" | "uncovered") || self.ended.finished().is_some_and(had_no_time);
        used_all && is_open && !self.property.should_panic
    }

    /// Of the time that all slices took, that of the last one.
    fn last_slice(&self, took: f64) -> f64 {
        took - self.earlier
    }

    /// It was run once more, and this is what came of that. What both have counted is added up; unless it walks through a small
    /// domain and did not come to the end of it, for then it has begun again.
    pub(super) fn add(&mut self, mut later: Ended) {
        let earlier = self.ended.finished().cloned().unwrap_or_default();
        self.literals_done |= literals_done(&later);
        let begins_again = texts(&earlier["warnings"]).any(|warning| warning.starts_with(TIME_LIMIT));
        self.earlier = 0.0;
        if !begins_again && !earlier.is_null() {
            let limit = self.ended.all("started").last().map(|started| started["time_limit"].clone());
            for event in &mut later.events {
                match event["event"].as_str() {
                    Some("started") => {
                        event["time_limit"] = sum(&limit.clone().unwrap_or_default(), &event["time_limit"])
                    }
                    Some("finished") => {
                        self.earlier = earlier["time"].as_f64().unwrap_or(0.0);
                        // One that came to no test says nothing against those before it.
                        if had_no_time(event) && !had_no_time(&earlier) {
                            let time = event["time"].clone();
                            *event = earlier.clone();
                            event["time"] = sum(&earlier["time"], &time);
                            continue;
                        }
                        add(&earlier, event);
                    }
                    _ => {}
                }
            }
        }
        self.ended = later;
    }
}

/// Whether all tests with literals ran that there are for it.
fn literals_done(ended: &Ended) -> bool {
    ended.all("quoted").all(|quoted| quoted["complete"] == true)
}

/// Whether the time was over before a single test was valid.
fn had_no_time(finished: &Value) -> bool {
    finished["verdict"] == "gave_up" && finished["why"].as_str().is_some_and(|why| why.starts_with(TIME_LIMIT))
}

/// How the library begins to say that the time was over.
const TIME_LIMIT: &str = "The time limit of ";

/// A run that took this part of its time has used it up: it stops between tests.
const NEARLY: f64 = 0.9;

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Adds what an earlier run counted to how a later one finished.
fn add(earlier: &Value, finished: &mut Value) {
    for field in ["valid", "discarded", "time", "labels", "tables", "features", "workers"] {
        finished[field] = sum(&earlier[field], &finished[field]);
    }
    for (label, cover) in earlier["covers"].as_object().into_iter().flatten() {
        finished["covers"][label]["hits"] = sum(&cover["hits"], &finished["covers"][label]["hits"]);
    }
}

/// Two counts, or two objects or lists of counts, as one.
fn sum(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let mut both = a.clone();
            for (key, value) in b {
                let sum = both.get(key).map_or_else(|| value.clone(), |known| sum(known, value));
                both.insert(key.clone(), sum);
            }
            both.into()
        }
        (Value::Array(a), Value::Array(b)) => {
            let of = |list: &[Value], at: usize| list.get(at).and_then(Value::as_u64).unwrap_or(0);
            (0..a.len().max(b.len())).map(|at| of(a, at).saturating_add(of(b, at))).collect()
        }
        _ => match (a.as_u64(), b.as_u64()) {
            (Some(a), Some(b)) => json!(a.saturating_add(b)),
            _ => json!(a.as_f64().unwrap_or(0.0) + b.as_f64().unwrap_or(0.0)),
        },
    }
}

/// What is said of a property when it is done.
pub(super) fn told(outcome: &Outcome<'_>, verbose: bool, screen: &Screen) -> String {
    let Outcome { property, ended, .. } = outcome;
    let Some(finished) = ended.finished() else {
        let why = ended.why_nothing(property);
        if ended.is_left_out() {
            let first = format!("{}  {}", screen.paint(Paint::Dim, "left out"), property.name);
            return screen.line(&first, "it is #[ignore]d: --include-ignored runs it");
        }
        let word = screen.paint(Paint::Bad, "did not end");
        return format!("{word}  {}\n{}\n", property.name, screen.wrap("    ", &why));
    };
    let started = ended.all("started").last();
    if property.should_panic {
        let (word, paint) = if outcome.passed() { ("passed", Paint::Good) } else { ("FAILED", Paint::Bad) };
        let how = if outcome.passed() {
            "it fails, as it should"
        } else {
            "it is marked #[should_panic] and does not fail: take the attribute out"
        };
        return screen.line(&format!("{}  {}", screen.paint(paint, word), property.name), how);
    }
    let mut out = String::new();
    if outcome.passed() {
        let time = words::seconds(finished["time"].as_f64().unwrap_or(0.0));
        let first = format!("{}  {}", words::verdict(outcome.verdict(), screen), property.name);
        out += &screen.line(&first, &format!("{}, {time}", words::extent(finished)));
    } else {
        // The report begins with the verdict and the name.
        out += finished["text"].as_str().unwrap_or_default();
        out.push('\n');
    }
    for warning in texts(&finished["warnings"]) {
        out += &screen.wrap("    ", &visible(&format!("warning: {warning}")));
    }
    let statistics = statistics::tables(finished, screen);
    let profiled = ended.all("profiled").last();
    if outcome.passed() && (verbose || !statistics.is_empty() || profiled.is_some_and(statistics::many_alike)) {
        out += &screen.wrap("    ", &format!("stopped because {}", words::why_stopped(started, finished)));
        out += &statistics::counts(finished, profiled, screen);
        if verbose {
            out += &statistics::workers(finished, screen);
        }
        out += &statistics;
    }
    out
}

/// Whether a run was stopped before it came to an end of its own.
pub(super) fn was_stopped(ended: &Ended) -> bool {
    let Some(finished) = ended.finished() else { return false };
    let mut said = texts(&finished["warnings"]).chain(finished["why"].as_str());
    said.any(|text| text.starts_with("The run was stopped after "))
}

/// What is said of a property whose run was stopped: how far it was, if it had come to tests.
pub(super) fn stopped(property: &Property, ended: &Ended, screen: &Screen) -> String {
    let Some(finished) = ended.finished() else { return String::new() };
    let time = words::seconds(finished["time"].as_f64().unwrap_or(0.0));
    let first = format!("{}  {}", screen.paint(Paint::Doubtful, "stopped"), property.name);
    screen.line(&first, &format!("nothing failed in {}, {time}", words::extent(finished)))
}

/// The end of it all.
pub(super) fn summary(outcomes: &[Outcome<'_>], all: usize, time: Duration, screen: &Screen) -> String {
    let bad: Vec<&Outcome<'_>> = outcomes.iter().filter(|outcome| outcome.is_bad()).collect();
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let mut parts =
        vec![screen.paint(if bad.is_empty() { Paint::Good } else { Paint::Bold }, &format!("{passed} passed"))];
    if !bad.is_empty() {
        parts.push(screen.paint(Paint::Bad, &format!("{} did not", bad.len())));
    }
    if all > passed + bad.len() {
        parts.push(format!("{} not run", all - passed - bad.len()));
    }
    let (what, time) = (words::count(all as u64, "property"), words::seconds(time.as_secs_f64()));
    let mut out = format!("\n{}", screen.wrap("", &format!("{what}: {} ({time})", parts.join(", "))));
    for outcome in &bad {
        // One that does not fail, and should.
        let verdict = if words::is_success(outcome.verdict()) { "failed" } else { outcome.verdict() };
        let first = format!("    {}  {}", words::verdict(verdict, screen), outcome.property.name);
        out += &screen.line(&first, &screen.paint(Paint::Dim, &outcome.property.place));
    }
    out
}

/// What to do about a property that fails, in words that mean this one of all that are `known`.
pub(super) fn next(property: &Property, known: &[Property], place: &Place, screen: &Screen) -> String {
    let selection = place.which.again();
    let explain = match properties::telling(known, property, !place.which.package.is_empty()) {
        Some(telling) => format!("`forall explain {telling}{selection}` says what matters in it, "),
        None => String::new(),
    };
    screen.wrap("", &format!("next: {explain}`forall review` asks what to keep"))
}

/// What of a failure tells most in one line: what went wrong, and for which values.
fn headline(finished: &Value) -> Option<String> {
    let values = results::counterexample(finished)?;
    let message = finished["counterexample"]["message"].as_str()?;
    let message = message.lines().next().unwrap_or_default().trim();
    Some(visible(&if values.is_empty() { message.to_owned() } else { format!("{message}, for {values}") }))
}

pub(super) fn junit(outcomes: &[Outcome<'_>]) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for Outcome { property, ended, .. } in outcomes {
        let (package, name) = match property.is_value() {
            true => (&*property.binary.package, &*property.name),
            false => property.name.split_once("::").unwrap_or(("", &property.name)),
        };
        let finished = ended.finished();
        let verdict = finished.and_then(|finished| finished["verdict"].as_str()).unwrap_or_default();
        let time = finished.and_then(|finished| finished["time"].as_f64()).unwrap_or(0.0);
        let case = if ended.is_left_out() {
            Case::skipped(name)
        } else if words::is_success(verdict) != property.should_panic {
            Case::passed(name)
        } else {
            let text = finished.and_then(|finished| finished["text"].as_str()).map(str::to_owned);
            let text = text.unwrap_or_else(|| ended.why_nothing(property));
            let case = Case::failed(name, &console::strip_ansi_codes(&text));
            match finished.and_then(headline) {
                Some(line) => case.headed(line),
                None => case,
            }
        };
        let case = case.taking(Duration::from_secs_f64(time.max(0.0)));
        match suites.iter_mut().find(|suite| suite.name == package) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite { name: package.to_owned(), cases: vec![case] }),
        }
    }
    document("forall", &suites)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_several_rounds_are_added_up() {
        let both = sum(&json!({"a": 1, "t": {"x": 2}}), &json!({"a": 2, "b": 3, "t": {"x": 1, "y": 1}}));
        assert_eq!(both, json!({"a": 3, "b": 3, "t": {"x": 3, "y": 1}}));
        assert_eq!(sum(&json!(0.25), &json!(0.5)), json!(0.75));
    }

    /// What came of a slice of so many seconds, in which there were so many tests.
    fn slice(tests: u64, time: f64, warnings: &[&str]) -> Ended {
        let started = json!({"event": "started", "time_limit": 2.0});
        let finished =
            json!({"event": "finished", "verdict": "passed", "valid": tests, "time": time, "warnings": warnings});
        Ended { events: vec![started, finished], how: crate::ended::How::Exit(0), last_words: String::new() }
    }

    #[test]
    fn a_property_goes_on_as_long_as_it_uses_its_time() {
        let property = Property::example("shop::sums");
        let two = Some(Duration::from_secs(2));
        let mut outcome = Outcome::new(&property, slice(100, 2.01, &[]));
        assert!(outcome.goes_on(two) && !outcome.goes_on(None));
        outcome.add(slice(50, 2.02, &[]));
        assert_eq!(outcome.ended.finished().unwrap()["valid"], 150);
        assert_eq!(outcome.ended.events[0]["time_limit"], 4.0);
        assert!(outcome.goes_on(two));
        outcome.add(slice(1, 0.1, &[]));
        assert!(!outcome.goes_on(two), "there was nothing more to be tried");
        // Who had no time at all gets more; and who had some, and none the next time, has passed.
        let mut none = slice(0, 2.0, &[]);
        none.events[1]["verdict"] = json!("gave_up");
        none.events[1]["why"] = json!("The time limit of 2 s was reached after 0 tests. Nothing was tested.");
        let mut first = Outcome::new(&property, Ended { events: none.events.clone(), ..slice(0, 2.0, &[]) });
        assert!(first.goes_on(two) && !first.passed());
        first.add(slice(100, 2.0, &[]));
        assert!(first.passed());
        first.add(none);
        assert!(first.passed() && first.goes_on(two));
        assert_eq!((&first.ended.finished().unwrap()["valid"], first.verdict()), (&json!(100), "passed"));
        // Literals are done when all of them were tried.
        let mut cut = slice(9, 2.0, &[]);
        cut.events.push(json!({"event": "quoted", "tests": 64, "complete": false}));
        let mut outcome = Outcome::new(&property, cut);
        assert!(!outcome.literals_done);
        outcome.add(slice(9, 2.0, &[]));
        assert!(outcome.literals_done);
        // One that walks through a domain begins again.
        let mut outcome = Outcome::new(&property, slice(100, 2.0, &["The time limit of 2 s was reached after …"]));
        outcome.add(slice(256, 1.9, &[]));
        assert_eq!(outcome.ended.finished().unwrap()["valid"], 256);
    }
}
