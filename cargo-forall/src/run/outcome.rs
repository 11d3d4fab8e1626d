//! The result of a property, as text and as JUnit XML.

use crate::github::Annotation;
use crate::junit::{Case, Suite, document};
use crate::process::Ended;
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen, visible};
use crate::workspace::Place;
use crate::{results, statistics, words};
use forall::protocol::{Cover, Event, Finished, Profiled, Quoted, Started, Verdict};
use forall::run::ByName;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The result of one property.
pub(super) struct Outcome<'a> {
    pub(super) property: &'a Property,
    pub(super) ended: Ended,
    /// Whether it was printed.
    pub(super) is_told: bool,
    /// Whether all tests with literals ran.
    pub(super) literals_done: bool,
    /// Seconds before the last slice.
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

    /// The number of its tests, discarded ones included.
    pub(super) fn tests(&self) -> u64 {
        self.ended.finished().map_or(0, |finished| finished.valid.saturating_add(finished.discarded))
    }

    pub(super) fn passed(&self) -> bool {
        self.verdict().is_success() != self.property.should_panic
    }

    /// The kind of its failure, for programs.
    fn kind(&self) -> &'static str {
        match self.verdict() {
            Verdict::Failed => "falsified",
            Verdict::Passed | Verdict::Exhausted => "did not panic",
            Verdict::Ended => "crash",
            verdict => verdict.word(),
        }
    }

    pub(super) fn is_bad(&self) -> bool {
        !self.passed() && !self.ended.is_left_out()
    }

    /// Whether it can use more time: it used up its time, and nothing was found or it continues past failures.
    pub(super) fn goes_on(&self, time: Option<Duration>, past_failures: bool) -> bool {
        let took = self.ended.finished().map_or(0.0, |finished| finished.time);
        let used_all = time.is_some_and(|time| self.last_slice(took) >= NEARLY * time.as_secs_f64());
        let is_open = matches!(self.verdict(), Verdict::Passed | Verdict::Uncovered)
            || past_failures && matches!(self.verdict(), Verdict::Failed | Verdict::Flaky)
            || self.ended.finished().is_some_and(had_no_time);
        used_all && is_open && !self.property.should_panic
    }

    /// The seconds of the last slice.
    fn last_slice(&self, took: f64) -> f64 {
        took - self.earlier
    }

    /// Adds the result of another slice. The counts are summed up, except for an unfinished exhaustive run, which starts
    /// again.
    pub(super) fn add(&mut self, mut later: Ended) {
        let (mut earlier, limit) = (self.ended.finished().cloned(), self.time_limit());
        self.literals_done |= literals_done(&later);
        // An exhaustive run starts again.
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

/// Whether all tests with literals ran.
fn literals_done(ended: &Ended) -> bool {
    ended.all::<Quoted>().all(|quoted| quoted.complete)
}

/// Whether the time ended before any valid test.
fn had_no_time(finished: &Finished) -> bool {
    finished.verdict == Verdict::GaveUp && finished.fact.as_ref().is_some_and(|fact| fact.name == TIME_LIMIT)
}

/// The fact that the time ended.
const TIME_LIMIT: &str = "time-limit";

/// The part of its time after which a run has used it up: it stops between tests.
const NEARLY: f64 = 0.9;

/// Adds the counts of an earlier slice to a later one.
fn add(earlier: &Finished, finished: &mut Finished) {
    // A slice without tests does not change the verdict.
    if had_no_time(finished) && !had_no_time(earlier) {
        *finished = Finished { time: earlier.time + finished.time, ..earlier.clone() };
        return;
    }
    finished.valid = finished.valid.saturating_add(earlier.valid);
    finished.explored = finished.explored.saturating_add(earlier.explored);
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

/// The verdict as a styled word.
fn word(outcome: &Outcome<'_>, screen: &Screen) -> String {
    words::verdict(
        match outcome.verdict() {
            // A property that should panic but passed.
            verdict if verdict.is_success() && outcome.is_bad() => Verdict::Failed,
            Verdict::Ended if outcome.ended.is_unreached(outcome.property) => Verdict::Misconfigured,
            verdict => verdict,
        },
        screen,
    )
}

/// The text about a finished property.
pub(super) fn rendered(outcome: &Outcome<'_>, verbose: bool, screen: &Screen) -> String {
    let Outcome { property, ended, .. } = outcome;
    let Some(finished) = ended.finished() else {
        let why = ended.why_nothing(property);
        if ended.is_left_out() {
            let first = format!("{}  {}", screen.paint(Paint::Dim, "ignored"), visible(&property.name));
            return screen.line(&first, "#[ignore]d; --include-ignored runs it");
        }
        let first = format!("{}  {}", word(outcome, screen), visible(&property.name));
        return format!("{first}\n{}\n", screen.wrap("    ", &why));
    };
    let started = ended.last::<Started>();
    if property.should_panic {
        let (word, paint) = if outcome.passed() { ("passed", Paint::Good) } else { ("FAILED", Paint::Bad) };
        let how = if outcome.passed() {
            "panics as expected"
        } else {
            "passed, but is marked #[should_panic]: remove the attribute"
        };
        return screen.line(&format!("{}  {}", screen.paint(paint, word), visible(&property.name)), how);
    }
    let mut out = String::new();
    if outcome.passed() {
        let time = words::seconds(finished.time);
        let first = format!("{}  {}", words::verdict(outcome.verdict(), screen), visible(&property.name));
        out += &screen.line(&first, &format!("{}, {time}", words::extent(finished)));
    } else {
        // The report starts with the verdict and the name.
        out += &finished.text;
        out.push('\n');
    }
    for warning in &finished.warnings {
        out += &screen.wrap("    ", &visible(&format!("warning: {warning}")));
    }
    for note in statistics::constant_labels(finished) {
        out += &screen.wrap("    ", &visible(&format!("note: {note}")));
    }
    let statistics = statistics::tables(finished, screen);
    let profiled = ended.last::<Profiled>();
    if outcome.passed() && verbose {
        out += &screen.wrap("    ", &format!("stopped because {}", words::why_stopped(started, finished)));
        out += &statistics::counts(finished, profiled, screen);
        out += &statistics::workers(finished, screen);
        out += &statistics;
    } else if outcome.passed() && profiled.is_some_and(statistics::many_alike) {
        out += &statistics::counts(finished, profiled, screen);
    }
    out
}

/// Whether a run was interrupted.
pub(super) fn was_stopped(ended: &Ended) -> bool {
    let Some(finished) = ended.finished() else { return false };
    finished.facts.iter().chain(&finished.fact).any(|fact| fact.name == "stopped")
}

/// The text about an interrupted run.
pub(super) fn stopped(property: &Property, ended: &Ended, screen: &Screen) -> String {
    let Some(finished) = ended.finished() else { return String::new() };
    let time = words::seconds(finished.time);
    let first = format!("{}  {}", screen.paint(Paint::Doubtful, "stopped"), visible(&property.name));
    screen.line(&first, &format!("no failure in {}, {time}", words::extent(finished)))
}

/// The names of properties that did not pass, each with its place.
pub(super) fn failures(outcomes: &[Outcome<'_>], screen: &Screen) -> String {
    let mut out = String::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.is_bad()) {
        let first = format!("{}  {}", word(outcome, screen), visible(&outcome.property.name));
        out += &screen.line(&first, &screen.paint(Paint::Dim, &outcome.property.place));
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

/// The totals, in one line.
pub(super) fn summary(outcomes: &[Outcome<'_>], all: usize, time: Duration, screen: &Screen) -> String {
    let bad: Vec<&Outcome<'_>> = outcomes.iter().filter(|outcome| outcome.is_bad()).collect();
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let mut parts =
        vec![screen.paint(if bad.is_empty() { Paint::Good } else { Paint::Bold }, &format!("{passed} passed"))];
    if !bad.is_empty() {
        parts.push(screen.paint(Paint::Bad, &format!("{} failed", bad.len())));
    }
    if all > passed + bad.len() {
        parts.push(format!("{} not run", all - passed - bad.len()));
    }
    let (what, time) = (words::count(all as u64, "property"), words::seconds(time.as_secs_f64()));
    let gap = if bad.is_empty() { "\n" } else { "" };
    gap.to_owned() + &screen.wrap("", &format!("{what}: {} ({time})", parts.join(", ")))
}

/// The next commands for a failed property.
pub(super) fn next(outcome: &Outcome<'_>, known: &[Property], place: &Place, screen: &Screen) -> String {
    let selection = place.which.again();
    let mut commands = Vec::new();
    if let Some(telling) = properties::telling(known, outcome.property, !place.which.package.is_empty()) {
        commands.push(format!("`forall explain {telling}{selection}` shows which parts matter"));
    }
    let counterexample = outcome.ended.finished().and_then(|finished| finished.counterexample.as_ref());
    if counterexample.is_some_and(|counterexample| counterexample.stored.is_some()) {
        commands.push("`forall review` commits or deletes it".to_owned());
    }
    if commands.is_empty() { String::new() } else { screen.wrap("", &format!("next: {}", commands.join(", "))) }
}

/// A failure in one line: its message and its values.
fn headline(finished: &Finished) -> Option<String> {
    let values = results::counterexample(finished)?;
    let message = &finished.counterexample.as_ref()?.message;
    let message = message.lines().next().unwrap_or_default().trim();
    Some(visible(&if values.is_empty() { message.to_owned() } else { format!("{message}, for {values}") }))
}

/// The annotations of failed properties; `root` is the workspace's directory.
pub(super) fn annotations(outcomes: &[Outcome<'_>], root: &Path) -> Vec<Annotation> {
    let repository = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let annotation = |outcome: &Outcome<'_>| {
        let Outcome { property, ended, .. } = outcome;
        let (file, line) = property.place.rsplit_once(':').unwrap_or((&property.place, "1"));
        let path = root.join(file);
        let file =
            repository.as_ref().and_then(|repository| path.strip_prefix(repository).ok()).unwrap_or(Path::new(file));
        let finished = ended.finished();
        let message = finished.and_then(headline).or_else(|| finished.and_then(|finished| finished.why.clone()));
        Annotation {
            file: file.display().to_string(),
            line: line.to_owned(),
            title: format!("{}: {}", outcome.kind(), property.name),
            message: message.unwrap_or_else(|| console::strip_ansi_codes(&ended.why_nothing(property)).into_owned()),
        }
    };
    outcomes.iter().filter(|outcome| outcome.is_bad()).map(annotation).collect()
}

pub(super) fn junit(outcomes: &[Outcome<'_>]) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for outcome in outcomes {
        let Outcome { property, ended, .. } = outcome;
        let package = &*property.binary.package;
        let name = match property.is_value() {
            true => &*property.name,
            false => property.name.split_once("::").map_or(&*property.name, |(_, name)| name),
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
            let case = Case::failed(name, &console::strip_ansi_codes(&text)).of_kind(outcome.kind());
            match finished.and_then(headline) {
                Some(line) => case.headed(line),
                None => case,
            }
        };
        let case = case.at(&property.place).taking(Duration::from_secs_f64(time.max(0.0)));
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
    fn counts_of_several_slices_are_summed_up() {
        let run = |labels: &[(&str, u64)], rows: &[(&str, u64)], workers: &[u64]| {
            let named = |counts: &[(&str, u64)]| counts.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
            let tables = ByName::from([("t".to_owned(), named(rows))]);
            let covers = ByName::from([("c".to_owned(), Cover { percent: 5.0, hits: workers[0] })]);
            Finished {
                labels: named(labels),
                tables,
                covers,
                workers: workers.into(),
                explored: workers[0],
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

    /// The result of a slice with these seconds and tests.
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
        assert!(outcome.goes_on(two, false) && !outcome.goes_on(None, false));
        outcome.add(slice(50, 2.02, &[]));
        assert_eq!(outcome.ended.finished().unwrap().valid, 150);
        assert_eq!(outcome.time_limit(), Some(4.0));
        assert!(outcome.goes_on(two, false));
        outcome.add(slice(1, 0.1, &[]));
        assert!(!outcome.goes_on(two, false), "the domain was exhausted");
        // A property without any time gets more; one with time in an earlier slice has passed.
        let mut none = slice(0, 2.0, &[]);
        let (fact, finished) = (Some(noticed("time-limit")), none.finished().unwrap().clone());
        none.events[1] = Finished { verdict: Verdict::GaveUp, fact, ..finished }.into();
        let mut first = Outcome::new(&property, Ended { events: none.events.clone(), ..slice(0, 2.0, &[]) });
        assert!(first.goes_on(two, false) && !first.passed());
        first.add(slice(100, 2.0, &[]));
        assert!(first.passed());
        first.add(none);
        assert!(first.passed() && first.goes_on(two, false));
        assert_eq!((first.ended.finished().unwrap().valid, first.verdict()), (100, Verdict::Passed));
        // Literals are done when all of them ran.
        let mut cut = slice(9, 2.0, &[]);
        cut.events.push(Quoted { tests: 64, complete: false }.into());
        let mut outcome = Outcome::new(&property, cut);
        assert!(!outcome.literals_done);
        outcome.add(slice(9, 2.0, &[]));
        assert!(outcome.literals_done);
        // An exhaustive run starts again.
        let mut outcome = Outcome::new(&property, slice(100, 2.0, &["time-limit"]));
        outcome.add(slice(256, 1.9, &[]));
        assert_eq!(outcome.ended.finished().unwrap().valid, 256);
    }
}
