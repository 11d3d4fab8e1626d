//! The data of a campaign's page: a pure function of its corpus.

use super::data::{cut, shown};
use crate::corpus::command::to_read;
use crate::corpus::known::{Column, Known, NEVER_SET, began, now, read};
use crate::corpus::records::{self, State};
use crate::corpus::told::Line;
use crate::properties::nearest_names;
use crate::words::grouped;
use crate::words::{self, count, shell_word};
use crate::{Error, share};
use forall::store::Entry;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The number of runs on the page; the last ones.
const RUNS: usize = 5000;

/// The limits on a property's counterexamples and on the length of each.
const FAILURES: usize = 20;
const TEXT: usize = 10_000;

/// The number of points of a curve.
const STEPS: usize = 1000;

/// Seconds by which a clock may be ahead of this machine's without a warning.
const AHEAD: f64 = 60.0;

/// The page of the corpus at an address, for properties whose name contains `filter`, and whether anything failed.
pub fn data(address: &str, filter: Option<&str>) -> Result<(Value, bool), Error> {
    let corpus = to_read(address)?;
    let all = read(&*corpus)?;
    let names: Vec<&str> = all.iter().map(|known| &*known.property).collect();
    let chosen: Vec<&Known> =
        all.iter().filter(|known| filter.is_none_or(|filter| known.property.contains(filter))).collect();
    if chosen.is_empty() {
        let name = corpus.name();
        return Err(match filter {
            Some(filter) if !all.is_empty() => Error::Selection(format!(
                "no property of {name} matches `{filter}`; the properties are\n{}",
                nearest_names(&names, filter)
            )),
            _ => Error::Refused(format!(
                "{name} is empty: no worker has written to it. `forall run --corpus {name}` does"
            )),
        });
    }
    Ok(of(corpus.name(), &chosen, now()))
}

/// The same for a corpus that was read at `now`.
fn of(name: &str, all: &[&Known], now: f64) -> (Value, bool) {
    let origin = all.iter().flat_map(|known| &known.told).filter_map(|told| began(told, now)).fold(now, f64::min);
    let failures: usize = all.iter().map(|known| known.failures.len()).sum();
    let tests: u64 = all.iter().map(|known| known.tests()).sum();
    let number = |number: usize, what: &str| count(number as u64, what);
    let summary = format!(
        "{name}: {}, {}, {}, {}",
        number(all.len(), "property"),
        number(workers(all).len(), "worker"),
        count(tests, "test"),
        number(failures, "counterexample")
    );
    // Failures first; the rest stays in the order of names.
    let mut all = all.to_vec();
    all.sort_by_key(|known| known.failures.is_empty());
    let all = &all[..];
    let properties: Vec<Value> = all.iter().map(|known| property(name, known, now)).collect();
    let page = json!({
        "title": "Campaign report", "summary": summary, "campaign": campaign(all, origin, now), "properties": properties,
    });
    (shown(page), failures > 0)
}

fn workers<'a>(all: &[&'a Known]) -> BTreeSet<&'a str> {
    all.iter().flat_map(|known| &known.told).filter_map(Line::who).collect()
}

/// The table of runs.
fn campaign(all: &[&Known], origin: f64, now: f64) -> Value {
    let mut lines: Vec<(&str, &Line)> =
        all.iter().flat_map(|known| known.told.iter().map(|told| (&*known.property, told))).collect();
    lines.sort_by(|(_, a), (_, b)| began(a, now).unwrap_or(0.0).total_cmp(&began(b, now).unwrap_or(0.0)));
    let (number, skipped) = (lines.len(), lines.len().saturating_sub(RUNS));
    let runs: Vec<Value> = lines[skipped..].iter().map(|(name, told)| run(name, told, origin, now)).collect();
    let mut outcomes: Vec<(String, u64)> = Vec::new();
    for run in &runs {
        let outcome = run["s"].as_str().unwrap_or_default();
        match outcomes.iter_mut().find(|(known, _)| known == outcome) {
            Some((_, number)) => *number += 1,
            None => outcomes.push((outcome.to_owned(), 1)),
        }
    }
    let mut time: Vec<(&str, f64)> = all.iter().map(|known| (&*known.property, known.sum(|told| told.time))).collect();
    time.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let sampled = match skipped {
        0 => String::new(),
        _ => format!("These are the last {} of {} runs.", grouped(RUNS as u64), grouped(number as u64)),
    };
    json!({
        "where": "Times come from the workers' clocks, counted from the first start.",
        "failures": failures(all, now), "notes": notes(all, &lines, now), "next": next_hour(all, now), "time": time, "tests": runs, "outcomes": outcomes, "counted": {}, "sampled": sampled,
    })
}

