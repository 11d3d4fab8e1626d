//! A campaign: the long search of `cargo forall fuzz`, in the test program's process.
//!
//! The search itself is the guided runner with coverage as its feedback. What is here is around it: the corpus that it begins
//! with and adds to, the input that is running (`running.rs`) in case the process dies of it, and the lines by which the tool
//! that started the process learns how far it is (`status.rs`).

mod campaign;
mod running;
mod status;

pub(crate) use campaign::campaign;
pub(crate) use running::Running;

use crate::property::{Failure, FailureKind};
use crate::report::advice;
use crate::run::protocol::Death;
use crate::run::{Found, Report, Session, Statistics, Verdict};
use running::LastInput;
use std::path::PathBuf;

/// The file of the input that is running, if whoever started this process wants one.
fn running_file() -> Option<PathBuf> {
    std::env::var_os("FORALL_RUNNING").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Makes a counterexample of the input that a campaign died of. It is generated again, and not run.
pub(crate) fn crashed(mut session: Session<'_>, how: Death) -> Report {
    let last = running_file().and_then(|path| running::read(&path));
    let mut statistics = Statistics::default();
    let ending = match last {
        Some(LastInput { input, index, seed }) => {
            statistics.valid = index;
            session.seed = seed;
            let case = session.tester.generated(input.source(), &input.steps);
            let failure = Failure::new(FailureKind::Crash, advice::died(how));
            session.died(case, failure, Found::Guided { index })
        }
        None => (Verdict::Misconfigured(advice::nothing_was_running()), None),
    };
    session.finish(ending, statistics)
}
