//! Whether a property that races with itself is recognised, and not mistaken for a bug in the code under test.

use crate::Plan;
use crate::measure::Row;
use forall::run::{Fact, Identity, Run, Settings, Store, Verdict};

pub const NAME: &str = "races";

/// The number of concurrent tests after which a race is certain.
const TESTS: u64 = 500;

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| !program.shareable) {
        let property = (program.property)();
        for &workers in plan.workers.iter().filter(|workers| **workers > 1) {
            let mut recognised = Vec::new();
            for seed in 0..plan.repetitions {
                let settings = Settings::new().tests(TESTS).seed(seed).size(program.size).threads(workers);
                let settings = settings.store(Store::Off).explain(0);
                let run = Run::named_parallel(Identity::new(program.name), &*property).settings(settings);
                let report = run.report();
                let is_told = report.warnings.iter().any(|fact| matches!(fact, Fact::RaceWithItself { .. }));
                recognised.push(f64::from(u8::from(report.verdict == Verdict::Flaky && is_told)));
            }
            let metric = "race_recognised";
            Row { question: NAME, benchmark: program.name, workers, tool: "forall", metric }.print(&recognised);
        }
    }
    Ok(())
}
