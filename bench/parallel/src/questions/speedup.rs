//! The speedup with more workers, compared with threads that share nothing: the machine's own limit.

use crate::Plan;
use crate::measure::{Row, seconds};
use crate::runs::{Path, Prepared};
use crate::terminal::on_a_terminal;

pub const NAME: &str = "speedup";

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.shareable) {
        let prepared = Prepared::new(program, plan.run_time)?;
        let long = Prepared::new(program, plan.progress_time)?;
        for &workers in &plan.workers {
            measure(&prepared, plan.repetitions, workers)?;
            on_a_terminal(|| measure_with_progress(&long, plan.repetitions, workers))??;
        }
    }
    Ok(())
}

fn measure(prepared: &Prepared, repetitions: u64, workers: usize) -> Result<(), String> {
    let indices = prepared.indices()?;
    let (mut times, mut ours, mut limits, mut shares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..repetitions {
        let alone = timed(prepared, Path::Sequential, false)?;
        let together = timed(prepared, Path::Workers(workers), false)?;
        let apart = seconds(|| prepared.share_nothing(indices, workers));
        times.push(together);
        ours.push(alone / together);
        limits.push(alone / apart);
        shares.push(apart / together);
    }
    let row = |tool, metric| Row { question: NAME, benchmark: prepared.program.name, workers, tool, metric };
    row("forall", "seconds").print(&times);
    row("forall", "speedup").print(&ours);
    row("share_nothing", "share_nothing_speedup").print(&limits);
    row("forall", "share_of_limit").print(&shares);
    Ok(())
}

fn measure_with_progress(prepared: &Prepared, repetitions: u64, workers: usize) -> Result<(), String> {
    let mut speedups = Vec::new();
    for _ in 0..repetitions {
        let alone = timed(prepared, Path::Sequential, true)?;
        speedups.push(alone / timed(prepared, Path::Workers(workers), true)?);
    }
    let tool = "forall:progress";
    Row { question: NAME, benchmark: prepared.program.name, workers, tool, metric: "speedup" }.print(&speedups);
    Ok(())
}

/// Returns the seconds that a run takes.
pub fn timed(prepared: &Prepared, path: Path, progress: bool) -> Result<f64, String> {
    let mut ran = Ok(());
    let took = seconds(|| ran = prepared.run(path, progress).map(drop));
    ran.map(|()| took)
}
