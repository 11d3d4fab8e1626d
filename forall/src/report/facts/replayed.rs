//! Outcomes of replaying saved failures.

use super::{quoted, sentence};
use crate::fact::Kept;
use crate::text::{count, joined};

/// A file of the store is unreadable.
pub(super) fn store_unreadable(path: &str, error: &str) -> String {
    format!(
        "The saved failure {} cannot be read: {}\nIt was skipped, and the file is left in place. If this run finds the \
         same counterexample, the damaged file is renamed to `.corrupt`.",
        quoted(path),
        sentence(error)
    )
}

/// A committed regression is unreadable: the test fails without it.
pub(super) fn regression_unreadable(path: &str, error: &str) -> String {
    format!(
        "The committed regression {} cannot be run: {}\nA property fails if one of its regressions cannot be replayed. \
         Restore the file from version control; or delete it and commit the deletion, if it is obsolete.",
        quoted(path),
        sentence(error)
    )
}

/// The directory of saved failures cannot be listed.
pub(super) fn store_unlistable(path: &str, error: &str) -> String {
    format!(
        "The saved failures in {} cannot be listed: {}\nNone is replayed, and failures of this run are not saved. If \
         there is a file in place of the directory, move it; otherwise check its permissions; or save failures \
         elsewhere: `FORALL_STORE=path`.",
        quoted(path),
        sentence(error)
    )
}

/// Committed regressions whose property does not exist in this program: `listed` are the first few of `count`.
pub(super) fn regressions_unclaimed(count: u64, listed: &[String]) -> String {
    let more =
        if count > listed.len() as u64 { format!(", and {} more", count - listed.len() as u64) } else { String::new() };
    format!(
        "The committed regressions of {}{more} are never replayed: this test program has no {}.\nIf a property was renamed, add the values in \
         the files as `#[example(…)]` above it and delete the directory; or undo the renaming. If it was removed, \
         delete the directory. If it exists only under another `cfg`, ignore this warning.",
        joined(listed, ", "),
        if count == 1 { "property of that name" } else { "properties of these names" }
    )
}

/// A stored counterexample still fails.
pub(super) fn still_fails(origin: &str) -> String {
    format!("the saved failure {} still fails", quoted(origin))
}

/// A saved failure passes now; `threads` is how many ran it at once, if it failed on several. Whether it is deleted
/// depends on where it is saved.
pub(super) fn no_longer_fails(origin: &str, threads: Option<u64>, kept: Kept) -> String {
    let then = match kept {
        Kept::Local => "it was deleted",
        Kept::Committed => "it stays as a regression test",
        Kept::Shared => "it stays, because it may belong to another property of this name",
        Kept::Corpus => "it stays, because others may test another build",
    };
    let on = match threads {
        None => String::new(),
        Some(1) => " on one thread".to_owned(),
        Some(threads) => format!(" on {threads} threads at once"),
    };
    format!("the saved failure {} no longer fails{on}; {then}", quoted(origin))
}

/// A saved failure that failed on several threads passes, but could be tried on one only.
pub(super) fn race_not_replayed(origin: &str, threads: u64, isolated: bool) -> String {
    let why = if isolated {
        format!("isolated tests run one at a time in their process. `FORALL_BESIDE={threads}` replays it")
    } else {
        "`Run::new` accepts properties that are not `Sync`. Start the run with `Run::parallel` to replay it".to_owned()
    };
    format!(
        "The saved failure {} failed on {threads} threads at once, and was tried on one: {why}.\nPassing on one thread \
         proves nothing about a race. If it is fixed, delete the file; forall leaves it in place.",
        quoted(origin)
    )
}

/// Two properties have one name: the one at `own`, which runs, and another.
pub(super) fn same_name(own: &str, other: &str) -> String {
    format!(
        "Two properties have this name: the one at {}, and the one at {}. Each replays the saved failures of the other \
         as its own.\nGive them different names. If one generic function tests several types, put the type into the \
         name: `std::any::type_name::<T>()`.",
        quoted(own),
        quoted(other)
    )
}

