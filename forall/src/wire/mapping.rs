//! A memory-mapped file: the kernel keeps its contents, which survive the process.

#[cfg(target_os = "linux")]
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io;
use std::ptr::NonNull;

/// A prefix of a file, mapped into memory and shared with all processes that map it.
#[derive(Debug)]
pub(crate) struct Mapping {
    at: NonNull<u8>,
    length: usize,
}

// SAFETY: the memory belongs to no thread. Its users synchronize their accesses: `at` returns a pointer.
unsafe impl Send for Mapping {}
// SAFETY: the same.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Resizes the file to `length` bytes, and maps them.
    #[cfg(target_os = "linux")]
    pub(crate) fn new(file: &File, length: usize) -> io::Result<Self> {
        use std::os::fd::AsRawFd;
        const READ_AND_WRITE: c_int = 3;
        const SHARED: c_int = 1;
        file.set_len(length as u64)?;
        // SAFETY: a new mapping, at an address of the kernel's choice, of an open file; no memory known to Rust is
        // touched. The mapping outlives the descriptor.
        let at = unsafe { mmap(std::ptr::null_mut(), length, READ_AND_WRITE, SHARED, file.as_raw_fd(), 0) };
        // The address -1 means failure.
        match NonNull::new(at.cast::<u8>()) {
            Some(at) if at.as_ptr().addr() != usize::MAX => Ok(Self { at, length }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Shared memory is not supported on this platform.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new(_: &File, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The first byte. It begins a page, so it is aligned for any type.
    pub(crate) fn at(&self) -> NonNull<u8> {
        self.at
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        // SAFETY: it was mapped with this length, and every reference to it borrows `self`.
        unsafe {
            munmap(self.at.as_ptr().cast(), self.length)
        };
    }
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn mmap(at: *mut c_void, length: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, length: usize) -> c_int;
}
