//! The cost of the worker loop with one worker: CPU time compared with the sequential loop, in pairs.

use crate::Plan;
use crate::measure::{Row, cpu_seconds};
use crate::runs::{Path, Prepared};
use crate::terminal::on_a_terminal;

pub const NAME: &str = "overhead";

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in &plan.programs {
        measure(&Prepared::new(program, plan.run_time)?, plan.repetitions, false)?;
        let long = Prepared::new(program, plan.progress_time)?;
        on_a_terminal(|| measure(&long, plan.repetitions, true))??;
    }
    Ok(())
}

fn measure(prepared: &Prepared, repetitions: u64, progress: bool) -> Result<(), String> {
    let (mut sequential, mut one, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let run = |path| -> Result<f64, String> {
        let mut ran = Ok(());
        let took = cpu_seconds(|| ran = prepared.run(path, progress).map(drop));
        ran.map(|()| took)
    };
    for repetition in 0..repetitions {
        // Other load on the machine affects both; the order alternates.
        let (first, second) = match repetition % 2 {
            0 => (Path::Sequential, Path::Workers(1)),
            _ => (Path::Workers(1), Path::Sequential),
        };
        let (first_took, second_took) = (run(first)?, run(second)?);
        let (alone, with_worker) =
            if first == Path::Sequential { (first_took, second_took) } else { (second_took, first_took) };
        sequential.push(alone);
        one.push(with_worker);
        ratios.push(with_worker / alone);
    }
    let (plain, worker) = match progress {
        true => ("sequential:progress", "forall:progress"),
        false => ("sequential", "forall"),
    };
    let row = |tool, metric| Row { question: NAME, benchmark: prepared.program.name, workers: 1, tool, metric };
    row(plain, "cpu_seconds").print(&sequential);
    row(worker, "cpu_seconds").print(&one);
    row(worker, "one_worker_overhead").print(&ratios);
    Ok(())
}
