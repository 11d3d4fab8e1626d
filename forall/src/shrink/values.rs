//! Shrinking on values, with the shrinkers attached to variables.
//!
//! A candidate is a path: the choices of the initial value, and the index of the candidate taken at each step. It is
//! reached by walking the path again, so values need not be `Clone`. Later variables are regenerated along the way, and
//! their shrinkers see the current values of the earlier ones.
//!
//! The search is best-first. Failing values are *open* until all their candidates have been tried; of all candidates of
//! open values the one with the smallest text is next (see [`Measure`]), and of equal ones the one that its shrinker
//! offers first, of the value opened last. So a candidate that the shrinker offers is trusted to be simpler as long as
//! it is not larger: not more words, and not the same number of words with larger numbers. And if a value cannot be
//! improved, the search returns to candidates that it had passed over, for a while: they are not smaller themselves,
//! but may lead to something smaller.
//!
//! Shrinkers may be wrong in any way. Values equal to one opened on the way are skipped, which stops shrinkers that
//! return their input or go in circles; those that only grow find nothing better and end when patience runs out; and
//! values without text, of which nothing is known, end at the limits.

use super::search::Search;
use crate::choice::{MAX_ITEMS, Sequence};
use crate::fact::Fact;
use crate::hash::{Fnv, Set};
use crate::property::{Measure, Step};
use crate::sort::sort_by;
use crate::testing::Case;

/// The maximum length of a path: replaying it over and over would take more time than it could save.
const MAX_STEPS: usize = 1000;
/// The maximum number of open values, each with a list of its candidates: the oldest is dropped first.
const MAX_OPEN: usize = 8;
/// The maximum number of candidates to try without an improvement, if that many evaluations were used to get there.
const MAX_PATIENCE: u64 = 100;

/// The variables of a case: their total size, and their values.
#[derive(Clone, Default)]
struct Looks {
    size: u64,
    magnitude: f64,
    variables: Vec<Measure>,
}

impl Looks {
    fn new(variables: Vec<Measure>) -> Self {
        let (mut size, mut magnitude) = (0, 0.0);
        for measure in &variables {
            size += u64::from(measure.size);
            magnitude += measure.magnitude;
        }
        Self { size, magnitude, variables }
    }

    fn is_larger(&self, than: &Self) -> bool {
        (self.size, self.magnitude) > (than.size, than.magnitude)
    }

    /// The same, with another value for one variable.
    fn with(&self, variable: usize, measure: Measure) -> Self {
        let mut variables = self.variables.clone();
        variables[variable] = measure;
        Self::new(variables)
    }

    /// A fingerprint of the values, if all variables can be printed.
    fn key(&self) -> Option<u64> {
        let mut hash = Fnv::default();
        for measure in &self.variables {
            hash.mix(measure.text?);
        }
        Some(hash.finish())
    }

    /// Whether equal keys mean equal values.
    fn is_exact(&self) -> bool {
        self.variables.iter().all(|measure| measure.exact)
    }
}

/// A value that fails and of which not all candidates were tried.
struct Open {
    steps: Vec<Step>,
    /// The keys of the values on the way here, this one last.
    way: Vec<u64>,
    /// The simplest first.
    candidates: Vec<Candidate>,
    next: usize,
}

struct Candidate {
    step: Step,
    size: u64,
    /// Whether it has more words than the value it was derived from, or larger numbers.
    larger: bool,
    key: Option<u64>,
    exact: bool,
}

