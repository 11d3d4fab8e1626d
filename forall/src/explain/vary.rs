//! Other choices for a part of a case, the rest left alone.
//!
//! A part is a range of choices. New contents for it come from the generator itself (`contents.rs`): it is run with the
//! choices before the part and at random from there on, and what it drew for the part is put in the place of what was
//! there. Whether the rest was left alone is not taken for granted: a variation counts only if the generator draws just
//! what was proposed and no other variable reads differently. What was run is kept: it is evidence for or against whatever
//! is claimed later.

use super::contents::SIZES;
use super::part::{ENOUGH, MANY_BRANCHES};
use super::tree::Tree;
use crate::choice::{Item, Random, Sequence, Source, shortlex};
use crate::fact::Fact;
use crate::generate::is_ranged_float;
use crate::hash::{Fnv, Set};
use crate::kind::Kind as Pattern;
use crate::property::{Binding, Failure};
use crate::shrink::edit;
use crate::shrink::structure::Structure;
use crate::testing::{Case, MORE, Tested, Tester};
use std::ops::Range;
use std::time::{Duration, Instant};

/// So many numbers of a failure's message are looked at.
const MAX_TOLD: usize = 16;
/// After so many runs it is known how long one takes.
const TIMED: u64 = 3;
/// For each run that is allowed, so many choices may be drawn in all: what is large costs more, and the clock is not to
/// decide what is said.
const CHOICES_PER_RUN: u64 = 200;

/// For each run that is allowed, so many more are made to test what no run has refuted; where no more than this part of the
/// time was taken before that, and up to half of it.
const MORE_RUNS: u64 = 10;
const MORE_TIME: u32 = 10;
/// For one part, or some together, they may draw so many choices for each run that is allowed.
const MORE_CHOICES: u64 = 50;

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
    /// What the test came to, and what it drew, if it ran for that.
    ran: Option<(Sequence, Tested)>,
}

