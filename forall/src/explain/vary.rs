//! Other choices for a part of a case, the rest left alone.
//!
//! A part is a range of choices. New contents for it come from the generator itself (`contents.rs`): it is run with the
//! choices before the part and at random from there on, and what it drew for the part is put in the place of what was
//! there. Whether the rest was left alone is not taken for granted: a variation counts only if the generator draws just
//! what was proposed and no other variable reads differently. What was run is kept: it is evidence for or against whatever
//! is claimed later.

use super::contents::SIZES;
use super::part::ENOUGH;
use super::tree::Tree;
use crate::choice::{Item, Random, Sequence, shortlex};
use crate::hash::{Fnv, Set};
use crate::kind::Kind as Pattern;
use crate::property::{Binding, Failure};
use crate::run::{Case, MORE, Tested, Tester};
use crate::shrink::edit;
use crate::shrink::structure::Structure;
use std::ops::Range;
use std::time::{Duration, Instant};

/// So many numbers of a failure's message are looked at.
const MAX_TOLD: usize = 16;
/// After so many runs it is known how long one takes.
const TIMED: u64 = 3;
/// For each run that is allowed, so many choices may be drawn in all: what is large costs more, and the clock is not to
/// decide what is said.
const CHOICES_PER_RUN: u64 = 200;

/// New contents for a part: one list of choices for each of its ranges.
pub(super) type Contents = Vec<Vec<Item>>;

/// How new contents for a part are made.
#[derive(Clone, PartialEq)]
pub(super) enum Kind {
    /// By taking other values for the one choice.
    Number,
    /// By the part's span: its label, and how many spans with the same label begin at the same place before it.
    Span(u32, usize),
    /// As a collection: elements with their "more" choices, up to the one that says stop.
    Collection,
    /// Element by element, each behind its "more" choice; one range for each.
    Elements,
    /// As one choice that decides how many follow: an `Option`, for example, that no span holds together.
    Loose,
}

/// The variations of a part.
#[derive(Default)]
pub(super) struct Seen {
    hashes: Set,
    /// How many of them were no variations of the part alone: there may be values that were not tried.
    pub(super) unusable: u64,
    /// Whether what is tried is made up: if the generator cannot make it, that says nothing.
    pub(super) made_up: bool,
    /// Whether other variables depend on the part: some values of it change them, too.
    pub(super) governs: bool,
}

/// Why a variation says nothing.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Useless {
    /// The property does not allow it.
    Discarded,
    /// It reads as the case itself does.
    Alike,
    /// It is no variation of this part alone.
    Unusable,
    /// It is none, because another variable reads differently.
    Governs,
}

/// A variation that was run.
pub(super) struct Ran {
    /// Whether the property failed in the same way.
    pub(super) fails: bool,
    /// The items of the varied variable's text that read differently.
    pub(super) changed: Vec<usize>,
}

/// A variation that was run, kept as evidence.
pub(super) struct Run {
    /// Of its choices.
    hash: u64,
    /// The variables that read differently, and how.
    pub(super) texts: Vec<(usize, String)>,
    /// Whether it failed in the same way; nothing if it said nothing.
    pub(super) fails: Option<bool>,
    /// Whether it failed in another way.
    pub(super) otherwise: bool,
}

/// What reads differently in a variation.
struct Change {
    /// The items of the varied variables' texts.
    items: Vec<usize>,
    /// The variables, and how they read.
    texts: Vec<(usize, String)>,
}

/// The state of an explanation.
pub(super) struct Vary<'a> {
    pub(super) tester: &'a Tester<'a>,
    pub(super) case: Case,
    failure: Failure,
    /// The texts of the variables; none for one that has no text, or another each time.
    pub(super) texts: Vec<Option<Tree>>,
    /// Whether choices are made while the property is checked, not only when its variables are generated.
    forks: bool,
    /// All that was run.
    pub(super) runs: Vec<Run>,
    pub(super) random: Random,
    pub(super) evaluations: u64,
    max_runs: u64,
    /// The choices that were drawn.
    pub(super) drawn: u64,
    started: Instant,
    max_time: Duration,
    pub(super) cut_short: Option<String>,
    /// Whether that was the clock.
    pub(super) slow: bool,
}

