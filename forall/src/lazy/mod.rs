//! Values that are decided when they are looked at, and the exhaustive search that follows what a property looks at.

mod argument;
mod cell;
mod explore;
mod extent;
mod fun;
mod list;
mod quantify;
mod series;
mod trail;
mod walk;

pub use argument::{Argument, Case, Domain, Parts, Tag};
pub use cell::Lazy;
pub use explore::{Explored, Trouble, explore};
pub(crate) use explore::{explore_within, inputs};
pub use extent::Extent;
pub use forall_macros::Argument;
pub use fun::Fun;
pub use list::{Iter, List};
pub use quantify::{Nested, and, exists, exists_unique, for_all, implies, not, or};
#[doc(hidden)]
pub use series::Shape;
pub use series::{Constructor, Series};
pub(crate) use trail::{Next, Signal};
pub use walk::Walk;

use trail::Search;

/// For a source of a search: one of `count` alternatives. Where there are many, the simplest, more of them the deeper the
/// search.
pub(crate) fn choose_for_source(max: u64, depth: u32) -> u64 {
    let most = if max < ALL_ALTERNATIVES { max } else { max.min(u64::from(depth).max(1)) };
    trail::with_current(|search| {
        search.map_or(0, |search| u64::from(search.choose(search.innermost(), most as u32 + 1)))
    })
}

/// Choices of a generator with fewer alternatives are tried completely at every depth.
const ALL_ALTERNATIVES: u64 = 16;

/// A variable by its type, in the search that runs.
pub(crate) fn variable<T: crate::generate::Arbitrary>() -> T {
    trail::with_current(|search: Option<&Search>| match search {
        Some(search) => series::variable(search),
        None => trail::Signal::NotDecidable.unwind(),
    })
}
