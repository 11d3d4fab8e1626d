//! Properties with side effects: tests that stop early when they are not needed, that clean up, and that have their own
//! directory.

mod own_cwd;

use crate::context::stop_on_interrupt;
use crate::context::{Abandoned, context};
use crate::panic::Guest;
pub use own_cwd::Cwd;
pub(crate) use own_cwd::{OwnCwd, is_renewed, renew};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stops the running test if its result is no longer needed: because an earlier test failed on another thread, because
/// the run was stopped or its `max_time` is over, or because the test missed its `deadline` (which is a failure, as it is
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
/// the test stops at a [`checkpoint`]. A panic in `cleanup` ends only the cleanup.
///
/// After the first call in a test, Ctrl-C and SIGTERM do not end the process at once (on Unix, and unless the program
/// has its own handler): running tests stop at their next checkpoint or finish; after all cleanups, the report is
/// printed and the signal ends the process. A second signal, a second later or more, ends it at once. Isolated tests
/// (`isolate`) are killed.
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
                // The test is already unwinding: a second panic would abort the process.
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
/// The workers of other properties and programs also count from 0; distinguishing them is up to you.
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
/// test ends, including Ctrl-C as for [`graceful`]; a second Ctrl-C removes the directories of running tests.
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
    stop_on_interrupt();
    scratch_dir_in(&std::env::temp_dir())
}

fn scratch_dir_in(parent: &Path) -> io::Result<ScratchDir> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("forall-{}-{number}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => {
                scratch_dirs().push(path.clone());
                crate::interrupt::add_directory();
                return Ok(ScratchDir { path });
            }
            // Left behind by a killed process with the same id.
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
        remove(&self.path);
        crate::sort::retain(&mut scratch_dirs(), |path| *path != self.path);
        crate::interrupt::remove_directory();
    }
}

/// The directories of all [`ScratchDir`]s.
fn scratch_dirs() -> MutexGuard<'static, Vec<PathBuf>> {
    static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the directories of all tests, which still run. The process ends next.
pub(crate) fn remove_scratch_dirs() {
    for path in scratch_dirs().iter() {
        remove(path);
    }
}

/// Removes a file or a directory with its contents, including directories without permissions. Files that cannot be
/// removed stay in the temporary directory: this does not fail a test.
fn remove(path: &Path) {
    let remove = || match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_dir() => fs::remove_file(path),
        _ => fs::remove_dir_all(path),
    };
    if remove().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
        permit(path);
        let _ = remove();
    }
}

/// Lets the owner list and change all directories from `path` down.
#[cfg(unix)]
fn permit(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::set_permissions(path, fs::Permissions::from_mode(0o700)).is_ok() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // Links are not followed: they lead out of the directory.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                permit(&entry.path());
            }
        }
    }
}

#[cfg(not(unix))]
fn permit(_: &Path) {}
