//! The events of a run as lines of JSON: `FORALL_EVENTS`.

use super::json::{Object, list, number, string};
use super::{Lines, cut, now};
use crate::explain::{Any, Claim, Open};
use crate::property::Binding;
use crate::report::{Style, render};
use crate::run::{ByName, Counterexample, Event, Found, Identity, Report, Settings, Shrinking, Verdict};

/// The version of what the lines mean.
const VERSION: u64 = 1;

pub(super) struct Stream {
    lines: Lines,
    property: String,
    runner: String,
    threads: u64,
    time_limit: Option<f64>,
}

impl Stream {
    pub(super) fn new(lines: Lines, identity: &Identity, settings: &Settings) -> Self {
        Self {
            lines,
            property: identity.name.to_string(),
            runner: settings.runner.clone(),
            threads: settings.threads as u64,
            time_limit: settings.time.map(|time| time.as_secs_f64()),
        }
    }

    /// The beginning of a line.
    pub(super) fn begin(&self, event: &str) -> Object {
        Object::new().whole("v", VERSION).text("event", event).text("property", &self.property)
    }

    pub(super) fn add(&mut self, object: Object) {
        self.lines.add(object.end());
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        let object = match event {
            Event::Started { identity, seed, tests } => {
                let limit = self.time_limit.map_or("null".to_owned(), number);
                let object = self.begin("started").text("file", identity.file).whole("line", identity.line.into());
                let object =
                    object.text("seed", &hexadecimal(*seed)).whole("tests", *tests).text("runner", &self.runner);
                object.whole("threads", self.threads).raw("time_limit", &limit).number("at", now())
            }
            Event::Replaying { origin } => self.begin("replaying").text("origin", origin),
            Event::Replayed { origin, outcome } => {
                self.begin("replayed").text("origin", origin).text("outcome", outcome)
            }
            Event::Failed { case, failure } => {
                self.begin("failed").text("case", &case.to_text()).text("message", &cut(&failure.message))
            }
            Event::Shrunk { case, evaluations, pass, bindings } => {
                let object = self.begin("shrunk").text("case", &case.to_text()).whole("evaluations", *evaluations);
                object.text("pass", pass).raw("values", &values(bindings))
            }
            Event::Explained { explanation } => {
                let claims = explanation.claims.len() as u64;
                self.begin("explained").whole("claims", claims).whole("evaluations", explanation.evaluations)
            }
            Event::Kept { path } => self.begin("kept").text("path", path),
            Event::Searched { depth } => {
                let object = self.begin("searched").whole("depth", depth.depth.into());
                let inputs = depth.inputs.map_or("null".to_owned(), number);
                object.whole("evaluations", depth.evaluations).raw("inputs", &inputs).flag("complete", depth.complete)
            }
            Event::Warned { text } => self.begin("warned").text("text", text),
            Event::Finished { report } => {
                #[cfg(feature = "machine")]
                if let Some(picture) = super::drawing::take(report.counterexample.as_ref()) {
                    self.add(self.begin("drawn").raw("picture", &picture));
                }
                finished(self.begin("finished"), report)
            }
            // These are told with their values, by `openpbt.rs`.
            Event::Tested { .. } => return,
        };
        self.add(object);
    }
}

