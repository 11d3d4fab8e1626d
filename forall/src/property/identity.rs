//! The identity of a property, and its explicit examples.

use super::Outcome;
use std::borrow::Cow;

/// The identity of a property: a name that is stable from build to build, and its location.
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
    /// The file, as passed to the compiler; empty if unknown.
    #[doc(hidden)]
    pub file: &'static str,
    /// The line, from 1; 0 if unknown.
    #[doc(hidden)]
    pub line: u32,
    /// The last line of the function under an attribute; otherwise 0.
    #[doc(hidden)]
    pub last_line: u32,
    /// The directory of the package's `Cargo.toml`, where its store is; empty if unknown.
    #[doc(hidden)]
    pub package_directory: &'static str,
    /// Whether its test is `#[ignore]`d, so that commands need `--ignored`.
    #[doc(hidden)]
    pub ignored: bool,
}

impl Identity {
    /// Creates an identity from a name alone.
    ///
    /// ```
    /// use forall::run::Identity;
    /// let identity = Identity::new("sorts");
    /// assert_eq!((&*identity.name, identity.file), ("sorts", ""));
    /// ```
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), file: "", line: 0, last_line: 0, package_directory: "", ignored: false }
    }

    /// Creates an identity from a name, at the location of the call.
    ///
    /// ```
    /// use forall::run::Identity;
    /// let identity = Identity::here("sorts");
    /// assert_eq!((identity.file, identity.line), (file!(), line!() - 1));
    /// ```
    #[track_caller]
    #[doc(hidden)]
    pub fn here(name: impl Into<Cow<'static, str>>) -> Self {
        let place = std::panic::Location::caller();
        Self { file: place.file(), line: place.line(), ..Self::new(name) }
    }

    #[doc(hidden)]
    pub const fn of_item(
        name: &'static str,
        file: &'static str,
        line: u32,
        last_line: u32,
        package_directory: &'static str,
        ignored: bool,
    ) -> Self {
        Self { name: Cow::Borrowed(name), file, line, last_line, package_directory, ignored }
    }
}

/// An explicit example of a property, which always runs first.
///
/// `#[example(…)]` writes them. By hand:
///
/// ```
/// use forall::prelude::*;
/// use forall::property::IntoOutcome;
/// use forall::run::{Example, Found, Run, Settings, Store};
///
/// fn is_small(n: u32) -> bool { n < 10 }
/// let hundred = Example { bindings: &[("n", "u32", "100")], run: || is_small(100).into_outcome() };
/// assert!((hundred.run)().is_fail());
///
/// let property = property! { forall n in 0..10u32; check is_small(*n) };
/// let settings = Settings::new().store(Store::Off);
/// let report = Run::new("small", &property).settings(settings).examples(&[hundred]).report();
/// assert_eq!(report.counterexample.unwrap().found, Found::Example(0));
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Example {
    /// For each variable its name, type and value, in source form.
    pub bindings: &'static [(&'static str, &'static str, &'static str)],
    /// Runs the example.
    pub run: fn() -> Outcome,
}
