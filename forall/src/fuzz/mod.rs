//! A campaign: the long search of `cargo forall fuzz`, in the test program's process.
//!
//! The search itself is the guided runner with coverage as its feedback. This module has the rest: the corpus on disk,
//! the running input (`running.rs`) in case the process crashes, and the status lines for the tool that started the
//! process (`status.rs`).

mod campaign;
mod running;
mod status;

use campaign::campaign;
use running::Running;

use crate::fact::Fact;
use crate::property::{Failure, FailureKind};
use crate::run::protocol::{Answering, Death, Request};
use crate::run::{Example, Found, Report, Session, Statistics, Verdict};
use running::LastInput;
use std::path::PathBuf;
use std::time::Duration;

inventory::submit! {
    Answering { is_for: |request| matches!(request, Request::Fuzz { .. } | Request::Crashed { .. }), answer }
}

fn answer(mut session: Session<'_>, request: &Request, examples: &[Example]) -> Report {
    // The report names the runner that searched, whatever runner the property has.
    session.settings.runner = "coverage".to_owned();
    match request {
        Request::Crashed { how, .. } => crashed(session, *how),
        _ => campaign(session, examples),
    }
}

/// The file for the running input, if requested.
fn running_file() -> Option<PathBuf> {
    std::env::var_os("FORALL_RUNNING").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Turns the input that crashed a campaign into a counterexample. The input is generated again, but not run.
fn crashed(mut session: Session<'_>, how: Death) -> Report {
    let last = running_file().and_then(|path| running::read(&path));
    let mut statistics = Statistics::default();
    let ending = match last {
        Some(LastInput { input, index, seed }) => {
            statistics.valid = index;
            session.seed = seed;
            let case = session.tester.generated(input.source(), &input.steps);
            let kind = if let Death::Hung(_) = how { FailureKind::Hang } else { FailureKind::Crash };
            let failure = Failure::new(kind, died(how).to_string());
            session.died(case, failure, Found::Guided { index })
        }
        None => (Verdict::Misconfigured(Fact::NothingWasRunning), None),
    };
    session.finish(ending, statistics)
}

/// How a test ended its process.
fn died(how: Death) -> Fact {
    match how {
        Death::Signal(signal) => Fact::KilledBySignal { signal: signal.unsigned_abs().into() },
        Death::Exit(_) => Fact::CalledExit,
        Death::Hung(milliseconds) => Fact::Hung { limit: Duration::from_millis(milliseconds) },
    }
}
