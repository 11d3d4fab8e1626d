//! A cell as the value that it contains: compared, hashed, printed, generated.

use super::{Lazy, Origin};
use crate::choice::Source;
use crate::generate::series::{Series, Shape};
use crate::generate::{Arbitrary, Code, Heights, Visitor};
use crate::lazy::Extent;
use crate::lazy::block::Seed;
use crate::lazy::trail::{Search, with_current};
use crate::lazy::unique::values_of;
use crate::lazy::variables::{search_of, seed_for_generator};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Lazy<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if with_current(|search| search.is_some_and(Search::is_stack_spent)) {
            return f.write_str("…");
        }
        match self.shown() {
            Some(value) => value.fmt(f),
            None => f.write_str("_"),
        }
    }
}

impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Lazy<T> {}

impl<T: PartialOrd> PartialOrd for Lazy<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: Ord> Ord for Lazy<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: Hash> Hash for Lazy<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Display> fmt::Display for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shown() {
            Some(value) => value.fmt(f),
            None => f.write_str("_"),
        }
    }
}

impl<T: Arbitrary> Lazy<T> {
    /// A cell that a search decides.
    pub(in crate::lazy) fn chosen(seed: Seed) -> Self {
        Self::undecided(|series| series.part::<T>(), seed)
    }
}

impl<T: Arbitrary> Arbitrary for Lazy<T> {
    fn arbitrary(source: &mut Source) -> Self {
        if source.is_search() {
            let made =
                with_current(|search| search.map(|search| made(search, seed_for_generator(search, source.size()))));
            return made.unwrap_or_else(|| source.reject_now());
        }
        Self::shared(None, Origin::Drawn { make: T::arbitrary, source: Box::new(source.fork()) })
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        match self.shown() {
            Some(value) => Box::new(value.shrink().map(Self::new)),
            None => Box::new(std::iter::empty()),
        }
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    /// As code it would be nested `Lazy::new` calls; its `Debug` output is clearer.
    fn print(&self, code: &mut Code) {
        code.opaque();
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        if let Some(value) = self.shown() {
            value.visit(visitor);
        }
    }

    fn height(heights: &mut Heights) -> u32 {
        T::height(heights)
    }

    fn series(series: &mut Series<'_>) -> Self {
        let seed = series.seed();
        made(search_of(series.trail()), seed)
    }

    fn extent(extent: &mut Extent) -> f64 {
        extent.values::<T>()
    }

    // SAFETY: clones of a cell are counted, and its shared state cannot be reached in any other way.
    const SHAPE: Shape = unsafe { Shape::plain() };
}

/// A cell of a search.
fn made<T: Arbitrary>(search: &Search, seed: Seed) -> Lazy<T> {
    if search.watches_cells() {
        search.made_cell(&seed, values_of::<T>);
    }
    made_aside(search, seed)
}

/// Like `made`, for a cell that may never be needed and is therefore not counted where the number of possible values
/// matters. While a counterexample is being printed, it is decided immediately if it was decided in that
/// counterexample.
pub(in crate::lazy) fn made_aside<T: Arbitrary>(search: &Search, seed: Seed) -> Lazy<T> {
    let cell: Lazy<T> = Lazy::chosen(seed);
    // Cells that are too deep are not printed.
    if search.watches_cells() && search.is_shown_decided(&seed) && !search.is_stack_spent() {
        cell.force();
    }
    cell
}
