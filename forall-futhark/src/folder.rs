//! Temporary folders. They are deleted when dropped; if this process is killed, by the next process that creates such a
//! folder.
//!
//! Each folder has a lock file. The lock ends with the owner's process, for whatever reason that ends.

use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The lock file.
const LOCK: &str = ".owner";

/// A temporary folder.
pub(crate) struct Folder {
    folder: TempDir,
    _lock: File,
}

impl Folder {
    /// Creates a folder whose name begins with `prefix`, and deletes such folders without an owner.
    pub(crate) fn new(within: &Path, prefix: &str) -> io::Result<Self> {
        delete_left_behind(within, prefix);
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(within)?;
        // The lock file is renamed after it is locked, so that other processes never see it unlocked.
        let unnamed = folder.path().join(".owner-to-be");
        let lock = File::create(&unnamed)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        std::fs::rename(unnamed, folder.path().join(LOCK))?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Returns the message for a directory that cannot be created.
pub(crate) fn no_place(what: &str, error: &io::Error) -> String {
    format!("cannot create a directory for {what}: {error}; set TMPDIR to a writable directory")
}

/// Deletes the folders of processes that have ended, once per directory.
fn delete_left_behind(within: &Path, prefix: &str) {
    static DONE: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());
    let place = (within.to_owned(), prefix.to_owned());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if done.contains(&place) {
        return;
    }
    done.push(place);
    drop(done);
    let Ok(entries) = std::fs::read_dir(within) else { return };
    for entry in entries.filter_map(Result::ok) {
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && File::open(entry.path().join(LOCK)).is_ok_and(|lock| is_free(&lock)) {
            // Another process may be doing the same.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_free(lock: &File) -> bool {
    flock(lock, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_without_an_owner_are_deleted() {
        let place = tempfile::tempdir().unwrap();
        let held = Folder::new(place.path(), "a-").unwrap();
        for (folder, file) in [("b-left", LOCK), ("b-other", "file"), ("c-left", LOCK)] {
            std::fs::create_dir(place.path().join(folder)).unwrap();
            File::create(place.path().join(folder).join(file)).unwrap();
        }
        let another = Folder::new(place.path(), "b-").unwrap();
        assert!(held.path().is_dir() && another.path().is_dir());
        let is_there = |folder: &str| place.path().join(folder).is_dir();
        assert_eq!((is_there("b-left"), is_there("b-other"), is_there("c-left")), (false, true, true));
        // A folder with an owner stays locked.
        let lock = File::open(another.path().join(LOCK)).unwrap();
        assert!(!is_free(&lock));
        drop(another);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 3);
    }
}
