//! Properties in our own way: a property of the library `forall`, whose check asks the server.
//!
//! So candidates grow, shrink by their type, are explained, labelled and counted as those of any other property. A candidate of a
//! program's own generator is a size and a seed, and shrinks by those, so whatever the generator promises holds of it; then by the
//! program's own shrinker, whose steps are a path of random numbers from there.

use super::draw;
use super::random::SplitMix;
use super::{Failure, Property, Settings, Stopped};
use crate::client::{Ended, Error, Made, Script, Server};
use crate::data::{Element, Elements, Value};
use crate::datum::print::Sums;
use crate::datum::{Datum, Native};
use forall::property::{Empty, Telescope};
use forall::run::{Event, Observer, Report, Run, Schedule, ShrinkOn, Store, Verdict};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::Write;
use std::rc::Rc;

/// A program's own shrinker is asked so often for each value.
const SHRINKS: u64 = 24;

/// Smaller sizes are the same for all candidates: few of a hundred would reach the largest.
const GROWS_FROM: u32 = 16;

/// The library takes no larger sizes.
const LARGEST: u32 = 1_000_000;

/// A server that is lost more often than this is not started again.
const MOST_LOSSES: u32 = 1000;

/// What is said of a candidate that the property is not true of; anything else went wrong.
const FALSE: &str = "the property is false";

/// What the library says before what a check says.
const SAID: &str = "the property returned an error: ";

/// What a check says, without quotes around it.
struct Said(String);

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs a property. `start` starts the server, now and whenever it is lost.
pub(super) fn run(
    start: &dyn Fn() -> Result<Server, Error>,
    property: &Property,
    settings: &Settings,
) -> Result<Passed, Stopped> {
    let testing = Testing::new(start, property, settings).map_err(Stopped::Lost)?;
    let made = testing.clone();
    let telescope = Empty.forall("candidate", move |(), source| Candidate::draw(&made, source));
    let telescope = match &property.attribute.shrinker {
        Some(_) => telescope.shrink(|(), candidate| Box::new(candidate.smaller())),
        None => telescope,
    };
    let tested = telescope.check(|(candidate, ())| testing.check(candidate, start).map_err(Said));
    let mut keeping = Keeping { testing: &testing, settings };
    let run_settings = forall::run::Settings::new()
        .tests(settings.tests.max(1))
        .seed(settings.seed)
        .size(sizes(property, settings))
        .shrink_on(ShrinkOn::Both)
        .exhaustive(false)
        .store(Store::Off);
    let report = Run::new(property.name.clone(), &tested).settings(run_settings).observer(&mut keeping).report();
    match report.verdict {
        Verdict::Passed | Verdict::Exhausted { .. } => Ok(Passed { labels: labels(&report) }),
        _ => Err(Stopped::Failed(Failure { text: testing.told(&report, settings) })),
    }
}

/// What is to be said of a property that passed.
///
/// ```
/// use forall_futhark::properties::Passed;
/// assert!(Passed::default().labels.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Passed {
    /// What kinds of candidates there were, and how many of each.
    pub labels: Vec<(String, u64)>,
}

/// Candidates, as a person would write them.
pub(super) fn sample(
    start: &dyn Fn() -> Result<Server, Error>,
    property: &Property,
    settings: &Settings,
    count: u64,
) -> Result<Vec<String>, Error> {
    let testing = Testing::new(start, property, settings)?;
    let sizes = sizes(property, settings);
    let shown = |index| {
        let mut source = forall::choice::Source::random(settings.seed, index, sizes.size(index, count));
        format!("{:?}", Candidate::draw(&testing, &mut source))
    };
    Ok((0..count).map(shown).collect())
}

/// How sizes grow over a run.
fn sizes(property: &Property, settings: &Settings) -> Schedule {
    let size = u32::try_from(property.attribute.size.unwrap_or(settings.size)).unwrap_or(u32::MAX).min(LARGEST);
    if size < GROWS_FROM { Schedule::Constant(size) } else { Schedule::Linear { from: 0, to: size } }
}

fn labels(report: &Report) -> Vec<(String, u64)> {
    report.statistics.labels.iter().map(|(label, count)| (label.to_string(), *count)).collect()
}