fn finished(object: Object, report: &Report) -> Object {
    let (verdict, why, inputs) = match &report.verdict {
        Verdict::Passed => ("passed", None, None),
        Verdict::Exhausted { inputs, .. } => ("exhausted", None, Some(*inputs)),
        Verdict::Failed => ("failed", None, None),
        Verdict::Flaky => ("flaky", None, None),
        Verdict::GaveUp(why) => ("gave_up", Some(why), None),
        Verdict::Uncovered(why) => ("uncovered", Some(why), None),
        Verdict::Faulty(why) => ("faulty", Some(why), None),
        Verdict::Misconfigured(why) => ("misconfigured", Some(why), None),
        Verdict::NotDecidable(why) => ("not_decidable", Some(why), None),
    };
    let statistics = &report.statistics;
    let mut tables = Object::new();
    for (name, rows) in &statistics.tables {
        tables = tables.raw(name, &counts(rows));
    }
    let mut features = Object::new();
    for (name, values) in &statistics.features {
        features = features.raw(name, &counts(values));
    }
    let mut covers = Object::new();
    for (name, cover) in &statistics.covers {
        covers = covers.raw(name, &Object::new().number("percent", cover.percent).whole("hits", cover.hits).end());
    }
    let mut warnings = Vec::new();
    for warning in &report.warnings {
        warnings.push(string(warning));
    }
    let mut workers = Vec::new();
    for tests in &report.workers {
        workers.push(tests.to_string());
    }
    let found = report.counterexample.as_ref().map_or("null".to_owned(), counterexample);
    // Warnings were told when they came up.
    let text = render(report, &Style::from_env().warnings(false));
    object
        .text("verdict", verdict)
        .maybe("why", why.map(String::as_str))
        .whole("valid", statistics.valid)
        .whole("discarded", statistics.discarded)
        .raw("inputs", &inputs.map_or("null".to_owned(), |inputs| inputs.to_string()))
        .text("seed", &hexadecimal(report.seed))
        .number("time", report.time.as_secs_f64())
        .raw("labels", &counts(&statistics.labels))
        .raw("tables", &tables.end())
        .raw("covers", &covers.end())
        .raw("features", &features.end())
        .raw("warnings", &list(&warnings))
        .raw("workers", &list(&workers))
        .raw("counterexample", &found)
        .text("text", &text)
}

fn counterexample(found: &Counterexample) -> String {
    let mut notes = Vec::new();
    for note in &found.notes {
        notes.push(string(&cut(note)));
    }
    let Shrinking { accepted, evaluations, time, passes, .. } = &found.shrinking;
    let mut told = Vec::new();
    for pass in passes {
        let pass = Object::new().text("name", pass.name).whole("tried", pass.tried).whole("accepted", pass.accepted);
        told.push(pass.end());
    }
    let shrinking = Object::new().whole("accepted", *accepted).whole("evaluations", *evaluations);
    let reruns = Object::new().whole("runs", found.reruns.runs).whole("failed", found.reruns.failed).end();
    let shrinking = shrinking.number("time", time.as_secs_f64()).raw("passes", &list(&told)).end();
    let location = found.failure.location.as_ref().map(ToString::to_string);
    Object::new()
        .text("case", &found.case.to_text())
        .text("found", how(&found.found))
        .raw("values", &values(&found.bindings))
        .text("message", &cut(&found.failure.message))
        .maybe("location", location.as_deref())
        .raw("notes", &list(&notes))
        .raw("claims", &claims(found))
        .maybe("stored", found.stored.as_deref())
        .raw("shrinking", &shrinking)
        .raw("reruns", &reruns)
        .end()
}

/// In a word.
fn how(found: &Found) -> &'static str {
    match found {
        Found::Random { .. } => "random",
        #[cfg(feature = "literals")]
        Found::Literals { .. } => "literals",
        Found::Guided { .. } => "guided",
        Found::Explored { .. } => "explored",
        Found::Enumerated => "enumerated",
        Found::Example(_) => "example",
        Found::Stored(_) => "stored",
        Found::Given => "given",
        _ => "otherwise",
    }
}

/// Seeds have 64 bits, and numbers of JSON need not.
fn hexadecimal(seed: u64) -> String {
    format!("{seed:#x}")
}

pub(super) fn values(bindings: &[Binding]) -> String {
    let mut values = Vec::new();
    for binding in bindings.iter().filter(|binding| !binding.is_source()) {
        let printed = &binding.printed;
        let type_text = binding.type_text.unwrap_or(printed.type_name);
        let value = Object::new().text("name", binding.name).text("type", type_text).text("text", &cut(printed.text()));
        values.push(value.end());
    }
    list(&values)
}

fn claims(found: &Counterexample) -> String {
    let mut claims = Vec::new();
    for claim in &found.explanation.claims {
        let variable = match claim {
            Claim::Any(any) => found.bindings.get(any.variable).map(|binding| binding.name),
            Claim::Related(_) => None,
        };
        let whole = matches!(claim, Claim::Any(Any { open: Open::Whole, together: true, .. }));
        claims.push(
            Object::new().maybe("variable", variable).flag("whole", whole).text("text", &claim.to_string()).end(),
        );
    }
    list(&claims)
}

fn counts(counts: &ByName<u64>) -> String {
    let mut object = Object::new();
    for (name, number) in counts {
        object = object.whole(name, *number);
    }
    object.end()
}
