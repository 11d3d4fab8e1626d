//! The runners that settings may name, and settings that none of them can run.

#[cfg(feature = "lazy")]
use super::exhaustive;
use super::{Report, Schedule, Session, Settings, coverage_guided, generational};
#[cfg(feature = "guided")]
use super::{combinatorial, constructor_guided, targeted};
use crate::report::advice;
use crate::testing::MAX_SIZE;

/// A runner: from the beginning of a run to its report.
pub(super) type Runner = fn(Session<'_>) -> Report;

/// A user's runner.
pub(super) type OwnRunner<'a> = Box<dyn FnOnce(Session<'_>) -> Report + 'a>;

/// The runners that `runner` may name.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("generational", generational),
    #[cfg(feature = "guided")]
    ("targeted", targeted),
    #[cfg(feature = "guided")]
    ("combinatorial", combinatorial),
    #[cfg(feature = "guided")]
    ("constructors", constructor_guided),
    ("coverage", coverage_guided),
    #[cfg(feature = "lazy")]
    ("exhaustive", exhaustive),
];

/// The runners that are there when a feature of this crate is switched on.
const RUNNERS_OF_FEATURES: &[(&str, &str)] =
    &[("targeted", "guided"), ("combinatorial", "guided"), ("constructors", "guided"), ("exhaustive", "lazy")];

/// Whether a runner learns from the tests that it ran. Those with literals come before them, for it to learn from.
#[cfg(all(feature = "guided", feature = "literals"))]
pub(super) fn learns(runner: &str) -> bool {
    RUNNERS_OF_FEATURES.iter().any(|(name, feature)| *name == runner && *feature == "guided")
}

/// What is wrong with settings that can be read but not run.
pub(super) fn nonsense(settings: &Settings) -> Option<String> {
    #[cfg(feature = "campaign")]
    if settings.shard.is_some() && settings.runner == "exhaustive" {
        return Some(advice::search_is_not_split());
    }
    let mut names = Vec::new();
    for (name, _) in RUNNERS {
        names.push(*name);
    }
    if let Some(why) = &settings.problem {
        Some(why.clone())
    } else if settings.tests == 0 {
        Some(advice::zero_tests())
    } else if !names.contains(&&*settings.runner) {
        let of_feature = RUNNERS_OF_FEATURES.iter().find(|(name, _)| *name == settings.runner);
        Some(match of_feature {
            Some((name, feature)) => advice::needs_feature(&format!("The runner `{name}`"), feature),
            None => advice::unknown_runner(&settings.runner, &names),
        })
    } else if settings.isolates() && cfg!(not(feature = "isolate")) {
        Some(advice::needs_feature("Isolation, with `isolate`, `timeout`, `memory` and `stack`,", "isolate"))
    } else if settings.isolates() && settings.runner == "coverage" {
        Some(advice::isolated_coverage())
    } else if settings.isolates() && settings.runner == "exhaustive" {
        Some(advice::isolated_search())
    } else if let Schedule::Constant(size) | Schedule::Spread { to: size, .. } = settings.size
        && size > MAX_SIZE
    {
        Some(advice::size_too_large(size, MAX_SIZE))
    } else if settings.threads == 0 {
        Some("Zero threads cannot test anything.\nSet `threads`, or `FORALL_THREADS`, to at least 1.".to_owned())
    } else {
        None
    }
}
