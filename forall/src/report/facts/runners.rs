//! Runners that do not exist, and registered runners that do not return the report of their session.

use super::quoted;
use crate::text::joined;

/// The requested runner does not exist.
pub(super) fn unknown_runner(name: &str, known: &[String]) -> String {
    let mut listed = Vec::new();
    for name in known {
        listed.push(format!("`{name}`"));
    }
    format!(
        "Unknown runner `{}`. Available runners: {}.\nCorrect `runner` or `FORALL_RUNNER`, or register the runner with \
         `#[forall::runner]`; the property was not run.",
        quoted(name),
        joined(&listed, ", ")
    )
}

/// `extra_time` is set, but the runner runs only the requested tests.
pub(super) fn runner_without_extra_time(runner: &str) -> String {
    format!(
        "`extra_time` has no effect: the `{}` runner runs only the requested tests. Raise `tests` instead.",
        quoted(runner)
    )
}

/// Several functions register a runner of one name.
pub(super) fn runner_named_twice(name: &str, places: &[String]) -> String {
    format!(
        "Several runners are named `{}`: {}.\nRename all but one; the property was not run.",
        quoted(name),
        joined(places, ", ")
    )
}

/// A registered runner panicked.
pub(super) fn runner_panicked(name: &str, message: &str) -> String {
    format!(
        "The runner `{}` panicked: {}\nThis is not a failure of the property: the panic is in the runner, outside of \
         the tests that it runs.",
        quoted(name),
        quoted(message)
    )
}

/// A registered runner returned the report of another property.
pub(super) fn runner_reported_another(name: &str, property: &str) -> String {
    format!(
        "The runner `{}` returned the report of another property, `{}`.\nReturn the report of its own session: \
         `budget.finish(session, ending)` or `session.finish(ending, statistics)`.",
        quoted(name),
        quoted(property)
    )
}

/// A registered runner returned a report that its session did not create.
pub(super) fn runner_did_not_finish(name: &str) -> String {
    format!(
        "The runner `{}` returned a report without finishing its session.\nReturn the report of the session: \
         `budget.finish(session, ending)` or `session.finish(ending, statistics)`.",
        quoted(name)
    )
}