/// The state of an explanation.
pub(super) struct Vary<'a> {
    pub(super) tester: &'a Tester<'a>,
    pub(super) case: Case,
    failure: Failure,
    /// The texts of the variables; none for one that has no text, or another each time.
    pub(super) texts: Vec<Option<Tree>>,
    names: Vec<&'static str>,
    /// Which of them are sources: what is drawn from them has names of its own.
    sources: Vec<bool>,
    /// Whether choices are made while the property is checked, not only when its variables are generated.
    forks: bool,
    /// All that was run, and the hashes of it.
    pub(super) runs: Vec<Run>,
    known: Set,
    pub(super) random: Random,
    pub(super) evaluations: u64,
    max_runs: u64,
    /// Whether runs are made only to test what no run has refuted, and how many were. They end when the time for them does,
    /// and nothing is cut short by that.
    pub(super) testing: bool,
    tested: u64,
    pub(super) tests_more: bool,
    has_time: bool,
    /// The choices that were drawn, and those that were drawn for such runs of what is tested now.
    pub(super) drawn: u64,
    drawn_tested: u64,
    started: Instant,
    max_time: Duration,
    pub(super) cut_short: Option<Fact>,
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
        let second = tester.print_source(Source::replay(&case.sequence), &case.steps);
        let (mut names, mut sources) = (Vec::new(), Vec::new());
        for (place, binding) in first.iter().enumerate() {
            names.push(binding.name);
            sources.push(binding.is_source());
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
            names,
            sources,
            forks,
            runs: Vec::new(),
            known: Set::default(),
            random,
            evaluations: 0,
            max_runs,
            testing: false,
            tested: 0,
            tests_more: true,
            has_time: true,
            drawn: 0,
            drawn_tested: 0,
            started,
            max_time,
            cut_short: None,
            slow: false,
        }
    }

    /// The names of the variables, and of what the body draws.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.names.clone()
    }

    /// Whether a variable is a source that the body draws from.
    pub(super) fn is_source(&self, variable: usize) -> bool {
        self.sources.get(variable) == Some(&true)
    }

    /// How many variables there are before those that the body draws.
    pub(super) fn quantifiers(&self) -> usize {
        self.tester.property().outline().quantifiers.len()
    }

    /// The literals of the test, one in each line.
    pub(super) fn literals(&self) -> &'static str {
        self.tester.property().literals()
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
        if self.may_go_on() { self.max_runs.saturating_sub(self.evaluations - self.tested) } else { 0 }
    }

    /// Whether another run may test what no run has refuted.
    fn may_test_more(&self) -> bool {
        let limit = self.max_runs.saturating_mul(MORE_RUNS);
        self.tested < limit
            && self.drawn_tested < self.max_runs.saturating_mul(MORE_CHOICES)
            && self.has_time
            && self.started.elapsed() < self.max_time / 2
            && !self.tester.context().is_cancelled()
    }

    /// From here on, runs only test what no run has refuted.
    pub(super) fn begin_testing(&mut self) {
        self.testing = true;
        self.drawn_tested = 0;
        // Decided here, and not by the run: what is claimed is to be the same each time.
        self.has_time = self.tests_more && self.started.elapsed() < self.max_time / MORE_TIME;
    }

    /// Notes that so many choices were drawn.
    pub(super) fn count_drawn(&mut self, choices: usize) {
        *(if self.testing { &mut self.drawn_tested } else { &mut self.drawn }) += choices as u64;
    }

    pub(super) fn may_go_on(&mut self) -> bool {
        if self.testing {
            return self.cut_short.is_none() && self.may_test_more();
        }
        if self.cut_short.is_none() {
            if self.evaluations - self.tested >= self.max_runs {
                self.cut_short = Some(Fact::ExplanationSpent { runs: self.evaluations });
            } else if self.drawn >= self.max_runs.saturating_mul(CHOICES_PER_RUN) {
                self.cut_short = Some(Fact::ExplanationOfLargeValues { runs: self.evaluations });
            } else if self.is_slow() {
                self.slow = true;
                self.cut_short = Some(Fact::ExplanationOfSlowRuns { runs: self.evaluations });
            } else if self.tester.context().is_cancelled() {
                self.cut_short = Some(Fact::RunStopped);
            }
        }
        self.cut_short.is_none()
    }

    /// Whether the time is over, or would be before the runs say anything.
    fn is_slow(&self) -> bool {
        let taken = self.started.elapsed();
        let expected = taken / (self.evaluations as u32).max(1) * ENOUGH as u32;
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
        self.count_drawn(case.sequence.items.len());
        let change = match self.change(&case, ranges, variables) {
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
        let fails = if self.known.insert(hash) {
            let run = self.evaluate(&case, hash, change.texts, change.ran);
            let fails = run.fails;
            self.runs.push(run);
            fails
        } else {
            match self.runs.iter().find(|run| run.hash == hash) {
                Some(known) => known.fails,
                None => None,
            }
        };
        Some(Ran { fails: fails?, changed: change.items })
    }

    /// What a case comes to, if that is not known yet.
    fn evaluate(
        &mut self,
        case: &Case,
        hash: u64,
        texts: Vec<(usize, String)>,
        ran: Option<(Sequence, Tested)>,
    ) -> Run {
        self.evaluations += 1;
        self.tested += u64::from(self.testing);
        let did_run = ran.is_some();
        let (drawn, tested) = ran.unwrap_or_else(|| {
            let (drawn, tested, _) = self.tester.run_within(case, case.sequence.len() + MORE);
            (drawn.sequence, tested)
        });
        let mut run = Run { hash, texts, fails: None, otherwise: false };
        let is_other = self.forks && !same_values(&drawn.items, &case.sequence.items);
        if is_other && !(did_run && self.is_refuted_by(&tested)) {
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
        let mut case = Case { sequence, steps: self.case.steps.clone() };
        if contents.iter().flatten().any(|item| is_ranged_float(edit::max(item))) {
            self.settle_floats(&mut case);
        }
        case
    }

    /// Replaces floats that are outside of their ranges by those that are drawn for them, so that no variation is made twice.
    fn settle_floats(&self, case: &mut Case) {
        let Some((_, drawn)) = self.tester.print_drawn(case) else { return };
        let items = &mut case.sequence.items;
        if drawn.items.len() == items.len() {
            for (item, drawn) in items.iter_mut().zip(&drawn.items) {
                if is_ranged_float(edit::max(drawn)) {
                    *item = *drawn;
                }
            }
        }
    }

    /// What reads differently in a variation of some variables. If there are several, the items are of no use.
    fn change(&self, case: &Case, ranges: &[Range<usize>], variables: &[usize]) -> Result<Change, Useless> {
        let (bindings, drawn, tested) = self.tester.print_and_run(case).ok_or(Useless::Discarded)?;
        if let Some(tested) = &tested
            && self.is_refuted_by(tested)
        {
            return self.refuting(case, ranges, variables, &bindings, (drawn, tested.clone()));
        }
        if bindings.len() != self.texts.len() || !self.forks && !same_values(&drawn.items, &case.sequence.items) {
            return Err(Useless::Unusable);
        }
        if let [range] = ranges
            && range.len() == 1
            && case.sequence.items.len() == self.items().len()
            && edit::max(&self.items()[range.start]) <= MANY_BRANCHES
            && let (Some(own), Some(now)) = (self.items().get(range.end), drawn.items.get(range.end))
            && edit::max(own) != edit::max(now)
        {
            // Another alternative, which reads as its own what was chosen for the one that is there.
            return Err(Useless::Unusable);
        }
        let ran = tested.map(|tested| (drawn, tested));
        let mut change = Change { items: Vec::new(), texts: Vec::new(), ran };
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
            if text.item(0) == now {
                continue;
            }
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

    /// Whether a test that ran does not fail in this way.
    fn is_refuted_by(&self, tested: &Tested) -> bool {
        match tested {
            Tested::Pass => true,
            Tested::Fail(failure) => !failure.same_origin(&self.failure),
            _ => false,
        }
    }

    /// The same for a body that draws, and passes: it may draw more than one that fails half-way, and whatever that is, it says that
    /// not every value of the varied variables fails.
    fn refuting(
        &self,
        case: &Case,
        ranges: &[Range<usize>],
        variables: &[usize],
        bindings: &[Binding],
        ran: (Sequence, Tested),
    ) -> Result<Change, Useless> {
        let end = ranges.last().map_or(0, |last| last.end) + case.sequence.items.len() - self.items().len();
        if !begins_alike(&ran.0.items, &case.sequence.items, end) {
            return Err(Useless::Unusable);
        }
        let mut change = Change { items: Vec::new(), texts: Vec::new(), ran: Some(ran) };
        for &variable in variables {
            let (Some(Some(text)), Some(now)) = (self.texts.get(variable), bindings.get(variable)) else {
                return Err(Useless::Unusable);
            };
            let now = now.printed.text();
            change.items.extend_from_slice(&text.differences(&Tree::new(now)));
            change.texts.push((variable, now.to_owned()));
        }
        if change.items.is_empty() { Err(Useless::Alike) } else { Ok(change) }
    }

    /// What reads differently in a variable when some ranges have other contents, and it alone does. Nothing is run.
    pub(super) fn look(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        Some(self.change(&self.varied(ranges, contents), ranges, &[variable]).ok()?.items)
    }

    /// Whether the choices behind a range mean the same when it has other contents: each has the maximum that it had.
    pub(super) fn leaves_the_rest(&self, range: &Range<usize>, content: &Contents) -> bool {
        let Some((_, drawn)) = self.tester.print_drawn(&self.varied(std::slice::from_ref(range), content)) else {
            return false;
        };
        let behind = range.start + content[0].len();
        drawn.items.get(behind..) == self.items().get(range.end..)
    }

    /// As [`Vary::look`], whatever becomes of other variables.
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

/// Whether so many of the first items offer the same. How much a fork holds is not one of them.
fn begins_alike(a: &[Item], b: &[Item], count: usize) -> bool {
    let (Some(a), Some(b)) = (a.get(..count), b.get(..count)) else { return false };
    a.iter().zip(b).all(|pair| match pair {
        (Item::Choice(a), Item::Choice(b)) => a.value == b.value,
        (Item::Fork { .. }, Item::Fork { .. }) => true,
        _ => false,
    })
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
