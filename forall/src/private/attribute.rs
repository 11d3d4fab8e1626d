//! The expansion of `#[forall::property]` and `#[forall::test]`.

pub use super::{Printer, Probe, asynchronous, probes};
pub use crate::__in_search as in_search;
pub use crate::__under_tokio as under_tokio;
pub use crate::choice::Source;
pub use crate::property::{
    Annotations, Check, Conclude, Contract, Empty, Forall, IntoOutcome, Outcome, Predicate, Quantify,
};
pub use crate::registry::Declared;
pub use crate::registry::Entry;
pub use crate::run::{Example, Identity};
pub use inventory;

use crate::property::Property;
use crate::run::{Run, Settings};

/// Runs a property as a `#[test]`: prints the report, and panics once if it failed.
pub fn run_declared<D: Declared>() {
    run_test(const { &D::ENTRY });
}

fn run_test(entry: &Entry) {
    let property = (entry.property)();
    let run = Run::named_parallel(entry.identity.clone(), &*property);
    run.settings((entry.settings)(Settings::new())).examples(entry.examples).test();
}

/// The settings of an attribute without keys: compiled once, unlike a closure for each property.
pub fn unchanged(settings: Settings) -> Settings {
    settings
}

/// Draws through a function pointer: compiled once, and not into each property.
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
