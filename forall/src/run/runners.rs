//! The runners that settings can name, and settings that no runner accepts.

use super::{Ending, Report, Schedule, Session, Settings, Statistics, generational, registered};
use crate::fact::Fact;
use crate::settings::GENERATIONAL;
use crate::sort::sort_by;
use crate::testing::{MAX_SIZE, MOST_BESIDE};

/// A runner: turns a session into a report.
pub(crate) type Runner = fn(Session<'_>) -> Report;

/// A custom runner.
pub(super) type OwnRunner<'a> = Box<dyn FnOnce(Session<'_>) -> Report + 'a>;

/// A runner of a guest, selected by `runner`.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) runner: Runner,
    /// Whether it learns from the tests that it ran. Tests with literals run first, so that it can learn from them.
    pub(crate) learns: bool,
    /// Whether it tests on as many threads as the settings say.
    pub(crate) is_parallel: bool,
    /// Why it cannot run with these settings.
    pub(crate) refusal: fn(&Settings) -> Option<Fact>,
}

impl Named {
    /// Returns a runner on one thread that learns nothing and accepts all settings.
    pub(crate) const fn new(name: &'static str, runner: Runner) -> Self {
        Self { name, runner, learns: false, is_parallel: false, refusal: |_| None }
    }
}

inventory::collect!(Named);

/// Tests of a guest that run before those of the runner. Returns the ending of the run, if one does not pass.
pub(crate) struct Before(pub(crate) fn(&mut Session<'_>) -> Option<Ending>);

inventory::collect!(Before);

/// Runs the tests of guests that precede those of the runner.
pub(super) fn test_before(session: &mut Session<'_>) -> Option<Ending> {
    inventory::iter::<Before>().find_map(|before| (before.0)(session))
}

/// Tests of a guest that run after those of a run that passed. Returns the new ending of the run, if they change it.
pub(crate) struct After(pub(crate) fn(&mut Session<'_>) -> Option<Ending>);

inventory::collect!(After);

/// Runs the tests of guests that follow those of a run.
pub(super) fn test_after(session: &mut Session<'_>) -> Option<Ending> {
    inventory::iter::<After>().find_map(|after| (after.0)(session))
}

/// Runs the runner that the settings name.
pub(super) fn run(mut session: Session<'_>) -> Report {
    if let [registered, ..] = registered::all_named(&session.settings.runner)[..] {
        return registered.run(session);
    }
    let Some(named) = named(&session.settings.runner) else { return generational(session) };
    if named.learns
        && let Some(ending) = test_before(&mut session)
    {
        return session.finish(ending, Statistics::default());
    }
    (named.runner)(session)
}

/// The default runner, which needs no guest.
const DEFAULT: Named = Named { is_parallel: true, ..Named::new(GENERATIONAL, generational) };

/// Runners that are not part of the lean core.
const NOT_LEAN: &[&str] = &["targeted", "combinatorial", "constructors", "coverage", "exhaustive"];

/// Whether a built-in runner tests on one thread, whatever the settings say.
pub(super) fn uses_one_thread(runner: &str) -> bool {
    named(runner).is_some_and(|named| !named.is_parallel)
}

/// Whether a built-in runner runs only the requested tests.
pub(super) fn ignores_extra_time(runner: &str) -> bool {
    runner != GENERATIONAL && named(runner).is_some()
}

/// Whether this program has a runner with this name.
pub(super) fn is_known(name: &str) -> bool {
    named(name).is_some() || !registered::all_named(name).is_empty()
}

/// The built-in runner with this name.
fn named(name: &str) -> Option<&'static Named> {
    if name == GENERATIONAL {
        return Some(&DEFAULT);
    }
    inventory::iter::<Named>().find(|runner| runner.name == name)
}

/// The names of all runners of this program, the built-in ones first.
fn names() -> Vec<String> {
    let mut names = vec![GENERATIONAL.to_owned()];
    for runner in inventory::iter::<Named> {
        names.push(runner.name.to_owned());
    }
    // They are registered in an unspecified order.
    sort_by(&mut names[1..], String::cmp);
    names.append(&mut registered::names());
    names
}

/// The problem with settings that parse but cannot be used.
pub(super) fn nonsense(settings: &Settings) -> Option<Fact> {
    if let Some(problem) = &settings.problem {
        Some(problem.clone())
    } else if settings.tests == 0 {
        Some(Fact::ZeroTests)
    } else if let Some(problem) = registered::ambiguity(&settings.runner) {
        Some(problem)
    } else if !is_known(&settings.runner) {
        Some(match cfg!(not(feature = "full")) && NOT_LEAN.contains(&&*settings.runner) {
            true => Fact::NeedsFeature { what: format!("The runner `{}`", settings.runner), feature: "full" },
            false => Fact::UnknownRunner { runner: settings.runner.clone(), known: names() },
        })
    } else if settings.isolates() && cfg!(not(feature = "full")) {
        Some(Fact::NeedsFeature {
            what: "Isolation, with `isolate`, `timeout`, `memory` and `stack`,".to_owned(),
            feature: "full",
        })
    } else if let Some(problem) = named(&settings.runner).and_then(|named| (named.refusal)(settings)) {
        Some(problem)
    } else if let Schedule::Constant(size) | Schedule::Spread { to: size, .. } = settings.size
        && size > MAX_SIZE
    {
        Some(Fact::SizeTooLarge { size: size.into(), most: MAX_SIZE.into() })
    } else if settings.threads == 0 {
        Some(Fact::ZeroThreads)
    } else if !(1..=MOST_BESIDE).contains(&settings.beside) {
        Some(Fact::BesideOutOfRange { beside: settings.beside as u64, most: MOST_BESIDE as u64 })
    } else {
        None
    }
}
