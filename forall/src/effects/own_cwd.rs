//! Current directories for tests: one for each thread, emptied before each test or kept between tests.
//!
//! A thread has a base directory, and its tests run in a directory inside it. A test that leaves files behind, or
//! changes the current directory, does not disturb the next: [`renew`] moves the thread to a new directory. A directory
//! that a test left unchanged is reused.

use super::{ScratchDir, remove, scratch_dir_in};
use std::cell::RefCell;
use std::env::{current_dir, set_current_dir, temp_dir};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Which tests share a current directory, for [`Settings::own_cwd`](crate::run::Settings::own_cwd).
///
/// ```
/// use forall::run::{Cwd, Settings};
/// assert_eq!(Settings::new().own_cwd(true).own_cwd, Cwd::PerTest);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cwd {
    /// All tests run in the current directory of the process.
    #[default]
    Shared,
    /// Tests on the same thread share a directory, and see each other's files.
    PerThread,
    /// Each test starts in an empty directory.
    PerTest,
}

impl From<bool> for Cwd {
    /// `true` is [`Cwd::PerTest`], `false` is [`Cwd::Shared`].
    fn from(own: bool) -> Self {
        if own { Self::PerTest } else { Self::Shared }
    }
}

/// Until dropped, this thread's tests run in a directory of their own.
pub(crate) struct OwnCwd {
    before: PathBuf,
    /// The directory of the run that this run is nested in.
    outer: Option<Fresh>,
    /// Removed after the thread has left it. A child process uses its parent's, which the parent removes.
    _base: Option<ScratchDir>,
}

thread_local! {
    /// The directory of this thread's tests, if each test starts in an empty one.
    static FRESH: RefCell<Option<Fresh>> = const { RefCell::new(None) };
}

/// In a process that runs tests for another: the directory that its parent removes, whatever happens to the process.
static OF_PARENT: OnceLock<PathBuf> = OnceLock::new();

/// A directory that is replaced when a test has used it.
struct Fresh {
    base: PathBuf,
    /// The number of the current directory, which is its name.
    number: u64,
}

impl OwnCwd {
    /// Whether another thread can have a directory of its own.
    pub(crate) fn try_on_thread(cwd: Cwd) -> io::Result<()> {
        let tried = std::thread::spawn(move || Self::enter(cwd).map(drop)).join();
        tried.unwrap_or_else(|_| Err(io::Error::other("the thread panicked")))
    }

    /// Moves this thread, and no other, to a new directory, if `cwd` asks for that.
    pub(crate) fn enter(cwd: Cwd) -> io::Result<Option<Self>> {
        if cwd == Cwd::Shared {
            return Ok(None);
        }
        let before = current_dir()?;
        let base = match OF_PARENT.get() {
            Some(parent) => scratch_dir_in(parent)?,
            None => {
                // Also outside of a test: the directory must not outlive an interrupted run.
                crate::interrupt::listen();
                scratch_dir_in(&temp_dir())?
            }
        };
        unshare()?;
        set_current_dir(&base)?;
        let outer = begin(cwd)?;
        Ok(Some(Self { before, outer, _base: Some(base) }))
    }

    /// The same for a process that runs tests for another: its parent has started it in a separate directory.
    pub(crate) fn enter_below(cwd: Cwd) -> io::Result<Option<Self>> {
        if cwd == Cwd::Shared {
            return Ok(None);
        }
        let before = current_dir()?;
        let base = before.join("of-thread");
        fs::create_dir(&base)?;
        set_current_dir(base)?;
        let _ = OF_PARENT.set(before.clone());
        let outer = begin(cwd)?;
        Ok(Some(Self { before, outer, _base: None }))
    }
}

impl Drop for OwnCwd {
    fn drop(&mut self) {
        FRESH.set(self.outer.take());
        // If it is gone, there is nowhere to return to.
        let _ = set_current_dir(&self.before);
    }
}

/// Prepares the current directory for the tests of this thread, and returns the directory of the tests that it replaces.
fn begin(cwd: Cwd) -> io::Result<Option<Fresh>> {
    if cwd != Cwd::PerTest {
        return Ok(FRESH.take());
    }
    // Read back from the system, since the path of the temporary directory may contain links.
    let fresh = Fresh { base: current_dir()?, number: 0 };
    fresh.enter()?;
    Ok(FRESH.replace(Some(fresh)))
}

/// Whether each test of this thread starts in an empty directory.
pub(crate) fn is_renewed() -> bool {
    FRESH.with_borrow(Option::is_some)
}

/// Gives the next test of this thread an empty current directory, if the run requires that.
///
/// If no new directory can be created, the contents of the old one are removed instead.
pub(crate) fn renew() {
    FRESH.with_borrow_mut(|fresh| {
        if let Some(fresh) = fresh
            && !fresh.is_clean()
        {
            fresh.replace();
        }
    });
}

