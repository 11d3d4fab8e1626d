//! A current directory for each thread, or for each process where tests run in processes.

use super::{ScratchDir, scratch_dir};
use std::env::{current_dir, set_current_dir};
use std::io;
use std::path::PathBuf;

/// Until dropped, this thread has an empty directory of its own as its current one.
pub(crate) struct OwnCwd {
    before: PathBuf,
    /// Removed when the thread is no longer in it.
    _directory: ScratchDir,
}

impl OwnCwd {
    /// Moves this thread, and no other, to a new directory.
    pub(crate) fn enter() -> io::Result<Self> {
        let before = current_dir()?;
        let directory = scratch_dir()?;
        unshare()?;
        set_current_dir(&directory)?;
        Ok(Self { before, _directory: directory })
    }

    /// The same if it is wanted.
    pub(crate) fn enter_if(wanted: bool) -> io::Result<Option<Self>> {
        if wanted { Self::enter().map(Some) } else { Ok(None) }
    }
}

impl Drop for OwnCwd {
    fn drop(&mut self) {
        // If it is gone, there is nowhere to go back to, and nothing is lost.
        let _ = set_current_dir(&self.before);
    }
}

/// From now on, this thread's current directory is its own.
#[cfg(target_os = "linux")]
fn unshare() -> io::Result<()> {
    use std::ffi::c_int;

    const CLONE_FS: c_int = 0x200;
    // SAFETY: this is the declaration of the C library that the standard library links on this system, `int unshare(int)`. The
    // call touches no memory of the process. With `CLONE_FS` it gives the calling thread a copy of what the kernel keeps for
    // it of the file system (current directory, root, umask), which it shared with other threads until then; nothing in Rust
    // relies on threads sharing that.
    unsafe extern "C" {
        safe fn unshare(flags: c_int) -> c_int;
    }
    if unshare(CLONE_FS) == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// From now on, this thread's current directory is its own.
#[cfg(not(target_os = "linux"))]
fn unshare() -> io::Result<()> {
    Err(io::Error::other("threads share their current directory on this system"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn threads_are_in_directories_of_their_own_and_come_back() {
        let outside = current_dir().unwrap();
        let inside = std::thread::spawn({
            let outside = outside.clone();
            move || {
                let own = OwnCwd::enter().unwrap();
                let inside = current_dir().unwrap();
                // A thread that is started here is here, too.
                assert_eq!(std::thread::spawn(current_dir).join().unwrap().unwrap(), inside);
                drop(own);
                assert_eq!(current_dir().unwrap(), outside);
                inside
            }
        });
        let inside = inside.join().unwrap();
        assert_ne!(inside, outside);
        assert!(!inside.exists());
        assert_eq!(current_dir().unwrap(), outside);
    }
}
