//! What guests add to running one case.

use super::{Case, Fault, Tested, Tester};
use crate::choice::Origin;
use crate::fact::Fact;
use crate::panic::Guest;
use crate::property::{Binding, Property, Step};
use std::any::Any;

/// What became of a test elsewhere. A guest that runs tests in another place unwinds with it.
pub(crate) struct Relayed(pub(crate) Tested);

impl Relayed {
    #[cold]
    pub(crate) fn unwind(self) -> ! {
        Guest::unwind(self)
    }
}

/// Writes down the input that is running, in case that it ends the process.
pub(crate) trait WriteDown {
    /// This input begins to run.
    fn begin(&mut self, origin: &Origin<'_>, steps: &[Step]);

    /// It has ended.
    fn end(&mut self);
}

/// How cases run that an exhaustive search found: they have no choices, and say to which depth the search went.
pub(crate) struct Searching {
    pub(crate) run: fn(&Tester<'_>, &Case, u32) -> (Case, Tested),
    pub(crate) print: fn(&dyn Property, &Case, u32) -> Vec<Binding>,
    /// Whether a text with holes stands for another.
    pub(crate) covers: fn(&str, &str) -> bool,
    /// What a signal of a search says when it ends a single test.
    pub(crate) fault: fn(&(dyn Any + Send)) -> Option<Fault>,
}

inventory::collect!(Searching);

/// The search of this program, if it has one.
pub(crate) fn searching() -> Option<&'static Searching> {
    inventory::iter::<Searching>().next()
}

/// What becomes of a case that needs a search where there is none.
pub(super) fn not_searched(case: &Case) -> (Case, Tested) {
    let what = "A case that an exhaustive search found".to_owned();
    let why = Fact::NeedsFeature { what, feature: "full" };
    (case.clone(), Tested::Fault(Fault::Search(why.to_string())))
}
