//! Runners, one file each, built from the same public components.

mod event;
mod report;
mod schedule;
mod settings;

pub use event::{Event, Observer};
pub use report::{Case, Counterexample, Cover, Found, Report, Shrinking, Statistics, Verdict};
pub use schedule::Schedule;
pub use settings::{Settings, Store, Time};

use crate::property::{Outcome, Property};
use std::borrow::Cow;

/// Which property it is: a name that stays the same from build to build, and where it is written.
///
/// ```
/// use forall::run::Identity;
/// let identity = Identity::new("my_crate::tests::sorts");
/// assert_eq!(identity.name, "my_crate::tests::sorts");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The path of the property: crate, modules, function.
    pub name: Cow<'static, str>,
    /// The file, as the compiler was given it; empty if unknown.
    pub file: &'static str,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The directory of the package's `Cargo.toml`, where its store is; empty if unknown.
    pub package_directory: &'static str,
}

impl Identity {
    /// An identity by name alone.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), file: "", line: 0, package_directory: "" }
    }

    #[doc(hidden)]
    pub const fn of_item(name: &'static str, file: &'static str, line: u32, package_directory: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), file, line, package_directory }
    }
}

/// An explicit example of a property: always run first.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// For each variable its name, its type and its value, as written.
    pub bindings: &'static [(&'static str, &'static str, &'static str)],
    /// Runs it.
    pub run: fn() -> Outcome,
}

/// A property about to be run.
pub struct Run<'a> {
    identity: Identity,
    property: &'a dyn Property,
    settings: Settings,
    examples: &'a [Example],
    observer: Option<&'a mut dyn Observer>,
}

impl<'a> Run<'a> {
    /// A run of `property` under `name`, which its stored counterexamples are found by.
    pub fn new(name: impl Into<Cow<'static, str>>, property: &'a dyn Property) -> Self {
        Self::named(Identity::new(name), property)
    }

    /// As [`Run::new`] with the whole identity.
    pub fn named(identity: Identity, property: &'a dyn Property) -> Self {
        Self { identity, property, settings: Settings::new(), examples: &[], observer: None }
    }

    /// Takes these settings. The environment still wins over them.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Runs these examples first.
    pub fn examples(mut self, examples: &'a [Example]) -> Self {
        self.examples = examples;
        self
    }

    /// Tells `observer` what happens.
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Runs, and returns what it came to.
    pub fn report(self) -> Report {
        todo!()
    }

    /// Runs, prints what is to be said, and panics with the report if the property did not pass.
    pub fn test(self) {
        todo!()
    }
}