impl<'a> Vary<'a> {
    pub(super) fn new(
        tester: &'a Tester<'a>,
        mut case: Case,
        failure: Failure,
        max_runs: u64,
        max_time: Duration,
    ) -> Self {
        let started = Instant::now();
        let mut texts = Vec::new();
        let first = tester.print(&case);
        // Where the size makes no difference, it should make none to what is tried either.
        let size = std::mem::replace(&mut case.sequence.size, SIZES[0]);
        match tester.print_drawn(&case) {
            Some((bindings, drawn)) if same_texts(&bindings, &first) && drawn.items == case.sequence.items => {}
            _ => case.sequence.size = size,
        }
        let second = tester.print(&case);
        for (place, binding) in first.iter().enumerate() {
            let again = matches!(second.get(place), Some(second) if second.printed.text() == binding.printed.text());
            let told = again && (binding.printed.code.is_some() || binding.printed.debug.is_some());
            // The order of a hash table is another one each time, and may be the same by chance.
            let tree = Tree::new(binding.printed.text());
            texts.push((told && !tree.has_a_bare_set()).then_some(tree));
        }
        let mut key = Fnv::default();
        key.mix(edit::hash(&case.sequence.items));
        let forks = case.sequence.has_forks();
        let random = Random::from_key(key.finish());
        Self {
            tester,
            case,
            failure,
            texts,
            forks,
            runs: Vec::new(),
            random,
            evaluations: 0,
            max_runs,
            drawn: 0,
            started,
            max_time,
            cut_short: None,
            slow: false,
        }
    }

