//! Each test with its values, in the OpenPBTStats format: `FORALL_OBSERVE`.

use super::{Lines, Observed, cut, now};
use crate::context::Record;
use crate::fact::Fact;
use crate::property::{Binding, Failure};
use crate::protocol::{Encode, Fields, Metadata, Scalar, TestCase};
use crate::report::{Style, render};
use crate::run::{Found, Identity, Report, Statistics, Tested, Verdict};
use std::path::Path;

/// The files of one run.
pub(super) struct TestCases {
    tests: Lines,
    info: Lines,
    property: String,
    /// Distinguishes the runs of a property.
    started: f64,
}

impl TestCases {
    pub(super) fn new(folder: &Path, identity: &Identity) -> Self {
        let name: String =
            identity.name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
        let file = |kind: &str| folder.join(format!("{name}_{}_{kind}.jsonl", std::process::id()));
        let (tests, info) = (Lines::to(file("testcases")), Lines::to(file("info")));
        Self { tests, info, property: identity.name.to_string(), started: now() }
    }

    /// Writes a test; `places` is the number of locations reached so far and of all locations, if known.
    pub(super) fn tested(&mut self, test: &Observed<'_>, places: Option<(usize, usize)>) {
        let (status, reason) = match test.tested {
            Tested::Pass => ("passed", String::new()),
            Tested::Fail(failure) => ("failed", cut(&failure.message)),
            Tested::Discard(Some(by)) => ("gave_up", format!("discarded by `{}`", by.text)),
            Tested::Discard(None) => ("gave_up", "discarded by the body or a generator".to_owned()),
            Tested::Fault(fault) => ("gave_up", fault.to_string()),
            Tested::NoSuchStep => ("gave_up", "a shrink step does not apply".to_owned()),
        };
        let checking = test.time.saturating_sub(test.generating);
        let mut timing = vec![("execute:test".to_owned(), checking.as_secs_f64())];
        // Readers add up the parts: the total is written only if the parts are unknown.
        if test.draws.is_empty() {
            timing.push(("generate:values".to_owned(), test.generating.as_secs_f64()));
        }
        for (binding, time) in test.values.iter().zip(test.draws) {
            timing.push((format!("generate:{}", binding.name), time.as_secs_f64()));
        }
        let metadata = Metadata {
            stands_for: Some(test.stands_for),
            // The kinds of features by name.
            labels: owned(&labels(test.said)),
            tables: owned(&tables(test.said)),
            covers: owned(&covers(test.said)),
            reached: places.map(|(reached, _)| reached as u64),
            places: places.map(|(_, places)| places as u64),
            ..Metadata::default()
        };
        self.add(
            test.values,
            TestCase {
                status: status.to_owned(),
                status_reason: reason,
                how_generated: test.how.to_owned(),
                features: Fields(features(test.said, test.score, test.size)),
                timing: Fields(timing),
                metadata,
                ..TestCase::default()
            },
        );
    }

    /// Writes the counterexample, and the summary of the run.
    pub(super) fn finished(&mut self, report: &Report) {
        if let Some(found) = &report.counterexample {
            let Failure { message, location, .. } = &found.failure;
            let metadata = Metadata {
                reproduction_decorator: Some(found.case.to_text()),
                interesting_origin: location.as_ref().map(ToString::to_string),
                ..Metadata::default()
            };
            self.add(
                &found.bindings,
                TestCase {
                    status: "failed".to_owned(),
                    status_reason: cut(message),
                    how_generated: "minimal counterexample".to_owned(),
                    metadata,
                    ..TestCase::default()
                },
            );
        }
        for (title, content) in [("Statistics", summary(report)), ("Report", fenced(report))] {
            let (property, title) = (self.property.clone(), title.to_owned());
            let info = Info { kind: "info".to_owned(), run_start: self.started, property, title, content };
            self.info.add(info.encode());
        }
    }

    /// Writes a test with its values.
    fn add(&mut self, values: &[Binding], test: TestCase) {
        let (mut arguments, mut lines) = (Vec::new(), String::new());
        for Binding { name, printed, .. } in values {
            let text = cut(printed.text());
            lines += &format!("    {name} = {text},\n");
            arguments.push(((*name).to_owned(), text));
        }
        let name = self.property.rsplit("::").next().unwrap_or(&self.property);
        // An empty representation would mean that there was no input at all.
        let representation = if values.is_empty() { String::new() } else { format!("{name}(\n{lines})") };
        let test = TestCase {
            kind: "test_case".to_owned(),
            run_start: self.started,
            property: self.property.clone(),
            representation,
            arguments: Fields(arguments),
            ..test
        };
        self.tests.add(test.encode());
    }
}

crate::__record! {
    /// The summary of a run: only Tyche reads it.
    Info {
        /// Always `info`.
        kind as "type": String,
        /// Distinguishes the runs of a property.
        run_start: f64,
        /// The name of the property.
        property: String,
        /// A heading.
        title: String,
        /// In Markdown.
        content: String,
    }
}

/// The labels of a test, each once.
fn labels(said: &[Record]) -> Vec<&str> {
    names(said, |record| if let Record::Label(label) = record { Some(label) } else { None })
}

/// The tables in which a test has entries.
fn tables(said: &[Record]) -> Vec<&str> {
    names(said, |record| if let Record::Row { table, .. } = record { Some(table) } else { None })
}

