//! Parallel testing.

use super::{quoted, sentence};
use crate::text::{joined, number};

/// The system refused to start some of the threads.
pub(super) fn threads_refused(got: u64, wanted: u64, error: &str) -> String {
    format!(
        "Only {got} of {wanted} threads could be started: {}. The result is the same, but the run takes longer.\nLower \
         `threads` or `FORALL_THREADS`.",
        quoted(error)
    )
}

/// A test failed in parallel with others, but not alone.
pub(super) fn race_with_itself(threads: u64) -> String {
    format!(
        "The test failed while tests ran on several threads ({threads}), but passes when it runs alone: the property \
         races with itself over a file, a port, a directory or a static.\nGive each test its own \
         (`forall::scratch_dir()`; `forall::worker()`, a small number that is unique among running tests; `own_cwd`), \
         or use one thread: `serial`."
    )
}

/// The input always fails alone, but failed in another way on several threads.
pub(super) fn failed_in_another_way(threads: u64, message: &str) -> String {
    format!(
        "On {threads} threads, this input failed in another way: {}\nOn one thread it always fails as reported, \
         which is a separate bug. Fix it first; after that, a run on several threads reports the race.",
        sentence(message)
    )
}

/// A parallel state machine failed, and not always.
pub(super) fn flaky_race(property: &str) -> String {
    format!(
        "The branches run on real threads, and this failure depends on how they interleave. `cargo forall race {property}` controls the \
         interleaving: failures shrink and replay exactly."
    )
}

/// A parallel state machine failed under the scheduler, and not always.
pub(super) fn flaky_under_control() -> String {
    "The scheduler controls the interleaving, so something else differs from run to run: threads that the system starts before the \
     branches begin, state that outlives a system (a static, a file), addresses, the seed of a hash map, or input from outside."
        .to_owned()
}

/// Some threads of parallel state machines were out of the scheduler's control.
pub(super) fn not_controlled(tests: u64, threads: &[String]) -> String {
    format!(
        "{} not fully controlled ({}): the operating system scheduled these threads, so other interleavings were \
         not tried, and a failure may not replay.\nThe scheduler controls the branches and the threads that commands start. It does \
         not see threads that the system starts before the branches begin, locks of C libraries, input and output.",
        if tests == 1 { "1 test was".to_owned() } else { format!("{} tests were", number(tests)) },
        joined(threads, ", ")
    )
}

/// Several threads were requested, but the property is not `Sync`.
pub(super) fn not_shared(threads: u64) -> String {
    format!(
        "{threads} threads were requested, but `Run::new` uses one: it accepts properties that are not `Sync`.\nStart \
         the run with `Run::parallel` instead of `Run::new`."
    )
}

/// `beside` is 0 or too large.
pub(super) fn beside_out_of_range(beside: u64, most: u64) -> String {
    format!("`beside = {beside}` is out of range: use 1 (off) to {most} threads for each input.")
}

/// Several threads were requested, but the feature `full` is not enabled.
pub(super) fn threads_need_feature(threads: u64) -> String {
    format!(
        "{threads} threads were requested, but the feature `full` is not enabled: the property was tested on one.\nRun \
         `cargo add --dev forall --features full`."
    )
}

/// Several threads were requested, but the property is `serial`.
pub(super) fn is_serial(threads: u64) -> String {
    format!("{threads} threads were requested, but the property is `serial`: it was tested on one thread.")
}

/// Several threads were requested, but the runner uses one.
pub(super) fn runner_on_one_thread(runner: &str, threads: u64) -> String {
    format!(
        "{threads} threads were requested, but the `{}` runner tests on one thread: each input depends on earlier results. \
         Shrinking and explaining use all of them.",
        quoted(runner)
    )
}

/// Threads cannot have separate current directories.
pub(super) fn no_own_cwd(error: &str) -> String {
    let by_processes = match cfg!(all(target_os = "linux", not(feature = "full"))) {
        true => "Enable the feature `full`: the tests of each thread then run in a separate process. Or remove",
        false => "Remove",
    };
    format!(
        "`own_cwd` requires a separate current directory for each thread, which the system does not support: {}.\n{} \
         `own_cwd`. A test that needs files can use paths in `forall::scratch_dir()`, and start programs there with \
         `Command::current_dir`.",
        quoted(error),
        by_processes
    )
}

/// Ctrl-C was pressed while tests were running.
pub(super) fn waits_after_interrupt() -> String {
    "Ctrl-C: running tests stop at their next `forall::checkpoint()`, or when they end; press Ctrl-C again to exit \
     immediately."
        .to_owned()
}
