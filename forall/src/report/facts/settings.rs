//! Invalid settings, names and commands.

use super::{MAX_VALUE, quoted, sentence};
use crate::text::{count, number, shorten};

/// Zero tests were requested.
pub(super) fn zero_tests() -> String {
    "`tests` is 0, so nothing was tested, and an untested property does not pass.\nSet `tests`, or `FORALL_TESTS`, to \
     at least 1. To skip a property, mark it `#[ignore]`."
        .to_owned()
}

/// Inputs of this size exceed the recording limit.
pub(super) fn size_too_large(size: u64, most: u64) -> String {
    format!(
        "A size of {} produces collections of that many elements, but an input can have at most {} choices.\nSet \
         `size`, or `FORALL_SIZE`, to at most {}; if one collection must be larger, give it a length: \
         `vec(any::<u8>()).len(…)`.",
        number(size),
        number(most),
        number(most)
    )
}

/// The value of an environment variable does not parse.
pub(super) fn setting_does_not_parse(variable: &str, value: &str, expected: &str) -> String {
    let value = quoted(value);
    format!("`{variable}={value}` is not valid: expected {expected}.\nCorrect or unset it; the property was not run.")
}

/// The value of a setting in a builder or an attribute does not parse.
pub(super) fn setting_unreadable(setting: &str, error: &str) -> String {
    format!("`{setting}`: {error}")
}

/// `FORALL_PROFILE` is set, but there is no `forall.toml`.
pub(super) fn no_profiles(profile: &str, directory: &str) -> String {
    format!(
        "FORALL_PROFILE={profile}, but there is no `forall.toml` in {directory} or above it.\nCreate one with a section \
         `[{profile}]`, or unset FORALL_PROFILE."
    )
}

/// A variable has the `FORALL_` prefix and is not a setting.
pub(super) fn unknown_variable(name: &str) -> String {
    format!(
        "Unknown setting `{}`, ignored.\nSee the table in the documentation of `forall::run::Settings`.",
        quoted(name)
    )
}

/// A setting requires a feature of this crate that is not enabled.
pub(super) fn needs_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features {feature}`, or add \
         `\"{feature}\"` to the `features` of forall in Cargo.toml; the property was not run."
    )
}

/// A variable or a file is ignored, because it requires a feature that is not enabled.
pub(super) fn ignored_without_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} has no effect: it requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features \
         {feature}`, or remove it."
    )
}

/// An async test needs a Tokio runtime, and there is none.
pub(super) fn needs_tokio() -> String {
    "this test does not run inside a Tokio runtime: use `#[forall::test(runtime = tokio)]` (feature `tokio` of \
     forall), or `runtime = f` with your own `fn(Future) -> Output`"
        .to_owned()
}

/// A Tokio task panicked, and the body passed.
pub(super) fn task_panicked() -> String {
    "a task that the test spawned panicked, although the body passed: fix it, or await the task and handle its result. \
     If tasks may panic in this test, write `#[forall::test(runtime = tokio, allow_task_panics)]`"
        .to_owned()
}

/// Coverage was requested, and the program is not instrumented.
pub(super) fn not_instrumented() -> String {
    "This program was built without instrumentation, so branch coverage cannot be measured.\nRun `cargo forall fuzz \
     PROPERTY`, which builds it instrumented in a separate target directory; or run any cargo command that way, for \
     example `cargo forall instrumented test`."
        .to_owned()
}

/// The coverage runner cannot observe isolated tests.
pub(super) fn isolated_coverage() -> String {
    "The runner `coverage` measures the branches of this process, but isolated tests run in another one.\nRemove \
     `isolate` and its limits: `cargo forall fuzz` already runs each campaign in a separate process, and saves the \
     input that crashes it."
        .to_owned()
}

/// The exhaustive runner cannot search in another process.
pub(super) fn isolated_search() -> String {
    "The runner `exhaustive` generates values on demand in this process, but isolated tests run in another \
     one.\nRemove `isolate` and its limits, or use another runner."
        .to_owned()
}

/// The name of a property cannot be used in requests.
pub(super) fn unusable_name(name: &str) -> String {
    format!(
        "{:?} cannot be the name of a property: the name identifies saved failures, and is part of commands such as \
         `FORALL_DO='keep NAME'`.\nUse a name that is not empty, does not begin or end with white space, and contains \
         no NUL.",
        shorten(name, MAX_VALUE)
    )
}

