//! `forall corpus stats`: what is in a corpus, for people and for programs.

use super::{Stats, existing, unreachable};
use crate::corpus::{Corpus, KINDS};
use crate::screen::{Paint, Screen, visible};
use crate::words::{self, count};
use crate::{Error, status::grouped};
use forall::store::Kind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Who found something new in this last part of the time is taken to go on doing so.
const GROWING: f64 = 0.2;

/// What is known of one property.
#[derive(Debug, Default)]
struct Known {
    property: String,
    failures: u64,
    seeds: u64,
    unreadable: u64,
    /// What the workers said.
    told: Vec<Value>,
}

/// Says it.
pub fn stats(arguments: &Stats) -> Result<ExitCode, Error> {
    let corpus = existing(&arguments.corpus)?;
    let known = read(&*corpus)?;
    let screen = Screen::of_this_process();
    if arguments.json {
        let properties: Vec<Value> = known.iter().map(json).collect();
        screen.say(&format!("{}\n", json!({"v": 1, "properties": properties})));
    } else {
        screen.say(&text(corpus.name(), &known, &screen));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(corpus: &dyn Corpus) -> Result<Vec<Known>, Error> {
    let failed = |error| unreachable(corpus.name(), &error);
    let mut all = Vec::new();
    for property in corpus.properties().map_err(failed)? {
        let mut known = Known { property, ..Known::default() };
        for kind in KINDS {
            for id in corpus.entries(kind).list(&known.property, None).map_err(failed)?.ids {
                let entry = match corpus.entries(kind).fetch(&known.property, id) {
                    Ok(Some(entry)) if entry.kind == kind => entry,
                    Ok(None) => continue,
                    Ok(Some(_)) | Err(_) => {
                        known.unreadable += 1;
                        continue;
                    }
                };
                match (kind, serde_json::from_str(&entry.message)) {
                    (Kind::Failure, _) => known.failures += 1,
                    (Kind::Statistics, Ok(told)) => known.told.push(told),
                    (Kind::Statistics, Err(_)) => known.unreadable += 1,
                    _ => known.seeds += 1,
                }
            }
        }
        all.push(known);
    }
    Ok(all)
}

impl Known {
    fn sum(&self, field: &str) -> f64 {
        self.told.iter().filter_map(|told| told[field].as_f64()).filter(|number| (0.0..1e18).contains(number)).sum()
    }

    fn workers(&self) -> usize {
        self.told.iter().filter_map(|told| told["worker"].as_str()).collect::<BTreeSet<_>>().len()
    }

    /// The most edges that one worker has reached, of how many.
    fn edges(&self) -> Option<(u64, u64)> {
        let of = |told: &Value| Some((told["edges"].as_u64()?, told["places"].as_u64()?));
        self.told.iter().filter_map(of).max()
    }

    /// Whether a worker has reached new edges in the last part of its time; none if nobody looked at edges.
    fn is_growing(&self) -> Option<bool> {
        let mut growing = None;
        for told in &self.told {
            let (Some(growth), Some(time)) = (told["growth"].as_array(), told["time"].as_f64()) else { continue };
            let last = growth.last().and_then(|step| step[0].as_f64()).unwrap_or(0.0);
            growing = Some(growing.unwrap_or(false) || last > time * (1.0 - GROWING));
        }
        growing
    }

    fn tests(&self) -> u64 {
        (self.sum("valid") + self.sum("discarded") + self.sum("executions")) as u64
    }
}

fn json(known: &Known) -> Value {
    json!({
        "property": known.property,
        "failures": known.failures,
        "seeds": known.seeds,
        "unreadable": known.unreadable,
        "workers": known.workers(),
        "tests": known.tests(),
        "time": known.sum("time"),
        "edges": known.edges().map(|(edges, _)| edges),
        "growing": known.is_growing(),
        "told": known.told,
    })
}

fn text(name: &str, all: &[Known], screen: &Screen) -> String {
    let mut out = String::new();
    for known in all {
        let counterexamples = match known.failures {
            0 => String::new(),
            number => screen.paint(Paint::Bad, &count(number, "counterexample")),
        };
        out += &screen.line(&screen.paint(Paint::Bold, &visible(&known.property)), &counterexamples);
        let workers = count(known.workers() as u64, "worker");
        let mut did =
            format!("{workers}, {}, {} of work", count(known.tests(), "test"), words::seconds(known.sum("time")));
        if known.seeds > 0 {
            did += &format!(", {}", count(known.seeds, "input"));
        }
        if let Some((edges, places)) = known.edges() {
            did += &format!(", {} of {} edges", grouped(edges), grouped(places));
        }
        did += match known.is_growing() {
            Some(true) => ", still growing",
            Some(false) => ", nothing new for a while",
            None => "",
        };
        out += &screen.wrap("    ", &did);
        if known.unreadable > 0 {
            out += &screen.wrap("    ", &format!("{} cannot be read", count(known.unreadable, "entry")));
        }
    }
    let tests: u64 = all.iter().map(Known::tests).sum();
    let failures: u64 = all.iter().map(|known| known.failures).sum();
    let what = count(all.len() as u64, "property");
    out + &format!("\n{name}: {what}, {}, {}\n", count(failures, "counterexample"), count(tests, "test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_workers_said_is_summed_up_whatever_it_is() {
        let search = json!({"worker": "b:2", "executions": 1000, "time": 10.0, "edges": 7, "places": 20, "growth": [[0.1, 3], [9.5, 7]]});
        let known = Known {
            property: "a::sorts".to_owned(),
            failures: 1,
            seeds: 12,
            unreadable: 1,
            told: vec![
                json!({"worker": "a:1", "valid": 100, "discarded": 20, "time": 2.5}),
                search,
                json!("nonsense"),
                json!({"worker": 7, "valid": "many", "time": -1e308, "growth": "yes"}),
            ],
        };
        assert_eq!((known.workers(), known.tests(), known.edges()), (2, 1120, Some((7, 20))));
        assert_eq!(known.is_growing(), Some(true));
        let shown = text("corpus", &[known], &Screen::plain());
        assert!(shown.starts_with("a::sorts  1 counterexample\n    2 workers, 1,120 tests, "), "{shown}");
        assert!(shown.contains("12 inputs, 7 of 20 edges, still growing\n    1 entry cannot be read\n"), "{shown}");
    }
}
