//! Replaces the choices of a part of a case and leaves the rest unchanged.
//!
//! A part is a range of choices. New contents for it come from the generator itself (`contents.rs`): it is run with the
//! choices before the part and at random after them, and the choices that it drew for the part replace the original
//! ones. It is checked that the rest is unchanged: a variation counts only if the generator draws exactly what was
//! proposed and no other variable prints differently. All runs are kept as evidence for or against later claims.

use super::ahead::Ahead;
use super::contents::SIZES;
use super::effort::Effort;
use super::part::{ENOUGH, FRESH, MANY_BRANCHES};
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

/// The maximum number of numbers in a failure message that are used.
const MAX_TOLD: usize = 16;
/// The maximum number of choices that may be drawn per allowed run: large inputs cost more, and the result should not
/// depend on the clock.
const CHOICES_PER_RUN: u64 = 200;

/// For one part, or some together, runs that test unrefuted claims may draw this many choices per allowed run.
const MORE_CHOICES: u64 = 100;

/// New contents for a part: one list of choices for each of its ranges.
pub(super) type Contents = Vec<Vec<Item>>;

/// How new contents for a part are made.
#[derive(Clone, PartialEq)]
pub(super) enum Kind {
    /// By trying other values of its single choice.
    Number,
    /// By the part's span: its label, and how many spans with the same label begin at the same place before it.
    Span(u32, usize),
    /// As a collection: elements with their "continue" choices, up to the "stop" choice.
    Collection,
    /// Element by element, each after its "continue" choice; one range for each.
    Elements,
    /// As one choice that determines how many follow: for example an `Option` without a span.
    Loose,
}

/// The variations of a part.
#[derive(Clone, Default)]
pub(super) struct Seen {
    hashes: Set,
    /// The number of proposals that were not variations of the part alone: there may be untried values.
    pub(super) unusable: u64,
    /// Whether the contents are synthetic: if the generator cannot produce them, that is no evidence.
    pub(super) made_up: bool,
    /// Whether other variables depend on the part: some of its values change them.
    pub(super) governs: bool,
}

/// Why a variation is no evidence.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Useless {
    /// An assumption of the property rejects it.
    Discarded,
    /// It prints like the case itself.
    Alike,
    /// It does not vary this part alone.
    Unusable,
    /// It does not, because another variable prints differently.
    Governs,
}

/// A variation that was run.
pub(super) struct Ran {
    /// Whether the property failed in the same way.
    pub(super) fails: bool,
    /// The items of the varied variable's text that changed.
    pub(super) changed: Vec<usize>,
}

/// A variation that was run, kept as evidence.
pub(super) struct Run {
    /// The hash of its choices.
    hash: u64,
    /// The variables that print differently.
    pub(super) texts: Vec<Changed>,
    /// Whether it failed in the same way; `None` if it is no evidence.
    pub(super) fails: Option<bool>,
    /// Whether it failed in another way.
    pub(super) otherwise: bool,
}

/// The text of a variable in a variation.
#[derive(Clone)]
pub(super) struct Changed {
    pub(super) variable: usize,
    pub(super) text: String,
    /// The items of the variable's text that differ, and how many items the new text has. Each tally asks for these, and
    /// parsing a text takes longer than running a quick test.
    pub(super) differences: Vec<usize>,
    pub(super) items: usize,
}

impl Changed {
    fn new(variable: usize, before: &Tree, text: &str) -> Self {
        let now = Tree::new(text);
        Self { variable, text: text.to_owned(), differences: before.differences(&now), items: now.len() }
    }
}

/// The items that changed in a variation.
#[derive(Clone)]
pub(super) struct Change {
    /// The items of the varied variables' texts.
    items: Vec<usize>,
    /// The variables, and how they read.
    texts: Vec<Changed>,
    /// The outcome of the test and its choices, if it ran.
    ran: Option<(Sequence, Tested)>,
}

