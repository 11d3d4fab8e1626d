//! The smallest valid input for each feature seen so far, and a preference for rare ones.
//!
//! This is how a search reaches large valid inputs where nearly all generated ones are discarded: valid inputs with new
//! features are kept, those with the rarest features are mutated next, and of inputs with the same features the
//! smallest one is used, since a change to it is likelier to matter. The archive is that of MAP-Elites (Mouret and
//! Clune), the preference for rare features that of Entropic (Böhme, Manès and Cha).

use super::shape::pattern;
use super::{Directive, Feedback, Guide, Observed, Pool, Seed, Worth};
use crate::choice::{Random, Sequence};
use crate::hash::Set;
use crate::sort::sort_numbers;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The limit on remembered features.
const MAX_CELLS: usize = 1 << 16;

/// The number of cells to compare for the rarest one. Of the values 3, 8 and 16, this found the most bugs.
const LOOKS: u64 = 8;

/// One in this many inputs is generated from scratch.
const FROM_SCRATCH: u64 = 16;

impl<'a> Guide<'a> {
    /// Creates a guide that keeps the smallest valid input for each feature that `features_of` adds to the list, and
    /// prefers to mutate those whose features are rarest. Inputs with the same constructors and the same relative order
    /// of numbers as an earlier one are not produced again.
    ///
    /// ```
    /// use forall::guide::{Guide, Interactions, shape};
    /// use forall::prelude::*;
    /// use forall::guide::guided;
    /// use forall::run::{Run, Settings, Store};
    ///
    /// #[derive(Arbitrary, Debug)]
    /// enum Tree { Leaf, Node(Box<Tree>, u8, Box<Tree>) }
    /// fn is_heap(tree: &Tree, least: u8) -> bool {
    ///     match tree {
    ///         Tree::Leaf => true,
    ///         Tree::Node(left, key, right) => least <= *key && is_heap(left, *key) && is_heap(right, *key),
    ///     }
    /// }
    /// fn size(tree: &Tree) -> u32 {
    ///     match tree {
    ///         Tree::Leaf => 0,
    ///         Tree::Node(left, _, right) => size(left) + 1 + size(right),
    ///     }
    /// }
    /// // Only one in thousands of randomly generated heaps is this large.
    /// let property = property! { forall tree: Tree; implies is_heap(tree, 0); check size(tree) < 10 };
    /// let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
    /// let session = Run::new("heaps", &property).settings(settings).session().unwrap();
    /// let mut forms = Guide::elites(|test, features| features.push(shape(&test.case.sequence)));
    /// assert!(guided(session, &mut [forms]).counterexample.is_some());
    /// ```
    #[doc(hidden)]
    pub fn elites(features_of: impl FnMut(&Observed<'_>, &mut Vec<u64>) + 'a) -> Self {
        let archive = Rc::new(RefCell::new(Archive::default()));
        let judge = Judge { features_of, features: Vec::new(), archive: Rc::clone(&archive) };
        Guide::new(judge, Elites { archive, sampled: None })
    }
}

/// The state shared by feedback and pool.
#[derive(Default)]
struct Archive {
    cells: Vec<Cell>,
    place: HashMap<u64, usize>,
    /// The features of the last test for which it is now the smallest input.
    claimed: Vec<u64>,
    /// The patterns of all tests, valid or not.
    patterns: Set,
}

/// A feature.
struct Cell {
    /// The number of valid tests with it, and how often its input was mutated.
    seen: u64,
    /// The smallest input with it.
    elite: Rc<Seed>,
}

struct Judge<F> {
    features_of: F,
    features: Vec<u64>,
    archive: Rc<RefCell<Archive>>,
}

impl<F: FnMut(&Observed<'_>, &mut Vec<u64>)> Feedback for Judge<F> {
    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        let mut archive = self.archive.borrow_mut();
        let archive = &mut *archive;
        archive.patterns.insert(pattern(&test.case.sequence));
        if !test.is_valid() {
            return None;
        }
        self.features.clear();
        (self.features_of)(test, &mut self.features);
        sort_numbers(&mut self.features);
        self.features.dedup();
        archive.claimed.clear();
        for &feature in &self.features {
            let claims = match archive.place.get(&feature) {
                Some(&at) => {
                    let cell = &mut archive.cells[at];
                    cell.seen += 1;
                    test.case.sequence.len() < cell.elite.case.sequence.len()
                }
                None => archive.cells.len() + archive.claimed.len() < MAX_CELLS,
            };
            if claims {
                archive.claimed.push(feature);
            }
        }
        (!archive.claimed.is_empty()).then(|| Worth::new(archive.claimed.len() as f64))
    }

    fn is_known(&self, input: &Sequence) -> bool {
        self.archive.borrow().patterns.contains(pattern(input))
    }
}

struct Elites {
    archive: Rc<RefCell<Archive>>,
    sampled: Option<Rc<Seed>>,
}

impl Pool for Elites {
    fn invest(&mut self, seed: Seed) {
        let mut archive = self.archive.borrow_mut();
        let elite = Rc::new(seed);
        for feature in std::mem::take(&mut archive.claimed) {
            match archive.place.get(&feature).copied() {
                Some(at) => archive.cells[at].elite = Rc::clone(&elite),
                None => {
                    let at = archive.cells.len();
                    archive.place.insert(feature, at);
                    archive.cells.push(Cell { seen: 1, elite: Rc::clone(&elite) });
                }
            }
        }
    }

    /// Sampling already counted it.
    fn revise(&mut self) {}

    fn sample(&mut self, random: &mut Random) -> Directive<'_> {
        let mut archive = self.archive.borrow_mut();
        let Some(last) = archive.cells.len().checked_sub(1) else { return Directive::Generate };
        if random.up_to(FROM_SCRATCH - 1) == 0 {
            return Directive::Generate;
        }
        let mut least = random.up_to(last as u64) as usize;
        for _ in 1..LOOKS {
            let other = random.up_to(last as u64) as usize;
            if archive.cells[other].seen < archive.cells[least].seen {
                least = other;
            }
        }
        let cell = &mut archive.cells[least];
        cell.seen += 1;
        Directive::Mutate(self.sampled.insert(Rc::clone(&cell.elite)))
    }

    /// No seed is better than the others.
    fn best(&self) -> Option<&Seed> {
        None
    }
}
