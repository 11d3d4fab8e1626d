//! Exhaustive searches that are empty, incomplete or impossible.

use crate::text::{count, joined, number};

/// A property has quantifiers inside that the runner cannot decide.
pub(super) fn not_decidable() -> String {
    "The property contains quantifiers (`exists`, `for_all`, `exists_unique`), which this runner cannot decide: random \
     tests do not show whether there is a witness.\nUse the exhaustive runner: `#[forall::test(runner = exhaustive)]`, \
     or `FORALL_RUNNER=exhaustive`."
        .to_owned()
}

/// A generator panicked while a search made its values.
pub(super) fn search_generator_panicked(message: &str) -> String {
    format!(
        "A generator panicked: {message}.\nFix it, or implement `Arbitrary` with a `series` method that does not panic."
    )
}

/// One evaluation does not end.
pub(super) fn search_endless(input: &[String]) -> String {
    let input = if input.is_empty() { String::new() } else { format!("\nThis happened for {}.", joined(input, ", ")) };
    format!(
        "One evaluation kept forcing values: most likely the property traverses an infinite structure.\nLimit the part \
         that it reads, for example with `take`, and give recursive variants a depth cost above 0.{input}"
    )
}

/// A property read other parts of an input than before.
pub(super) fn search_strayed(variable: Option<&str>, quantifier: Option<&str>) -> String {
    let place = match (variable, quantifier) {
        (Some(variable), _) => format!(" (noticed after it read `{variable}`)"),
        (None, Some(quantifier)) => format!(" (noticed inside the quantifier over `{quantifier}`)"),
        (None, None) => String::new(),
    };
    format!(
        "The property does not read the same parts of an input in every run, so its inputs cannot be \
         enumerated{place}.\n{DEPENDS}"
    )
}

/// A value of a search was read when it could no longer be decided.
pub(super) fn search_looked_late() -> String {
    "A value that was not yet decided was read after its evaluation had ended.\nDo not keep parts of the input beyond a \
     test. In a `Drop`, read only parts for which `Lazy::is_decided` returns true."
        .to_owned()
}

/// A precondition depends on what is decided.
pub(super) fn search_unsteady() -> String {
    "A precondition (`given`) returned one result for a partial value, and another for the complete one.\nIts result must \
     depend on values only: do not use `Lazy::is_decided`, `Debug`, time or global state in it."
        .to_owned()
}

/// A failure found by a search does not occur when its input is rerun.
pub(super) fn search_does_not_repeat() -> String {
    format!("The property failed for this input, but passed when the same input was rerun.\n{DEPENDS}")
}

/// What to do about a property that is not a function of its input.
const DEPENDS: &str = "Remove everything it depends on besides its input: time, global state, the order of a hash map, changes to \
                       parts of the input.";

/// A search discarded all inputs.
pub(super) fn search_discarded_all(tests: u64) -> String {
    let all = if tests == 1 { "The only test was".to_owned() } else { format!("All {tests} tests were") };
    format!(
        "{all} discarded by an assumption: nothing was checked.\nSearch deeper (`depth`), or generate only inputs that \
         satisfy the assumption."
    )
}

/// A variable has no value up to this depth.
pub(super) fn nothing_to_search(depth: u64) -> String {
    format!(
        "Nothing was tested: a variable has no value up to depth {depth}.\nSearch deeper (`depth`), or check for a \
         type that contains itself in every variant."
    )
}

/// A search did not complete its first depth.
pub(super) fn search_unfinished(depth: u64, evaluations: u64) -> String {
    format!(
        "The search did not complete even its first depth, {depth}, within {}.\nAllow more \
         (`evaluations`, `max_time`), or reduce the number of alternatives at small depths.",
        count(evaluations, "evaluation")
    )
}

/// A search may evaluate nothing.
pub(super) fn no_evaluations() -> String {
    "The limit is 0 evaluations, so nothing was tested.\nSet `evaluations` to at least 1.".to_owned()
}

/// A precondition reads whole values.
pub(super) fn prunes_nothing(rejected: u64, depth: u64) -> String {
    format!(
        "The precondition (`given`) prunes nothing: it read the whole value before each rejection ({} at depth {depth}).\n\
         Read parts of the twin, and return as soon as one is wrong. A function over the plain value reads all of it: write a copy that takes \
         the twin (`&TreeTwin` for `&Tree`), with an extra `*` where it reads a number.",
        number(rejected)
    )
}