    /// The names of the variables.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for quantifier in &self.tester.property().outline().quantifiers {
            names.push(quantifier.name);
        }
        names
    }

    /// The numbers that the failure speaks of: if a value matters, it may be one of them.
    pub(super) fn numbers_told(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        let is_other: Pattern = |c| !c.is_ascii_digit();
        for digits in self.failure.message.split(is_other) {
            if let Ok(number) = digits.parse::<u64>()
                && numbers.len() < MAX_TOLD
            {
                numbers.push(number);
            }
        }
        numbers
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.case.sequence.items
    }

    /// The runs that are left.
    pub(super) fn left(&mut self) -> u64 {
        if self.may_go_on() { self.max_runs - self.evaluations } else { 0 }
    }

    pub(super) fn may_go_on(&mut self) -> bool {
        if self.cut_short.is_none() {
            if self.evaluations >= self.max_runs {
                self.cut_short = Some(format!("after {} runs (`FORALL_EXPLAIN`)", self.evaluations));
            } else if self.drawn >= self.max_runs.saturating_mul(CHOICES_PER_RUN) {
                self.cut_short = Some(format!("after {} runs, because the values are large", self.evaluations));
            } else if self.is_slow() {
                self.slow = true;
                self.cut_short = Some(format!("after {} runs, because they are slow", self.evaluations));
            } else if self.tester.context().is_cancelled() {
                self.cut_short = Some("when the run was stopped".to_owned());
            }
        }
        self.cut_short.is_none()
    }

    /// Whether the time is over, or would be before the runs say anything.
    fn is_slow(&self) -> bool {
        let taken = self.started.elapsed();
        let expected = taken * ENOUGH as u32 / (self.evaluations as u32).max(1);
        taken >= self.max_time || self.evaluations >= TIMED && expected >= self.max_time
    }

    /// Runs the case with other contents for some ranges, which belong to the variables named. Nothing if that says nothing:
    /// it is not what the generator makes of the choices, is discarded, or changes other variables; or it is in `seen`, which
    /// tells what was run for the same part.
    pub(super) fn run(
        &mut self,
        ranges: &[Range<usize>],
        contents: &Contents,
        variables: &[usize],
        seen: &mut Seen,
    ) -> Option<Ran> {
        if !self.may_go_on() {
            return None;
        }
        let case = self.varied(ranges, contents);
        let hash = edit::hash(&case.sequence.items);
        if seen.hashes.contains(hash) || case.sequence.items == self.case.sequence.items {
            return None;
        }
        self.drawn += case.sequence.items.len() as u64;
        let change = match self.change(&case, variables) {
            Ok(change) => change,
            Err(why) => {
                seen.governs |= why == Useless::Governs;
                if !seen.made_up {
                    seen.hashes.insert(hash);
                    seen.unusable += u64::from(matches!(why, Useless::Unusable | Useless::Governs));
                }
                return None;
            }
        };
        seen.hashes.insert(hash);
        // What is known from varying another part is evidence for this one, too, and may be the only one against it.
        let fails = match self.runs.iter().find(|run| run.hash == hash) {
            Some(known) => known.fails,
            None => {
                let run = self.evaluate(&case, hash, change.texts);
                let fails = run.fails;
                self.runs.push(run);
                fails
            }
        };
        Some(Ran { fails: fails?, changed: change.items })
    }

    /// What a case comes to.
    fn evaluate(&mut self, case: &Case, hash: u64, texts: Vec<(usize, String)>) -> Run {
        self.evaluations += 1;
        let (drawn, tested, _) = self.tester.run_within(case, case.sequence.len() + MORE);
        let mut run = Run { hash, texts, fails: None, otherwise: false };
        if self.forks && !same_values(&drawn.sequence.items, &case.sequence.items) {
            return run;
        }
        match tested {
            Tested::Pass => run.fails = Some(false),
            Tested::Fail(failure) => {
                run.fails = Some(failure.same_origin(&self.failure));
                run.otherwise = run.fails == Some(false);
            }
            Tested::Discard(_) | Tested::Fault(_) | Tested::NoSuchStep => {}
        }
        run
    }

    /// The case with other contents for some ranges, which are disjoint and ascending.
    fn varied(&self, ranges: &[Range<usize>], contents: &Contents) -> Case {
        let mut items = self.items().to_vec();
        for place in (0..ranges.len()).rev() {
            edit::splice(&mut items, ranges[place].clone(), &contents[place]);
        }
        let sequence = Sequence { size: self.case.sequence.size, items, spans: Vec::new() };
        Case { sequence, steps: self.case.steps.clone() }
    }

    /// What reads differently in a variation of some variables. If there are several, the items are of no use.
    fn change(&self, case: &Case, variables: &[usize]) -> Result<Change, Useless> {
        let (bindings, drawn) = self.tester.print_drawn(case).ok_or(Useless::Discarded)?;
        if bindings.len() != self.texts.len() || !self.forks && !same_values(&drawn.items, &case.sequence.items) {
            return Err(Useless::Unusable);
        }
        let mut change = Change { items: Vec::new(), texts: Vec::new() };
        for (variable, text) in self.texts.iter().enumerate() {
            let now = bindings[variable].printed.text();
            let varied = variables.contains(&variable);
            let Some(text) = text else {
                // Whether it reads differently cannot be told.
                if varied {
                    change.texts.push((variable, String::new()));
                }
                continue;
            };
            let found = text.differences(&Tree::new(now));
            if found.is_empty() {
                continue;
            }
            if !varied {
                return Err(Useless::Governs);
            }
            change.items.extend_from_slice(&found);
            change.texts.push((variable, now.to_owned()));
        }
        if change.texts.is_empty() { Err(Useless::Alike) } else { Ok(change) }
    }

    /// What reads differently in a variable when some ranges have other contents, and it alone does. Nothing is run.
    pub(super) fn look(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        Some(self.change(&self.varied(ranges, contents), &[variable]).ok()?.items)
    }

    /// The same, whatever becomes of other variables.
    pub(super) fn shows(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        let case = self.varied(ranges, contents);
        let (bindings, drawn) = self.tester.print_drawn(&case)?;
        if !same_values(&drawn.items, &case.sequence.items) {
            return None;
        }
        let changed = self.texts[variable].as_ref()?.differences(&Tree::new(bindings.get(variable)?.printed.text()));
        (!changed.is_empty()).then_some(changed)
    }

    /// The parts of the case when some ranges have other contents.
    pub(super) fn structure(&self, ranges: &[Range<usize>], contents: &Contents) -> Option<Structure> {
        Some(Structure::new(&self.tester.print_drawn(&self.varied(ranges, contents))?.1, &[]))
    }
}

/// Whether variables read the same.
fn same_texts(a: &[Binding], b: &[Binding]) -> bool {
    let mut same = a.len() == b.len();
    for (a, b) in a.iter().zip(b) {
        same &= a.printed.text() == b.printed.text();
    }
    same
}

/// Whether two lists of items offer the same, maxima aside.
pub(super) fn same_values(a: &[Item], b: &[Item]) -> bool {
    a.len() == b.len() && shortlex(a, b).is_eq()
}