/// The state of an explanation.
pub(super) struct Vary<'a> {
    pub(super) tester: &'a Tester<'a>,
    pub(super) case: Case,
    failure: Failure,
    /// The texts of the variables; `None` for one that has no text, or a different one each time.
    pub(super) texts: Vec<Option<Tree>>,
    names: Vec<&'static str>,
    /// Which of them are sources: values drawn from them have their own names.
    sources: Vec<bool>,
    /// Whether choices are made while the property is checked, not only when its variables are generated.
    forks: bool,
    /// All runs, and their hashes.
    pub(super) runs: Vec<Run>,
    known: Set,
    pub(super) random: Random,
    pub(super) evaluations: u64,
    effort: Effort,
    /// Whether the current runs only test unrefuted claims, and the number of such runs. They end when the runs for
    /// this are spent, which does not count as cutting the explanation short.
    pub(super) testing: bool,
    tested: u64,
    pub(super) tests_more: bool,
    /// The number of choices drawn, and the number drawn in such runs for the current claim.
    pub(super) drawn: u64,
    drawn_tested: u64,
    /// The number of runs before those for the current claim.
    tested_before: u64,
    pub(super) cut_short: Option<Fact>,
    /// Whether there were fewer runs because tests are slow.
    pub(super) slow: bool,
    /// The threads that run variations ahead, if there are any.
    pub(super) ahead: Ahead<'a>,
}

/// The state of an explanation that a rehearsal changes.
pub(super) struct Before {
    runs: usize,
    known: Set,
    random: Random,
    counts: [u64; 5],
    testing: bool,
    cut_short: Option<Fact>,
    slow: bool,
}

impl<'a> Vary<'a> {
    pub(super) fn new(
        tester: &'a Tester<'a>,
        mut case: Case,
        failure: Failure,
        max_runs: u64,
        max_time: Duration,
        ahead: Ahead<'a>,
    ) -> Self {
        let effort = Effort::new(max_runs, max_time);
        let mut texts = Vec::new();
        let first = tester.print(&case);
        // If the size makes no difference to the case, it should make none to what is tried.
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
            // The order of a hash table differs each time, and may coincide by chance.
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
            effort,
            testing: false,
            tested: 0,
            tests_more: true,
            drawn: 0,
            drawn_tested: 0,
            tested_before: 0,
            cut_short: None,
            slow: false,
            ahead,
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

    /// The number of variables before those that the body draws.
    pub(super) fn quantifiers(&self) -> usize {
        self.tester.property().outline().quantifiers.len()
    }

    /// The literals of the test, one in each line.
    pub(super) fn literals(&self) -> &'static str {
        self.tester.property().literals()
    }

