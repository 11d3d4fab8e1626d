//! Every program against what is known of it.

use forall::lazy::explore;

/// Depths with more recorded tests are left to optimised builds.
const FEW: u64 = if cfg!(debug_assertions) { 10_000 } else { 5_000_000 };

#[test]
fn verdicts_counterexamples_and_counts_are_those_that_are_known() {
    let mut wrong = Vec::new();
    for program in lazy_programs::all() {
        let property = (program.property)();
        let mut counts = Vec::new();
        for (depth, &recorded) in program.recorded.iter().enumerate() {
            if recorded > FEW {
                continue;
            }
            let depth = depth as u32;
            let explored = explore(&*property, depth);
            counts.push(explored.evaluations);
            let name = program.name;
            if explored.trouble.is_some() {
                wrong.push(format!("{name}/{depth}: {:?}", explored.trouble));
            }
            if explored.failure.is_some() != (program.fails_at == Some(depth)) {
                wrong.push(format!("{name}/{depth}: {:?} with {:?}", explored.failure, explored.bindings));
            }
            if explored.evaluations > program.limit(depth).unwrap_or(u64::MAX) {
                wrong.push(format!("{name}/{depth}: {} evaluations, recorded {recorded}", explored.evaluations));
            }
            if let Some((at, space)) = program.space
                && at == depth
            {
                let inputs = explored.inputs.unwrap_or(f64::NAN);
                if (inputs - space).abs() > 0.05 * space || inputs.is_nan() {
                    wrong.push(format!("{name}/{depth}: {inputs} inputs instead of {space}"));
                }
            }
            if explored.failure.is_some() {
                let shown: Vec<&str> =
                    explored.bindings.iter().filter_map(|one| one.printed.debug.as_deref()).collect();
                if !program.counterexample.is_empty() && shown != program.counterexample {
                    wrong.push(format!("{name}: {shown:?} instead of {:?}", program.counterexample));
                }
                println!("{name}: {shown:?}");
                break;
            }
        }
        println!("{}: {counts:?} recorded {:?}", program.name, program.recorded);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
