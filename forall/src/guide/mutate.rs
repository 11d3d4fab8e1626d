//! Mutates inputs by changing their choices.
//!
//! For any edit of a sequence, replay produces a value of the generator: too large choices are clamped, missing ones
//! are drawn at random. So mutations can be arbitrary. It is *effective* because it works on parts: it deletes,
//! duplicates, moves, nests and exchanges whole elements and subtrees, and takes fitting parts from other inputs.
//! Mutation of numbers is in `numbers.rs`, of parts in `parts.rs`.

use super::edited::Edited;
use super::followups::{Followups, Why};
use super::{Operands, Seed};
use crate::choice::{AtEnd, Random, Sequence, Source, Span};
use crate::property::{Property, Step};
use crate::run::Case;
use std::ops::Range;

/// A mutator: produces new inputs from old ones.
///
/// ```
/// use forall::guide::{Mutator, Seed};
/// use forall::prelude::*;
/// use forall::run::Tester;
/// let property = property! { forall xs: Vec<u8>; check xs.len() < 1000 };
/// let tester = Tester::new("lengths", &property, 7);
/// let seed = Seed::new(tester.record(0, 50).0, 1.0);
/// let mut mutator = Mutator::new(&property, 7);
/// let (source, steps) = mutator.mutate(&seed);
/// let (mutant, _) = tester.run_source(source, &steps);
/// # let _ = mutant;
/// ```
#[derive(Clone, Debug)]
pub struct Mutator {
    pub(super) random: Random,
    /// The variables that have a custom mutator.
    typed: Vec<u32>,
    /// Other inputs, whose parts may be used.
    pub(super) donors: Vec<Sequence>,
    next_donor: usize,
    /// Inputs to try before random mutation.
    followups: Followups,
    /// Why the last mutant was produced, if it is a follow-up.
    followed: Option<Why>,
    /// The number of repairs since the last useful test.
    repairs: u32,
}

/// One in this many random mutants is repaired, if it broke a comparison: most of them do.
const REPAIR: u64 = 8;

/// After this many repairs without a useful test, half as many mutants are repaired, and so on this many times.
const PATIENCE: u32 = 32;
const MOST_HALVED: u32 = 4;

/// The number of other inputs to remember for their parts.
const DONORS: usize = 32;

/// The maximum number of shrink steps: replaying longer paths is too slow.
const MAX_STEPS: usize = 32;

/// The maximum number of changes of a mutant.
const MAX_EDITS: u32 = 8;

/// The number of attempts to produce a mutant that is not known.
const TRIES: u32 = 20;

/// The size of mutants that can grow: sixteen times the size of the largest tests. Derived trees share their size among
/// their fields, so that this allows for about two more levels.
const GROWN: u32 = 1600;

/// The size of longer inputs does not grow.
const MAX_CHOICES: usize = 4096;

/// Mutants have at most this many choices, unless their seed has more: bytes for a buffer of 4 KiB, and as many again.
const LONGEST: usize = 1 << 14;

impl Mutator {
    /// Creates a mutator for inputs of `property`. It is deterministic for a given `seed`.
    ///
    /// ```
    /// # use forall::{guide::Mutator, prelude::*};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mutator = Mutator::new(&property, 7);
    /// # let _ = mutator;
    /// ```
    pub fn new(property: &dyn Property, seed: u64) -> Self {
        let mut typed = Vec::new();
        for (number, quantifier) in property.outline().quantifiers.iter().enumerate() {
            if quantifier.mutates {
                typed.push(number as u32);
            }
        }
        // A separate stream: test 0 of the run draws from the seed itself.
        let (random, donors, followups) = (Random::for_test(seed, u64::MAX), Vec::new(), Followups::default());
        Self { random, typed, donors, next_donor: 0, followups, followed: None, repairs: 0 }
    }

    /// Remembers an input as a donor of parts.
    ///
    /// ```
    /// # use forall::{guide::Mutator, prelude::*, run::Tester};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut mutator = Mutator::new(&property, 7);
    /// mutator.offer(&Tester::new("bits", &property, 7).choices(0, 100));
    /// ```
    #[doc(hidden)]
    pub fn offer(&mut self, input: &Sequence) {
        if self.donors.len() < DONORS {
            self.donors.push(input.clone());
        } else {
            self.donors[self.next_donor % DONORS].clone_from(input);
        }
        self.next_donor = self.next_donor.wrapping_add(1);
    }