/// The bugs of all properties, with their records: open ones first, the latest first. `at` is the index of the property.
fn failures(all: &[&Known], now: f64) -> Vec<Value> {
    let mut bugs: Vec<(State, f64, Value)> = Vec::new();
    for (at, known) in all.iter().enumerate() {
        let records = records::records_at(known, now);
        for record in &records {
            let shown = json!({
                "state": record.state.word(), "property": known.property, "at": at, "message": cut(&record.message, 300),
                "place": record.place.as_deref().map(|place| cut(place, 300)), "history": records::history(record, now),
            });
            bugs.push((record.state, record.last.at, shown));
        }
        // The reports of workers may have been pruned, or are still to come.
        let unreported = known.failures.iter().filter(|entry| records::of_entry(&records, entry).is_empty());
        for entry in unreported.take(FAILURES) {
            let message = entry.message.lines().next().unwrap_or_default();
            let shown = json!({
                "state": State::Open.word(), "property": known.property, "at": at, "message": cut(message, 300),
                "place": entry.place.as_deref().map(|place| cut(place, 300)), "history": "no worker has reported on it yet",
            });
            bugs.push((State::Open, now, shown));
        }
    }
    bugs.sort_by(|(a, first, _), (b, second, _)| {
        (*a == State::Fixed).cmp(&(*b == State::Fixed)).then(second.total_cmp(first))
    });
    bugs.into_iter().map(|(_, _, shown)| shown).collect()
}

/// The properties by the number of new behaviours that an hour of one worker is expected to find, and the advice.
fn next_hour(all: &[&Known], now: f64) -> Value {
    let mut expected: Vec<(&str, f64)> =
        all.iter().filter_map(|known| Some((&*known.property, expected(known, now)?.0.floor()))).collect();
    expected.retain(|(_, hourly)| *hourly >= 1.0);
    expected.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let advice = expected.first().map(|(name, hourly)| {
        let many = count(*hourly as u64, "new behaviour");
        format!("The next hour of a worker is best spent on {name}: about {many} expected.")
    });
    json!({"advice": advice, "expected": expected})
}

/// Warnings about the campaign.
fn notes(all: &[&Known], lines: &[(&str, &Line)], now: f64) -> Vec<String> {
    let mut notes = Vec::new();
    let several: Vec<usize> = all.iter().map(|known| known.rival_builds()).filter(|number| *number > 1).collect();
    if let Some(most) = several.iter().max() {
        notes.push(format!(
            "The corpus has entries from several builds of the tests (up to {most} builds for {}): a failure in one build may pass in another.",
            count(several.len() as u64, "property")
        ));
    }
    let of = |wrong: &dyn Fn(f64) -> bool| -> BTreeSet<&str> {
        let wrong = lines.iter().filter(|(_, told)| wrong(told.began));
        wrong.map(|(_, told)| told.who().unwrap_or("a worker")).collect()
    };
    let ahead = of(&|began| began > now + AHEAD);
    let most = lines.iter().map(|(_, told)| told.began - now).fold(0.0, f64::max);
    if !ahead.is_empty() {
        notes.push(format!(
            "{} of {} ahead of this machine's by up to {}. Curves show these workers as starting now; synchronise the clocks for the next \
             campaign.",
            if ahead.len() == 1 { "The clock of 1".to_owned() } else { format!("The clocks of {}", ahead.len()) },
            count(workers(all).len() as u64, "worker") + if ahead.len() == 1 { " is" } else { " are" },
            words::seconds(most.min(1e9))
        ));
    }
    let unset = of(&|began| began < NEVER_SET);
    if !unset.is_empty() {
        let (clocks, were) = if unset.len() == 1 { ("clock", "was") } else { ("clocks", "were") };
        notes.push(format!(
            "The {clocks} of {} {were} never set, so the curves lack this progress. Synchronise clocks for the next campaign.",
            count(unset.len() as u64, "worker")
        ));
    }
    let unmeasured = all.iter().filter(|known| !known.told.is_empty() && expected(known, now).is_none()).count();
    if unmeasured > 0 {
        notes.push(format!(
            "The progress of {} cannot be measured: the tests have no labels, and no search recorded edges. Add labels, or search with \
             `forall fuzz`.",
            count(unmeasured as u64, "property")
        ));
    }
    let unreadable: u64 = all.iter().map(|known| known.unreadable).sum();
    if unreadable > 0 {
        let them = if unreadable == 1 { "it" } else { "them" };
        notes.push(format!(
            "{} cannot be read: update this tool if a newer version wrote {them}, or delete {them}.",
            count(unreadable, "entry")
        ));
    }
    notes
}