    /// The numbers in the failure message: if a particular value matters, it may be one of them.
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
        if self.may_go_on() { self.effort.runs.saturating_sub(self.evaluations - self.tested) } else { 0 }
    }

    /// Whether another run may test unrefuted claims.
    fn may_test_more(&mut self) -> bool {
        let is_spent = self.tested >= self.effort.more_runs;
        let is_out_of_time = self.effort.is_out_of_time();
        self.slow |= self.tests_more && (is_spent && self.effort.has_fewer_more_runs() || is_out_of_time);
        self.tests_more
            && !is_spent
            && !is_out_of_time
            && self.drawn_tested < self.effort.max_runs().saturating_mul(MORE_CHOICES)
            && !self.tester.context().is_cancelled()
    }

    /// From here on, runs only test unrefuted claims.
    pub(super) fn begin_testing(&mut self) {
        self.testing = true;
        self.drawn_tested = 0;
        self.tested_before = self.tested;
    }

    /// Whether new contents have to be small: if all were as large as those before, the choices would not suffice for
    /// as many runs as a claim should have.
    pub(super) fn is_drawing_too_much(&self) -> bool {
        let each = self.effort.max_runs().saturating_mul(MORE_CHOICES) / (2 * FRESH);
        self.testing && self.drawn_tested > (self.tested - self.tested_before + 1).saturating_mul(each)
    }

    /// Records that this many choices were drawn.
    pub(super) fn count_drawn(&mut self, choices: usize) {
        *(if self.testing { &mut self.drawn_tested } else { &mut self.drawn }) += choices as u64;
    }

    pub(super) fn may_go_on(&mut self) -> bool {
        if self.ahead.has_seen_enough() {
            return false;
        }
        if self.testing {
            return self.cut_short.is_none() && self.may_test_more();
        }
        if self.cut_short.is_none() {
            let runs = self.evaluations;
            if runs - self.tested >= self.effort.runs {
                let by_time = self.effort.has_fewer_runs();
                let why = if by_time { Fact::ExplanationOfSlowRuns { runs } } else { Fact::ExplanationSpent { runs } };
                self.cut_short = Some(why);
            } else if self.drawn >= self.effort.max_runs().saturating_mul(CHOICES_PER_RUN) {
                self.cut_short = Some(Fact::ExplanationOfLargeValues { runs });
            } else if self.effort.is_out_of_time() {
                self.slow = true;
                self.cut_short = Some(Fact::ExplanationOfSlowRuns { runs });
            } else if self.tester.context().is_cancelled() {
                self.cut_short = Some(Fact::RunStopped);
            }
        }
        self.cut_short.is_none()
    }

    /// Whether there were fewer runs than the settings allow, because tests are slow.
    pub(super) fn is_slow(&self) -> bool {
        self.slow || self.effort.has_fewer_runs()
    }

    /// Runs the case itself, to know how long a run takes. These runs are no evidence, and not counted.
    pub(super) fn time_the_case(&mut self) {
        if self.effort.max_runs() < ENOUGH {
            return;
        }
        while self.effort.wants_time() && self.may_go_on() {
            let started = Instant::now();
            self.tester.run_within(&self.case, self.case.sequence.len() + MORE);
            let took = started.elapsed();
            self.ahead.took(took);
            let _ = self.tester.print(&self.case);
            self.effort.took(started.elapsed());
        }
    }

    /// The state, to be [restored](Vary::restore) after a rehearsal.
    pub(super) fn remember(&self) -> Before {
        Before {
            runs: self.runs.len(),
            known: self.known.clone(),
            random: self.random,
            counts: [self.evaluations, self.tested, self.drawn, self.drawn_tested, self.tested_before],
            testing: self.testing,
            cut_short: self.cut_short.clone(),
            slow: self.slow,
        }
    }

    pub(super) fn restore(&mut self, before: Before) {
        self.runs.truncate(before.runs);
        (self.known, self.random) = (before.known, before.random);
        [self.evaluations, self.tested, self.drawn, self.drawn_tested, self.tested_before] = before.counts;
        (self.testing, self.cut_short, self.slow) = (before.testing, before.cut_short, before.slow);
    }

    /// Runs the case with other contents for some ranges, which belong to the variables named. Returns `None` if the
    /// run is no evidence: the generator does not reproduce the choices, the test is discarded, other variables change,
    /// or the variation is in `seen`, which records the runs for the same part.
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
        let change = self.ahead.take_change(hash).unwrap_or_else(|| self.change(&case, ranges, variables));
        self.ahead.note_change(hash, &change);
        let change = match change {
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
        // Runs that varied another part are evidence for this one as well, and may be the only counterevidence.
        let fails = if self.known.insert(hash) {
            let run = self.evaluate(&case, hash, change.texts, change.ran);
            let fails = if self.ahead.is_rehearsal() { Some(true) } else { run.fails };
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

    /// The outcome of a case, if it is not known yet.
    fn evaluate(&mut self, case: &Case, hash: u64, texts: Vec<Changed>, ran: Option<(Sequence, Tested)>) -> Run {
        self.evaluations += 1;
        self.tested += u64::from(self.testing);
        let did_run = ran.is_some();
        let mut run = Run { hash, texts, fails: None, otherwise: false };
        if self.ahead.is_rehearsal() {
            self.ahead.plan(case);
            return run;
        }
        let (drawn, tested) = ran.unwrap_or_else(|| self.ahead.run(self.tester, case, &self.failure));
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

    /// Replaces floats outside of their ranges by the ones drawn for them, so that no variation is made twice.
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

    /// The items that changed in a variation of some variables. If several variables changed, the items cannot be used.
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
            // A different alternative, which interprets the choices of the current one as its own.
            return Err(Useless::Unusable);
        }
        let ran = tested.map(|tested| (drawn, tested));
        let mut change = Change { items: Vec::new(), texts: Vec::new(), ran };
        for (variable, text) in self.texts.iter().enumerate() {
            let now = bindings[variable].printed.text();
            let varied = variables.contains(&variable);
            let Some(text) = text else {
                // It cannot be determined whether it prints differently.
                if varied {
                    let (text, differences) = (String::new(), Vec::new());
                    change.texts.push(Changed { variable, text, differences, items: 0 });
                }
                continue;
            };
            if text.item(0) == now {
                continue;
            }
            let changed = Changed::new(variable, text, now);
            if changed.differences.is_empty() {
                continue;
            }
            if !varied {
                return Err(Useless::Governs);
            }
            change.items.extend_from_slice(&changed.differences);
            change.texts.push(changed);
        }
        if change.texts.is_empty() { Err(Useless::Alike) } else { Ok(change) }
    }

    /// Whether a test that ran refutes the failure: it does not fail in this way.
    fn is_refuted_by(&self, tested: &Tested) -> bool {
        match tested {
            Tested::Pass => true,
            Tested::Fail(failure) => !failure.same_origin(&self.failure),
            _ => false,
        }
    }

    /// The same for a body that draws and passes: it may draw more than one that fails half-way, but either way it
    /// shows that not every value of the varied variables fails.
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
            let changed = Changed::new(variable, text, now.printed.text());
            change.items.extend_from_slice(&changed.differences);
            change.texts.push(changed);
        }
        if change.items.is_empty() { Err(Useless::Alike) } else { Ok(change) }
    }

    /// The items of a variable that change when some ranges have other contents and no other variable changes. Nothing
    /// is run.
    pub(super) fn look(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        Some(self.change(&self.varied(ranges, contents), ranges, &[variable]).ok()?.items)
    }

    /// Whether the choices after a range keep their meaning when it has other contents: their maxima are unchanged.
    pub(super) fn leaves_the_rest(&self, range: &Range<usize>, content: &Contents) -> bool {
        let Some((_, drawn)) = self.tester.print_drawn(&self.varied(std::slice::from_ref(range), content)) else {
            return false;
        };
        let after = range.start + content[0].len();
        drawn.items.get(after..) == self.items().get(range.end..)
    }

    /// Like [`Vary::look`], regardless of other variables.
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

/// Whether the first `count` items are equal. The lengths of forks are ignored.
fn begins_alike(a: &[Item], b: &[Item], count: usize) -> bool {
    let (Some(a), Some(b)) = (a.get(..count), b.get(..count)) else { return false };
    a.iter().zip(b).all(|pair| match pair {
        (Item::Choice(a), Item::Choice(b)) => a.value == b.value,
        (Item::Fork { .. }, Item::Fork { .. }) => true,
        _ => false,
    })
}

/// Whether the variables have equal texts.
fn same_texts(a: &[Binding], b: &[Binding]) -> bool {
    let mut same = a.len() == b.len();
    for (a, b) in a.iter().zip(b) {
        same &= a.printed.text() == b.printed.text();
    }
    same
}

/// Whether two lists of items have equal values, ignoring maxima.
pub(super) fn same_values(a: &[Item], b: &[Item]) -> bool {
    a.len() == b.len() && shortlex(a, b).is_eq()
}