impl Fresh {
    fn path(&self) -> PathBuf {
        self.base.join(self.number.to_string())
    }

    fn enter(&self) -> io::Result<()> {
        let path = self.path();
        fs::create_dir(&path)?;
        set_current_dir(path)
    }

    /// Whether the thread is still in the directory, and it is empty.
    fn is_clean(&self) -> bool {
        let path = self.path();
        current_dir().is_ok_and(|here| here == path)
            && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
    }

    fn replace(&mut self) {
        let old = self.path();
        self.number += 1;
        if self.enter().is_err() {
            self.number -= 1;
            let _ = fs::create_dir_all(&old);
            let _ = set_current_dir(&old);
            for entry in fs::read_dir(&old).into_iter().flatten().flatten() {
                remove(&entry.path());
            }
            return;
        }
        remove(&old);
    }
}

/// Gives this thread its own current directory.
#[cfg(target_os = "linux")]
fn unshare() -> io::Result<()> {
    use std::ffi::c_int;

    const CLONE_FS: c_int = 0x200;
    // SAFETY: this is the declaration of the C library that the standard library links on this system, `int
    // unshare(int)`. The call touches no memory of the process. With `CLONE_FS` it gives the calling thread its own
    // copy of the kernel's file system state (current directory, root, umask), which it shared with other threads
    // before; nothing in Rust relies on threads sharing that.
    unsafe extern "C" {
        safe fn unshare(flags: c_int) -> c_int;
    }
    if unshare(CLONE_FS) == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Gives this thread its own current directory.
#[cfg(not(target_os = "linux"))]
fn unshare() -> io::Result<()> {
    Err(io::Error::other("threads share their current directory on this system"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Runs `body` on a thread with a directory of its own. Returns the directory's base, after the thread has left it.
    fn on_a_thread_of_its_own(cwd: Cwd, body: impl FnOnce() + Send + 'static) -> PathBuf {
        std::thread::spawn(move || {
            let outside = current_dir().unwrap();
            let own = OwnCwd::enter(cwd).unwrap().unwrap();
            let base = own._base.as_ref().unwrap().to_path_buf();
            body();
            drop(own);
            assert_eq!(current_dir().unwrap(), outside);
            base
        })
        .join()
        .unwrap()
    }

    fn files() -> usize {
        fs::read_dir(".").unwrap().count()
    }

    #[test]
    fn threads_have_their_own_directories_and_return_to_the_old_one() {
        let outside = current_dir().unwrap();
        let base = on_a_thread_of_its_own(Cwd::PerThread, {
            let outside = outside.clone();
            move || {
                let inside = current_dir().unwrap();
                assert_ne!(inside, outside);
                // Threads that it starts inherit the directory.
                assert_eq!(std::thread::spawn(current_dir).join().unwrap().unwrap(), inside);
                fs::write("file", "x").unwrap();
                renew();
                assert_eq!(files(), 1, "kept for the tests of the thread");
            }
        });
        assert!(!base.exists());
        assert_eq!(current_dir().unwrap(), outside);
    }

    #[test]
    fn a_directory_that_was_not_used_is_used_again() {
        on_a_thread_of_its_own(Cwd::PerTest, || {
            let first = current_dir().unwrap();
            renew();
            assert_eq!(current_dir().unwrap(), first);
            fs::write("file", "x").unwrap();
            renew();
            assert_ne!(current_dir().unwrap(), first);
            assert!(!first.exists() && files() == 0);
        });
    }

    #[test]
    fn a_test_that_changes_or_removes_its_directory_does_not_affect_the_next() {
        let base = on_a_thread_of_its_own(Cwd::PerTest, || {
            fs::create_dir("inner").unwrap();
            set_current_dir("inner").unwrap();
            renew();
            assert_eq!(files(), 0);
            set_current_dir("/").unwrap();
            renew();
            assert!(current_dir().unwrap().ends_with("2") && files() == 0);
            fs::remove_dir(current_dir().unwrap()).unwrap();
            renew();
            assert_eq!(files(), 0);
        });
        assert!(!base.exists());
    }

    #[test]
    fn directories_without_permissions_are_removed() {
        use std::os::unix::fs::PermissionsExt;
        let base = on_a_thread_of_its_own(Cwd::PerTest, || {
            fs::create_dir("locked").unwrap();
            fs::write("locked/file", "x").unwrap();
            fs::set_permissions("locked", fs::Permissions::from_mode(0o000)).unwrap();
            renew();
            assert_eq!(files(), 0);
        });
        assert!(!base.exists());
    }
}
