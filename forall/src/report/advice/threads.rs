//! Several threads.

use super::quoted;

/// The system gave fewer threads than were asked for.
///
/// ```
/// assert!(forall::report::advice::threads_refused(3, 64, "out of resources").contains("3 of 64"));
/// ```
#[inline]
pub fn threads_refused(got: usize, wanted: usize, error: &str) -> String {
    format!(
        "The system gave {got} of {wanted} threads: {}. The result is the same, later.\nAsk for fewer with `threads` or \
         `FORALL_THREADS`.",
        quoted(error)
    )
}

/// A test failed beside others, and not when it ran alone.
///
/// ```
/// assert!(forall::report::advice::race_with_itself(4).contains("alone"));
/// ```
pub fn race_with_itself(threads: usize) -> String {
    format!(
        "The test failed while tests ran on several threads ({threads}), and passes when it runs alone: the property races with \
         itself, over a file, a port, a directory, a static.\nGive each test its own (`forall::scratch_dir()`; `forall::worker()` is a small \
         number that no other running test has; `own_cwd`), or have it tested on one thread: `serial`."
    )
}

/// Several threads were asked for, and the property may not be shared between them.
///
/// ```
/// assert!(forall::report::advice::not_shared(4).contains("Run::parallel"));
/// ```
pub fn not_shared(threads: usize) -> String {
    format!(
        "{threads} threads were asked for, but this property was not given as one that threads can share: it was tested on \
         one.\nBegin the run with `Run::parallel` instead of `Run::new`."
    )
}

/// Several threads were asked for, and this crate was built without them.
///
/// ```
/// assert!(forall::report::advice::threads_need_feature(4).contains("cargo add --dev forall --features threads"));
/// ```
pub fn threads_need_feature(threads: usize) -> String {
    format!(
        "{threads} threads were asked for, but the feature `threads` is not switched on: the property was tested on one.\nRun \
         `cargo add --dev forall --features threads`, or add `\"threads\"` to the `features` of forall in Cargo.toml."
    )
}

/// Several threads were asked for, and the property says that it cannot run beside itself.
///
/// ```
/// assert!(forall::report::advice::is_serial(4).contains("one thread"));
/// ```
pub fn is_serial(threads: usize) -> String {
    format!("{threads} threads were asked for, but the property is `serial`: it was tested on one thread.")
}

/// A thread cannot have a current directory of its own.
///
/// ```
/// assert!(forall::report::advice::no_own_cwd("operation not permitted").contains("scratch_dir"));
/// ```
pub fn no_own_cwd(error: &str) -> String {
    let by_processes = match cfg!(all(target_os = "linux", not(feature = "isolate"))) {
        true => {
            "Switch on the feature `isolate`: the tests of each thread then run in a process, which has one. Or leave"
        }
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
///
/// ```
/// assert!(forall::report::advice::waits_after_interrupt().contains("again"));
/// ```
pub fn waits_after_interrupt() -> String {
    "Ctrl-C: running tests clean up at their next `forall::checkpoint()`, or when they end; Ctrl-C again ends the process at once.".to_owned()
}
