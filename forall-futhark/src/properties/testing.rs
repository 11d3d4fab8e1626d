//! A property under test, and the server that runs it: candidates go in, answers come out.

use super::ahead::Upcoming;
use super::candidate::{Candidate, Origin};
use super::lengths::Lengths;
use super::lost::learn;
use super::machine::Commands;
use super::statistics::Statistics;
use super::trying::MISFIT;
use super::{Property, Settings, own};
use crate::client::{Error, Script, Server, Wanted, is_stopping};
use crate::data::Value;
use crate::datum::Datum;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

/// Starts the server of a program.
pub(super) type Start<'a> = &'a dyn Fn() -> Result<Server, Error>;

/// The error for a candidate that the property is false for; all others are crashes.
pub(super) const FALSE: &str = "the property is false";

/// Of the candidates that the program makes, one in so many is looked at for statistics: each has to travel for it.
const LOOKED_AT: u64 = 8;

pub(super) struct Testing {
    pub(super) server: RefCell<Server>,
    pub(super) property: Property,
    pub(super) losses: Cell<u32>,
    /// The values that the last candidate is made of that failed.
    pub(super) failed: RefCell<Vec<Value>>,
    /// Why counterexamples could not be written.
    pub(super) unwritten: RefCell<Option<String>>,
    /// Where all candidates are written down.
    pub(super) log: RefCell<Option<std::fs::File>>,
    /// What candidates were like.
    pub(super) statistics: RefCell<Statistics>,
    /// How many features coverage saw, and the number of the last candidate that had a new one.
    pub(super) coverage: Cell<(u64, u64)>,
    /// The next candidates, while many are tried at once.
    pub(super) upcoming: RefCell<Option<Upcoming>>,
    /// Whether candidates beyond those that were asked for are tried: they are not labelled, and not in the statistics.
    pub(super) is_exploring: Cell<bool>,
    /// How many of these the property held of.
    pub(super) explored: Cell<u64>,
    /// What is to be said beside the counterexample.
    pub(super) notes: RefCell<Vec<String>>,
    /// Losses of the server that no candidate explains: what it was busy with succeeded when it was tried again.
    pub(super) unexplained: RefCell<Vec<String>>,
    /// Losses of the server that are how a candidate failed, until the library has asked for that candidate.
    pub(super) undelivered: RefCell<Vec<String>>,
    /// How the program's generator failed first, and how often it did. Other candidates are tried all the same.
    pub(super) unmade: RefCell<Option<(String, u64)>>,
    /// Whether that a generator fails is how the property does: it is being looked for the simplest such case.
    pub(super) generator_counts: Cell<bool>,
    /// Something went wrong in an exchange: each is one script from then on.
    pub(super) has_broken_rounds: Cell<bool>,
    /// The program's label went wrong: candidates are not labelled any more.
    pub(super) label_is_bad: Cell<bool>,
    /// How often a call did not end, and how long all but the first were waited for.
    pub(super) hangs: Cell<(u32, Duration)>,
    pub(super) hang_time: Duration,
    /// No generator is asked for more.
    pub(super) largest_size: u32,
    /// The program's shrinker took the server with it.
    pub(super) shrinker_is_bad: Cell<bool>,
    /// It gave back what it was given.
    pub(super) shrinker_gave_back: Cell<bool>,
    /// It offered something else than what it was given.
    pub(super) shrinker_has_offered: Cell<bool>,
    /// Why no server can be started any more: whatever is tried from then on says nothing of the property.
    pub(super) over: RefCell<Option<String>>,
    /// What was being done when there was no more time.
    pub(super) busy_with: RefCell<Option<String>>,
    /// The size and the seed of the candidate that failed last, if the program made it.
    pub(super) made_from: Cell<Option<(i64, u64)>>,
    /// The candidates that the library saw, by how they were written for it; only if the program has a printer.
    pub(super) written: RefCell<HashMap<String, Origin>>,
    /// What is smaller than a candidate, by its key.
    pub(super) smaller: RefCell<HashMap<Vec<u8>, Rc<Vec<Origin>>>>,
}

