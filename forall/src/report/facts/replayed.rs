//! What becomes of inputs that were stored, when they are run again.

use super::{quoted, sentence};
use crate::fact::Kept;
use crate::text::joined;

/// A file of the store does not hold a counterexample.
pub(super) fn store_unreadable(path: &str, error: &str) -> String {
    format!(
        "The stored counterexample {} cannot be read: {}\nIt was skipped and left where it is. Should this run find \
         the same counterexample, the damaged file is kept beside the new one, as `.corrupt`.",
        quoted(path),
        sentence(error)
    )
}

/// A committed regression does not hold a counterexample: the test does not pass without it.
pub(super) fn regression_unreadable(path: &str, error: &str) -> String {
    format!(
        "The committed regression {} cannot be run: {}\nA property that is not tested on what failed before does not pass. \
         Restore the file from version control; or delete it, and commit that, if it is of no use any more.",
        quoted(path),
        sentence(error)
    )
}

/// The place where counterexamples are kept cannot be looked into.
pub(super) fn store_unlistable(path: &str, error: &str) -> String {
    format!(
        "What is stored in {} cannot be listed: {}\nNothing is replayed, and what this run finds is not kept. If a file stands where \
         a directory should be, move it away; else see to its permissions; or keep finds elsewhere: `FORALL_STORE=path`.",
        quoted(path),
        sentence(error)
    )
}

/// Committed regressions whose property this program does not have: `listed` are the first few of `count`.
pub(super) fn regressions_unclaimed(count: u64, listed: &[String]) -> String {
    let more =
        if count > listed.len() as u64 { format!(", and {} more", count - listed.len() as u64) } else { String::new() };
    format!(
        "Nothing runs the committed regressions of {}{more}: this test program has no property of that name.\nIf it was renamed, write \
         the values that the files show as `#[example(…)]` above it, and delete the folder; or give it its name back. If it is \
         gone, delete the folder. If it is there under another `cfg` only, all is well.",
        joined(listed, ", ")
    )
}

/// A stored counterexample still fails.
pub(super) fn still_fails(origin: &str) -> String {
    format!("the stored counterexample {} still fails", quoted(origin))
}

/// A stored counterexample does not fail any more. What becomes of it depends on where it is kept.
pub(super) fn no_longer_fails(origin: &str, kept: Kept) -> String {
    let then = match kept {
        Kept::Local => "it was removed from the local finds",
        Kept::Committed => "it stays, as a regression test",
        Kept::Shared => "it stays, since it may be that of another property of this name",
        Kept::Corpus => "it stays, since others may test another build",
    };
    format!("the stored counterexample {} does not fail any more; {then}", quoted(origin))
}

/// Two properties have one name: the one at `own`, which runs, and another.
pub(super) fn same_name(own: &str, other: &str) -> String {
    format!(
        "Two properties have this name: the one at {}, and the one at {}. Each replays what is stored for the other, and takes it \
         for its own.\nGive them different names. A property that is written once and run for several types may have the type \
         in its name: `std::any::type_name::<T>()`.",
        quoted(own),
        quoted(other)
    )
}

/// The choices of a stored counterexample mean something else now; when it was stored, it was `value`.
pub(super) fn generator_changed(origin: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(", {}", quoted(value)) };
    format!(
        "The generator has changed since the counterexample {} was stored: its choices no longer mean the value that failed \
         then{value}.\nIf that value still matters, write it as an `#[example(…)]`. Then delete the file; it is left alone.",
        quoted(origin)
    )
}

/// The path of a stored counterexample of a search means something else now; when it was stored, it was `value`.
pub(super) fn path_changed(origin: &str, value: &str) -> String {
    format!(
        "The property looks at other parts of its input than when a search found the counterexample {}, {}, or its types have changed: the \
         choices that were stored no longer mean that input.\nA search to the same depth tries it again. Then delete the file; \
         it is left alone.",
        quoted(origin),
        quoted(value)
    )
}

/// The choices of a stored counterexample mean something else now, which fails as well; when it was stored, it was `value`.
pub(super) fn changed_and_fails(origin: &str, value: &str) -> String {
    format!(
        "The generator has changed since the counterexample {} was stored: its choices meant {} then, and mean another value \
         now, which fails, too, and is the one shown.\nIf the value of then still matters, write it as an `#[example(…)]`.",
        quoted(origin),
        quoted(value)
    )
}

/// The process ended while a stored counterexample, `value`, was being shrunk or explained; `times` times so far.
pub(super) fn work_was_cut_off(origin: &str, value: &str, message: &str, times: u64) -> String {
    let times = if times == 1 { String::new() } else { format!(" {times} times") };
    format!(
        "The process ended{times} while the counterexample {} was being shrunk or explained: it was killed, or some simpler input aborts, \
         exits, or overflows the stack.\n    {}\nIt failed with: {}\nIt is worked on again now. \
         `FORALL_SHRINK_EVALUATIONS=0 FORALL_EXPLAIN=off` shows it as it is.",
        quoted(origin),
        quoted(value),
        quoted(message)
    )
}

/// A stored counterexample was being shrunk when the process ended.
pub(super) fn shrinking_ended_the_process(origin: &str) -> String {
    format!(
        "The process ended several times while the counterexample {0} was being shrunk or explained: some simpler input may \
         exhaust the memory or the stack, or abort. So it is shown as it was then, and no others are tried.\nTo have it shrunk \
         all the same, remove the line `unfinished` from {0}.",
        quoted(origin)
    )
}

/// A stored counterexample is discarded now: it says nothing.
pub(super) fn now_discarded(origin: &str) -> String {
    format!(
        "The stored counterexample {} is discarded now: an assumption does not hold for it any more.\nIf the assumption is \
         right, delete the file; it is left alone.",
        quoted(origin)
    )
}

/// An input that was pasted says nothing about the property of this build.
pub(super) fn given_input_means_nothing(changed: bool) -> String {
    let why = if changed {
        "The generators have changed since the input was printed: its choices mean another value now, and that value passes."
    } else {
        "The input is discarded: an assumption does not hold for it."
    };
    format!(
        "{why}\nReplay it with the build that printed it, or write the value that the report showed as an `#[example(…)]`."
    )
}
