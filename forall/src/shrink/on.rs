//! How variables with their own shrinkers are shrunk: on values, on choices, or both.

/// How variables with their own shrinkers are shrunk. All others are shrunk on choices.
///
/// A variable gets its own shrinker through an annotation: `forall term: Term, shrink |term| …`, or
/// `shrink Arbitrary::shrink` for the derived one, which follows the structure of the type. All parameters of a test
/// have the latter under `#[forall::test(shrink_on = values)]` or `both`.
///
/// A shrinker is independent of the generator, and may return values that the generator could not have produced.
/// Express conditions on all values with `implies`, or, if the shrinker must preserve them, with `contract`.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, ShrinkOn, Store};
///
/// // The steps of a shrinker change one number; choices can lower both.
/// let property = property! {
///     forall pair: (u32, u32) in any::<u32>().map(|n| (n, n)), shrink Arbitrary::shrink;
///     check pair.0 != pair.1 || pair.0 < 10
/// };
/// let shrunk = |on| {
///     let settings = Settings::new().seed(1).store(Store::Off).shrink_on(on);
///     let report = Run::new("pairs", &property).settings(settings).report();
///     report.counterexample.unwrap().bindings[0].printed.text().to_owned()
/// };
/// assert_ne!(shrunk(ShrinkOn::Values), "(10, 10)");
/// assert_eq!(shrunk(ShrinkOn::Choices), "(10, 10)");
/// assert_eq!(shrunk(ShrinkOn::Both), "(10, 10)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShrinkOn {
    /// On the choices of the generators, ignoring the shrinkers.
    Choices,
    /// On values, by the shrinkers alone; a variable whose shrinker has no candidates is shrunk on choices.
    #[default]
    Values,
    /// On both: choices first, then values and choices in turn, and then once more starting with values; the smaller
    /// result wins. Use it when smaller choices do not give a smaller value and shrinkers alone get stuck. Takes more
    /// evaluations.
    Both,
}

impl std::str::FromStr for ShrinkOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "choices" => Ok(Self::Choices),
            "values" => Ok(Self::Values),
            "both" => Ok(Self::Both),
            _ => Err(format!("`{text}` is not valid for `shrink_on`: expected `choices`, `values` or `both`")),
        }
    }
}
