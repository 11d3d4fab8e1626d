//! Counting the witnesses of `exists_unique`: none, one, or more than one.
//!
//! A path stands for as many values as what is undecided on it can be completed to. Two paths are two values, where the number of
//! values is known; where it is not, a generator may make one value in several ways, and functions are the same if they return the
//! same, however they look at their arguments. There, values are told apart by what they look like, functions in a normal form.

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
    /// Whether two paths may be one value.
    by_text: bool,
    /// What the first looks like, if that matters.
    first: Option<String>,
}

/// What is seen while a value is written in its normal form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Telling {
    /// There is a function in it.
    pub(super) has_function: bool,
    /// A function was not asked for all arguments, and can return more than one thing for others.
    pub(super) is_open: bool,
}

impl Witnesses {
    /// For a variable of a type.
    pub(super) fn of<T: Arbitrary>(depth: u32) -> Self {
        Self { by_text: Extent::of::<T>(depth).is_nan(), ..Self::default() }
    }

    /// How many there are, as far as it matters: two are many.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The body holds for a value, on the path that it is on.
    pub(super) fn add<T: Debug>(&mut self, search: &Search, block: usize, value: &T) {
        let completions = search.completions(block);
        if completions == 0.0 {
            return;
        }
        let (text, told) = if completions > 1.0 { Default::default() } else { search.tell(block, value) };
        if completions > 1.0 || told.is_open {
            self.count = 2;
        } else if !(self.by_text || told.has_function) || self.first.as_ref() != Some(&text) {
            self.count += 1;
            self.first = Some(text);
        }
    }
}

impl Search {
    /// A value in its normal form, of which there is one completion: what is undecided in it is decided for that, and forgotten.
    /// It must not be used after that.
    fn tell<T: Debug>(&self, block: usize, value: &T) -> (String, Telling) {
        let (choices, next, decisions) = {
            let block = &self.blocks.borrow()[block];
            (block.trail.len(), block.next, block.decisions.len())
        };
        self.telling.set(Some(Telling::default()));
        let ended = catch_unwind(AssertUnwindSafe(|| format!("{value:?}")));
        let telling = self.telling.take().unwrap_or_default();
        let told = self.settle(block, ended).unwrap_or_else(|payload| resume_unwind(payload));
        let block = &mut self.blocks.borrow_mut()[block];
        block.trail.truncate(choices);
        block.decisions.truncate(decisions);
        block.next = next;
        (told.unwrap_or_default(), telling)
    }
}

/// Whether values are written in their normal form now, and what is seen of this one.
pub(super) fn tells(change: impl FnOnce(&mut Telling)) -> bool {
    with_current(|search| {
        let Some(search) = search else { return false };
        let Some(mut telling) = search.telling.get() else { return false };
        change(&mut telling);
        search.telling.set(Some(telling));
        true
    })
}

/// Whether a type has no value up to a depth, one or several. Where that is not known they are made, until there are two.
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
