//! For properties that touch the world: tests that stop soon when nobody waits for them, that clean up after themselves, and
//! that have a directory of their own.

mod own_cwd;

use crate::context::stop_on_interrupt;
use crate::context::{Abandoned, context};
use crate::panic::Guest;
pub(crate) use own_cwd::OwnCwd;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops the running test if its result is no longer needed: because an earlier test failed on another thread, because
/// the run was stopped or its `time` is over, or because the test missed its `deadline` (which is a failure, as it is
/// at the end of a test).
///
/// Call it regularly in a long test. It costs a few loads; outside a test it does nothing.
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall n in 0..1000u64;
///     check for step in 0..*n {
///         forall::checkpoint();
///         assert!(step < 1000);
///     }
/// };
/// forall::check("steps", &property);
/// ```
pub fn checkpoint() {
    let test = context();
    if test.is_abandoned() || test.is_out_of_time() && test.is_one_of_many() {
        Guest::unwind(Abandoned::Unwanted);
    }
    if test.is_overdue() {
        Guest::unwind(Abandoned::Overdue);
    }
}

/// Runs `body`, and runs `cleanup` if it does not finish: because it panics, because its test is discarded, or because
/// the test stops at a [`checkpoint`]. A panic of the clean-up itself ends only the clean-up.
///
/// After the first call in a test, Ctrl-C and SIGTERM do not end the process at once (on Unix, and unless the program
/// has its own handler): running tests stop at their next checkpoint or finish, and after all clean-ups the report is
/// printed, and the process ends by the signal. A second signal, a second later or more, ends it at once. Isolated
/// tests (`isolate`) are killed.
///
/// ```
/// use forall::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering};
/// let (started, stopped) = (AtomicU32::new(0), AtomicU32::new(0));
/// let property = property! {
///     forall n in 0..100u32;
///     check {
///         started.fetch_add(1, Ordering::Relaxed);
///         // A server would be started here, and stopped whatever happens.
///         let stop = || { stopped.fetch_add(1, Ordering::Relaxed); };
///         forall::graceful(stop, || assume!(*n < 50));
///         stop();
///     }
/// };
/// forall::check("servers", &property);
/// assert_eq!(started.into_inner(), stopped.into_inner());
/// ```
pub fn graceful<T>(cleanup: impl FnOnce(), body: impl FnOnce() -> T) -> T {
    struct Unless<C: FnOnce()>(Option<C>);
    impl<C: FnOnce()> Drop for Unless<C> {
        fn drop(&mut self) {
            if let Some(cleanup) = self.0.take() {
                // The test unwinds already: a second panic would end the process.
                let _ = catch_unwind(AssertUnwindSafe(cleanup));
            }
        }
    }
    stop_on_interrupt();
    let mut unless = Unless(Some(cleanup));
    let value = body();
    unless.0 = None;
    value
}

/// Returns a small number that is unique among the threads that test the property now, for ports, databases and files.
/// It is 0 on one thread and outside of tests, and always below [`threads`](crate::run::Settings::threads).
///
/// The workers of other properties and programs count from 0 as well; distinguishing them is up to you.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings};
/// let property = property! {
///     forall n: u8;
///     check {
///         let port = 4000 + forall::worker();
///         port < 4004
///     }
/// };
/// let report = Run::parallel("ports", &property).settings(Settings::new().threads(4)).report();
/// assert!(report.verdict.is_success());
/// ```
pub fn worker() -> usize {
    context().worker()
}

/// Creates a new, empty directory for this test. It is removed with its contents when the value is dropped, however the
/// test ends, including Ctrl-C as for [`graceful`].
///
/// ```
/// use forall::prelude::*;
/// let property = property! {
///     forall text: String;
///     check {
///         let directory = forall::scratch_dir().unwrap();
///         let file = directory.join("text");
///         std::fs::write(&file, text).unwrap();
///         std::fs::read_to_string(&file).unwrap() == *text
///     }
/// };
/// forall::check("files keep what is written", &property);
/// ```
pub fn scratch_dir() -> io::Result<ScratchDir> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    stop_on_interrupt();
    let parent = std::env::temp_dir();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("forall-{}-{number}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(ScratchDir { path }),
            // Left behind by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// The directory that [`scratch_dir`] creates; it is removed when the value is dropped.
///
/// ```
/// let directory = forall::scratch_dir().unwrap();
/// let path = directory.to_path_buf();
/// assert!(path.is_dir());
/// drop(directory);
/// assert!(!path.exists());
/// ```
pub struct ScratchDir {
    path: PathBuf,
}

impl Deref for ScratchDir {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for ScratchDir {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<OsStr> for ScratchDir {
    fn as_ref(&self) -> &OsStr {
        self.path.as_os_str()
    }
}

impl fmt::Debug for ScratchDir {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clear away; a test does not fail for that.
        let _ = fs::remove_dir_all(&self.path);
    }
}