/// A property under test, and the server that runs it.
struct Testing {
    server: RefCell<Server>,
    property: Property,
    losses: Cell<u32>,
    /// The values that the last candidate is made of that failed.
    failed: RefCell<Vec<Value>>,
    /// Why counterexamples could not be written.
    unwritten: RefCell<Option<String>>,
    /// Where all candidates are written down.
    log: RefCell<Option<std::fs::File>>,
}

/// How a candidate came to be.
enum Candidate {
    /// By its type.
    Drawn { datum: Datum, testing: Rc<Testing> },
    /// By the program's generator, and then so many steps of its shrinker.
    Made { size: i64, seed: u64, steps: Vec<u64>, testing: Rc<Testing> },
}

impl Candidate {
    fn draw(testing: &Rc<Testing>, source: &mut forall::choice::Source) -> Self {
        let testing = testing.clone();
        let property = &testing.property;
        if property.attribute.generator.is_some() {
            let largest = source.size();
            let size = source.draw(0..=i64::from(largest));
            let seed = source.draw(forall::generate::any::<u64>());
            return Self::Made { size, seed, steps: Vec::new(), testing };
        }
        let datum = {
            let server = testing.server.borrow();
            let types = server.known();
            draw::candidate(&property.type_name, &property.lengths, &types, source)
        };
        Self::Drawn { datum, testing }
    }

    /// What the program's shrinker makes of it.
    fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        (0..SHRINKS).filter_map(move |number| match self {
            Self::Made { size, seed, steps, testing } => {
                let mut steps = steps.clone();
                steps.push(SplitMix::new(number).next_u64());
                Some(Self::Made { size: *size, seed: *seed, steps, testing: testing.clone() })
            }
            // What was drawn shrinks by its type; the shrinker goes on from there.
            Self::Drawn { datum, testing } => testing.shrink_drawn(datum, number),
        })
    }

    fn testing(&self) -> &Rc<Testing> {
        match self {
            Self::Drawn { testing, .. } | Self::Made { testing, .. } => testing,
        }
    }

    /// The commands that give the server this candidate.
    fn put(&self, script: &mut Script<'_>) -> Made {
        let property = &self.testing().property;
        let of = &property.type_name;
        match self {
            Self::Drawn { datum, .. } => script.put(of, datum),
            Self::Made { size, seed, steps, .. } => {
                let generator = property.attribute.generator.as_deref().unwrap_or_default();
                let shrinker = property.attribute.shrinker.as_deref().unwrap_or_default();
                let inputs = [script.put("i64", &size.into_datum()), script.put("u64", &seed.into_datum())];
                let numbers: Vec<Made> = steps.iter().map(|step| script.put("u64", &step.into_datum())).collect();
                let mut candidate = script.call(generator, of, &inputs);
                for number in numbers {
                    candidate = script.call(shrinker, of, &[candidate, number]);
                }
                candidate
            }
        }
    }

    /// How many calls make it.
    fn calls(&self) -> usize {
        match self {
            Self::Drawn { .. } => 0,
            Self::Made { steps, .. } => 1 + steps.len(),
        }
    }
}

/// As a person would write it.
impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.testing().shown(self))
    }
}

impl Testing {
    fn new(
        start: &dyn Fn() -> Result<Server, Error>,
        property: &Property,
        settings: &Settings,
    ) -> Result<Rc<Self>, Error> {
        let server = start()?;
        match server.learn(&property.type_name) {
            // What cannot be looked into is made by the program's generator.
            Ok(()) | Err(Error::Impossible(_)) => {}
            Err(lost) => return Err(lost),
        }
        let log = match &settings.log {
            Some(path) => {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
                Some(file.map_err(|error| Error::File(format!("cannot write {}: {error}", path.display())))?)
            }
            None => None,
        };
        Ok(Rc::new(Self {
            server: RefCell::new(server),
            property: property.clone(),
            losses: Cell::new(0),
            failed: RefCell::default(),
            unwritten: RefCell::default(),
            log: RefCell::new(log),
        }))
    }

    /// Writes a candidate down, and what came of it.
    fn write_down(&self, candidate: &Candidate, checked: &Result<(), String>) {
        let mut log = self.log.borrow_mut();
        let Some(file) = &mut *log else { return };
        let said = checked.as_ref().err().map_or("holds", String::as_str);
        let line = format!(
            "{{\"property\":{},\"candidate\":{},\"outcome\":{}}}\n",
            json(&self.property.name),
            json(&self.shown(candidate)),
            json(said)
        );
        // What cannot be written is not written again and again.
        if file.write_all(line.as_bytes()).is_err() {
            *log = None;
        }
    }

