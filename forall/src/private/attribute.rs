//! What `#[forall::property]` and `#[forall::test]` expand to.

pub use crate::choice::Source;
pub use crate::property::{
    Annotations, Check, Conclude, Contract, Declared, Empty, Forall, IntoOutcome, Outcome, Predicate, Quantify,
};
pub use crate::registry::Entry;
pub use crate::run::{Example, Identity};
pub use inventory;

use crate::property::Property;
use crate::run::{Run, Settings};

/// Runs a property as a `#[test]`: prints what is to be said, and panics once if it failed.
pub fn run_declared<D: Declared>() {
    run_test(&D::ENTRY, &D::property(), D::EXAMPLES);
}

fn run_test(entry: &Entry, property: &(dyn Property + Sync), examples: &[Example]) {
    Run::named_parallel(entry.identity.clone(), property)
        .settings((entry.settings)(Settings::new()))
        .examples(examples)
        .test();
}

/// Draws by a pointer to a function: it is compiled once, and not into each property.
#[inline(never)]
pub fn draw_again<T>(draw: fn(&mut Source) -> T, source: &mut Source) -> T {
    draw(source)
}

pub fn boxed<D: Declared>() -> Box<dyn Property + Send + Sync> {
    Box::new(D::property())
}

pub const fn directory(manifest: Option<&'static str>) -> &'static str {
    match manifest {
        Some(directory) => directory,
        None => "",
    }
}
