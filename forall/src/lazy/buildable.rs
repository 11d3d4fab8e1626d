//! A cache of which constructors can be built at a given depth: it is queried at every choice.

use super::trail::Search;
use crate::generate::Arbitrary;
use crate::generate::series::{Constructor, Extent};
use std::ptr;

/// Which constructors of a list can be built at a depth.
pub(super) struct Buildable {
    list: *const Constructor,
    depth: u32,
    all: bool,
    which: Vec<u16>,
}

impl Search {
    /// Whether a type has no value up to a depth.
    pub(crate) fn is_empty<T: Arbitrary>(&self, depth: u32) -> bool {
        self.extent.borrow_mut().values_up_to(depth, T::extent) == 0.0
    }

    /// Whether a type has a single value up to a depth. False if that is not known.
    pub(crate) fn has_one_value<T: Arbitrary>(&self, depth: u32) -> bool {
        self.up_to_several.borrow_mut().values_up_to(depth, T::extent) == 1.0
    }

    /// Chooses among those constructors of a list that can be built at `depth`, by number. None if there is none.
    pub(crate) fn choose_constructor(&self, block: usize, depth: u32, list: &'static [Constructor]) -> Option<usize> {
        let (count, all) = {
            let mut known = self.buildable.borrow_mut();
            let place = place(list.as_ptr(), depth);
            if known.len() <= place {
                known.resize_with(PLACES, Buildable::default);
            }
            let entry = &mut known[place];
            if entry.depth != depth || entry.list != list.as_ptr() {
                *entry = Buildable::of(list, depth, &mut self.extent.borrow_mut());
            }
            (if entry.all { list.len() } else { entry.which.len() }, entry.all)
        };
        if count == 0 {
            return None;
        }
        let chosen = self.choose(block, count as u32) as usize;
        Some(if all { chosen } else { usize::from(self.buildable.borrow()[place(list.as_ptr(), depth)].which[chosen]) })
    }
}

/// The number of cache slots. Collisions only cost time.
const PLACES: usize = 256;

fn place(list: *const Constructor, depth: u32) -> usize {
    (list as usize / 16 + depth as usize * 37) % PLACES
}

impl Default for Buildable {
    fn default() -> Self {
        Self { list: ptr::null(), depth: 0, all: false, which: Vec::new() }
    }
}

impl Buildable {
    fn of(list: &'static [Constructor], depth: u32, extent: &mut Extent) -> Self {
        let which = extent.buildable(list, depth);
        Self { list: list.as_ptr(), depth, all: which.len() == list.len(), which }
    }
}