    /// Whether the property holds of a candidate; else what went wrong.
    fn check(&self, candidate: &Candidate, start: &dyn Fn() -> Result<Server, Error>) -> Result<(), String> {
        let checked = self.holds(candidate, start);
        if checked.is_err() {
            *self.failed.borrow_mut() = self.leaves(candidate);
        }
        self.write_down(candidate, &checked);
        checked
    }

    /// The values that a candidate is made of; if the program cannot make it, the size and the seed that it should be made of.
    fn leaves(&self, candidate: &Candidate) -> Vec<Value> {
        let server = self.server.borrow();
        match candidate {
            Candidate::Drawn { datum, .. } => datum.leaves(&self.property.type_name, &server.known()),
            Candidate::Made { size, seed, .. } => {
                let mut script = Script::new(&server);
                let made = candidate.put(&mut script);
                script.run(&[made]).unwrap_or_else(|_| vec![Value::scalar(*size), Value::scalar(*seed)])
            }
        }
    }

    fn holds(&self, candidate: &Candidate, start: &dyn Fn() -> Result<Server, Error>) -> Result<(), String> {
        let attribute = &self.property.attribute;
        if let Some(condition) = &attribute.condition {
            let counts = self.ask(candidate, condition, "bool", start)?;
            forall::assume!(counts.first().and_then(Value::get) == Some(true));
        }
        let answer = self.ask(candidate, &self.property.name, "bool", start)?;
        if let Some(label) = &attribute.label {
            let text = self.ask_text(candidate, label, start)?;
            forall::label!("{text}");
        }
        match answer.first().and_then(Value::get) {
            Some(true) => Ok(()),
            _ => Err(FALSE.to_owned()),
        }
    }

    /// What an entry point gives for a candidate.
    fn ask(
        &self,
        candidate: &Candidate,
        entry_point: &str,
        output: &str,
        start: &dyn Fn() -> Result<Server, Error>,
    ) -> Result<Vec<Value>, String> {
        let server = self.server.borrow();
        let mut script = Script::new(&server);
        let input = candidate.put(&mut script);
        let answer = script.call(entry_point, output, &[input]);
        let ended = match script.run(&[answer]) {
            Ok(values) => return Ok(values),
            Err(ended) => ended,
        };
        drop(server);
        match ended {
            Ended::Refused { call, refused } => Err(format!(
                "{} failed:\n{}",
                self.phase(candidate, call, entry_point),
                refused.message.join("\n").trim_end()
            )),
            Ended::Error { call, error } => {
                let phase = self.phase(candidate, call.unwrap_or(candidate.calls()), entry_point);
                self.start_again(start)?;
                Err(format!("{phase}: {error}"))
            }
        }
    }

