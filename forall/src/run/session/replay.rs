//! Inputs that run before any are generated: explicit examples, saved failures, an input from the command line.

use super::{Ending, RETRIES, Session};
use crate::fact::{Fact, Kept};
use crate::panic::{Hold, Unwound, catch};
use crate::property::{Binding, Outcome, Printed};
use crate::run::{Case, Counterexample, Event, Example, Fault, Found, Report, Statistics, Tested, Verdict};
use crate::store::{Entry, EntryError, Variable};
use crate::testing::{MOST_BESIDE, guest};
use crate::text::visible;

impl Session<'_> {
    /// Runs the explicit examples. Returns the ending, if one of them fails.
    ///
    /// ```
    /// # use forall::{prelude::*, property::IntoOutcome, run::{Example, Run}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let fails = Example { bindings: &[("n", "u8", "255")], run: || false.into_outcome() };
    /// let (_, found) = Run::new("bits", &property).session().unwrap().run_examples(&[fails]).unwrap();
    /// assert_eq!(found.unwrap().bindings[0].printed.text(), "255");
    /// ```
    #[doc(hidden)]
    pub fn run_examples(&mut self, examples: &[Example]) -> Option<Ending> {
        for (place, example) in examples.iter().enumerate() {
            let _active = self.tester.context().activate();
            self.tester.context().want_notes(true);
            self.tester.context().count_labels(false);
            let tested = match &self.workplace.isolation {
                Some(isolated) => match catch(|| isolated.run_example(place)) {
                    Ok(tested) => tested,
                    Err(unwound) => self.tester.unwound(unwound),
                },
                None => run_example(example),
            };
            self.tester.context().count_labels(true);
            if let Tested::Discard(_) = tested {
                self.warn(Fact::ExampleDiscarded { place: place as u64 });
            }
            if let Tested::Fail(failure) = tested {
                let mut bindings = Vec::new();
                for &(name, type_text, code) in example.bindings {
                    let printed = Printed { code: Some(code.to_owned()), ..Printed::default() };
                    bindings.push(Binding { name, type_text: Some(type_text), printed });
                }
                let mut counterexample = Counterexample::new(Case::default(), bindings, failure, Found::Example(place));
                counterexample.notes = self.tester.context().take_notes();
                return Some((Verdict::Failed, Some(counterexample)));
            }
            self.tester.context().want_notes(false);
        }
        None
    }

    /// Replays the saved failures of this property first. Returns the ending, if one still fails.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let settings = Settings::new().store(Store::Off);
    /// let ending = Run::new("bits", &property).settings(settings).session().unwrap().replay_stored();
    /// assert!(ending.is_none(), "nothing is stored, so nothing fails");
    /// ```
    #[doc(hidden)]
    pub fn replay_stored(&mut self) -> Option<Ending> {
        self.replay_up_to(1).pop()
    }

    /// Replays all saved cases, without stopping at a failure as [`Session::replay_stored`] does. Returns the endings
    /// of those that still fail.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let settings = Settings::new().store(Store::Off);
    /// let endings = Run::new("bits", &property).settings(settings).session().unwrap().replay_all_stored();
    /// assert!(endings.is_empty(), "nothing is stored, so nothing fails");
    /// ```
    pub fn replay_all_stored(&mut self) -> Vec<Ending> {
        self.replay_up_to(usize::MAX)
    }

    /// Replays saved failures, up to the `most`-th that fails.
    fn replay_up_to(&mut self, most: usize) -> Vec<Ending> {
        self.tester.context().count_labels(false);
        let mut endings = Vec::new();
        let (mut unreadable, mut first_error) = (0u64, None);
        for (origin, entry) in &self.keeper.stored() {
            match entry {
                Ok(entry) => {
                    let hold = Hold::begin();
                    let mut ending = self.replay_entry(origin, entry);
                    self.tell_strays(&hold, ending.as_mut().and_then(|(_, shown)| shown.as_mut()));
                    if let Some(ending) = ending {
                        endings.push(ending);
                    }
                }
                // If a regression cannot run, the test fails.
                Err(error) if self.keeper.is_committed(origin) => {
                    let why = Fact::RegressionUnreadable { path: origin.clone(), error: error.to_string() };
                    endings.push((Verdict::Misconfigured(why), None));
                }
                Err(EntryError::Unreadable(why)) if !origin.ends_with(".case") => {
                    self.warn(Fact::StoreUnlistable { path: origin.clone(), error: why.clone() });
                    // The store cannot be written either; one message suffices.
                    self.keeper.expect_trouble();
                }
                Err(error) => {
                    unreadable += 1;
                    first_error.get_or_insert_with(|| (origin.clone(), error.to_string()));
                }
            }
            if endings.len() == most {
                break;
            }
            self.begin_another();
            self.run_after(Vec::new());
        }
        // One warning, however many files are damaged.
        if let Some((path, error)) = first_error {
            let more = unreadable - 1;
            let path = if more == 0 { path } else { format!("{path} and {more} more") };
            self.warn(Fact::StoreUnreadable { path, error });
        }
        self.tester.context().put_at_hand(String::new());
        self.tester.context().count_labels(true);
        endings
    }

    fn replay_entry(&mut self, origin: &str, entry: &Entry) -> Option<Ending> {
        self.emit(&Event::Replaying { origin });
        // A process that ended soon after the failure has saved no values.
        let is_bare = entry.unfinished > 0 && entry.printed.is_empty();
        let cut_off = self.keeper.cut_off(entry, !self.tester.writes_down());
        let was = was(if is_bare { Variable::all(&self.tester.print(&entry.case)) } else { entry.printed.clone() });
        if cut_off.times > 0 && !cut_off.are_enough {
            // Before anything runs: it may end the process again.
            let (origin, value, message) = (origin.to_owned(), was.clone(), entry.message.clone());
            self.warn(Fact::WorkWasCutOff { origin, value, message, times: cut_off.times.into() });
        }
        self.tester.context().put_at_hand(was.clone());
        self.run_after(entry.before.clone());
        let failed_on = (entry.beside as usize).min(MOST_BESIDE);
        // A property that became `serial` was repaired in this way.
        let wanted = if self.settings.serial { 1 } else { failed_on };
        self.run_beside(wanted.max(self.settings.beside));
        let threads = self.keeper.beside;
        let (case, tested) = self.run_until_it_fails(&entry.case);
        if let Tested::Pass | Tested::Discard(_) = tested {
            self.run_beside(self.settings.beside);
        }
        let changed = case.sequence.shape() != entry.shape || matches!(tested, Tested::NoSuchStep);
        // Other choices may produce the same value, for example when a range is narrowed.
        let means_another = changed && !self.is_what_it_was(&case, entry);
        let kept = match tested {
            Tested::Fail(failure) => {
                self.emit(&Event::Replayed { origin, outcome: &Fact::StillFails { origin: origin.to_owned() } });
                let found = Found::Stored(origin.to_owned());
                self.keeper.go_on_with(origin, entry, !changed, cut_off);
                if self.keeper.is_given_up() {
                    self.warn(Fact::ShrinkingEndedTheProcess { origin: origin.to_owned() });
                    let ending = self.conclude(case, failure, found, Some(origin.to_owned()));
                    self.keeper.allow_another_try(entry);
                    return Some(ending);
                }
                // A case that was already shrunk completely, with the same generators, is shown at once.
                if entry.minimal && !changed {
                    self.keeper.fails_at(entry, &failure);
                    return Some(self.conclude(case, failure, found, Some(origin.to_owned())));
                }
                if means_another {
                    self.warn(Fact::ChangedAndFails { origin: origin.to_owned(), value: was });
                }
                return Some(self.found(case, failure, found));
            }
            Tested::Fault(Fault::Search(reason)) => {
                self.warn(Fact::NotSearchable { origin: origin.to_owned(), reason: Box::new(reason) });
                return None;
            }
            _ if means_another && case.searched_to().is_some() => {
                self.warn(Fact::PathChanged { origin: origin.to_owned(), value: was });
                return None;
            }
            _ if means_another => {
                self.warn(Fact::GeneratorChanged { origin: origin.to_owned(), value: was });
                return None;
            }
            Tested::Fault(fault) => return Some(self.fault(&case, fault)),
            Tested::Discard(_) if self.tester.context().take_needs_scheduler() => {
                let property = last_part(self.tester.context().property());
                self.warn(Fact::ScheduleNeedsRace { origin: origin.to_owned(), property });
                return None;
            }
            Tested::Discard(_) | Tested::NoSuchStep => {
                self.warn(Fact::NowDiscarded { origin: origin.to_owned() });
                return None;
            }
            Tested::Pass if threads < wanted => {
                let (origin, isolated) = (origin.to_owned(), self.workplace.isolation.is_some());
                self.warn(Fact::RaceNotReplayed { origin, threads: failed_on as u64, isolated });
                return None;
            }
            Tested::Pass if self.keeper.has_namesake => Kept::Shared,
            Tested::Pass => match self.keeper.forget(origin) {
                Ok(true) => Kept::Local,
                Ok(false) if self.keeper.is_of_corpus(origin) => Kept::Corpus,
                Ok(false) => Kept::Committed,
                Err(error) => {
                    self.warn(Fact::StoreTrouble { error });
                    return None;
                }
            },
        };
        let threads = (threads.max(failed_on) > 1).then_some(threads as u64);
        self.emit(&Event::Replayed {
            origin,
            outcome: &Fact::NoLongerFails { origin: origin.to_owned(), threads, kept },
        });
        None
    }

    /// Whether the variables of a case print the same as those of a saved one.
    fn is_what_it_was(&self, case: &Case, entry: &Entry) -> bool {
        let now = Entry::failure("", case.clone()).describe(&self.tester.print(case), "").printed;
        if case.searched_to().is_some() && now.len() == entry.printed.len() {
            // If a property evaluates only some parts of its input, the case covers all inputs with those parts.
            let covers =
                guest::searching().map_or(<str as PartialEq>::eq as fn(&str, &str) -> bool, |search| search.covers);
            let pairs = || now.iter().zip(&entry.printed);
            return pairs().all(|(now, was)| {
                now.name == was.name && now.type_text == was.type_text && covers(&now.text, &was.text)
            });
        }
        !now.is_empty() && now == entry.printed
    }

    /// Runs later cases after these, which ran before them in the same process when they failed.
    pub(in crate::run) fn run_after(&mut self, before: Vec<Case>) {
        if let Some(isolation) = &self.workplace.isolation {
            isolation.run_among_others(before.clone(), Vec::new());
            self.keeper.run_after(before);
            return;
        }
        // Without isolation, there is only this process.
        for case in &before {
            self.tester.run(case);
        }
        self.keeper.run_after(before);
    }

    /// Runs a case, and reruns it a few times if it passes: flaky failures are not deleted too early.
    pub(super) fn run_until_it_fails(&self, case: &Case) -> (Case, Tested) {
        let mut last = self.tester.run_to_the_end(case);
        for _ in 0..RETRIES {
            if !matches!(last.1, Tested::Pass) {
                break;
            }
            last = self.tester.run_to_the_end(case);
        }
        last
    }

    /// Runs a given input.
    pub(in crate::run) fn replay_given(mut self, case: &Case, shape: u64) -> Report {
        let hold = Hold::begin();
        let (case, tested) = self.tester.run(case);
        let changed = case.sequence.shape() != shape;
        let mut statistics = Statistics::default();
        let mut ending = match tested {
            Tested::Fail(failure) => self.conclude(case, failure, Found::Given, None),
            Tested::Fault(fault) => self.fault(&case, fault),
            Tested::Pass if !changed => {
                statistics.valid = 1;
                (Verdict::Passed, None)
            }
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {
                statistics.discarded = 1;
                let why = if changed { Fact::GivenInputChanged } else { Fact::GivenInputDiscarded };
                (Verdict::GaveUp(why), None)
            }
        };
        self.tell_strays(&hold, ending.1.as_mut());
        self.finish(ending, statistics)
    }
}

/// The last part of a property's name, which is enough to select it in commands.
pub(super) fn last_part(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// Runs an explicit example.
pub(crate) fn run_example(example: &Example) -> Tested {
    match catch(example.run) {
        Ok(Outcome::Pass) => Tested::Pass,
        Ok(Outcome::Fail(failure)) => Tested::Fail(*failure),
        Ok(Outcome::Discard) | Err(Unwound::Signal(_)) => Tested::Discard(None),
        Err(Unwound::Panic(caught)) => Tested::Fail(caught.into()),
    }
}

/// The value of a saved case when it was saved.
fn was(printed: Vec<Variable>) -> String {
    let mut was = String::new();
    for variable in &printed {
        let comma = if was.is_empty() { "" } else { ", " };
        was += &format!("{comma}{} = {}", variable.name, visible(&variable.text));
    }
    was
}
