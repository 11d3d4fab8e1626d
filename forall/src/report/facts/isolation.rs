//! Isolation that is not possible.

use crate::text::count;

/// Not on a test's thread, and no entry point is known.
pub(super) fn isolation_needs_entry() -> String {
    "An isolated run restarts this program, but the new process could not find this property: the run did not start on \
     a test's thread.\nIn your own program, call `forall::isolate::entry()` at the start of `main`; in a test, start \
     the run on the test's thread; or remove `isolate` and its limits."
        .to_owned()
}

/// An isolated run started inside a test that is not isolated.
pub(super) fn isolated_inside() -> String {
    "This run is nested in another property's test, which is not isolated: a crash would end that test and its whole \
     run.\nIsolate the outer property with `#[forall::test(isolate)]` or `isolate(true)`; its process then runs both; \
     start this run outside of the test; or remove `isolate`, `timeout`, `memory` and `stack`."
        .to_owned()
}

/// A nested run has a tighter limit than the isolated test around it.
pub(super) fn tighter_inside(limit: &str) -> String {
    format!(
        "This run is nested in another property's test and shares its process, so `{limit}` cannot be enforced: the \
         outer test has no `{limit}`, or a larger one.\nSet `{limit}` on the outer property, start this run outside of \
         the test, or remove `{limit}` here."
    )
}

/// The timeout is zero.
pub(super) fn zero_timeout() -> String {
    "A `timeout` of 0 would kill every test.\nSet the time that one test may take, such as `timeout = \"2s\"`; or \
     remove `timeout` (the default is 10 s if the run is isolated)."
        .to_owned()
}

/// The stack is too small to run any test.
pub(super) fn stack_too_small(stack: u64, least: u64) -> String {
    format!(
        "A `stack` of {} is too small to run any test: the minimum is {} KiB.\nSet a larger one, such as `stack = \
         \"1MiB\"`; or remove `stack`.",
        count(stack, "byte"),
        least >> 10
    )
}

/// Isolation relies on Linux system calls.
pub(super) fn isolation_needs_linux() -> String {
    "Isolation is supported on Linux only.\nRemove `isolate`, `timeout`, `memory` and `stack`; or set \
     `FORALL_ISOLATE=0`, which disables all of them."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_has_a_cause_and_advice() {
        let texts = [
            isolation_needs_entry(),
            isolated_inside(),
            tighter_inside("timeout"),
            zero_timeout(),
            stack_too_small(1000, 64 << 10),
            isolation_needs_linux(),
        ];
        insta::assert_snapshot!(texts.join("\n\n"));
    }
}
