//! Locks between processes.

use std::fs::File;
use std::io;

/// Waits until no other process holds a lock on the file or directory, and locks it until it is closed. Does nothing on a
/// system without such locks.
pub fn exclusively(file: &File) -> io::Result<()> {
    // `File::lock` is stable from Rust 1.89 on, which is newer than our minimum.
    #[cfg(unix)]
    {
        use std::ffi::c_int;
        use std::os::fd::AsRawFd;
        const LOCK_EX: c_int = 2;
        unsafe extern "C" {
            fn flock(descriptor: c_int, operation: c_int) -> c_int;
        }
        // SAFETY: the descriptor is that of an open file, and no memory is touched.
        if unsafe { flock(file.as_raw_fd(), LOCK_EX) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
