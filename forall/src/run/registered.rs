//! Users' runners, which `#[forall::runner]` registers under their names.

use super::recorders::Recorders;
use super::runners::Runner;
use super::session::test_of_this_thread;
use super::{Event, Report, Session, Verdict, environment};
use crate::fact::Fact;
use crate::panic::{Unwound, catch_once};
use crate::sort::sort_by;
use std::panic::resume_unwind;
use std::time::Instant;

/// A user's runner.
pub struct Registered {
    /// The name of its function.
    pub name: &'static str,
    /// The file of its attribute.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
    /// The function.
    pub runner: Runner,
}

inventory::collect!(Registered);

/// The runners with this name: more than one is a user error.
pub(super) fn all_named(name: &str) -> Vec<&'static Registered> {
    let mut found = Vec::new();
    for registered in inventory::iter::<Registered> {
        if registered.name == name {
            found.push(registered);
        }
    }
    found
}

/// The names of all registered runners, sorted.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for registered in inventory::iter::<Registered> {
        names.push(registered.name.to_owned());
    }
    sort_by(&mut names, String::cmp);
    names.dedup();
    names
}

/// The problem with the registered runners of one name, if there is one.
pub(super) fn ambiguity(name: &str) -> Option<Fact> {
    let found = all_named(name);
    if found.len() < 2 {
        return None;
    }
    let mut places = Vec::new();
    for registered in found {
        places.push(format!("{}:{}", registered.file, registered.line));
    }
    sort_by(&mut places, String::cmp);
    Some(Fact::RunnerNamedTwice { runner: name.to_owned(), places })
}

impl Registered {
    /// Runs it. The report is for this session's property, whatever the runner does.
    pub(super) fn run(&self, session: Session<'_>) -> Report {
        let (identity, settings, seed) = (session.identity.clone(), session.settings.clone(), session.seed);
        let (has_finished, began) = (session.seen.has_finished(), Instant::now());
        let runner = self.name.to_owned();
        let why = match catch_once(|| (self.runner)(session)) {
            Ok(report) if report.identity != identity => {
                Fact::RunnerReportedAnother { runner, property: report.identity.name.to_string() }
            }
            Ok(report) if has_finished.get() => return report,
            Ok(_) => Fact::RunnerDidNotFinish { runner },
            Err(Unwound::Panic(caught)) => Fact::RunnerPanicked { runner, message: caught.to_string() },
            Err(Unwound::Signal(signal)) => resume_unwind(signal),
        };
        let report = Report {
            test: test_of_this_thread(),
            seed,
            time: began.elapsed(),
            runner: settings.runner.clone(),
            ..Report::new(identity, Verdict::Faulty(why))
        };
        // The runner consumed the session, and with it the observers.
        let package = environment::package_directory(&report.identity);
        let mut recorders = Recorders::from_environment(&report.identity, &settings, &package);
        recorders.event(&Event::Finished { report: &report });
        report
    }
}