/// `FORALL_DO` names a property that no test reached.
pub(super) fn no_such_property(name: &str) -> String {
    format!(
        "FORALL_DO: no test that ran defines property `{}`.\nUse the name from the report, with its crate and modules \
         (`FORALL_DO=list` lists the properties of a test binary), and a filter for `cargo test` that selects its \
         test.",
        quoted(name)
    )
}

/// The requested range of indices is empty.
pub(super) fn empty_indices(start: u64, end: u64) -> String {
    format!("The range of tests {start}..{end} is empty, so nothing was tested.\nThe end must be above the start.")
}

/// A shard without tests.
pub(super) fn empty_shard(tests: u64) -> String {
    let tests = count(tests, "test");
    format!(
        "This shard is empty: there are more shards than inputs or tests ({tests}).\nRun more tests, or use fewer \
         shards."
    )
}

/// `FORALL_CORPUS` is a network address.
pub(super) fn corpus_is_no_directory(scheme: &str) -> String {
    let kind = quoted(scheme);
    format!(
        "`FORALL_CORPUS` must be a directory, not an address ({kind}://…).\nRun `cargo forall corpus merge {kind}://… \
         DIRECTORY` first, and set `FORALL_CORPUS` to that directory."
    )
}

/// The directory of the corpus does not exist.
pub(super) fn corpus_is_missing(path: &str) -> String {
    format!(
        "FORALL_CORPUS={} does not exist; shared counterexamples were not replayed.\nMount it, or correct the path.",
        quoted(path)
    )
}

/// The directory is not a corpus.
pub(super) fn corpus_is_none(path: &str) -> String {
    format!(
        "FORALL_CORPUS={} is not a corpus: it has no file `forall-corpus`, which `cargo forall run --corpus` \
         creates.\nMount it, or correct the path.",
        quoted(path)
    )
}

/// The corpus was written by another version.
pub(super) fn corpus_is_of_another_version(path: &str, found: &str) -> String {
    format!(
        "The corpus in FORALL_CORPUS={} has the format `{}`, which this version of forall does not fully \
         support.\nReadable entries are replayed. Update forall, or the tool that writes the corpus.",
        quoted(path),
        quoted(found)
    )
}

/// A shard of an exhaustive search was requested.
pub(super) fn search_is_not_split() -> String {
    "The runner `exhaustive` cannot be sharded: each shard would repeat the whole search.\nRun it on one machine \
     without a shard; its `threads` share the work there."
        .to_owned()
}

/// There is no local failure to save as a regression.
pub(super) fn nothing_to_keep() -> String {
    "This property has no saved failure that could become a regression.\nRun the test until it fails, then repeat this \
     command; files in forall-regressions/ only need to be committed."
        .to_owned()
}

/// The command in `FORALL_DO` does not parse.
pub(super) fn not_a_command(text: &str, error: &str) -> String {
    format!(
        "`FORALL_DO={}` is not valid: {}\nCopy the whole command from the report; it is quoted for a POSIX shell.",
        quoted(text),
        sentence(error)
    )
}

/// Unknown command in `FORALL_DO`.
pub(super) fn unknown_command(text: &str) -> String {
    format!(
        "FORALL_DO={text} is not a command: use `list`, `run PROPERTY A..B`, `keep PROPERTY`, `replay PROPERTY \
         SEQUENCE` or `fuzz PROPERTY`"
    )
}

/// Zero threads were requested.
pub(super) fn zero_threads() -> String {
    "`threads` is 0, so nothing can be tested.\nSet `threads`, or `FORALL_THREADS`, to at least 1.".to_owned()
}

/// Coverage is not supported on this platform.
pub(super) fn coverage_needs_linux() -> String {
    "Coverage is supported on x86-64 Linux only.\nRun the property there, or use another runner.".to_owned()
}

/// The file of literals cannot be read.
pub(super) fn literals_unreadable(variable: &str, path: &str, error: &str) -> String {
    format!(
        "The literals in `{variable}={path}` cannot be read: {error}.\nName a file with one literal per line, or set \
         `{variable}=off`; the property is tested without literals."
    )
}

/// A line of the file of literals is not a literal.
pub(super) fn no_literal(variable: &str, path: &str, line: u64, text: &str) -> String {
    format!(
        "`{text}`, line {line} of `{variable}={path}`, is not a Rust literal.\nWrite one per line, strings in quotes; \
         a line that begins with `#` names a file. Invalid lines are skipped."
    )
}
