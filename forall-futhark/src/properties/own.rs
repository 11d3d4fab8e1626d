//! Properties in forall's own mode: each is a property of the library whose check calls the server.
//!
//! Candidates grow, are shrunk by type, explained, labelled and counted as for any other property. A candidate of the
//! program's own generator is a size and a seed. Shrinking these preserves the generator's invariants. It continues
//! with the program's own shrinker, whose steps are a path of random numbers, or by type, if the program allows it.

use super::ahead;
use super::candidate::{Candidate, Origin};
use super::stateful::LONGEST;
use super::testing::{FALSE, Start, Testing};
use super::validate::Shrinking;
use super::{Failure, Property, Settings, Stopped, coverage};
use crate::client::{Error, STOPPED, is_stopping};
use crate::data::Value;
use forall::property::{Empty, Property as Tested, Telescope};
use forall::run::{Event, Fact, Observer, Report, Reruns, Run, Schedule, ShrinkOn, Store, Verdict};
use std::fmt;
use std::rc::Rc;

/// The smallest maximum at which sizes grow: otherwise few of a hundred candidates would reach the maximum.
const GROWS_FROM: u32 = 16;

/// The maximum size that the library supports.
const LARGEST: u32 = 1_000_000;

/// The warning about a generator that is not a function of the size and the seed.
const ANOTHER_CANDIDATE: &str = "the generator returned another candidate for the same size and seed: the one shown may not be the one that failed.";

/// The library's text before the error of a check.
const SAID: &str = "the property returned an error: ";

/// The error of a check, printed without quotes.
pub(super) struct Said(pub(super) String);

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs a property. `start` starts the server, initially and whenever it is lost.
pub(super) fn run(start: Start<'_>, property: &Property, settings: &Settings) -> Result<Passed, Stopped> {
    if settings.tests == 0 {
        return Ok(Passed::default());
    }
    if let Some(why) = property.trouble() {
        let text = format!("{}: {why}.", head(property, settings));
        return Err(Stopped::Failed(Failure { text, ..failure(property, settings, "generating candidates") }));
    }
    let testing = match Testing::new(start, property, settings) {
        Ok(testing) => testing,
        Err(error) if is_stopping() => return Err(Stopped::Lost(error)),
        Err(error) => {
            let head = head(property, settings);
            let text = format!("{head} could not be run: the server did not start: {error}");
            let failure = Failure { text, ..failure(property, settings, "start of the server") };
            return Err(Stopped::Failed(failure));
        }
    };
    if let Some(asked) = property.attribute.size.or(Some(settings.size)).filter(|asked| *asked > LARGEST.into()) {
        testing.notes.borrow_mut().push(format!("size {asked} is too large; it is tested with {LARGEST}"));
    } else if property.machine.is_some() && testing.largest_size > LONGEST {
        testing.notes.borrow_mut().push(format!("sequences have at most {LONGEST} commands"));
    }
    let made = testing.clone();
    let telescope = Empty.forall("candidate", move |(), source| Candidate::draw(&made, source));
    let telescope = match property.shrinking {
        Shrinking::Remade => telescope,
        _ => telescope.shrink(|(), candidate| Box::new(candidate.smaller())),
    };
    let tested = telescope.check(|(candidate, ())| testing.check(candidate, start).map_err(Said));
    let mut report = report(&testing, &tested, settings, start);
    let mut held = None;
    let has_unmade = testing.unmade.borrow().is_some() && testing.over.borrow().is_none() && !is_stopping();
    if has_unmade && report.counterexample.is_none() {
        // The property held for all other candidates. Now search for the simplest candidate that the generator fails
        // for.
        held = Some(report.statistics.valid);
        testing.generator_counts.set(true);
        report = self::report(&testing, &tested, settings, start);
    }
    match report.verdict {
        _ if let Some(held) = held => {
            let mut failure = match (&report.counterexample, &*testing.unmade.borrow()) {
                // The generator did not fail this time.
                (None, Some((why, _))) => {
                    let text = format!("{}: {why}", head(property, settings));
                    Failure { text, ..failure(property, settings, "generating candidates") }
                }
                _ => told(&testing, &report, settings),
            };
            let held = candidates(held);
            failure.text += &format!("\nThe property continued with other sizes and seeds, and held for {held}.");
            Err(Stopped::Failed(failure))
        }
        Verdict::Passed | Verdict::Exhausted { .. } if testing.has_lost() => {
            Err(Stopped::Failed(not_sure(&testing, &report, settings)))
        }
        Verdict::Passed | Verdict::Exhausted { .. } => {
            let types = testing.server.borrow();
            let mut statistics = testing.statistics.borrow().lines(&property.type_name, &types.known());
            drop(types);
            statistics
                .extend(settings.coverage.as_ref().map(|_| covered(testing.coverage.get(), report.statistics.valid)));
            let mut labels: Vec<(String, u64)> =
                report.statistics.labels.iter().map(|(label, count)| (label.to_string(), *count)).collect();
            // Only some candidates were labelled.
            if testing.label_is_bad.get() {
                labels.clear();
            }
            let (notes, commands) = (testing.notes.take(), testing.server.borrow().commands());
            let explored = testing.explored.get();
            Ok(Passed { tests: report.statistics.valid, explored, labels, statistics, notes, commands })
        }
        _ if report.counterexample.is_none() && is_stopping() => {
            let held = candidates(report.statistics.valid);
            Err(Stopped::Lost(Error::Impossible(format!("{STOPPED}, after {held} for which the property held"))))
        }
        _ => Err(Stopped::Failed(told(&testing, &report, settings))),
    }
}

