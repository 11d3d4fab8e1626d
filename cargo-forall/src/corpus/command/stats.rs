//! `forall corpus stats`: a corpus's contents, as text and as JSON.

use super::{Stats, to_read};
use crate::Error;
use crate::corpus::known::{Known, now, read};
use crate::corpus::records;
use crate::screen::{Paint, Screen, one_line};
use crate::words::{self, count, grouped};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Prints the statistics.
pub fn stats(arguments: &Stats) -> Result<ExitCode, Error> {
    let corpus = to_read(&arguments.corpus)?;
    let known = read(&*corpus)?;
    let screen = Screen::of_this_process();
    if arguments.json {
        let properties: Vec<Value> = known.iter().map(json).collect();
        screen.print(&format!("{}\n", json!({"v": 1, "properties": properties})));
    } else {
        screen.print(&text(corpus.name(), &known, &screen));
    }
    Ok(ExitCode::SUCCESS)
}

fn json(known: &Known) -> Value {
    json!({
        "property": known.property,
        "failures": known.failures.len(),
        "seeds": known.seeds,
        "unreadable": known.unreadable,
        "skipped": known.skipped.text().lines().collect::<Vec<_>>(),
        "best": known.best,
        "workers": known.workers(),
        "builds": known.builds(),
        "tests": known.tests(),
        "time": known.sum(|told| told.time),
        "edges": known.edges().map(|(edges, _)| edges),
        "growing": known.is_growing(now()),
        "records": records::records(known).iter().map(records::json).collect::<Vec<_>>(),
        "told": known.told.iter().map(crate::json::value).collect::<Vec<_>>(),
    })
}

fn text(name: &str, all: &[Known], screen: &Screen) -> String {
    let mut out = String::new();
    for known in all {
        let counterexamples = match known.failures.len() {
            0 => String::new(),
            number => screen.paint(Paint::Bad, &count(number as u64, "counterexample")),
        };
        out += &screen.line(&screen.paint(Paint::Bold, &one_line(&known.property)), &counterexamples);
        let workers = count(known.workers() as u64, "worker");
        let mut did = format!(
            "{workers}, {}, {} of work",
            count(known.tests(), "test"),
            words::seconds(known.sum(|told| told.time))
        );
        if known.seeds > 0 {
            did += &format!(", {}", count(known.seeds, "input"));
        }
        if let Some((edges, places)) = known.edges() {
            did += &format!(", {} of {} edges", grouped(edges), grouped(places));
        }
        if let Some(best) = known.best {
            did += &format!(", best score {best}");
        }
        did += match known.is_growing(now()) {
            Some(true) => ", still growing",
            Some(false) => ", no new coverage recently",
            None => "",
        };
        out += &screen.wrap("    ", &did);
        for record in &records::records(known) {
            out += &records::text(record, now(), screen);
        }
        if known.rival_builds() > 1 {
            let builds = count(known.rival_builds() as u64, "build");
            out += &screen
                .wrap("    ", &format!("from {builds} of the tests: a failure in one build may pass in another"));
        }
        out += &known.skipped.text();
        if known.unreadable > 0 {
            let unreadable = count(known.unreadable, "entry");
            let them = if known.unreadable == 1 { "it" } else { "them" };
            let next = format!("update this tool if a newer version wrote {them}, or delete {them}");
            out += &screen.wrap("    ", &format!("{unreadable} cannot be read: {next}"));
        }
    }
    let tests: u64 = all.iter().map(Known::tests).sum();
    let failures: u64 = all.iter().map(|known| known.failures.len() as u64).sum();
    let what = count(all.len() as u64, "property");
    out + &format!("\n{name}: {what}, {}, {}\n", count(failures, "counterexample"), count(tests, "test"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::told::Line;
    use forall::run::Case;
    use forall::store::Entry;

    #[test]
    fn statistics_of_workers_are_summed_up_even_if_malformed() {
        let search = json!({"worker": "b:2", "executions": 1000, "time": 10.0, "began": 1_600_000_000.0, "edges": 7, "places": 20, "growth": [[0.1, 3], [9.5, 7]]});
        let known = Known {
            property: "a::sorts".to_owned(),
            failures: vec![Entry::failure("a::sorts", Case::default())],
            seeds: 12,
            best: None,
            unreadable: 1,
            skipped: super::super::Skipped::default(),
            told: [
                json!({"worker": "a:1", "valid": 100, "discarded": 20, "time": 2.5}),
                search,
                json!({"worker": 7, "valid": "many", "time": -1e308, "growth": "yes"}),
            ]
            .map(|line| Line::of(&line.to_string()).unwrap())
            .into(),
        };
        assert_eq!((known.workers(), known.tests(), known.edges()), (2, 1120, Some((7, 20))));
        assert_eq!(known.is_growing(now()), Some(true));
        let shown = text("corpus", &[known], &Screen::plain());
        insta::assert_snapshot!(shown);
        let forged = Known { property: "a\nb::sorts  passed".to_owned(), ..Known::default() };
        let shown = text("corpus", &[forged], &Screen::plain());
        assert!(shown.starts_with("a\\nb::sorts  passed\n    0 workers, 0 tests, 0 ns of work\n"), "{shown}");
    }

    #[test]
    fn a_part_with_other_data_is_named() {
        let corpus = crate::corpus::Spoilt::new("a::sorts");
        corpus.fill(&Entry::failure("b::sums", Case::default()));
        let shown = text("corpus", &read(&corpus).unwrap(), &Screen::plain());
        assert!(shown.contains("is skipped: key `a::sorts`: WRONGTYPE") && shown.contains("b::sums"), "{shown}");
        assert!(shown.ends_with("corpus: 2 properties, 1 counterexample, 0 tests\n"), "{shown}");
    }

    #[test]
    fn a_lost_connection_is_not_reported_as_unreadable_entries() {
        let corpus = crate::corpus::Leaving(vec![forall::store::Entry::statistics("a", "{}")]);
        let wrong = read(&corpus).unwrap_err().to_string();
        let told = "the corpus leaving cannot be reached: connection reset. Fix this and retry; entries already written are kept";
        assert_eq!(wrong, told);
    }
}
