//! The events of a run as lines of JSON: `FORALL_EVENTS`.

use super::{Lines, cut, now};
use crate::choice::ROUND;
use crate::explain::{Any, Claim, Open};
use crate::fact::Fact;
use crate::property::Binding;
use crate::protocol::{self, Encode, Fields, Figure, Told};
use crate::report::{Style, render};
use crate::run::protocol::encode_verdict;
use crate::run::{ByName, Counterexample, Event, Found, Identity, Report, Settings, Shrinking, Verdict};

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
            time_limit: settings.max_time.map(|time| time.as_secs_f64()),
        }
    }

    /// Adds a line.
    pub(super) fn add(&mut self, event: impl Into<protocol::Event>) {
        let told = Told { property: self.property.clone(), event: event.into() };
        self.lines.add(told.encode());
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { identity, seed, tests } => self.add(protocol::Started {
                file: identity.file.to_owned(),
                line: identity.line.into(),
                seed: hexadecimal(*seed),
                tests: *tests,
                runner: self.runner.clone(),
                threads: self.threads,
                time_limit: self.time_limit,
                at: now(),
            }),
            Event::Replaying { origin } => self.add(protocol::Replaying { origin: (*origin).to_owned() }),
            Event::Replayed { origin, outcome } => {
                let (origin, text) = ((*origin).to_owned(), outcome.to_string());
                self.add(protocol::Replayed { origin, outcome: text, fact: Some(fact(outcome)) });
            }
            Event::Failed { case, failure } => {
                self.add(protocol::Failed { case: case.to_text(), message: cut(&failure.message) });
            }
            Event::Shrunk { case, evaluations, pass, bindings } => self.add(protocol::Shrunk {
                case: case.to_text(),
                evaluations: *evaluations,
                pass: (*pass).to_owned(),
                values: values(bindings),
            }),
            Event::Explained { explanation } => self.add(protocol::Explained {
                claims: explanation.claims.len() as u64,
                evaluations: explanation.evaluations,
            }),
            Event::Kept { path } => self.add(protocol::Kept { path: (*path).to_owned() }),
            Event::Searched { depth } => self.add(protocol::Searched {
                depth: depth.depth.into(),
                evaluations: depth.evaluations,
                inputs: depth.inputs,
                complete: depth.complete,
            }),
            Event::Warned { fact: noticed } => {
                self.add(protocol::Warned { text: noticed.to_string(), fact: Some(fact(noticed)) });
            }
            Event::Finished { report } => {
                if let Some(picture) = super::drawing::take(report.counterexample.as_ref()) {
                    self.add(protocol::Drawn { picture });
                }
                self.add(finished(report));
            }
            // Tests are recorded with their values by `openpbt.rs`.
            Event::Tested { .. } => {}
        }
    }
}

fn finished(report: &Report) -> protocol::Finished {
    let why = report.verdict.reason();
    let inputs = if let Verdict::Exhausted { inputs, .. } = report.verdict { Some(inputs) } else { None };
    let statistics = &report.statistics;
    let mut covers = ByName::default();
    for (name, cover) in &statistics.covers {
        covers.insert(name.clone(), protocol::Cover { percent: cover.percent, hits: cover.hits });
    }
    protocol::Finished {
        verdict: encode_verdict(&report.verdict),
        why: why.map(ToString::to_string),
        fact: why.map(fact),
        valid: statistics.valid,
        discarded: statistics.discarded,
        inputs,
        seed: hexadecimal(report.seed),
        time: report.time.as_secs_f64(),
        labels: statistics.labels.clone(),
        tables: statistics.tables.clone(),
        covers,
        features: statistics.features.clone(),
        warnings: report.warnings.iter().map(ToString::to_string).collect(),
        facts: report.warnings.iter().map(fact).collect(),
        workers: report.workers.clone(),
        counterexample: report.counterexample.as_ref().map(counterexample),
        // Warnings were written when they occurred.
        text: render(report, &Style::from_env().warnings(false)),
        explored: statistics.explored.valid,
        searched: None,
    }
}

fn counterexample(found: &Counterexample) -> protocol::Counterexample {
    let Shrinking { accepted, evaluations, time, passes, .. } = &found.shrinking;
    let mut told = Vec::new();
    for pass in passes {
        told.push(protocol::Pass { name: pass.name.to_owned(), tried: pass.tried, accepted: pass.accepted });
    }
    let time = time.as_secs_f64();
    let mut notes = Vec::new();
    for note in &found.notes {
        notes.push(cut(note));
    }
    protocol::Counterexample {
        case: found.case.to_text(),
        found: how(&found.found),
        values: values(&found.bindings),
        message: cut(&found.failure.message),
        location: found.failure.location.as_ref().map(ToString::to_string),
        notes,
        caveats: found.caveats.iter().map(fact).collect(),
        claims: claims(found),
        stored: found.stored.clone(),
        shrinking: protocol::Shrinking { accepted: *accepted, evaluations: *evaluations, time, passes: told },
        reruns: protocol::Reruns { runs: found.reruns.runs, failed: found.reruns.failed },
    }
}

/// The name of a fact, its text, and its figures.
pub(super) fn fact(noticed: &Fact) -> protocol::Noticed {
    let mut figures = Vec::new();
    for (name, figure) in noticed.fields() {
        let figure = match figure {
            Figure::Text(text) => Figure::Text(cut(&text)),
            Figure::List(texts) => Figure::List(texts.iter().map(|text| cut(text)).collect()),
            other => other,
        };
        figures.push((name.to_owned(), figure));
    }
    protocol::Noticed { name: noticed.name().to_owned(), text: cut(&noticed.to_string()), figures: Fields(figures) }
}

/// How a counterexample was found, as a keyword.
fn how(found: &Found) -> protocol::Found {
    match found {
        Found::Random { index, .. } if *index >= ROUND => protocol::Found::Explored,
        Found::Random { .. } => protocol::Found::Random,
        Found::Literals { .. } => protocol::Found::Literals,
        Found::Guided { .. } => protocol::Found::Guided,
        Found::Explored { .. } => protocol::Found::Explored,
        Found::Enumerated => protocol::Found::Enumerated,
        Found::Example(_) => protocol::Found::Example,
        Found::Stored(_) => protocol::Found::Stored,
        Found::Given => protocol::Found::Given,
        _ => protocol::Found::Otherwise,
    }
}

/// Seeds have 64 bits, which JSON numbers need not support.
fn hexadecimal(seed: u64) -> String {
    format!("{seed:#x}")
}

pub(super) fn values(bindings: &[Binding]) -> Vec<protocol::Value> {
    let mut values = Vec::new();
    for binding in bindings.iter().filter(|binding| !binding.is_source()) {
        let printed = &binding.printed;
        values.push(protocol::Value {
            name: binding.name.to_owned(),
            type_text: binding.type_text.unwrap_or(printed.type_name).to_owned(),
            text: cut(printed.text()),
        });
    }
    values
}

fn claims(found: &Counterexample) -> Vec<protocol::Claim> {
    let mut claims = Vec::new();
    for claim in &found.explanation.claims {
        let variable = match claim {
            Claim::Any(any) => found.bindings.get(any.variable).map(|binding| binding.name.to_owned()),
            Claim::Related(_) => None,
        };
        let whole = matches!(claim, Claim::Any(Any { open: Open::Whole, together: true, .. }));
        let (runs, every, together) = match claim {
            Claim::Any(any) => (any.runs, any.every, any.together),
            Claim::Related(related) => (related.failed, false, false),
        };
        claims.push(protocol::Claim { variable, whole, text: claim.to_string(), runs, every, together });
    }
    claims
}