/// Returns the number of candidates in words.
fn candidates(count: u64) -> String {
    forall::text::count(count, "candidate")
}

/// Describes the contribution of coverage to a run without a failure.
fn covered((features, last): (u64, u64), tests: u64) -> String {
    let hint = if last < tests / 2 { ", so more candidates are unlikely to help" } else { "" };
    format!("coverage: {features} features, the last new one at candidate {}{hint}", last + 1)
}

/// A failure without a message.
fn failure(property: &Property, settings: &Settings, phase: &str) -> Failure {
    Failure {
        text: String::new(),
        property: property.name.clone(),
        phase: phase.to_owned(),
        size: size(property, settings).into(),
        seed: settings.seed,
        counterexample: None,
    }
}

/// Runs the property with the library.
fn report(testing: &Rc<Testing>, tested: &dyn Tested, settings: &Settings, start: Start<'_>) -> Report {
    let property = &testing.property;
    let sizes = sizes(property, settings);
    let mut run_settings = forall::run::Settings::new()
        .tests(settings.tests)
        .seed(settings.seed)
        .size(sizes)
        .shrink_on(ShrinkOn::Both)
        .enumerate(false)
        .store(Store::Off);
    if let Some(time) = settings.shrink_time {
        run_settings = run_settings.shrink_time(time);
    }
    let mut keeping = Keeping { testing, settings };
    let run =
        Run::new(property.name.clone(), tested).settings(run_settings).observer(&mut keeping).without_environment();
    match &settings.coverage {
        Some(coverage) => coverage::run(run, coverage, testing),
        // Sequences of commands are long enough to fill an exchange alone.
        None if property.machine.is_some() => run.report(),
        None => run.runner(|session| ahead::run(session, testing, settings, start)).report(),
    }
}

/// The result of a property that passed.
///
/// ```
/// use forall_futhark::properties::Passed;
/// assert!(Passed::default().labels.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Passed {
    /// The number of candidates for which it held.
    pub tests: u64,
    /// The number of explored candidates for which it held: see [`Settings::extra_time`].
    pub explored: u64,
    /// The number of candidates by label.
    pub labels: Vec<(String, u64)>,
    /// The lengths and ranges in the candidates, one line for each part.
    pub statistics: Vec<String>,
    /// Problems that do not affect the result, such as a label that failed.
    pub notes: Vec<String>,
    /// The number of commands sent to the server, since its last restart.
    pub commands: u64,
}