/// A worker's line in the form of an example.
fn run(property: &str, told: &Line, origin: f64, now: f64) -> Value {
    let text = |text: &Option<String>, otherwise: &str| cut(text.as_deref().unwrap_or(otherwise), 100);
    let tests = told.tests();
    let time = if (0.0..1e9).contains(&told.time) { told.time } else { 0.0 };
    let after = match began(told, now) {
        Some(began) => format!(", started after {}", words::seconds(began - origin)),
        None => String::new(),
    };
    let seed = told.seed.as_deref().map_or(String::new(), |seed| format!(", seed {}", cut(seed, 20)));
    let verdict = text(&told.verdict, "unknown");
    json!({
        // Charts distinguish them by these words.
        "s": verdict.replace('_', " "), "w": 1,
        "r": format!("{}: {} in {}{after}{seed}", cut(property, 200), count(tests, "test"), words::seconds(time)),
        "l": [],
        "f": {
            "property": cut(property, 100), "worker": text(&told.worker, "unknown"), "shard": text(&told.shard, "all"),
            "host": text(&told.host, "unknown"), "build": text(&told.build, "unknown"), "did": text(&told.did, "run"),
        },
    })
}

/// The data of one property.
fn property(corpus: &str, known: &Known, now: f64) -> Value {
    let columns = [(Column::Edges, "edges reached"), (Column::Inputs, "inputs with new coverage")];
    let curves: Vec<Value> = columns.into_iter().filter_map(|(column, what)| curve(known, column, what, now)).collect();
    let mut extent = format!(
        "{}, {}, {} of work",
        count(known.workers() as u64, "worker"),
        count(known.tests(), "test"),
        words::seconds(known.sum(|told| told.time))
    );
    if known.seeds > 0 {
        extent += &format!(", {} in the corpus", count(known.seeds, "input"));
    }
    if let Some(best) = known.best {
        extent += &format!(", best score {best}");
    }
    let (verdict, word) = match (known.failures.is_empty(), known.told.is_empty()) {
        (false, _) => ("failed", "FAILED"),
        (true, true) => ("gave_up", "no results"),
        (true, false) => ("passed", "nothing found"),
    };
    let failures: Vec<Value> = known.failures.iter().take(FAILURES).map(|entry| failure(corpus, entry)).collect();
    json!({
        "name": known.property, "verdict": verdict, "word": word, "extent": extent, "notes": growing(known, now),
        "curves": curves,
        "failures": failures, "more_failures": known.failures.len().saturating_sub(FAILURES),
    })
}

/// The curve over seconds since the first search.
fn curve(known: &Known, column: Column, what: &str, now: f64) -> Option<Value> {
    let (steps, searches) = (known.growth(column, now), known.searches(now));
    let origin = searches.iter().map(|(began, _)| *began).fold(f64::INFINITY, f64::min);
    let end = searches.iter().map(|(_, ended)| ended - origin).fold(0.0, f64::max);
    let &(last_new, most) = steps.last()?;
    let (mut points, mut before) = (Vec::new(), 0);
    for (at, reached) in steps {
        // A step, not a slope.
        points.extend([(at - origin, before), (at - origin, reached)]);
        before = reached;
    }
    points.push((end, most));
    while points.len() > STEPS {
        let last = points.len() - 1;
        let thinned = points.into_iter().enumerate().filter(|(at, _)| at % 2 == 0 || *at == last);
        points = thinned.map(|(_, point)| point).collect();
    }
    let of =
        if column == Column::Edges { format!(" of {}", known.edges().unwrap_or_default().1) } else { String::new() };
    Some(json!({"title": format!("{what}: {most}{of}"), "points": points, "most": most, "last_new": last_new - origin}))
}

/// The number of new behaviours that an hour of one worker is expected to find, and whether the search still grows. `None`
/// if nothing measures it.
fn expected(known: &Known, now: f64) -> Option<(f64, bool)> {
    if let Some((since, all)) = known.since_new(now) {
        let speed = known.sum(|told| told.executions.unwrap_or(0) as f64) / all.max(1e-3);
        return Some((share::rate_of_search(speed, since) * 3600.0, known.is_growing(now) == Some(true)));
    }
    let tests = known.sum(|told| told.tests() as f64);
    let last = known.told.iter().max_by(|a, b| began(a, now).unwrap_or(0.0).total_cmp(&began(b, now).unwrap_or(0.0)));
    let once = last.filter(|last| last.behaviours > Some(0)).and_then(|last| last.once)? as f64;
    let hourly = tests / known.sum(|told| told.time).max(1e-3) * once / (tests + 1.0) * 3600.0;
    Some((hourly, hourly >= 1.0))
}