    /// Follows up on a useful test and its comparisons: the next mutants are the inputs with one operand in place of
    /// the other.
    ///
    /// ```
    /// # use forall::{guide::{Mutator, Operands, Seed}, prelude::*, run::Tester};
    /// let property = property! { forall n: u32; check *n < u32::MAX };
    /// let tester = Tester::new("magic", &property, 7);
    /// let (case, _) = tester.record(0, 0);
    /// let mut compared = Operands::default();
    /// compared.number(0xdead_beef, case.sequence.values().next().unwrap());
    ///
    /// let mut mutator = Mutator::new(&property, 7);
    /// mutator.follow(&case, &compared);
    /// let (source, steps) = mutator.mutate(&Seed::new(case, 1.0));
    /// let (mutant, _) = tester.run_source(source, &steps);
    /// assert_eq!(mutant.sequence.values().next(), Some(0xdead_beef));
    /// ```
    pub fn follow(&mut self, case: &Case, compared: &Operands) {
        if self.followed != Some(Why::Probe) {
            self.repairs = 0;
        }
        // The results of steps are not among the choices.
        if case.steps.is_empty() && !compared.is_empty() {
            self.followups.add(&case.sequence, compared, Why::Useful);
            if self.followed != Some(Why::Probe) {
                self.followups.probe(&case.sequence, &mut self.random);
            }
        }
    }

    /// Returns whether the last mutant was a probe, to see its comparisons: then [`follow`](Self::follow) it even if it
    /// was useless.
    ///
    /// ```
    /// # use forall::{guide::Mutator, prelude::*};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// assert!(!Mutator::new(&property, 7).is_probing());
    /// ```
    #[doc(hidden)]
    pub fn is_probing(&self) -> bool {
        self.followed == Some(Why::Probe)
    }

    /// Handles a useless mutant that broke these comparisons: the next mutants are attempts to repair them.
    ///
    /// ```
    /// # use forall::{guide::{Mutator, Operands}, prelude::*, run::Tester};
    /// # let property = property! { forall n: u32; check *n < u32::MAX };
    /// # let (case, _) = Tester::new("magic", &property, 7).record(0, 0);
    /// # let mut mutator = Mutator::new(&property, 7);
    /// mutator.mend(&case, &Operands::default()); // Nothing is broken.
    /// ```
    #[doc(hidden)]
    pub fn mend(&mut self, case: &Case, broken: &Operands) {
        if broken.is_empty() || !case.steps.is_empty() {
            return;
        }
        self.followups.add(&case.sequence, broken, Why::Broken);
        self.repairs += 1;
    }

    /// Whether to repair the last mutant, if it broke a comparison.
    pub(super) fn repairs(&mut self) -> bool {
        match self.followed {
            Some(why) => why != Why::Broken,
            None => self.one_in(REPAIR << (self.repairs / PATIENCE).min(MOST_HALVED)),
        }
    }

    /// Returns a mutated input: choices, the last of which are random, and steps on values.
    ///
    /// ```
    /// # use forall::{guide::{Mutator, Seed}, prelude::*, run::{Tested, Tester}};
    /// let property = property! { forall n in 0..100u32; check *n < 100 };
    /// let tester = Tester::new("below", &property, 7);
    /// let seed = Seed::new(tester.record(0, 50).0, 1.0);
    /// let mut mutator = Mutator::new(&property, 7);
    /// for _ in 0..1000 {
    ///     let (source, steps) = mutator.mutate(&seed);
    ///     assert_eq!(tester.run_source(source, &steps).1, Tested::Pass, "never outside of the generator's range");
    /// }
    /// ```
    pub fn mutate(&mut self, seed: &Seed) -> (Source, Vec<Step>) {
        self.mutate_unless(seed, |_| false)
    }

    /// Mutates as [`mutate`](Self::mutate) does, but tries to produce an unknown input. The argument of `is_known` has
    /// no spans, and may lack choices at its end.
    ///
    /// ```
    /// # use forall::{guide::{Mutator, Seed}, prelude::*, run::Tester};
    /// let property = property! { forall n in 0..100u32; check *n < 100 };
    /// let tester = Tester::new("below", &property, 7);
    /// let seed = Seed::new(tester.record(0, 50).0, 1.0);
    /// let mut mutator = Mutator::new(&property, 7);
    /// let (source, steps) = mutator.mutate_unless(&seed, |input| input.values().any(|value| value % 2 == 0));
    /// let (mutant, _) = tester.run_source(source, &steps);
    /// assert!(mutant.sequence.values().all(|value| value % 2 == 1));
    /// ```
    #[doc(hidden)]
    pub fn mutate_unless(&mut self, seed: &Seed, is_known: impl Fn(&Sequence) -> bool) -> (Source, Vec<Step>) {
        let (input, at_end, steps) = self.mutant_unless(seed, is_known);
        (Source::tape(&input, at_end), steps)
    }

