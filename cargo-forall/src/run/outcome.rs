//! What a property came to, in words: for people, and for a service that reads JUnit.

use crate::junit::{Case, Suite, document};
use crate::process::Ended;
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen, visible};
use crate::workspace::Place;
use crate::{results, statistics, words};
use forall::protocol::{Cover, Event, Finished, Profiled, Quoted, Started, Verdict};
use forall::run::ByName;
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

    pub(super) fn verdict(&self) -> Verdict {
        self.ended.finished().map_or(Verdict::Ended, |finished| finished.verdict)
    }

    pub(super) fn passed(&self) -> bool {
        self.verdict().is_success() != self.property.should_panic
    }

    pub(super) fn is_bad(&self) -> bool {
        !self.passed() && !self.ended.is_left_out()
    }

    /// Whether more time tells more: nothing was found, and the time that it had was what ended it.
    pub(super) fn goes_on(&self, time: Option<Duration>) -> bool {
        let took = self.ended.finished().map_or(0.0, |finished| finished.time);
        let used_all = time.is_some_and(|time| self.last_slice(took) >= NEARLY * time.as_secs_f64());
        let is_open = matches!(self.verdict(), Verdict::Passed | Verdict::Uncovered)
            || self.ended.finished().is_some_and(had_no_time);
        used_all && is_open && !self.property.should_panic
    }

    /// Of the time that all slices took, that of the last one.
    fn last_slice(&self, took: f64) -> f64 {
        took - self.earlier
    }

    /// It was run once more, and this is what came of that. What both have counted is added up; unless it walks through a small
    /// domain and did not come to the end of it, for then it has begun again.
    pub(super) fn add(&mut self, mut later: Ended) {
        let (mut earlier, limit) = (self.ended.finished().cloned(), self.time_limit());
        self.literals_done |= literals_done(&later);
        // One that walks through a small domain begins again.
        earlier = earlier.filter(|earlier| earlier.facts.iter().all(|fact| fact.name != TIME_LIMIT));
        self.earlier = 0.0;
        if let Some(earlier) = earlier {
            for event in &mut later.events {
                match event {
                    Event::Started(started) => started.time_limit = sum(limit, started.time_limit),
                    Event::Finished(finished) => {
                        self.earlier = earlier.time;
                        add(&earlier, finished);
                    }
                    _ => {}
                }
            }
        }
        self.ended = later;
    }

    fn time_limit(&self) -> Option<f64> {
        self.ended.last::<Started>().and_then(|started| started.time_limit)
    }
}

/// Whether all tests with literals ran that there are for it.
fn literals_done(ended: &Ended) -> bool {
    ended.all::<Quoted>().all(|quoted| quoted.complete)
}

/// Whether the time was over before a single test was valid.
fn had_no_time(finished: &Finished) -> bool {
    finished.verdict == Verdict::GaveUp && finished.fact.as_ref().is_some_and(|fact| fact.name == TIME_LIMIT)
}

/// The fact that the time was over.
const TIME_LIMIT: &str = "time-limit";

/// A run that took this part of its time has used it up: it stops between tests.
const NEARLY: f64 = 0.9;

/// Adds what an earlier run counted to how a later one finished.
fn add(earlier: &Finished, finished: &mut Finished) {
    // One that came to no test says nothing against those before it.
    if had_no_time(finished) && !had_no_time(earlier) {
        *finished = Finished { time: earlier.time + finished.time, ..earlier.clone() };
        return;
    }
    finished.valid = finished.valid.saturating_add(earlier.valid);
    finished.discarded = finished.discarded.saturating_add(earlier.discarded);
    finished.time += earlier.time;
    add_counts(&earlier.labels, &mut finished.labels);
    for (all, more) in [(&earlier.tables, &mut finished.tables), (&earlier.features, &mut finished.features)] {
        for (name, counts) in all {
            add_counts(counts, more.entry(name.clone(), ByName::default()));
        }
    }
    for (label, cover) in &earlier.covers {
        let none = Cover { hits: 0, ..cover.clone() };
        let both = finished.covers.entry(label.clone(), none);
        both.hits = both.hits.saturating_add(cover.hits);
    }
    finished.workers.resize(finished.workers.len().max(earlier.workers.len()), 0);
    for (both, tests) in finished.workers.iter_mut().zip(&earlier.workers) {
        *both = both.saturating_add(*tests);
    }
}

fn add_counts(counts: &ByName<u64>, to: &mut ByName<u64>) {
    for (name, count) in counts {
        let both = to.entry(name.clone(), 0);
        *both = both.saturating_add(*count);
    }
}

fn sum(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? + b?)
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
    let started = ended.last::<Started>();
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
        let time = words::seconds(finished.time);
        let first = format!("{}  {}", words::verdict(outcome.verdict(), screen), property.name);
        out += &screen.line(&first, &format!("{}, {time}", words::extent(finished)));
    } else {
        // The report begins with the verdict and the name.
        out += &finished.text;
        out.push('\n');
    }
    for warning in &finished.warnings {
        out += &screen.wrap("    ", &visible(&format!("warning: {warning}")));
    }
    let statistics = statistics::tables(finished, screen);
    let profiled = ended.last::<Profiled>();
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
    finished.facts.iter().chain(&finished.fact).any(|fact| fact.name == "stopped")
}

