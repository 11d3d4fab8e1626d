//! `hegeltest`: each argument by its default generator.

use crate::{Plan, Search, Trial};
use hegel::generators::{self as gs, DefaultGenerator};
use hegel::{Database, Hegel, Phase, Settings, TestCase, Verbosity};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the property, with 100 test cases unless the plan has another number. Health checks stay enabled, as in a plain test.
pub fn search<T: DefaultGenerator>(plan: &Plan, holds: impl Fn(&T) -> Option<bool>) -> Search {
    let mut settings = Settings::new()
        .seed(Some(plan.seed))
        .database(Database::Disabled)
        .phases([Phase::Generate])
        .verbosity(Verbosity::Quiet)
        .print_blob(false);
    if let Some(tests) = plan.tests {
        settings = settings.test_cases(tests);
    }
    let trial = Trial::start();
    let run = Hegel::new(|source: TestCase| {
        let input = source.draw_silent(gs::default::<T>());
        match trial.test(|| holds(&input)) {
            Some(true) => {}
            Some(false) => panic!("falsified"),
            None => source.reject(),
        }
    });
    // The trial has recorded the result.
    let _ = catch_unwind(AssertUnwindSafe(|| run.settings(settings).run()));
    trial.end()
}
