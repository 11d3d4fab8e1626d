//! Exhaustive searches that tried nothing, or not all.

/// A property has quantifiers inside that the runner cannot decide.
pub(super) fn not_decidable() -> String {
    "The property has quantifiers inside (`exists`, `for_all`, `exists_unique`), which are not decidable by this runner: random \
     tests do not tell whether there is a witness.\nUse the exhaustive one: `#[forall::test(runner = exhaustive)]`, or \
     `FORALL_RUNNER=exhaustive`."
        .to_owned()
}

/// A search discarded all inputs.
pub(super) fn search_discarded_all(tests: u64) -> String {
    let all = if tests == 1 { "The only test was".to_owned() } else { format!("All {tests} tests were") };
    format!(
        "{all} discarded by an assumption: nothing was checked.\nSearch deeper (`depth`), or have only such inputs generated as \
         satisfy the assumption."
    )
}

/// A variable has no value up to this depth.
pub(super) fn nothing_to_search(depth: u64) -> String {
    format!(
        "There is nothing to try: up to depth {depth} a variable has no value.\nSearch deeper (`depth`), or look for a type that \
         contains itself in each of its constructors."
    )
}

/// A search did not complete its first depth.
pub(super) fn search_unfinished(depth: u64, evaluations: u64) -> String {
    format!(
        "Not even depth {depth} was searched completely, with {evaluations} evaluations.\nAllow more (`evaluations`, `time`), or have fewer \
         alternatives where the depth is small."
    )
}

/// A search may evaluate nothing.
pub(super) fn no_evaluations() -> String {
    "No evaluation may be made, so nothing was tried.\nAllow some (`evaluations`).".to_owned()
}