/// What came of a candidate.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// The condition does not hold of it.
    Discarded,
    /// It was made by its type, and its arrays do not have the lengths that the program asks for: that says nothing of the property.
    Misfit,
    /// The program's generator failed, so there is no candidate.
    Unmade,
    /// Whether the property holds; else what went wrong.
    Tried(Result<(), String>, Option<String>),
    /// The server was lost while it was busy with another one.
    Unknown,
}

impl Testing {
    pub(super) fn new(start: Start<'_>, property: &Property, settings: &Settings) -> Result<Rc<Self>, Error> {
        let server = start()?;
        learn(&server, property)?;
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
            statistics: RefCell::default(),
            coverage: Cell::default(),
            upcoming: RefCell::default(),
            is_exploring: Cell::new(false),
            explored: Cell::new(0),
            notes: RefCell::default(),
            unexplained: RefCell::default(),
            undelivered: RefCell::default(),
            unmade: RefCell::default(),
            generator_counts: Cell::new(false),
            has_broken_rounds: Cell::new(false),
            label_is_bad: Cell::new(false),
            hangs: Cell::default(),
            hang_time: settings.hang_time,
            largest_size: own::size(property, settings),
            shrinker_is_bad: Cell::new(false),
            shrinker_gave_back: Cell::new(false),
            shrinker_has_offered: Cell::new(false),
            over: RefCell::default(),
            busy_with: RefCell::default(),
            made_from: Cell::new(None),
            written: RefCell::default(),
            smaller: RefCell::default(),
        }))
    }

    /// Whether the property holds of a candidate; else what went wrong.
    pub(super) fn check(&self, candidate: &Candidate, start: Start<'_>) -> Result<(), String> {
        let answer = self.answer(candidate, start);
        self.concluded(candidate, answer, start).unwrap_or_else(|| {
            forall::assume!(false);
            Ok(())
        })
    }

    /// The answer for one candidate, tried alone.
    pub(super) fn answer(&self, candidate: &Candidate, start: Start<'_>) -> Answer {
        self.answers(std::slice::from_ref(candidate), start).pop().unwrap_or(Answer::Unknown)
    }

    /// Counts a candidate, and keeps what is needed to report it: whether the property holds of it, else what went wrong. None if it is
    /// discarded.
    pub(super) fn concluded(
        &self,
        candidate: &Candidate,
        answer: Answer,
        start: Start<'_>,
    ) -> Option<Result<(), String>> {
        let discard = |count: Option<fn(&mut Statistics) -> &mut u64>, why: &str| {
            if let Some(count) = count.filter(|_| !self.is_exploring.get()) {
                *count(&mut self.statistics.borrow_mut()) += 1;
            }
            self.write_down(candidate, why);
            None
        };
        let (checked, label) = match answer {
            Answer::Tried(checked, label) => (checked, label),
            Answer::Discarded => return discard(Some(|statistics| &mut statistics.discarded), "discarded"),
            Answer::Misfit => return discard(Some(|statistics| &mut statistics.misfits), "its sizes do not fit"),
            Answer::Unmade => return discard(None, "its generator failed"),
            Answer::Unknown => (Err(format!("property {}: nothing came back", self.property.name)), None),
        };
        if let Some(label) = label {
            forall::label!("{label}");
        }
        if let Err(why) = &checked {
            self.undelivered.borrow_mut().retain(|undelivered| undelivered != why);
            if let Origin::Made { size, seed, .. } = candidate.origin {
                self.made_from.set(Some((size, seed)));
            }
            let mut leaves = self.leaves(candidate);
            if self.is_gone(start).is_ok_and(|was_gone| was_gone) {
                leaves = self.leaves(candidate);
            }
            *self.failed.borrow_mut() = leaves;
        }
        self.write_down(candidate, checked.as_ref().err().map_or("holds", String::as_str));
        Some(checked)
    }

    /// What comes of candidates, tried in one exchange with the server, or in two if there is a condition. Of the first, if not all fit
    /// into one.
    pub(super) fn answers(&self, candidates: &[Candidate], start: Start<'_>) -> Vec<Answer> {
        // Printing or shrinking a candidate may have lost the server.
        if self.over.borrow().is_some() || self.is_gone(start).is_err() {
            return vec![Answer::Discarded; candidates.len()];
        }
        if self.server.borrow().is_worn() {
            match self.started(start) {
                Ok(server) => *self.server.borrow_mut() = server,
                Err(_) => return vec![Answer::Discarded; candidates.len()],
            }
        }
        let had_labels = self.label().is_some();
        let answers = match candidates {
            [Candidate { origin: Origin::Sequence(sequence), .. }] => {
                vec![match self.follow(sequence, start) {
                    Ok(Err(why)) if why.contains(MISFIT) && self.makes_commands_by_type() => Answer::Misfit,
                    Ok(followed) => Answer::Tried(followed, None),
                    Err(interrupted) => interrupted,
                }]
            }
            _ => self.fitting_answers(candidates, start),
        };
        // A label that goes wrong says nothing of the property: all is tried again without.
        if had_labels && self.label().is_none() {
            return self.answers(candidates, start);
        }
        answers
    }

    /// The entry point that says of which kind a candidate is, if it can be asked.
    pub(super) fn label(&self) -> Option<&str> {
        self.property.attribute.label.as_deref().filter(|_| !self.label_is_bad.get() && !self.is_exploring.get())
    }

    /// The program's label went wrong: that is said, and it is not asked again.
    pub(super) fn note_label(&self, why: &str) {
        self.label_is_bad.set(true);
        let note = format!("{why}\n  The property is not affected; its candidates are not labelled.");
        self.notes.borrow_mut().push(note);
    }

    /// What comes of candidates that are values. Those that are not as long as their type says are not tried: some servers would take
    /// them all the same.
    fn fitting_answers(&self, candidates: &[Candidate], start: Start<'_>) -> Vec<Answer> {
        let fits: Vec<bool> = candidates.iter().map(|candidate| self.fits(candidate)).collect();
        if fits.iter().all(|fits| *fits) {
            return self.values_answers(candidates, start);
        }
        let fitting = candidates.iter().zip(&fits).filter(|(_, fits)| **fits);
        let fitting: Vec<Candidate> = fitting.map(|(candidate, _)| candidate.clone()).collect();
        let mut answers = match fitting.is_empty() {
            true => Vec::new(),
            false => self.values_answers(&fitting, start),
        }
        .into_iter();
        // No further than there are answers.
        fits.into_iter().map_while(|fits| if fits { answers.next() } else { Some(Answer::Misfit) }).collect()
    }

    fn fits(&self, candidate: &Candidate) -> bool {
        match (&candidate.origin, &self.property.lengths) {
            (_, Lengths::Unknown) => true,
            (Origin::Drawn(datum) | Origin::Reduced(datum), lengths) => {
                lengths.fit(datum, &self.property.type_name, &self.server.borrow().known())
            }
            _ => true,
        }
    }

    /// What comes of candidates that are values.
    fn values_answers(&self, candidates: &[Candidate], start: Start<'_>) -> Vec<Answer> {
        let (mut answers, loss) = self.try_some(candidates);
        let Some(loss) = loss else { return answers };
        if loss.is_out_of_time {
            return answers;
        }
        let started = if loss.is_label { self.start_another(start) } else { self.start_again(start) };
        if started.is_err() {
            // Who was told to end has killed the server: that says nothing of the candidate.
            return if is_stopping() { vec![Answer::Discarded; candidates.len()] } else { answers };
        }
        // What never ends would take as long again. Anything else may have had another cause: it is tried once more, alone.
        if loss.is_timeout || loss.is_label {
            self.is_to_be_delivered(&answers[loss.at]);
            return answers;
        }
        let alone = &candidates[loss.at..=loss.at];
        let (mut again, loss_again) = self.try_some(alone);
        let what = match &answers[loss.at] {
            Answer::Tried(Err(what), _) => what.clone(),
            _ => format!("property {}", self.property.name),
        };
        match &loss_again {
            None => self.note_unexplained(what, "The same candidate passed when it was retried alone."),
            Some(loss) if loss.is_out_of_time => {}
            // If it cannot be started again, nothing more is tried.
            Some(loss) => {
                let is_over = self.start_again(start).is_err();
                if loss.breaks_protocol && !is_over {
                    *self.over.borrow_mut() = Some(format!("the server violates the protocol. {what}"));
                }
                if loss.breaks_protocol || is_over && is_stopping() {
                    again = vec![Answer::Discarded];
                } else if loss.is_generator && !self.generator_counts.get() {
                    self.note_unmade(&what);
                    again = vec![Answer::Unmade];
                }
            }
        }
        answers.splice(loss.at..=loss.at, again);
        if loss_again.is_some() {
            self.is_to_be_delivered(&answers[loss.at]);
        }
        answers
    }

    fn makes_commands_by_type(&self) -> bool {
        self.property.machine.as_ref().is_some_and(|machine| machine.command == Commands::ByType)
    }

    /// Whether its values are asked for, beside what the property says of it.
    pub(super) fn is_looked_at(&self, candidate: &Candidate) -> bool {
        let mut statistics = self.statistics.borrow_mut();
        statistics.asked += 1;
        matches!(candidate.origin, Origin::Made { .. })
            && !self.is_exploring.get()
            && statistics.asked % LOOKED_AT == 1
            && self.server.borrow().learn_all(&self.property.parameters).is_ok()
    }

    pub(super) fn look_at(&self, candidate: &Candidate, leaves: Vec<Value>) {
        if self.is_exploring.get() {
            return;
        }
        let mut statistics = self.statistics.borrow_mut();
        match &candidate.origin {
            Origin::Drawn(datum) => statistics.look_at(datum),
            Origin::Made { size, .. } => {
                statistics.size(*size);
                let (server, of) = (self.server.borrow(), &self.property.type_name);
                if !leaves.is_empty()
                    && let Some(datum) = Datum::from_leaves(of, &mut leaves.into_iter(), &server.known())
                {
                    statistics.look_at(&datum);
                }
            }
            Origin::Reduced(_) | Origin::Sequence(_) => {}
        }
    }

    /// The values that a candidate is made of; if the program cannot make it, the size and the seed that it should be made of.
    pub(super) fn leaves(&self, candidate: &Candidate) -> Vec<Value> {
        let server = self.server.borrow();
        match &candidate.origin {
            Origin::Drawn(datum) | Origin::Reduced(datum) => datum.leaves(&self.property.type_name, &server.known()),
            Origin::Made { size, seed, .. } => {
                let made = self.values_of(&server, candidate);
                made.unwrap_or_else(|| vec![Value::scalar(*size), Value::scalar(*seed)])
            }
            Origin::Sequence(sequence) => self.leaves_of_sequence(&server, sequence),
        }
    }

    /// What a candidate is, that the program makes.
    fn values_of(&self, server: &Server, candidate: &Candidate) -> Option<Vec<Value>> {
        let mut script = Script::new(server);
        let mut made = Vec::new();
        candidate.put(&mut script, &mut made);
        let got = script.run(&Wanted::of(0, made)).pop()?.ok()?;
        Some(got.values().into_iter().flatten().collect())
    }

    /// What a candidate is, if it can be looked into.
    pub(super) fn datum_of(&self, candidate: &Candidate) -> Option<Datum> {
        match &candidate.origin {
            Origin::Drawn(datum) | Origin::Reduced(datum) => Some(datum.clone()),
            Origin::Made { .. } => {
                let server = self.server.borrow();
                server.learn_all(&self.property.parameters).ok()?;
                let leaves = self.values_of(&server, candidate)?;
                Datum::from_leaves(&self.property.type_name, &mut leaves.into_iter(), &server.known())
            }
            Origin::Sequence(_) => None,
        }
    }

    /// Whether the condition does not hold of a candidate; the property is not asked.
    pub(super) fn is_discarded(&self, candidate: &Candidate) -> bool {
        let (Some(condition), None) = (&self.property.attribute.condition, &self.property.machine) else {
            return false;
        };
        let server = self.server.borrow();
        let mut script = Script::new(&server);
        let mut input = Vec::new();
        candidate.put(&mut script, &mut input);
        let answer = script.call(condition, &input);
        matches!(script.run(&Wanted::of(0, [answer])).pop(), Some(Ok(got)) if !got.is_true())
    }
}
