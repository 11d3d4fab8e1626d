//! Settings, names and commands that cannot be used.

use super::super::text::{number, shorten};
use super::{MAX_VALUE, quoted, sentence};

/// No tests were asked for.
///
/// ```
/// assert!(forall::report::advice::zero_tests().contains("`FORALL_TESTS`"));
/// ```
pub fn zero_tests() -> String {
    "0 tests were asked for, so nothing was tested, and a property that was not tested does not pass.\nSet `tests`, or \
     `FORALL_TESTS`, to at least 1. To leave a property out, mark it `#[ignore]`."
        .to_owned()
}

/// Sizes as large as this make no input that could be kept.
///
/// ```
/// assert!(forall::report::advice::size_too_large(u32::MAX, 1_000_000).contains("at most 1,000,000"));
/// ```
pub fn size_too_large(size: u32, most: u32) -> String {
    format!(
        "A size of {} makes collections of that many elements, and no input of more than {} choices can be kept.\nSet `size`, or \
         `FORALL_SIZE`, to at most {}; where one collection must be larger, give it a length: `vec(any::<u8>()).len(…)`.",
        number(u64::from(size)),
        number(u64::from(most)),
        number(u64::from(most))
    )
}

/// The value of a seed setting is no number.
///
/// ```
/// assert!(forall::report::advice::seed_does_not_parse("0xZZ").contains("FORALL_SEED=0xZZ"));
/// ```
pub fn seed_does_not_parse(value: &str) -> String {
    setting_does_not_parse(
        "FORALL_SEED",
        value,
        "a number up to 2^64 - 1, decimal or hexadecimal, such as `7` or `0x1f`",
    )
}

/// The value of a setting in the environment is not what it must be.
///
/// ```
/// let text = forall::report::advice::setting_does_not_parse("FORALL_TIME", "soon", "a time such as `30s`");
/// assert_eq!(text, "`FORALL_TIME=soon` is not understood: expected a time such as `30s`.\nCorrect it or unset it; the property was not run.");
/// ```
pub fn setting_does_not_parse(variable: &str, value: &str, expected: &str) -> String {
    let value = quoted(value);
    format!(
        "`{variable}={value}` is not understood: expected {expected}.\nCorrect it or unset it; the property was not run."
    )
}

/// A variable begins like one of ours and means nothing.
///
/// ```
/// assert!(forall::report::advice::unknown_variable("FORALL_TETS").contains("FORALL_TETS"));
/// ```
pub fn unknown_variable(name: &str) -> String {
    format!(
        "There is no setting `{}`: it is ignored.\nSee the table in the documentation of `forall::run::Settings`.",
        quoted(name)
    )
}

/// A runner that does not exist was asked for.
///
/// ```
/// assert!(forall::report::advice::unknown_runner("fast", &["generational"]).contains("`generational`"));
/// ```
pub fn unknown_runner(name: &str, known: &[&str]) -> String {
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
///
/// ```
/// let advice = forall::report::advice::needs_feature("The runner `targeted`", "guided");
/// assert!(advice.contains("cargo add --dev forall --features guided"));
/// ```
pub fn needs_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features {feature}`, or add \
         `\"{feature}\"` to the `features` of forall in Cargo.toml; the property was not run."
    )
}

/// A variable or a file configures something that a feature of this crate brings, and the feature is not enabled.
///
/// ```
/// let advice = forall::report::advice::ignored_without_feature("forall.toml", "profiles");
/// assert!(advice.starts_with("forall.toml has no effect: it requires the `profiles` feature, which is not enabled."));
/// assert!(advice.contains("cargo add --dev forall --features profiles"));
/// ```
pub fn ignored_without_feature(what: &str, feature: &str) -> String {
    format!(
        "{what} has no effect: it requires the `{feature}` feature, which is not enabled.\nRun `cargo add --dev forall --features \
         {feature}`, or remove it."
    )
}

/// An async test needs a runtime of tokio and runs under none.
///
/// ```
/// assert!(forall::report::advice::needs_tokio().contains("runtime = tokio"));
/// ```
pub fn needs_tokio() -> String {
    "no runtime of tokio runs this test: write `#[forall::test(runtime = tokio)]`, with the feature `tokio` of forall, or \
     `runtime = function` with a function of yours from a future to its value"
        .to_owned()
}

/// A task panicked under tokio, and the test would have passed.
///
/// ```
/// assert!(forall::report::advice::task_panicked().contains("allow_task_panics"));
/// ```
#[cfg(feature = "tokio")]
pub fn task_panicked() -> String {
    "this panic was in a task that the test spawned, and the body passed in spite of it: repair it, or await the task and look at what \
     came of it. If tasks are meant to panic in this test, say so: `#[forall::test(runtime = tokio, allow_task_panics)]`"
        .to_owned()
}

/// Somebody asked for coverage, and the program was built without instrumentation.
///
/// ```
/// assert!(forall::report::advice::not_instrumented().contains("cargo forall fuzz"));
/// ```
pub fn not_instrumented() -> String {
    "This program was built without instrumentation, so nobody can see which of its branches a test takes.\nRun `cargo \
     forall fuzz PROPERTY`, which builds it instrumented, in a target directory of its own; or any command of cargo that \
     way, as in `cargo forall instrumented test`."
        .to_owned()
}

/// A runner that looks at this process was asked to test in another one.
///
/// ```
/// assert!(forall::report::advice::isolated_coverage().contains("cargo forall fuzz"));
/// ```
pub fn isolated_coverage() -> String {
    "The runner `coverage` sees the branches of this process, and isolated tests run in another one.\nLeave `isolate` and its \
     limits out: `cargo forall fuzz` runs each campaign in a process of its own already, and keeps the input that ends it."
        .to_owned()
}