/// Returns candidates in Futhark syntax.
pub(super) fn sample(
    start: Start<'_>,
    property: &Property,
    settings: &Settings,
    count: u64,
) -> Result<Vec<String>, Error> {
    if let Some(why) = property.trouble() {
        return Err(Error::Impossible(format!("Property {}: {why}.", property.name)));
    }
    let testing = Testing::new(start, property, settings)?;
    let sizes = sizes(property, settings);
    let shown = |index| {
        let candidate = Candidate::of_test(&testing, settings.seed, index, sizes.size(index));
        let shown = testing.shown(&candidate);
        match &property.attribute.condition {
            Some(condition) if testing.is_discarded(&candidate) => format!("{shown} (discarded by cond({condition}))"),
            _ => shown,
        }
    };
    Ok((0..count).map(shown).collect())
}

/// Returns the maximum size of a property.
pub(super) fn size(property: &Property, settings: &Settings) -> u32 {
    let size = property.attribute.size.unwrap_or(settings.size).clamp(0, LARGEST.into());
    // The clamped size fits.
    u32::try_from(size).unwrap_or(LARGEST)
}

/// Returns the growth of sizes over a run.
fn sizes(property: &Property, settings: &Settings) -> Schedule {
    let size = size(property, settings);
    if size < GROWS_FROM { Schedule::Constant(size) } else { Schedule::Spread { from: 0, to: size } }
}

/// Returns the beginning of every report.
fn head(property: &Property, settings: &Settings) -> String {
    format!("Property {} (size={}, seed={})", property.name, size(property, settings), settings.seed)
}

/// Returns the report of a property that did not pass.
fn told(testing: &Rc<Testing>, report: &Report, settings: &Settings) -> Failure {
    let head = head(&testing.property, settings);
    let Some(counterexample) = &report.counterexample else {
        let why = match &report.verdict {
            Verdict::Faulty(why) | Verdict::Misconfigured(why) => why.to_string(),
            _ => gave_up(testing, report),
        };
        let mut text = format!("{head}: {}", testing.over.borrow().as_deref().unwrap_or(&why));
        for loss in testing.unexplained.borrow().iter() {
            text += &format!("\n{loss}");
        }
        text += &unmade(testing);
        let busy_with = testing.busy_with.borrow();
        let phase = busy_with.as_deref().unwrap_or("generating candidates");
        return Failure { text, ..failure(&testing.property, settings, phase) };
    };
    let tests = forall::text::count(report.statistics.valid + 1, "test");
    let mut text = format!("{head} failed after {tests}:");
    let values: Vec<&str> = counterexample.bindings.iter().map(|binding| binding.printed.text()).collect();
    let value = values.join(" ");
    let shown = testing.shown_as_printed(&value).unwrap_or_else(|| value.clone());
    text += &format!("\nCounterexample: {shown}");
    if shown != value && !counterexample.explanation.claims.is_empty() {
        // The program's printer may print different values alike, but the claims are about values.
        text += &format!("\n  that is {value}");
    }
    for claim in &counterexample.explanation.claims {
        text += &format!("\n  {claim}");
    }
    let said = counterexample.failure.message.trim_start_matches(SAID);
    if said != FALSE {
        text += &format!("\n{said}");
    } else if let Some(states) = states(testing, report) {
        text += &format!("\nThe final states differ:\n{states}");
    }
    if let Some(why) = &*testing.over.borrow() {
        text += &format!("\nIt was not retried and not shrunk any further: {why}");
    } else if report.verdict == Verdict::Flaky && counterexample.reruns.failed > 0 {
        let Reruns { runs, failed, .. } = counterexample.reruns;
        text += &format!(
            "\nIt failed {failed} of {runs} reruns: the property is flaky, it depends on more than the candidate."
        );
    } else if report.verdict == Verdict::Flaky {
        text += "\nThe same candidate passed when it was rerun: the property is flaky, it depends on more than the candidate.";
    }
    match testing.losses.get() {
        0 => {}
        1 => text += "\nThe server was lost once and restarted.",
        times => text += &format!("\nThe server was lost {times} times and restarted."),
    }
    if testing.shrinker_gave_back.get() && !testing.shrinker_has_offered.get() {
        let shrinker = testing.property.attribute.shrinker.as_deref().unwrap_or_default();
        let note = format!("shrinker {shrinker} returned its input every time, so it shrank nothing");
        testing.notes.borrow_mut().push(note);
    }
    let (notes, unwritten) = (testing.notes.borrow(), testing.unwritten.borrow());
    // The library's warnings about the search are meaningless if testing stopped early.
    let is_whole = testing.over.borrow().is_none();
    let library = report.warnings.iter().chain(&counterexample.caveats).filter(|_| is_whole);
    let library = library.filter_map(|fact| in_words_of_futhark(fact, &testing.property));
    let limit = counterexample.shrinking.cut_short.as_ref().filter(|_| is_whole).and_then(limit_in_words);
    let library: Vec<String> = library.chain(limit).collect();
    let unexplained = testing.unexplained.borrow();
    text += &unmade(testing);
    for note in library.iter().chain(notes.iter()).chain(unexplained.iter()).chain(unwritten.iter()) {
        text += &format!("\nnote: {note}");
    }
    let phase = match said {
        FALSE => format!("property {}", testing.property.name),
        said => said.split(" failed:").next().and_then(|said| said.split(": ").next()).unwrap_or(said).to_owned(),
    };
    Failure { text, counterexample: Some(shown), ..failure(&testing.property, settings, &phase) }
}