    /// The text that an entry point gives for a candidate, or the number.
    fn ask_text(
        &self,
        candidate: &Candidate,
        entry_point: &str,
        start: &dyn Fn() -> Result<Server, Error>,
    ) -> Result<String, String> {
        let output = {
            let server = self.server.borrow();
            server.outputs(entry_point).map_err(|error| error.to_string())?
        };
        let [output] = &*output else { return Err(format!("{entry_point} should give one value")) };
        let values = self.ask(candidate, entry_point, &output.type_name, start)?;
        Ok(match values.first().map(Value::elements) {
            Some(Elements::U8(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            Some(_) => values[0].to_string(),
            None => String::new(),
        })
    }

    /// What was being done during a call of those that make and try a candidate.
    fn phase(&self, candidate: &Candidate, call: usize, entry_point: &str) -> String {
        match candidate {
            Candidate::Made { size, seed, .. } if call == 0 => {
                let generator = self.property.attribute.generator.as_deref().unwrap_or_default();
                format!("generator {generator} with size={size} and seed={seed}")
            }
            Candidate::Made { size, seed, steps, .. } if call <= steps.len() => {
                let shrinker = self.property.attribute.shrinker.as_deref().unwrap_or_default();
                format!("shrinker {shrinker} with random={}, from size={size} and seed={seed}", steps[call - 1])
            }
            _ if entry_point == self.property.name => format!("property {entry_point}"),
            _ => format!("{entry_point}, for property {}", self.property.name),
        }
    }

    /// The server is gone: starts another one.
    fn start_again(&self, start: &dyn Fn() -> Result<Server, Error>) -> Result<(), String> {
        self.losses.set(self.losses.get() + 1);
        if self.losses.get() > MOST_LOSSES {
            return Err("the server was lost too often, and is not started again".to_owned());
        }
        let server = start().map_err(|error| format!("the server is gone, and does not start again: {error}"))?;
        // What was known of types holds for every server of the program.
        let _ = server.learn(&self.property.type_name);
        *self.server.borrow_mut() = server;
        Ok(())
    }

    /// What the program's shrinker makes of a value that was drawn by its type.
    fn shrink_drawn(self: &Rc<Self>, datum: &Datum, number: u64) -> Option<Candidate> {
        let shrinker = self.property.attribute.shrinker.as_deref()?;
        let of = &self.property.type_name;
        let server = self.server.borrow();
        let mut script = Script::new(&server);
        let value = script.put(of, datum);
        let random = script.put("u64", &SplitMix::new(number).next_u64().into_datum());
        let smaller = script.call(shrinker, of, &[value, random]);
        let leaves = script.run(&[smaller]).ok()?;
        let datum = Datum::from_leaves(of, &mut leaves.into_iter(), &server.known())?;
        Some(Candidate::Drawn { datum, testing: self.clone() })
    }

    /// A candidate as a person would write it; by how it is made, if the server cannot say more.
    fn shown(&self, candidate: &Candidate) -> String {
        let of = &self.property.type_name;
        let Ok(server) = self.server.try_borrow() else { return "_".to_owned() };
        if let Some(print) = &self.property.attribute.print {
            let mut script = Script::new(&server);
            let input = candidate.put(&mut script);
            let text = script.call(print, "[]u8", &[input]);
            if let Ok([text]) = script.run(&[text]).as_deref()
                && let Some(bytes) = u8::of(text.elements())
            {
                return String::from_utf8_lossy(bytes).into_owned();
            }
        }
        match candidate {
            Candidate::Drawn { datum, .. } => datum.text(of, &server.known(), Sums::Open),
            Candidate::Made { size, seed, .. } => {
                let mut script = Script::new(&server);
                let made = candidate.put(&mut script);
                let leaves = script.run(&[made]).ok();
                let datum = leaves.and_then(|leaves| Datum::from_leaves(of, &mut leaves.into_iter(), &server.known()));
                match datum {
                    Some(datum) if server.learn(of).is_ok() => datum.text(of, &server.known(), Sums::Open),
                    _ => format!("<{of} of size={size} and seed={seed}>"),
                }
            }
        }
    }

    /// What is to be said of a property that did not pass.
    fn told(&self, report: &Report, settings: &Settings) -> String {
        let name = &self.property.name;
        let seed = settings.seed;
        let Some(counterexample) = &report.counterexample else {
            let why = match &report.verdict {
                Verdict::GaveUp(why) | Verdict::Faulty(why) | Verdict::Misconfigured(why) => why,
                _ => "it did not pass",
            };
            return format!("Property {name} (seed={seed}): {why}");
        };
        let tests = report.statistics.valid + 1;
        let mut text = format!("Property {name} (seed={seed}) failed after {tests} tests:");
        for binding in &counterexample.bindings {
            text += &format!("\nCounterexample: {}", binding.printed.text());
        }
        for claim in &counterexample.explanation.claims {
            text += &format!("\n  {claim}");
        }
        let said = counterexample.failure.message.trim_start_matches(SAID);
        if said != FALSE {
            text += &format!("\n{said}");
        }
        if report.verdict == Verdict::Flaky {
            text += "\nThe same candidate passed when it was tried again: the property depends on something else, too.";
        }
        if self.losses.get() > 0 {
            text += &format!("\nThe server was lost {} times on the way, and started again.", self.losses.get());
        }
        for note in report.warnings.iter().chain(&counterexample.caveats).chain(self.unwritten.borrow().iter()) {
            text += &format!("\nnote: {note}");
        }
        text
    }
}

/// A text in JSON.
fn json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            c if c.is_control() => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes every counterexample to disk as soon as it is accepted: whatever happens afterwards, it is there.
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
        let next = file.with_extension("counterexample.new");
        let written = std::fs::write(&next, bytes).and_then(|()| std::fs::rename(&next, &file));
        if let Err(error) = written {
            // Said once, at the end; the property is tested all the same.
            let why = || format!("cannot write {}: {error}", file.display());
            self.testing.unwritten.borrow_mut().get_or_insert_with(why);
        }
    }
}
