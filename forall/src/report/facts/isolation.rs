//! Runs whose tests cannot be isolated.

use crate::text::count;

/// This is no thread of a test, and nothing says how to come back here.
pub(super) fn isolation_needs_entry() -> String {
    "An isolated run starts this program again, and here it is not known how the new process would come to this property: this \
     is not the thread of a test.\nIn a program of your own call `forall::isolate::entry()` at the start of `main`; in a test \
     begin the run on the thread of the test; or leave `isolate` and its limits out."
        .to_owned()
}

/// A run that is to be isolated begins in a test that is not.
pub(super) fn isolated_inside() -> String {
    "This run is part of another property's test, and has no processes of its own: what ends the process would end that test, too, \
     and the whole run around it.\nIsolate the property around it, with `#[forall::test(isolate)]` or `isolate(true)`, which \
     then contains both; begin this run outside of the test; or leave `isolate`, `timeout`, `memory` and `stack` out."
        .to_owned()
}

/// A run begins in an isolated test that is allowed more than the run allows its own.
pub(super) fn tighter_inside(limit: &str) -> String {
    format!(
        "This run is part of another property's test, and its own tests run in the process of that one: `{limit}` would not be \
         kept to, because the test around it has none, or a larger one.\nGive `{limit}` to the property around it, begin this run \
         outside of the test, or leave `{limit}` out here."
    )
}

/// No test ends in no time.
pub(super) fn zero_timeout() -> String {
    "A `timeout` of 0 is no time for any test: each would be killed.\nSay how long a test may take, as in `timeout = \"2s\"`; or \
     leave `timeout` out: 10 s, if the run is isolated."
        .to_owned()
}

/// A process with so little stack does not come to its test.
pub(super) fn stack_too_small(stack: u64, least: u64) -> String {
    format!(
        "A `stack` of {} is too little for a process to come to its test: {} KiB is the least.\nSay more, as in \
         `stack = \"1MiB\"`; or leave `stack` out.",
        count(stack, "byte"),
        least >> 10
    )
}

/// Processes are isolated by means that other systems do not have.
pub(super) fn isolation_needs_linux() -> String {
    "Tests can be isolated on Linux only.\nLeave `isolate`, `timeout`, `memory` and `stack` out here; or set \
     `FORALL_ISOLATE=0`, which switches all of them off."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_says_what_happened_and_what_to_do() {
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