/// Describes the failures of the program's generator, unless they are the subject of the report.
fn unmade(testing: &Testing) -> String {
    match &*testing.unmade.borrow() {
        Some((why, times)) if !testing.generator_counts.get() => {
            let times = forall::text::count(*times, "time");
            let then =
                if testing.over.borrow().is_some() { "" } else { "; the property continued with other candidates" };
            format!("\nnote: {why}\n  This happened {times}{then}.")
        }
        _ => String::new(),
    }
}

/// Returns the report of a property that held for all candidates, but whose server was lost.
fn not_sure(testing: &Testing, report: &Report, settings: &Settings) -> Failure {
    let (held, unexplained) = (candidates(report.statistics.valid), testing.unexplained.borrow());
    let times = match unexplained.len() {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let head = head(&testing.property, settings);
    // Losses during labels imply nothing about the property.
    let flaky = if unexplained.iter().all(|loss| loss.starts_with("label ")) { "" } else { "flaky: " };
    let mut text = match &*testing.over.borrow() {
        Some(why) => format!("{head}: {why}. It held for {held}."),
        None => format!(
            "{head}: {flaky}it held for {held}, but the server was lost {times} and no candidate reproduces it, so the \
             property does not pass:"
        ),
    };
    for loss in unexplained.iter() {
        text += &format!("\n{loss}");
    }
    text += &unmade(testing);
    for note in testing.notes.borrow().iter() {
        text += &format!("\nnote: {note}");
    }
    let phase = unexplained.first().and_then(|loss| loss.split(": ").next()).unwrap_or("property").to_owned();
    Failure { text, ..failure(&testing.property, settings, &phase) }
}

/// Rewords a warning of the library for readers who write Futhark; `None` if it concerns only Rust programs.
fn in_words_of_futhark(fact: &Fact, property: &Property) -> Option<String> {
    let shrinker = || property.attribute.shrinker.as_deref().unwrap_or("auto");
    Some(match fact {
        // Entry points have no state, and there is no command that replays a case.
        Fact::NeverPassed => return None,
        Fact::MostlyRejected { rejected, tried, .. } => format!(
            "{rejected} of {tried} smaller candidates were discarded, so a smaller counterexample may exist; a gen(..) that generates \
             only valid candidates would help."
        ),
        Fact::ExplanationSlow { runs, .. } => {
            format!("explanation limited to {runs} runs (slow tests); results may vary")
        }
        Fact::OtherValue { .. } => ANOTHER_CANDIDATE.to_owned(),
        // There is one variable, and only a shrinker in the program has a name.
        fact => fact.to_string().replace("the shrinker of `candidate`", &format!("shrinker {}", shrinker())),
    })
}

/// Describes the limit at which shrinking stopped; `None` if the report describes it elsewhere.
fn limit_in_words(limit: &Fact) -> Option<String> {
    let limit = match limit {
        Fact::ShrinkTimeSpent { .. } => "at its time limit (--shrink-time raises it)".to_owned(),
        Fact::EvaluationsSpent { evaluations } => format!("after {evaluations} evaluations"),
        _ => return None,
    };
    Some(format!("shrinking stopped {limit}, so a smaller counterexample may exist"))
}

/// Explains why there were too few valid candidates, and what to do.
fn gave_up(testing: &Testing, report: &Report) -> String {
    let (statistics, held) = (testing.statistics.borrow(), report.statistics.valid);
    if statistics.misfits > statistics.discarded {
        let misfits = statistics.misfits;
        return format!(
            "gave up: the sizes in its type are not supported; add a gen(..). The program rejected {misfits} candidates because of \
             their lengths, and the property held for {held}."
        );
    }
    let condition = testing.property.attribute.condition.as_deref().unwrap_or_default();
    format!(
        "gave up: cond({condition}) discarded {} candidates, and the property held for {held}; add a gen(..) whose candidates \
         satisfy the condition.",
        statistics.discarded
    )
}

/// Returns the states after a sequence of commands.
fn states(testing: &Rc<Testing>, report: &Report) -> Option<String> {
    testing.property.machine.as_ref()?;
    let case = &report.counterexample.as_ref()?.case;
    let mut source = forall::choice::Source::replay(&case.sequence);
    match Candidate::draw(testing, &mut source).origin {
        Origin::Sequence(sequence) => testing.states_shown(&sequence),
        _ => None,
    }
}

/// Saves every accepted counterexample to disk at once, so that it is never lost.
struct Keeping<'a> {
    testing: &'a Rc<Testing>,
    settings: &'a Settings,
}

