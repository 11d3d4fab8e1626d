//! Settings, names and commands that cannot be used.

use super::{MAX_VALUE, quoted, sentence};
use crate::text::{count, number, shorten};

/// No tests were asked for.
pub(super) fn zero_tests() -> String {
    "0 tests were asked for, so nothing was tested, and a property that was not tested does not pass.\nSet `tests`, or \
     `FORALL_TESTS`, to at least 1. To leave a property out, mark it `#[ignore]`."
        .to_owned()
}

/// Sizes as large as this make no input that could be kept.
pub(super) fn size_too_large(size: u64, most: u64) -> String {
    format!(
        "A size of {} makes collections of that many elements, and no input of more than {} choices can be kept.\nSet `size`, or \
         `FORALL_SIZE`, to at most {}; where one collection must be larger, give it a length: `vec(any::<u8>()).len(…)`.",
        number(size),
        number(most),
        number(most)
    )
}

/// The value of a setting in the environment is not what it must be.
pub(super) fn setting_does_not_parse(variable: &str, value: &str, expected: &str) -> String {
    let value = quoted(value);
    format!(
        "`{variable}={value}` is not understood: expected {expected}.\nCorrect it or unset it; the property was not run."
    )
}

/// A variable begins like one of ours and means nothing.
pub(super) fn unknown_variable(name: &str) -> String {
    format!(
        "There is no setting `{}`: it is ignored.\nSee the table in the documentation of `forall::run::Settings`.",
        quoted(name)
    )
}

/// A runner that does not exist was asked for.
pub(super) fn unknown_runner(name: &str, known: &[String]) -> String {
    let mut listed = String::new();
    for name in known {
        let comma = if listed.is_empty() { "" } else { ", " };
        listed += &format!("{comma}`{name}`");
    }
    format!(
        "There is no runner called `{}`. There are: {}.\nCorrect `runner` or `FORALL_RUNNER`; the property was not run.",
        quoted(name),
        listed
    )
}

/// Something was asked for that a feature of this crate brings, and the feature is not enabled.
pub(super) fn needs_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features {feature}`, or add \
         `\"{feature}\"` to the `features` of forall in Cargo.toml; the property was not run."
    )
}

/// A variable or a file configures something that a feature of this crate brings, and the feature is not enabled.
pub(super) fn ignored_without_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} has no effect: it requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features \
         {feature}`, or remove it."
    )
}

/// An async test needs a runtime of tokio and runs under none.
pub(super) fn needs_tokio() -> String {
    "no runtime of tokio runs this test: write `#[forall::test(runtime = tokio)]`, with the feature `tokio` of forall, or \
     `runtime = function` with a function of yours from a future to its value"
        .to_owned()
}

/// A task panicked under tokio, and the test would have passed.
pub(super) fn task_panicked() -> String {
    "this panic was in a task that the test spawned, and the body passed in spite of it: repair it, or await the task and look at what \
     came of it. If tasks are meant to panic in this test, say so: `#[forall::test(runtime = tokio, allow_task_panics)]`"
        .to_owned()
}

/// Somebody asked for coverage, and the program was built without instrumentation.
pub(super) fn not_instrumented() -> String {
    "This program was built without instrumentation, so nobody can see which of its branches a test takes.\nRun `cargo \
     forall fuzz PROPERTY`, which builds it instrumented, in a target directory of its own; or any command of cargo that \
     way, as in `cargo forall instrumented test`."
        .to_owned()
}

/// A runner that looks at this process was asked to test in another one.
pub(super) fn isolated_coverage() -> String {
    "The runner `coverage` sees the branches of this process, and isolated tests run in another one.\nLeave `isolate` and its \
     limits out: `cargo forall fuzz` runs each campaign in a process of its own already, and keeps the input that ends it."
        .to_owned()
}

/// A search was asked to test in another process.
pub(super) fn isolated_search() -> String {
    "The runner `exhaustive` decides values when they are looked at, in this process, and isolated tests run in another one.\n\
     Leave `isolate` and its limits out, or use another runner."
        .to_owned()
}

/// The name of a property is one by which it cannot be asked for.
pub(super) fn unusable_name(name: &str) -> String {
    format!(
        "{:?} cannot be the name of a property: what is stored is found by it, and commands such as `FORALL_DO='keep NAME'` say \
         it.\nName it by something that is not empty, neither begins nor ends with white space, and has no NUL in it.",
        shorten(name, MAX_VALUE)
    )
}

