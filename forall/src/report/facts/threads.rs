//! Several threads.

use super::quoted;

/// The system gave fewer threads than were asked for.
pub(super) fn threads_refused(got: u64, wanted: u64, error: &str) -> String {
    format!(
        "The system gave {got} of {wanted} threads: {}. The result is the same, later.\nAsk for fewer with `threads` or \
         `FORALL_THREADS`.",
        quoted(error)
    )
}

/// A test failed beside others, and not when it ran alone.
pub(super) fn race_with_itself(threads: u64) -> String {
    format!(
        "The test failed while tests ran on several threads ({threads}), and passes when it runs alone: the property races with \
         itself, over a file, a port, a directory, a static.\nGive each test its own (`forall::scratch_dir()`; `forall::worker()` is a small \
         number that no other running test has; `own_cwd`), or have it tested on one thread: `serial`."
    )
}

/// Several threads were asked for, and the property may not be shared between them.
pub(super) fn not_shared(threads: u64) -> String {
    format!(
        "{threads} threads were asked for, but this property was not given as one that threads can share: it was tested on \
         one.\nBegin the run with `Run::parallel` instead of `Run::new`."
    )
}

/// Several threads were asked for, and this crate was built without them.
pub(super) fn threads_need_feature(threads: u64) -> String {
    format!(
        "{threads} threads were asked for, but the feature `full` is not enabled: the property was tested on one.\nRun \
         `cargo add --dev forall --features full`."
    )
}

/// Several threads were asked for, and the property says that it cannot run beside itself.
pub(super) fn is_serial(threads: u64) -> String {
    format!("{threads} threads were asked for, but the property is `serial`: it was tested on one thread.")
}

/// A thread cannot have a current directory of its own.
pub(super) fn no_own_cwd(error: &str) -> String {
    let by_processes = match cfg!(all(target_os = "linux", not(feature = "full"))) {
        true => "Enable the feature `full`: the tests of each thread then run in a process, which has one. Or leave",
        false => "Leave",
    };
    format!(
        "`own_cwd` asks for a current directory for each thread, and the system does not give one: {}.\n{} `own_cwd` out. A test \
         that needs files can use the paths in `forall::scratch_dir()`, and start its programs there by `Command::current_dir`.",
        quoted(error),
        by_processes
    )
}

/// Ctrl-C came, and tests still run.
pub(super) fn waits_after_interrupt() -> String {
    "Ctrl-C: running tests clean up at their next `forall::checkpoint()`, or when they end; Ctrl-C again ends the process at once.".to_owned()
}