/// What is said of a property whose run was stopped: how far it was, if it had come to tests.
pub(super) fn stopped(property: &Property, ended: &Ended, screen: &Screen) -> String {
    let Some(finished) = ended.finished() else { return String::new() };
    let time = words::seconds(finished.time);
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
        let verdict = if outcome.verdict().is_success() { Verdict::Failed } else { outcome.verdict() };
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
fn headline(finished: &Finished) -> Option<String> {
    let values = results::counterexample(finished)?;
    let message = &finished.counterexample.as_ref()?.message;
    let message = message.lines().next().unwrap_or_default().trim();
    Some(visible(&if values.is_empty() { message.to_owned() } else { format!("{message}, for {values}") }))
}

pub(super) fn junit(outcomes: &[Outcome<'_>]) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for outcome in outcomes {
        let Outcome { property, ended, .. } = outcome;
        let (package, name) = match property.is_value() {
            true => (&*property.binary.package, &*property.name),
            false => property.name.split_once("::").unwrap_or(("", &property.name)),
        };
        let finished = ended.finished();
        let time = finished.map_or(0.0, |finished| finished.time);
        let case = if ended.is_left_out() {
            Case::skipped(name)
        } else if outcome.passed() {
            Case::passed(name)
        } else {
            let text = finished.map(|finished| finished.text.clone());
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
    use forall::protocol::Noticed;

    #[test]
    fn counts_of_several_rounds_are_added_up() {
        let run = |labels: &[(&str, u64)], rows: &[(&str, u64)], workers: &[u64]| {
            let named = |counts: &[(&str, u64)]| counts.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
            let tables = ByName::from([("t".to_owned(), named(rows))]);
            let covers = ByName::from([("c".to_owned(), Cover { percent: 5.0, hits: workers[0] })]);
            Finished {
                labels: named(labels),
                tables,
                covers,
                workers: workers.into(),
                time: 0.25,
                ..Finished::default()
            }
        };
        let mut both = run(&[("a", 2), ("b", 3)], &[("x", 1), ("y", 1)], &[4]);
        add(&run(&[("a", 1)], &[("x", 2)], &[1, 1]), &mut both);
        let mut expected = run(&[("a", 3), ("b", 3)], &[("x", 3), ("y", 1)], &[5, 1]);
        expected.time = 0.5;
        assert_eq!(both, expected);
    }

    fn noticed(name: &str) -> Noticed {
        Noticed { name: name.to_owned(), ..Noticed::default() }
    }

    /// What came of a slice of so many seconds, in which there were so many tests.
    fn slice(tests: u64, time: f64, facts: &[&str]) -> Ended {
        let started = Started { time_limit: Some(2.0), ..Started::default() };
        let facts = facts.iter().map(|name| noticed(name)).collect();
        let finished = Finished { verdict: Verdict::Passed, valid: tests, time, facts, ..Finished::default() };
        let how = forall::protocol::Death::Exit(0);
        Ended { events: vec![started.into(), finished.into()], how, last_words: String::new() }
    }

    #[test]
    fn a_property_goes_on_as_long_as_it_uses_its_time() {
        let property = Property::example("shop::sums");
        let two = Some(Duration::from_secs(2));
        let mut outcome = Outcome::new(&property, slice(100, 2.01, &[]));
        assert!(outcome.goes_on(two) && !outcome.goes_on(None));
        outcome.add(slice(50, 2.02, &[]));
        assert_eq!(outcome.ended.finished().unwrap().valid, 150);
        assert_eq!(outcome.time_limit(), Some(4.0));
        assert!(outcome.goes_on(two));
        outcome.add(slice(1, 0.1, &[]));
        assert!(!outcome.goes_on(two), "there was nothing more to be tried");
        // Who had no time at all gets more; and who had some, and none the next time, has passed.
        let mut none = slice(0, 2.0, &[]);
        let (fact, finished) = (Some(noticed("time-limit")), none.finished().unwrap().clone());
        none.events[1] = Finished { verdict: Verdict::GaveUp, fact, ..finished }.into();
        let mut first = Outcome::new(&property, Ended { events: none.events.clone(), ..slice(0, 2.0, &[]) });
        assert!(first.goes_on(two) && !first.passed());
        first.add(slice(100, 2.0, &[]));
        assert!(first.passed());
        first.add(none);
        assert!(first.passed() && first.goes_on(two));
        assert_eq!((first.ended.finished().unwrap().valid, first.verdict()), (100, Verdict::Passed));
        // Literals are done when all of them were tried.
        let mut cut = slice(9, 2.0, &[]);
        cut.events.push(Quoted { tests: 64, complete: false }.into());
        let mut outcome = Outcome::new(&property, cut);
        assert!(!outcome.literals_done);
        outcome.add(slice(9, 2.0, &[]));
        assert!(outcome.literals_done);
        // One that walks through a domain begins again.
        let mut outcome = Outcome::new(&property, slice(100, 2.0, &["time-limit"]));
        outcome.add(slice(256, 1.9, &[]));
        assert_eq!(outcome.ended.finished().unwrap().valid, 256);
    }
}
