//! The variables of a search that are drawn from their types, and access from a series to its search.

use super::block::{ROOT, Seed};
use super::signal::Signal;
use super::trail::{Next, Search, with_current};
use crate::choice::Source;
use crate::generate::Arbitrary;
use crate::generate::series::{Constructor, Extent, Series, Trail, Variables};
use std::any::Any;

inventory::submit! { Variables(|count, make| with_current(|search: Option<&Search>| match search {
    Some(search) => make_variable(search, count, make),
    None => Signal::NotDecidable.unwind(),
})) }

/// A variable of a quantifier, of the innermost block of a search.
pub(super) fn variable<T: Arbitrary>(search: &Search) -> T {
    let mut value = None;
    make_variable(search, T::extent, &mut |series| value = Some(series.part()));
    value.expect("it was made")
}

fn make_variable(search: &Search, count: fn(&mut Extent) -> f64, make: &mut dyn FnMut(&mut Series<'_>)) {
    let block = search.innermost();
    let (epoch, parent, depth) = (search.epoch(block), search.owner(block), search.inherited_depth());
    let ordinal = search.count_made(block, |made| made);
    if block == 0 && parent == ROOT {
        search.begin_variable(block, ordinal);
        search.count_variable(|| Extent::default().values_up_to(depth, count));
    }
    let mut series = Series::new(search, Seed { epoch, parent, ordinal, depth, block: block as u16 });
    make(&mut series);
    search.count_made(block, |_| series.made());
}

/// Cells made by generators within a series are numbered separately from those of the series.
const MADE_BY_GENERATOR: u32 = 1 << 31;

/// The seed of a cell that a generator makes.
pub(super) fn seed_for_generator(search: &Search, depth: u32) -> Seed {
    let block = search.innermost();
    let ordinal = search.count_made(block, |made| made + 1) | MADE_BY_GENERATOR;
    let (epoch, parent) = (search.epoch(block), search.owner(block));
    Seed { epoch, parent, ordinal, depth, block: block as u16 }
}

/// The search behind a trail: every trail is a search.
pub(super) fn search_of(trail: &dyn Trail) -> &Search {
    (trail as &dyn Any).downcast_ref().expect("each trail is a search")
}

impl Trail for Search {
    #[inline]
    fn choose(&self, block: usize, count: u32) -> u32 {
        Search::choose(self, block, count)
    }

    fn choose_constructor(&self, block: usize, depth: u32, list: &'static [Constructor]) -> Option<usize> {
        Search::choose_constructor(self, block, depth, list)
    }

    fn make_opaque(&self, block: usize) {
        Search::make_opaque(self, block);
    }

    fn shown_children(&self, block: u16, owner: u32) -> Vec<u32> {
        if self.is_frozen() { self.children(block, owner) } else { Vec::new() }
    }

    fn source(&self, depth: u32) -> Source {
        Source::search(depth, super::choose_for_source)
    }

    fn begin_environment(&self, block: usize) {
        Search::begin_environment(self, block);
    }

    #[inline]
    fn begin_evaluation(&self) {
        Search::begin_evaluation(self);
    }

    #[inline]
    fn advance(&self, block: usize, keeps: bool) -> Next {
        Search::advance(self, block, keeps)
    }

    #[inline]
    fn is_interrupted(&self) -> bool {
        self.guarded.get()
    }
}
