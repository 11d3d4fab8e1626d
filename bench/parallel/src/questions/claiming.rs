//! Workers that claim blocks, compared with workers that have a fixed share each and steal tests when theirs is used
//! up.

use super::speedup::timed;
use crate::Plan;
use crate::measure::{Row, seconds};
use crate::runs::{Path, Prepared};

pub const NAME: &str = "claiming";

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.shareable) {
        let prepared = Prepared::new(program, plan.run_time)?;
        let indices = prepared.indices()?;
        for &workers in &plan.workers {
            let (mut blocks, mut shares) = (Vec::new(), Vec::new());
            for _ in 0..plan.repetitions {
                let alone = timed(&prepared, Path::Sequential, false)?;
                blocks.push(alone / timed(&prepared, Path::Workers(workers), false)?);
                shares.push(alone / seconds(|| prepared.static_shares(indices, workers)));
            }
            for (tool, speedups) in [("forall", blocks), ("static_shares", shares)] {
                Row { question: NAME, benchmark: program.name, workers, tool, metric: "speedup" }.print(&speedups);
            }
        }
    }
    Ok(())
}
