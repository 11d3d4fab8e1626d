//! Each test with its values, in the form of OpenPBTStats: `FORALL_OBSERVE`.

use super::{Lines, Observed, cut, now};
use crate::context::Record;
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
    /// What tells the runs of a property apart.
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

    /// With the places that were reached so far and how many there are, if that is known.
    pub(super) fn tested(&mut self, test: &Observed<'_>, places: Option<(usize, usize)>) {
        let (status, reason) = match test.tested {
            Tested::Pass => ("passed", String::new()),
            Tested::Fail(failure) => ("failed", cut(&failure.message)),
            Tested::Discard(Some(by)) => ("gave_up", format!("discarded by `{}`", by.text)),
            Tested::Discard(None) => ("gave_up", "discarded by the body or a generator".to_owned()),
            Tested::Fault(fault) => ("gave_up", fault.to_string()),
            Tested::NoSuchStep => ("gave_up", "a step on a value leads nowhere".to_owned()),
        };
        let checking = test.time.saturating_sub(test.generating);
        let mut timing = vec![("execute:test".to_owned(), checking.as_secs_f64())];
        // The parts are added up by whoever reads them: the whole is told where the parts are not known.
        if test.draws.is_empty() {
            timing.push(("generate:values".to_owned(), test.generating.as_secs_f64()));
        }
        for (binding, time) in test.values.iter().zip(test.draws) {
            timing.push((format!("generate:{}", binding.name), time.as_secs_f64()));
        }
        let metadata = Metadata {
            stands_for: Some(test.stands_for),
            // What the names of features stand for, beside features.
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

    /// The counterexample, and what is to be said of the whole run.
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
        // An empty representation means that there was no input at all.
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
    /// What is to be said of a whole run: only Tyche reads it.
    Info {
        /// Always `info`.
        kind as "type": String,
        /// What tells the runs of a property apart.
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

/// The tables that a test enters something into.
fn tables(said: &[Record]) -> Vec<&str> {
    names(said, |record| if let Record::Row { table, .. } = record { Some(table) } else { None })
}

/// What a test says to cover, or not.
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

/// Labels as texts that say yes, tables by what was entered, the score and the size as numbers. A table that was entered twice has
/// both entries. A label, a table or a cover has the name of nothing else: whoever reads this could not tell them apart.
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
        }
    }
    for label in labels(said) {
        let is_taken = features.iter().any(|(known, _)| known == label);
        let name = if is_taken { format!("{label}{LABEL}") } else { label.to_owned() };
        features.push((name, "yes".to_owned()));
    }
    // What users call so is theirs.
    let is_free = |name: &str| features.iter().all(|(known, _)| known != name);
    let (size_name, score_name) =
        (if is_free("size") { "size" } else { SIZE }, if is_free("target") { "target" } else { SCORE });
    features.insert(0, (size_name.to_owned(), size.to_string()));
    let mut scalars = Vec::new();
    for (name, value) in features {
        // What looks like a number is one: its chart has an axis then. Readers make 64-bit floats of numbers, so a whole one that is
        // no longer exact as one stays a text; what no integer can be is a float already.
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

/// What the size and the score of a test are called where the test has another `size` or `target`.
const SIZE: &str = "size of the test";
const SCORE: &str = "score of target!";

/// What is added to the name of a label, a table or a cover where the test has something else of that name.
const LABEL: &str = " (label)";
const TABLE: &str = " (table)";
const COVER: &str = " (cover)";

/// Above this not every whole number is a 64-bit float.
const EXACT: u128 = 1 << 53;

/// Whether a text is a whole number that an integer can be.
fn is_integer(text: &str) -> bool {
    text.parse::<i128>().is_ok() || text.parse::<u128>().is_ok()
}

/// In Markdown, as Tyche shows it.
fn summary(report: &Report) -> String {
    let Statistics { valid, discarded, .. } = &report.statistics;
    let found = report.counterexample.as_ref().and_then(|found| match &found.found {
        Found::Stored(origin) => Some(format!(": the stored counterexample {origin}")),
        Found::Example(place) => Some(format!(": example {}", place + 1)),
        Found::Literals { number, .. } => Some(format!(": number {} of those with literals", number + 1)),
        _ => None,
    });
    let found = found.unwrap_or_default();
    let ended = match &report.verdict {
        Verdict::Passed => "it passed".to_owned(),
        Verdict::Exhausted { inputs, .. } => format!("each of the {inputs} inputs was tried"),
        Verdict::Failed => "a test failed".to_owned(),
        Verdict::Flaky => "a test is flaky: it failed, but not in every rerun".to_owned(),
        Verdict::GaveUp(why)
        | Verdict::Uncovered(why)
        | Verdict::Faulty(why)
        | Verdict::Misconfigured(why)
        | Verdict::NotDecidable(why) => why.to_string(),
    };
    let each = super::EACH;
    format!(
        "- {valid} valid tests, {discarded} discarded\n- stopped because {ended}{found}\n- seed {:#x}\n- of the first {each} tests each is \
         here, of later ones a sample\n",
        report.seed
    )
}

fn fenced(report: &Report) -> String {
    let text = render(report, &Style::plain());
    // Longer than any fence inside of it.
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
    fn summary_says_that_a_test_is_flaky() {
        let property = crate::prelude::property! { forall n: u8; check n.count_ones() <= 8 };
        let settings = Settings::new().tests(2).exhaustive(false).seed(7).store(Store::Off);
        let mut report = Run::new("flaky", &property).settings(settings).report();
        report.verdict = Verdict::Flaky;
        let expected = "- 2 valid tests, 0 discarded\n- stopped because a test is flaky: it failed, but not in every rerun\n- seed 0x7\n";
        assert!(summary(&report).starts_with(expected), "{}", summary(&report));
    }
}