impl Observer for Keeping<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if !matches!(event, Event::Failed { .. } | Event::Shrunk { .. }) {
            return;
        }
        let bytes: Vec<u8> = self.testing.failed.borrow().iter().flat_map(Value::to_bytes).collect();
        let file = self.settings.counterexample_file(&self.testing.property.name);
        // Concurrent runs of the same program write to separate files until they are complete.
        let next = file.with_extension(format!("counterexample.{}", std::process::id()));
        let written = std::fs::write(&next, bytes).and_then(|()| std::fs::rename(&next, &file));
        if let Err(error) = written {
            // The error is reported once, at the end; testing continues.
            let why = || format!("cannot write {}: {error}", file.display());
            self.testing.unwritten.borrow_mut().get_or_insert_with(why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_that_found_nothing_new_for_long_is_reported() {
        let line = "coverage: 40 features, the last new one at candidate 13, so more candidates are unlikely to help";
        assert_eq!(covered((40, 12), 1000), line);
        assert_eq!(covered((40, 900), 1000), "coverage: 40 features, the last new one at candidate 901");
    }

    #[test]
    fn limits_of_shrinking_are_reported() {
        let words = |limit| limit_in_words(&limit);
        let told = "shrinking stopped after 10000 evaluations, so a smaller counterexample may exist";
        assert_eq!(words(Fact::EvaluationsSpent { evaluations: 10_000 }).as_deref(), Some(told));
        let told =
            "shrinking stopped at its time limit (--shrink-time raises it), so a smaller counterexample may exist";
        assert_eq!(words(Fact::ShrinkTimeSpent { taken: std::time::Duration::ZERO }).as_deref(), Some(told));
        assert_eq!(words(Fact::RunStopped), None);
    }

    #[test]
    fn a_generator_that_is_not_deterministic_is_reported() {
        let warning = "the generator returned another candidate for the same size and seed: the one shown may not be the one that failed.";
        assert_eq!(ANOTHER_CANDIDATE, warning);
    }
}