    /// The same, as choices and what follows them.
    pub(super) fn mutant_unless(
        &mut self,
        seed: &Seed,
        is_known: impl Fn(&Sequence) -> bool,
    ) -> (Sequence, AtEnd, Vec<Step>) {
        let followup = self.followups.next();
        self.followed = followup.as_ref().map(|(_, why)| *why);
        if let Some((input, _)) = followup {
            return (input, AtEnd::Random(self.random.word()), Vec::new());
        }
        let mut steps = seed.case.steps.clone();
        let input = &seed.case.sequence;
        if !self.typed.is_empty() && steps.len() < MAX_STEPS && self.one_in(2) {
            let chosen = self.below(self.typed.len());
            steps.push(Step::Mutate { quantifier: self.typed[chosen], seed: self.random.word() });
            return (input.clone(), AtEnd::Simplest, steps);
        }
        let mut mutant = Sequence::default();
        for _ in 0..TRIES {
            mutant = self.edited(seed);
            if !is_known(&mutant) {
                break;
            }
        }
        (mutant, AtEnd::Random(self.random.word()), steps)
    }

    /// The input with a few changes.
    fn edited(&mut self, seed: &Seed) -> Sequence {
        let input = &seed.case.sequence;
        let mut edited = Edited::new(input);
        let mut focus = self.focus(input);
        // Few changes are likelier than many: 1 in half of the cases, 2 in a quarter, …
        let mut edits = (self.random.word().trailing_zeros() + 1).min(MAX_EDITS);
        if let Some(from) = self.renewed(input) {
            edited.replace(from..input.len(), Vec::new());
            focus = 0..from;
            edits -= 1;
        }
        for _ in 0..edits {
            self.edit(seed, &focus, &mut edited);
        }
        let size = self.size(input);
        let mut items = edited.into_items();
        // Otherwise lists whose length is a score would double until they cannot be recorded.
        items.truncate(LONGEST.max(input.len()));
        Sequence { size, items, spans: Vec::new() }
    }

    /// Which items to change: those of one variable in half of the cases, else all.
    fn focus(&mut self, input: &Sequence) -> Range<usize> {
        let variables: Vec<&Span> = input.spans.iter().filter(|span| span.variable().is_some()).collect();
        if variables.len() < 2 || self.one_in(2) {
            return 0..input.len();
        }
        let span = variables[self.below(variables.len())];
        span.start as usize..span.end as usize
    }

    /// The start of a variable that is drawn anew, with all later ones, since they may depend on it: in a third of the
    /// cases, one of the later variables. Such a variable is often one that another value is compared with, or a
    /// variation of it.
    fn renewed(&mut self, input: &Sequence) -> Option<usize> {
        let variables = input.spans.iter().filter(|span| span.variable().is_some());
        let later: Vec<usize> = variables.skip(1).map(|span| span.start as usize).collect();
        (!later.is_empty() && self.one_in(3)).then(|| later[self.below(later.len())])
    }

    /// The size of a mutant. It bounds the random choices at the end, and the depth of nested parts of the same kind;
    /// if there are such parts, a mutant may be larger than any input from scratch. Occasionally another size is
    /// chosen.
    fn size(&mut self, input: &Sequence) -> u32 {
        if self.one_in(16) {
            self.random.up_to(100) as u32
        } else if is_nested(input) && input.len() < MAX_CHOICES {
            input.size.max(GROWN)
        } else {
            input.size
        }
    }

    fn edit(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        if !seed.operands.is_empty() && self.one_in(3) {
            return self.place_operand(seed, focus, edited);
        }
        match self.below(18) {
            0..=4 => self.change_number(focus, edited),
            5..=6 => self.change_element(seed, focus, edited),
            7..=9 => self.exchange_part(seed, focus, edited),
            10..=11 => self.nest_part(seed, focus, edited),
            12 => self.hoist_part(seed, focus, edited),
            13 => self.swap_parts(seed, focus, edited),
            14..=16 => self.exchange_values(seed, focus, edited),
            _ => self.cut(seed, focus, edited),
        }
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.random.up_to(n.saturating_sub(1) as u64) as usize
    }

    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.random.up_to(n - 1) == 0
    }
}

/// Whether there is a part inside a part of its kind.
fn is_nested(input: &Sequence) -> bool {
    let mut above: Vec<&Span> = Vec::new();
    for span in &input.spans {
        while above.last().is_some_and(|outer| outer.end <= span.start) {
            above.pop();
        }
        if above.iter().any(|outer| outer.label == span.label) {
            return true;
        }
        above.push(span);
    }
    false
}