impl Search<'_> {
    /// Searches for the smallest value that the variables' own shrinkers lead to. Returns whether a simpler one was
    /// found.
    pub(super) fn shrink_values(&mut self) -> bool {
        let (accepted, start) = (self.accepted(), self.evaluations());
        self.begin("the variables' own shrinkers");
        let mut best = self.looks(&self.best);
        let mut open = vec![self.open(self.best.steps.clone(), &best, &[])];
        let mut tried = Set::default();
        let mut impatience = 0;
        while let Some(place) = next(&open) {
            self.stop_at_the_limits();
            let Open { steps, way, candidates, next } = &mut open[place];
            let Candidate { step, size, larger, key, exact } = candidates[*next];
            *next += 1;
            self.count_candidate();
            if matches!(key, Some(key) if way.contains(&key) || exact && tried.contains(key)) {
                continue;
            }
            let from_best = *steps == self.best.steps;
            if size >= best.size && (larger || !from_best) {
                impatience += 1;
                if impatience > (self.evaluations() - start).min(MAX_PATIENCE) {
                    break;
                }
            }
            let mut candidate = Case { sequence: self.best.sequence.clone(), steps: steps.clone() };
            candidate.steps.push(step);
            self.foresee(&candidate, MAX_ITEMS, false, |_, most| {
                candidates_ahead(&open, &tried, &candidate.sequence, most)
            });
            let run = self.fails(&candidate);
            if let Some(key) = key
                && exact
            {
                tried.insert(key);
            }
            let Some((drawn, failure)) = run else { continue };
            let Some((_, from)) = drawn.steps.split_last() else { continue };
            let Some(parent) = open.iter().find(|open| open.steps == from) else { continue };
            let from_best = *from == self.best.steps;
            let looks = self.looks(&drawn);
            let opened = self.open(drawn.steps.clone(), &looks, &parent.way);
            if looks.size < best.size || from_best && !looks.is_larger(&best) {
                self.accept_step(drawn, failure);
                best = looks;
                impatience = 0;
            }
            if open.len() == MAX_OPEN {
                let oldest = usize::from(open[0].steps == self.best.steps);
                open.remove(oldest);
            }
            open.push(opened);
        }
        self.accepted() > accepted
    }

    /// The texts and sizes of the variables of a case.
    fn looks(&self, case: &Case) -> Looks {
        let mut measures = Vec::new();
        for binding in &self.tester.print(case) {
            measures.push(Measure::of(&binding.printed));
        }
        Looks::new(measures)
    }

    /// How simple the values of a case are: less is simpler. Of two equally large ones, the one with the shorter text
    /// is simpler.
    pub(super) fn rank(&self, case: &Case) -> (u64, f64, usize, String) {
        let (mut measures, mut text) = (Vec::new(), String::new());
        for binding in &self.tester.print(case) {
            measures.push(Measure::of(&binding.printed));
            text.push_str(binding.printed.text());
        }
        let looks = Looks::new(measures);
        (looks.size, looks.magnitude, text.len(), text)
    }

    /// Opens the value that the steps lead to. Faults of a shrinker are recorded in the story.
    fn open(&mut self, steps: Vec<Step>, looks: &Looks, before: &[u64]) -> Open {
        let case = Case { sequence: self.best.sequence.clone(), steps };
        let mut way = before.to_vec();
        if let Some(key) = looks.key() {
            way.push(key);
        }
        let mut candidates = Vec::new();
        let full = case.steps.len() >= MAX_STEPS;
        if full {
            self.note_fault(Fact::TooManySteps { steps: MAX_STEPS as u64 });
        }
        for (variable, own) in looks.variables.iter().enumerate() {
            let Some(name) = self.shrinks(variable) else { continue };
            if full {
                break;
            }
            let quantifier = variable as u32;
            let (measures, fault) = self.tester.candidates(&case, quantifier);
            if let Some(fault) = fault {
                self.note_fault(fault.fact());
            }
            let (mut itself, mut back, mut only_larger) = (false, false, !measures.is_empty());
            for (candidate, measure) in measures.iter().enumerate() {
                let made = looks.with(variable, *measure);
                let (size, key, larger) = (made.size, made.key(), made.is_larger(looks));
                itself |= measure.text.is_some() && measure.text == own.text;
                back |= matches!(key, Some(key) if before.contains(&key));
                only_larger &= larger;
                let step = Step::Shrink { quantifier, candidate: candidate as u32 };
                candidates.push(Candidate { step, size, larger, key, exact: made.is_exact() });
            }
            let variable = name.to_owned();
            if itself {
                self.note_fault(Fact::ShrinkerReturnsTheValue { variable });
            } else if back {
                self.note_fault(Fact::ShrinkerGoesInCircles { variable });
            } else if only_larger {
                self.note_fault(Fact::ShrinkerOnlyGrows { variable });
            }
        }
        sort_by(&mut candidates, |a, b| (a.size, a.larger).cmp(&(b.size, b.larger)));
        Open { steps: case.steps, way, candidates, next: 0 }
    }
}

/// The open value with the smallest candidate; of several the one opened last.
fn next(open: &[Open]) -> Option<usize> {
    next_of(open, &|place| open[place].next)
}

/// The same, where `next` gives the index of the next candidate of each.
fn next_of(open: &[Open], next: &dyn Fn(usize) -> usize) -> Option<usize> {
    let mut smallest: Option<(usize, u64)> = None;
    for (place, Open { candidates, .. }) in open.iter().enumerate() {
        if let Some(Candidate { size, .. }) = candidates.get(next(place))
            && smallest.is_none_or(|(_, least)| *size <= least)
        {
            smallest = Some((place, *size));
        }
    }
    smallest.map(|(place, _)| place)
}

/// The candidates that come next if none of them fails, at most `most`.
fn candidates_ahead(open: &[Open], tried: &Set, sequence: &Sequence, most: usize) -> Vec<Case> {
    let mut nexts: Vec<usize> = Vec::new();
    for open in open {
        nexts.push(open.next);
    }
    let (mut ahead, mut seen) = (Vec::new(), Set::default());
    while ahead.len() < most
        && let Some(place) = next_of(open, &|place| nexts[place])
    {
        let Open { steps, way, candidates, .. } = &open[place];
        let Candidate { step, key, exact, .. } = candidates[nexts[place]];
        nexts[place] += 1;
        let is_known = |key: u64| way.contains(&key) || exact && (tried.contains(key) || !seen.insert(key));
        if key.is_some_and(is_known) {
            continue;
        }
        let mut case = Case { sequence: sequence.clone(), steps: steps.clone() };
        case.steps.push(step);
        ahead.push(case);
    }
    ahead
}