/// The note on whether the search still grows.
fn growing(known: &Known, now: f64) -> Vec<String> {
    let note = |(hourly, still)| {
        let word = if still { "Still growing" } else { "No new behaviour recently" };
        format!("{word}: about {} expected per worker-hour.", count(hourly as u64, "new behaviour"))
    };
    expected(known, now).map(note).into_iter().collect()
}

fn failure(corpus: &str, entry: &Entry) -> Value {
    let mut text = String::new();
    for variable in &entry.printed {
        let of_type = if variable.type_text.is_empty() { String::new() } else { format!(": {}", variable.type_text) };
        text += &format!("let {}{of_type} = {};\n", variable.name, variable.text);
    }
    text += &entry.message;
    let said = match entry.minimal {
        true => "no simpler input was found to fail",
        false => "not fully shrunk: the worker was stopped, or is still shrinking",
    };
    let test = entry.property.split_once("::").map_or(&*entry.property, |(_, name)| name);
    // Names in entries are untrusted, so the copied command quotes them.
    let (test, corpus) = (shell_word(test), shell_word(corpus));
    let replay = match corpus.contains("://") {
        true => format!("forall corpus merge {corpus} corpus && FORALL_CORPUS=$PWD/corpus cargo test {test}"),
        false => format!("FORALL_CORPUS={corpus} cargo test {test}"),
    };
    json!({"id": entry.id().to_string(), "text": cut(&text, TEXT), "said": said, "replay": replay})
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::Variable;

    const NOW: f64 = 1_800_000_000.0;

    fn search(worker: &str, began: f64, growth: &[(f64, u64)]) -> Line {
        line(
            &json!({"worker": worker, "host": worker, "build": "b1", "did": "fuzz", "verdict": "passed", "executions": 1000,
            "edges": growth.last().map(|(_, edges)| edges), "places": 40, "growth": growth, "began": began, "time": 100.0}),
        )
    }

    fn line(json: &Value) -> Line {
        Line::of(&json.to_string()).unwrap()
    }

    fn known(told: Vec<Line>) -> Known {
        Known { property: "shop::sums".to_owned(), seeds: 3, told, ..Known::default() }
    }

    #[test]
    fn the_curve_is_the_maximum_over_all_workers() {
        let told =
            vec![search("a", NOW - 500.0, &[(0.0, 5), (90.0, 12)]), search("b", NOW - 450.0, &[(1.0, 8), (20.0, 9)])];
        let curve = curve(&known(told), Column::Edges, "edges reached", NOW).unwrap();
        assert_eq!((&curve["title"], &curve["last_new"]), (&json!("edges reached: 12 of 40"), &json!(90.0)));
        assert_eq!(
            curve["points"],
            json!([[0.0, 0], [0.0, 5], [51.0, 5], [51.0, 8], [70.0, 8], [70.0, 9], [90.0, 9], [90.0, 12], [150.0, 12]])
        );
    }

    #[test]
    fn expected_behaviours_depend_on_the_time_since_the_last_new_one() {
        // 150 of 200 seconds of work were after it.
        let told = vec![search("a", NOW - 500.0, &[(50.0, 5)]), search("b", NOW - 400.0, &[(1.0, 5)])];
        let said = growing(&known(told), NOW);
        assert_eq!(said, ["No new behaviour recently: about 23 new behaviours expected per worker-hour."]);
    }

    #[test]
    fn clocks_that_disagree_are_reported() {
        let told = vec![
            search("a", NOW - 500.0, &[(0.0, 5)]),
            search("b", NOW + 7200.0, &[(10.0, 9)]),
            search("c", 12.0, &[(10.0, 30)]),
            line(&json!({"worker": 7, "began": "noon", "time": -1e300, "growth": {"x": 1}, "verdict": null})),
        ];
        let (page, failed) = of("corpus", &[&known(told)], NOW);
        let notes = page["campaign"]["notes"].to_string();
        assert!(notes.contains("The clock of 1 of 3 workers is ahead of this machine's by up to 2 h 0 min. Curves show these workers as starting now; synchronise the clocks for the next campaign."), "{notes}");
        assert!(notes.contains("The clocks of 2 workers were never set"), "{notes}");
        let growth = page["properties"][0]["curves"][0]["points"].to_string();
        assert_eq!(growth, "[[0.0,0],[0.0,5],[510.0,5],[510.0,9],[600.0,9]]");
        assert!(!failed);
    }

    #[test]
    fn counterexamples_have_a_replay_command_and_builds_are_counted() {
        let mut entry = Entry::failure("shop::sums", Case::default());
        entry.printed.push(Variable::new("n", "u32", "7"));
        entry.message = "</script> 7 is not 8".to_owned();
        let mut one = search("a", NOW - 9.0, &[(0.0, 5)]);
        one.build = Some("b2".to_owned());
        let known = Known { failures: vec![entry], ..known(vec![one, search("a", NOW - 9.0, &[])]) };
        let (page, failed) = of("/shared/corpus", &[&known], NOW);
        let shown = &page["properties"][0]["failures"][0];
        assert_eq!(shown["text"], "let n: u32 = 7;\n</script> 7 is not 8");
        assert_eq!(shown["replay"], "FORALL_CORPUS=/shared/corpus cargo test sums");
        let plain = Entry::failure("shop::sums", Case::default());
        assert_eq!(
            failure("redis://host:6379", &plain)["replay"],
            "forall corpus merge redis://host:6379 corpus && FORALL_CORPUS=$PWD/corpus cargo test sums"
        );
        let hostile = Entry::failure("shop::$(reboot)", Case::default());
        assert_eq!(failure("/a b", &hostile)["replay"], "FORALL_CORPUS='/a b' cargo test '$(reboot)'");
        assert!(
            failed && page["campaign"]["notes"][0].as_str().unwrap().contains("(up to 2 builds for 1 property)"),
            "{page}"
        );
        assert_eq!(page["summary"], "/shared/corpus: 1 property, 1 worker, 2,000 tests, 1 counterexample");
    }

    #[test]
    fn the_page_begins_with_failures_and_says_once_what_cannot_be_measured() {
        let failing = json!({"worker": "w:1", "began": NOW - 100.0, "time": 10.0, "commit": "c0ffee", "valid": 9,
            "failures": [{"id": "1", "message": "odd", "fails": true, "place": "src/lib.rs:9:5"}]});
        let fixed = json!({"worker": "w:2", "began": NOW - 50.0, "time": 10.0, "valid": 9,
            "failures": [{"id": "2", "message": "even", "fails": true}]});
        let passes = json!({"worker": "w:2", "began": NOW - 20.0, "time": 10.0, "valid": 9,
            "failures": [{"id": "2", "message": "even", "fails": false}]});
        let mut entry = Entry::failure("shop::z", Case::default());
        entry.message = "odd".to_owned();
        let of = |name: &str, told: Vec<Line>| Known { property: name.to_owned(), ..known(told) };
        let (quiet, plain) =
            (of("shop::a", vec![line(&fixed), line(&passes)]), of("shop::b", vec![line(&json!({"valid": 3}))]));
        let bad = Known { failures: vec![entry], ..of("shop::z", vec![line(&failing)]) };
        let searched = of("shop::c", vec![search("a", NOW - 500.0, &[(50.0, 5)])]);
        let (page, _) = super::of("corpus", &[&quiet, &plain, &searched, &bad], NOW);
        let names: Vec<&str> =
            page["properties"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["shop::z", "shop::a", "shop::b", "shop::c"], "failures first");
        let failures = page["campaign"]["failures"].as_array().unwrap();
        assert_eq!(
            (failures.len(), &failures[0]["state"], &failures[1]["state"]),
            (2, &json!("open"), &json!("fixed"))
        );
        assert_eq!((&failures[0]["at"], &failures[0]["place"]), (&json!(0), &json!("src/lib.rs:9:5")));
        let history = failures[0]["history"].as_str().unwrap();
        assert!(
            history.starts_with("failed in 1 run of 1 worker, first 90 s ago by w:1 at commit c0ffee"),
            "{history}"
        );
        let said = page.to_string();
        assert_eq!(said.matches("cannot be measured").count(), 1, "{said}");
        assert!(said.contains("The progress of 3 properties cannot be measured: the tests have no labels, and no search recorded edges. Add labels, or search with `forall fuzz`."), "{said}");
        let next = &page["campaign"]["next"];
        let advice = next["advice"].as_str().unwrap();
        assert!(advice.starts_with("The next hour of a worker is best spent on shop::c: about "), "{advice}");
        assert_eq!(next["expected"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_failure_without_a_report_is_open() {
        let known = Known { failures: vec![Entry::failure("shop::sums", Case::default())], ..known(Vec::new()) };
        let shown = failures(&[&known], NOW);
        assert_eq!(
            (&shown[0]["state"], &shown[0]["history"]),
            (&json!("open"), &json!("no worker has reported on it yet"))
        );
    }
}
