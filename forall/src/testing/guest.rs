//! Hooks for guests that extend how one case runs.

use super::{Case, Fault, Tested, Tester};
use crate::choice::Origin;
use crate::fact::Fact;
use crate::panic::Guest;
use crate::property::{Binding, Property, Step};
use std::any::Any;

/// The result of a test that ran elsewhere. A guest that runs tests in another process unwinds with it.
pub(crate) struct Relayed(pub(crate) Tested);

impl Relayed {
    #[cold]
    pub(crate) fn unwind(self) -> ! {
        Guest::unwind(self)
    }
}

/// Saves the running input, in case it crashes the process.
pub(crate) trait WriteDown {
    /// The input starts to run.
    fn begin(&mut self, origin: &Origin<'_>, steps: &[Step]);

    /// It has ended.
    fn end(&mut self);
}

/// Runs the cases of an exhaustive search: they have no recorded choices, but the depth of the search.
pub(crate) struct Searching {
    pub(crate) run: fn(&Tester<'_>, &Case, u32) -> (Case, Tested),
    pub(crate) print: fn(&dyn Property, &Case, u32) -> Vec<Binding>,
    /// Whether a text with holes matches another.
    pub(crate) covers: fn(&str, &str) -> bool,
    /// The fault for a search's signal that ends a single test.
    pub(crate) fault: fn(&(dyn Any + Send)) -> Option<Fault>,
}

inventory::collect!(Searching);

/// The search guest of this program, if it has one.
pub(crate) fn searching() -> Option<&'static Searching> {
    inventory::iter::<Searching>().next()
}

/// The result of a case that needs a search, in a program without one.
pub(super) fn not_searched(case: &Case) -> (Case, Tested) {
    let what = "A case that an exhaustive search found".to_owned();
    let why = Fact::NeedsFeature { what, feature: "full" };
    (case.clone(), Tested::Fault(Fault::Search(why)))
}
