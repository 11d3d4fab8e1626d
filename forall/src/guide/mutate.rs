//! Changes inputs by changing their choices.
//!
//! Whatever is done to a sequence, replay makes a value of it that the generator could have made: what is too large is
//! clamped, what is missing is drawn at random. So mutation may be bold. What makes it *good* is that it knows the parts:
//! it deletes, doubles, moves, nests and exchanges whole elements and subtrees, and takes parts from other inputs where they
//! fit. What is done to numbers is in `numbers.rs`, what is done to parts in `parts.rs`.

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
    /// The variables that have a mutator of their own.
    typed: Vec<u32>,
    /// Other inputs, whose parts may be used.
    pub(super) donors: Vec<Sequence>,
    next_donor: usize,
    /// What to try before anything is changed at random.
    followups: Followups,
    /// Why the last mutant was made, if it followed from another input.
    followed: Option<Why>,
}

/// So many other inputs are at hand for their parts.
const DONORS: usize = 32;

/// A path of more steps on values takes too long to walk.
const MOST_STEPS: usize = 32;

/// A mutant changes its seed in up to so many places.
const MOST_EDITS: u32 = 8;

/// So many mutants are made in search of one that is not known.
const TRIES: u32 = 20;

/// The size of mutants that can grow: sixteen times that of the largest tests. Derived trees share their size among their
/// fields, so that this allows for about two more levels.
const GROWN: u32 = 1600;

/// Beyond so many choices nothing grows.
const MOST_CHOICES: usize = 4096;

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
        // A stream of its own: test 0 of the run draws from the seed itself.
        let (random, donors, followups) = (Random::for_test(seed, u64::MAX), Vec::new(), Followups::default());
        Self { random, typed, donors, next_donor: 0, followups, followed: None }
    }

    /// Remembers an input, for its parts.
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
        // What steps make of a value is not among the choices.
        if case.steps.is_empty() && !compared.is_empty() {
            self.followups.add(&case.sequence, compared, Why::Useful);
            if self.followed != Some(Why::Probe) {
                self.followups.probe(&case.sequence, &mut self.random);
            }
        }
    }

    /// Whether the last mutant was made to see what it is compared with: then [`follow`](Self::follow) it even if it was of
    /// no use.
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

    /// A mutant was of no use, and broke these comparisons: the next mutants are tries to mend them. A try that is of no use
    /// either is not mended, and of those that were changed at random only some are: most of them break something.
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
        let worth_it = match self.followed {
            Some(why) => why != Why::Broken,
            None => self.one_in(8),
        };
        if worth_it {
            self.followups.add(&case.sequence, broken, Why::Broken);
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
    ///     assert_eq!(tester.run_source(source, &steps).1, Tested::Pass, "never outside of what the generator makes");
    /// }
    /// ```
    pub fn mutate(&mut self, seed: &Seed) -> (Source, Vec<Step>) {
        self.mutate_unless(seed, |_| false)
    }

    /// As [`mutate`](Self::mutate), but tries to make something that is not known. What `is_known` sees has no spans, and may
    /// lack choices at its end.
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
        let followup = self.followups.next();
        self.followed = followup.as_ref().map(|(_, why)| *why);
        if let Some((input, _)) = followup {
            return (Source::tape(&input, AtEnd::Random(self.random.word())), Vec::new());
        }
        let mut steps = seed.case.steps.clone();
        let input = &seed.case.sequence;
        if !self.typed.is_empty() && steps.len() < MOST_STEPS && self.one_in(2) {
            let chosen = self.below(self.typed.len());
            steps.push(Step::Mutate { quantifier: self.typed[chosen], seed: self.random.word() });
            return (Source::replay(input), steps);
        }
        let mut mutant = Sequence::default();
        for _ in 0..TRIES {
            mutant = self.edited(seed);
            if !is_known(&mutant) {
                break;
            }
        }
        (Source::tape(&mutant, AtEnd::Random(self.random.word())), steps)
    }

    /// The input with a few changes.
    fn edited(&mut self, seed: &Seed) -> Sequence {
        let input = &seed.case.sequence;
        let mut edited = Edited::new(input);
        let mut focus = self.focus(input);
        // Few changes are likelier than many: 1 in half of the cases, 2 in a quarter, …
        let mut edits = (self.random.word().trailing_zeros() + 1).min(MOST_EDITS);
        if let Some(from) = self.renewed(input) {
            edited.replace(from..input.len(), Vec::new());
            focus = 0..from;
            edits -= 1;
        }
        for _ in 0..edits {
            self.edit(seed, &focus, &mut edited);
        }
        let size = self.size(input);
        Sequence { size, items: edited.into_items(), spans: Vec::new() }
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

    /// Where the variable begins that is drawn anew, with those after it, since they may depend on it: one of the later
    /// variables in a third of the cases. What one value is compared with, or a variation of it, is often such a variable.
    fn renewed(&mut self, input: &Sequence) -> Option<usize> {
        let variables = input.spans.iter().filter(|span| span.variable().is_some());
        let later: Vec<usize> = variables.skip(1).map(|span| span.start as usize).collect();
        (!later.is_empty() && self.one_in(3)).then(|| later[self.below(later.len())])
    }

    /// The size at which a mutant is made. It bounds what is drawn at random at the end, and how deep parts may be inside of
    /// parts of their own kind; where there are such parts, a mutant may be larger than any test that is made from scratch. Now
    /// and then it is another one.
    fn size(&mut self, input: &Sequence) -> u32 {
        if self.one_in(16) {
            self.random.up_to(100) as u32
        } else if is_nested(input) && input.len() < MOST_CHOICES {
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

/// Whether there is a part inside of a part of its kind.
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