/// `FORALL_DO` asks for a property that no test reached.
pub(super) fn no_such_property(name: &str) -> String {
    format!(
        "FORALL_DO asks for the property `{}`, which none of the tests has that ran: nothing was done.\nWrite the name as reports do, \
         with its crate and modules (`FORALL_DO=list` lists those of a test binary), and let the filter of `cargo test` reach \
         its test.",
        quoted(name)
    )
}

/// The indices that a tool asked for are none.
pub(super) fn empty_indices(start: u64, end: u64) -> String {
    format!(
        "There is no test with an index in {start}..{end}, so nothing was tested.\nThe end must be above the start."
    )
}

/// A shard has none of the tests.
pub(super) fn empty_shard(tests: u64) -> String {
    let tests = count(tests, "test");
    format!(
        "This shard has nothing to do: there are more shards than inputs or tests ({tests}).\nAsk for more tests, or use fewer shards."
    )
}

/// The library was to read a corpus that is behind a network.
pub(super) fn corpus_is_no_directory(scheme: &str) -> String {
    let kind = quoted(scheme);
    format!(
        "`FORALL_CORPUS` is a directory, and not the address of a store ({kind}://…).\nRun `cargo forall corpus merge {kind}://… \
         DIRECTORY` first, and set `FORALL_CORPUS` to that directory."
    )
}

/// The directory of what others found is not there.
pub(super) fn corpus_is_missing(path: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, where no directory is: nothing of what others found is tried.\nMount it, or correct the path.",
        quoted(path)
    )
}

/// The directory of what others found is another one.
pub(super) fn corpus_is_none(path: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, a directory without a file `forall-corpus`: no `cargo forall run --corpus` has filled it.\nMount it, \
         or correct the path.",
        quoted(path)
    )
}

/// What others found was written by another version.
pub(super) fn corpus_is_of_another_version(path: &str, found: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, a corpus of another version: it says `{}`.\nWhat can be read of it is tried. Update the older of the \
         two.",
        quoted(path),
        quoted(found)
    )
}

/// A search in a given order was asked for, and only a part of it.
pub(super) fn search_is_not_split() -> String {
    "The runner `exhaustive` searches in one order, and cannot be split: each shard would do all of it.\nRun it on one machine, \
     without a shard; its `threads` share the work there."
        .to_owned()
}

/// There is no local find that could be kept.
pub(super) fn nothing_to_keep() -> String {
    "There is no local find of this property to keep.\nRun the test until it fails, then keep what it found; what is in \
     forall-regressions/ already needs nothing but a commit."
        .to_owned()
}

/// What was asked for through `FORALL_DO` is not understood.
pub(super) fn not_a_command(text: &str, error: &str) -> String {
    format!(
        "`FORALL_DO={}` is not understood: {}\nCopy the whole command from the report; it is quoted for a POSIX shell.",
        quoted(text),
        sentence(error)
    )
}

/// `FORALL_DO` has another form than all commands.
pub(super) fn unknown_command(text: &str) -> String {
    format!(
        "FORALL_DO={text} is not understood: write `list`, `run PROPERTY A..B`, `keep PROPERTY`, `replay PROPERTY SEQUENCE` or `fuzz PROPERTY`"
    )
}

/// No threads were asked for.
pub(super) fn zero_threads() -> String {
    "Zero threads cannot test anything.\nSet `threads`, or `FORALL_THREADS`, to at least 1.".to_owned()
}

/// Counters of coverage cannot be read on this system.
pub(super) fn coverage_needs_linux() -> String {
    "Coverage can be read on x86-64 Linux only, so far.\nRun the property there, or with another runner.".to_owned()
}

/// The file of literals cannot be read.
pub(super) fn literals_unreadable(variable: &str, path: &str, error: &str) -> String {
    format!(
        "The literals in `{variable}={path}` cannot be read: {error}.\nName a file with a literal in each line, or say \
         `{variable}=off`; the property is tested without them."
    )
}

/// A line of the file of literals is none.
pub(super) fn no_literal(variable: &str, path: &str, line: u64, text: &str) -> String {
    format!(
        "`{text}`, line {line} of `{variable}={path}`, is no literal of Rust.\nWrite one in each line, texts in quotes; a line \
         that begins with `#` names a file. It is left out, as others like it are."
    )
}
