//! `forall`: several variables per property, as in a `#[forall::test]` with several parameters.

use crate::Plan;
use forall::property::{IntoOutcome, Outcome, Property};
use forall::run::{Run, Settings, Store};

/// Returns the settings of a plain `#[forall::test]`, except that after the first failure nothing is saved, shrunk or
/// explained.
///
/// If default runs get another phase, add it here.
pub fn forall_default_settings() -> Settings {
    // Enabled explicitly, since setting the seed disables exploring.
    Settings::new().explores_as_at_desk().store(Store::Off).shrink_evaluations(0).explain(0)
}

/// Runs the property.
pub fn search(name: &'static str, property: &dyn Property, plan: &Plan) {
    let mut settings = forall_default_settings().seed(plan.seed);
    if let Some(tests) = plan.tests {
        settings = settings.tests(tests).extra_time("0s");
    }
    Run::new(name, property).settings(settings).report();
}

/// Converts the result of a test to forall's type.
pub fn outcome(holds: Option<bool>) -> Outcome {
    match holds {
        Some(true) => Outcome::Pass,
        Some(false) => false.into_outcome(),
        None => Outcome::Discard,
    }
}
