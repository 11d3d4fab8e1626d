//! The runners that settings may name, and settings that none of them can run.

use super::{Ending, Report, Schedule, Session, Settings, Statistics, generational};
use crate::fact::Fact;
use crate::testing::MAX_SIZE;

/// A runner: from the beginning of a run to its report.
pub(crate) type Runner = fn(Session<'_>) -> Report;

/// A user's runner.
pub(super) type OwnRunner<'a> = Box<dyn FnOnce(Session<'_>) -> Report + 'a>;

/// A runner of a guest, which `runner` may name.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) runner: Runner,
    /// Whether it learns from the tests that it ran. Those with literals come before them, for it to learn from.
    pub(crate) learns: bool,
}

inventory::collect!(Named);

/// Tests of a guest that come before those of a run: what the run ends with, if one of them does not pass.
pub(crate) struct Before(pub(crate) fn(&mut Session<'_>) -> Option<Ending>);

inventory::collect!(Before);

/// Runs what guests test before the tests of a run.
pub(super) fn test_before(session: &mut Session<'_>) -> Option<Ending> {
    inventory::iter::<Before>().find_map(|before| (before.0)(session))
}

/// Runs by the runner that the settings name.
pub(super) fn run(mut session: Session<'_>) -> Report {
    let Some(named) = named(&session.settings.runner) else { return generational(session) };
    if named.learns
        && let Some(ending) = test_before(&mut session)
    {
        return session.finish(ending, Statistics::default());
    }
    (named.runner)(session)
}

/// The runner that needs no guest.
const GENERATIONAL: Named = Named { name: "generational", runner: generational, learns: false };

/// The runners that the lean core leaves out.
const NOT_LEAN: &[&str] = &["targeted", "combinatorial", "constructors", "coverage", "exhaustive"];

/// The runner of a name.
pub(super) fn named(name: &str) -> Option<&'static Named> {
    if name == GENERATIONAL.name {
        return Some(&GENERATIONAL);
    }
    inventory::iter::<Named>().find(|runner| runner.name == name)
}

/// The names of all runners of this program.
fn names() -> Vec<String> {
    let mut names = vec![GENERATIONAL.name.to_owned()];
    for runner in inventory::iter::<Named> {
        names.push(runner.name.to_owned());
    }
    // They are registered in no particular order.
    names[1..].sort_unstable();
    names
}

/// What is wrong with settings that can be read but not run.
pub(super) fn nonsense(settings: &Settings) -> Option<Fact> {
    if settings.shard.is_some() && settings.runner == "exhaustive" {
        return Some(Fact::SearchIsNotSplit);
    }
    if let Some(why) = &settings.problem {
        Some(Fact::Setting { problem: why.clone() })
    } else if settings.tests == 0 {
        Some(Fact::ZeroTests)
    } else if named(&settings.runner).is_none() {
        Some(match cfg!(not(feature = "full")) && NOT_LEAN.contains(&&*settings.runner) {
            true => Fact::NeedsFeature { what: format!("The runner `{}`", settings.runner), feature: "full" },
            false => Fact::UnknownRunner { runner: settings.runner.clone(), known: names() },
        })
    } else if settings.isolates() && cfg!(not(feature = "full")) {
        Some(Fact::NeedsFeature {
            what: "Isolation, with `isolate`, `timeout`, `memory` and `stack`,".to_owned(),
            feature: "full",
        })
    } else if settings.isolates() && settings.runner == "coverage" {
        Some(Fact::IsolatedCoverage)
    } else if settings.isolates() && settings.runner == "exhaustive" {
        Some(Fact::IsolatedSearch)
    } else if let Schedule::Constant(size) | Schedule::Spread { to: size, .. } = settings.size
        && size > MAX_SIZE
    {
        Some(Fact::SizeTooLarge { size: size.into(), most: MAX_SIZE.into() })
    } else if settings.threads == 0 {
        Some(Fact::ZeroThreads)
    } else {
        None
    }
}