/// The `cover!` conditions of a test.
fn covers(said: &[Record]) -> Vec<&str> {
    names(said, |record| if let Record::Cover { label, .. } = record { Some(label) } else { None })
}

/// The names of some records, each once.
fn names(said: &[Record], of: fn(&Record) -> Option<&String>) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in said.iter().filter_map(of) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Labels as strings with the value yes, tables by their entries, the score and the size as numbers. A table with two
/// entries has both. Names of labels, tables and covers are made unique: otherwise readers could not distinguish them.
fn features(said: &[Record], score: Option<f64>, size: u32) -> Vec<(String, Scalar)> {
    let mut features: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| match features.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) if *known != value => *known += &format!(", {value}"),
        Some(_) => {}
        None => features.push((name.to_owned(), value)),
    };
    let is_feature =
        |own: &str| said.iter().any(|record| matches!(record, Record::Feature { name, .. } if name == own));
    let tables = tables(said);
    for record in said {
        match record {
            Record::Label(_) => {}
            Record::Row { table, row } if is_feature(table) => add(&format!("{table}{TABLE}"), row.clone()),
            Record::Row { table, row } => add(table, row.clone()),
            Record::Cover { label, hit, .. } => {
                let is_taken = is_feature(label) || tables.contains(&label.as_str());
                add(
                    &format!("{label}{}", if is_taken { COVER } else { "" }),
                    if *hit { "yes" } else { "no" }.to_owned(),
                );
            }
            Record::Feature { name, value } => add(name, value.clone()),
            Record::Score { name, score } => add(name, score.to_string()),
        }
    }
    for label in labels(said) {
        let is_taken = features.iter().any(|(known, _)| known == label);
        let name = if is_taken { format!("{label}{LABEL}") } else { label.to_owned() };
        features.push((name, "yes".to_owned()));
    }
    // These names belong to the user.
    let is_free = |name: &str| features.iter().all(|(known, _)| known != name);
    let (size_name, score_name) =
        (if is_free("size") { "size" } else { SIZE }, if is_free("target") { "target" } else { SCORE });
    features.insert(0, (size_name.to_owned(), size.to_string()));
    let mut scalars = Vec::new();
    for (name, value) in features {
        // Numeric text becomes a number, so that its chart has an axis. Readers use 64-bit floats, so an integer that
        // is not exact as one stays a string; larger numbers are floats already.
        let is_exact = value.parse::<i128>().is_ok_and(|whole| whole.unsigned_abs() <= EXACT);
        let scalar = match value.parse::<f64>() {
            Ok(parsed) if parsed.is_finite() && (is_exact || !is_integer(&value)) => Scalar::Number(parsed),
            _ => Scalar::Text(value),
        };
        scalars.push((name, scalar));
    }
    if let Some(score) = score {
        scalars.push((score_name.to_owned(), Scalar::Number(score)));
    }
    scalars
}

/// The names of a test's size and score if it has its own `size` or `target`.
const SIZE: &str = "size of the test";
const SCORE: &str = "score of target!";

/// Appended to the name of a label, a table or a cover that is not unique in the test.
const LABEL: &str = " (label)";
const TABLE: &str = " (table)";
const COVER: &str = " (cover)";

/// Above this, not every integer can be represented as a 64-bit float.
const EXACT: u128 = 1 << 53;

/// Whether a text is an integer that fits one of Rust's types.
fn is_integer(text: &str) -> bool {
    text.parse::<i128>().is_ok() || text.parse::<u128>().is_ok()
}

/// In Markdown, as Tyche shows it.
fn summary(report: &Report) -> String {
    let Statistics { valid, discarded, .. } = &report.statistics;
    let found = report.counterexample.as_ref().and_then(|found| match &found.found {
        Found::Stored(origin) => Some(format!(": the saved failure {origin}")),
        Found::Example(place) => Some(format!(": example {}", place + 1)),
        Found::Literals { number, .. } => Some(format!(": test {} with literals", number + 1)),
        _ => None,
    });
    let found = found.unwrap_or_default();
    let ended = match &report.verdict {
        Verdict::Exhausted { inputs, .. } => format!("all {inputs} inputs were tested"),
        Verdict::Failed => "a test failed".to_owned(),
        Verdict::Flaky => "a test is flaky: it failed, but not in every rerun".to_owned(),
        verdict => verdict.reason().map_or("it passed".to_owned(), Fact::to_string),
    };
    let each = super::EACH;
    format!(
        "- {valid} valid tests, {discarded} discarded\n- stopped because {ended}{found}\n- seed {:#x}\n- all of the \
         first {each} tests are recorded, and a sample of later ones\n",
        report.seed
    )
}

fn fenced(report: &Report) -> String {
    let text = render(report, &Style::plain());
    // Longer than any fence inside it.
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}text\n{text}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Run, Settings, Store};

    #[test]
    fn summary_marks_flaky_tests() {
        let property = crate::prelude::property! { forall n: u8; check n.count_ones() <= 8 };
        let settings = Settings::new().tests(2).enumerate(false).seed(7).store(Store::Off);
        let mut report = Run::new("flaky", &property).settings(settings).report();
        report.verdict = Verdict::Flaky;
        let expected = "- 2 valid tests, 0 discarded\n- stopped because a test is flaky: it failed, but not in every rerun\n- seed 0x7\n";
        assert!(summary(&report).starts_with(expected), "{}", summary(&report));
    }
}