/// A search was asked to test in another process.
///
/// ```
/// assert!(forall::report::advice::isolated_search().contains("exhaustive"));
/// ```
pub fn isolated_search() -> String {
    "The runner `exhaustive` decides values when they are looked at, in this process, and isolated tests run in another one.\n\
     Leave `isolate` and its limits out, or use another runner."
        .to_owned()
}

/// The name of a property is one by which it cannot be asked for.
///
/// ```
/// assert!(forall::report::advice::unusable_name("").contains("\"\""));
/// ```
pub fn unusable_name(name: &str) -> String {
    format!(
        "{:?} cannot be the name of a property: what is stored is found by it, and commands such as `FORALL_DO='keep NAME'` say \
         it.\nName it by something that is not empty, neither begins nor ends with white space, and has no NUL in it.",
        shorten(name, MAX_VALUE)
    )
}

/// `FORALL_DO` asks for a property that no test reached.
///
/// ```
/// assert!(forall::report::advice::no_such_property("nope").contains("`nope`"));
/// ```
pub fn no_such_property(name: &str) -> String {
    format!(
        "FORALL_DO asks for the property `{}`, which none of the tests has that ran: nothing was done.\nWrite the name as reports do, \
         with its crate and modules (`FORALL_DO=list` lists those of a test binary), and let the filter of `cargo test` reach \
         its test.",
        quoted(name)
    )
}

/// The indices that a tool asked for are none.
///
/// ```
/// assert!(forall::report::advice::empty_indices(&(5..3)).contains("5..3"));
/// ```
pub fn empty_indices(indices: &std::ops::Range<u64>) -> String {
    let std::ops::Range { start, end } = indices;
    format!(
        "There is no test with an index in {start}..{end}, so nothing was tested.\nThe end must be above the start."
    )
}

/// A shard has none of the tests.
///
/// ```
/// assert!(forall::report::advice::empty_shard(256).contains("256 tests"));
/// ```
#[cfg(feature = "campaign")]
pub fn empty_shard(tests: u64) -> String {
    let tests = super::count(tests, "test");
    format!(
        "This shard has nothing to do: there are more shards than inputs or tests ({tests}).\nAsk for more tests, or use fewer shards."
    )
}

/// The library was to read a corpus that is behind a network.
///
/// ```
/// let advice = forall::report::advice::corpus_is_no_directory("redis://:secret@db/");
/// assert!(advice.contains("cargo forall corpus merge") && !advice.contains("secret"));
/// ```
#[cfg(feature = "campaign")]
pub fn corpus_is_no_directory(value: &str) -> String {
    let kind = value.split("://").next().unwrap_or_default();
    let kind = quoted(kind);
    format!(
        "`FORALL_CORPUS` is a directory, and not the address of a store ({kind}://…).\nRun `cargo forall corpus merge {kind}://… \
         DIRECTORY` first, and set `FORALL_CORPUS` to that directory."
    )
}

/// The directory of what others found is not there.
///
/// ```
/// assert!(forall::report::advice::corpus_is_missing("/shared").contains("/shared"));
/// ```
#[cfg(feature = "campaign")]
pub fn corpus_is_missing(path: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, where no directory is: nothing of what others found is tried.\nMount it, or correct the path.",
        quoted(path)
    )
}

/// The directory of what others found is another one.
///
/// ```
/// assert!(forall::report::advice::corpus_is_none("/shared").contains("/shared"));
/// ```
#[cfg(feature = "campaign")]
pub fn corpus_is_none(path: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, a directory without a file `forall-corpus`: no `cargo forall run --corpus` has filled it.\nMount it, \
         or correct the path.",
        quoted(path)
    )
}

/// What others found was written by another version.
///
/// ```
/// assert!(forall::report::advice::corpus_is_of_another_version("/shared", "forall corpus 7").contains("`forall corpus 7`"));
/// ```
#[cfg(feature = "campaign")]
pub fn corpus_is_of_another_version(path: &str, found: &str) -> String {
    format!(
        "`FORALL_CORPUS` is {}, a corpus of another version: it says `{}`.\nWhat can be read of it is tried. Update the older of the \
         two.",
        quoted(path),
        quoted(found)
    )
}

/// A search in a given order was asked for, and only a part of it.
///
/// ```
/// assert!(forall::report::advice::search_is_not_split().contains("exhaustive"));
/// ```
#[cfg(feature = "campaign")]
pub fn search_is_not_split() -> String {
    "The runner `exhaustive` searches in one order, and cannot be split: each shard would do all of it.\nRun it on one machine, \
     without a shard; its `threads` share the work there."
        .to_owned()
}

/// There is no local find that could be kept.
///
/// ```
/// assert!(forall::report::advice::nothing_to_keep().contains("forall-regressions"));
/// ```
pub fn nothing_to_keep() -> String {
    "There is no local find of this property to keep.\nRun the test until it fails, then keep what it found; what is in \
     forall-regressions/ already needs nothing but a commit."
        .to_owned()
}

/// What was asked for through `FORALL_DO` is not understood.
///
/// ```
/// assert!(forall::report::advice::not_a_command("fly", "there is no such verb").contains("FORALL_DO=fly"));
/// ```
pub fn not_a_command(text: &str, error: &str) -> String {
    format!(
        "`FORALL_DO={}` is not understood: {}\nCopy the whole command from the report; it is quoted for a POSIX shell.",
        quoted(text),
        sentence(error)
    )
}
