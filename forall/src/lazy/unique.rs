//! Counting the witnesses of `exists_unique`: none, one, or more than one.
//!
//! A path represents as many values as there are ways to complete its undecided parts. Different paths are different
//! values if the number of values is known; otherwise a generator may produce one value in several ways, and functions
//! with equal results are equal, however they inspect their arguments. In that case values are compared by their text,
//! with functions in normal form.

use super::Extent;
use super::quantify::make;
use super::trail::{Next, Search, with_current};
use crate::generate::Arbitrary;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The witnesses so far.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    count: usize,
    /// Whether two paths may represent the same value.
    by_text: bool,
    /// The text of the first witness, if needed.
    first: Option<String>,
}

/// Observations made while a value is written in normal form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observed {
    /// It contains a function.
    pub(super) has_function: bool,
    /// A function was not applied to all arguments, and may have several results for the others.
    pub(super) is_open: bool,
}

impl Witnesses {
    /// For a variable of a type.
    pub(super) fn of<T: Arbitrary>(depth: u32) -> Self {
        Self { by_text: Extent::of::<T>(depth).is_nan(), ..Self::default() }
    }

    /// The number of witnesses so far, up to two.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Records that the body holds for a value, on the current path.
    pub(super) fn add<T: Debug>(&mut self, search: &Search, block: usize, value: &T) {
        let completions = search.completions(block);
        if completions == 0.0 {
            return;
        }
        let (text, told) = if completions > 1.0 { Default::default() } else { search.normal_form(block, value) };
        if completions > 1.0 || told.is_open {
            self.count = 2;
        } else if !(self.by_text || told.has_function) || self.first.as_ref() != Some(&text) {
            self.count += 1;
            self.first = Some(text);
        }
    }
}

impl Search {
    /// The normal form of a value with one completion: its undecided parts are decided for this and then forgotten. The
    /// value must not be used afterwards.
    fn normal_form<T: Debug>(&self, block: usize, value: &T) -> (String, Observed) {
        let (choices, next, decisions) = {
            let block = &self.blocks.borrow()[block];
            (block.trail.len(), block.next, block.decisions.len())
        };
        self.observed.set(Some(Observed::default()));
        let ended = catch_unwind(AssertUnwindSafe(|| format!("{value:?}")));
        let observed = self.observed.take().unwrap_or_default();
        let told = self.settle(block, ended).unwrap_or_else(|payload| resume_unwind(payload));
        let block = &mut self.blocks.borrow_mut()[block];
        block.trail.truncate(choices);
        block.decisions.truncate(decisions);
        block.next = next;
        (told.unwrap_or_default(), observed)
    }
}

/// Whether values are currently written in normal form; if so, updates the observations about this one.
pub(super) fn writes_normal_form(change: impl FnOnce(&mut Observed)) -> bool {
    with_current(|search| {
        let Some(search) = search else { return false };
        let Some(mut observed) = search.observed.get() else { return false };
        change(&mut observed);
        search.observed.set(Some(observed));
        true
    })
}

/// The number of values of a type up to a depth: none, one or several. If unknown, values are generated until there are
/// two.
pub(super) fn values_of<T: Arbitrary>(search: &Search, depth: u32) -> f64 {
    let known = search.up_to_several.borrow_mut().values_up_to(depth, T::extent);
    if !known.is_nan() {
        return known;
    }
    search.in_block(depth, |block| {
        search.count_open(block);
        let mut values = 0.0;
        loop {
            search.begin_environment(block);
            if make::<T>(search, block).is_some() {
                values += search.completions(block);
            }
            if values > 1.0 || search.advance(block, false) == Next::Done {
                return values;
            }
        }
    })
}