/// The choices of a saved failure produce a different value now; when it was saved, the value was `value`.
pub(super) fn generator_changed(origin: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(", {}", quoted(value)) };
    format!(
        "The generator has changed since the failure {} was saved: its choices no longer produce the value that \
         failed{value}.\nIf that value still matters, add it as an `#[example(…)]`. Then delete the file; forall \
         leaves it in place.",
        quoted(origin)
    )
}

/// The path of a search's saved failure leads to a different value now; when it was saved, the value was `value`.
pub(super) fn path_changed(origin: &str, value: &str) -> String {
    format!(
        "The saved choices of the failure {} no longer produce its input, {}: the property now evaluates different \
         parts of its input, or its types have changed.\nA search to the same depth covers that input again. Then \
         delete the file; forall leaves it in place.",
        quoted(origin),
        quoted(value)
    )
}

/// The choices of a saved failure produce a different value now, which fails as well; when it was saved, the value was
/// `value`.
pub(super) fn changed_and_fails(origin: &str, value: &str) -> String {
    format!(
        "The generator has changed since the failure {} was saved: its choices produced {} then, and produce a \
         different value now. The new value fails as well, and is the one shown.\nIf the old value still matters, add \
         it as an `#[example(…)]`.",
        quoted(origin),
        quoted(value)
    )
}

/// The process ended while a saved failure, `value`, was shrunk or explained; `times` times so far.
pub(super) fn work_was_cut_off(origin: &str, value: &str, message: &str, times: u64) -> String {
    let times = if times == 1 { String::new() } else { format!(" {times} times") };
    format!(
        "The process ended{times} while the failure {} was being shrunk or explained: it was killed, or a simpler \
         input aborts, exits, or overflows the stack.\n    {}\nIt failed with: {}\nShrinking starts again now. \
         `FORALL_SHRINK_EVALUATIONS=0 FORALL_EXPLAIN=off` reports it unshrunk.",
        quoted(origin),
        quoted(value),
        quoted(message)
    )
}

/// A saved failure was being shrunk when the process ended, several times.
pub(super) fn shrinking_ended_the_process(origin: &str) -> String {
    format!(
        "The process ended several times while the saved failure {} was being shrunk or explained: it was killed, or a \
         simpler input crashes it or runs out of memory. This run reports it without shrinking; the next run shrinks it \
         again.\n`FORALL_ISOLATE=1` shrinks it in child processes, where a crash does no harm.",
        quoted(origin)
    )
}

/// A saved failure is discarded now, so it is inconclusive.
pub(super) fn now_discarded(origin: &str) -> String {
    format!(
        "The saved failure {} is discarded now: an assumption no longer holds for it.\nIf the assumption is right, \
         delete the file; forall leaves it in place.",
        quoted(origin)
    )
}

/// A saved failure depends on a schedule, and this build has no scheduler.
pub(super) fn schedule_needs_race(origin: &str, property: &str) -> String {
    format!(
        "The saved failure {} includes a schedule of its threads, which this build cannot replay. Run `cargo forall race {property}`; \
         forall leaves the file in place.",
        quoted(origin)
    )
}

/// The file with the index of the first test cannot be used.
pub(super) fn checkpoint_unusable(path: &str, error: &str) -> String {
    format!(
        "The run starts at the first test: FORALL_CHECKPOINT={} cannot be used: {}\nUnset the variable, or name an empty file.",
        quoted(path),
        sentence(error)
    )
}

/// The run continued past known failures, and later tests failed in the same way.
pub(super) fn past_known(failures: u64, tests: u64) -> String {
    let (which, again) = (count(failures, "failure"), count(tests, "more test"));
    format!("The run continued past {which}; {again} failed in the same way.")
}

/// A replayed input proves nothing in this build.
pub(super) fn given_input_means_nothing(changed: bool) -> String {
    let why = if changed {
        "The generators have changed since the input was printed: its choices produce a different value now, and that \
         value passes."
    } else {
        "The input is discarded: an assumption does not hold for it."
    };
    format!("{why}\nReplay it with the build that printed it, or add the value from the report as an `#[example(…)]`.")
}
