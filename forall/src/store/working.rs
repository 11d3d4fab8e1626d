//! Whether another process is shrinking or explaining a failure of the same property.
//!
//! A process that works on a failure marks its file as unfinished. If the process is killed, the mark stays. A shared
//! lock on the property's folder distinguishes a process that is still running from one that crashed: the system
//! releases the lock when the process ends, however it ends.

use std::fs::File;
use std::path::Path;

/// A shared lock on the folder of a property, held while a failure is being shrunk or explained.
#[derive(Debug)]
pub(crate) struct Working(File);

impl Working {
    /// Locks a folder. `None` if it does not exist, or if its file system has no locks.
    pub(crate) fn begin(folder: &Path) -> Option<Self> {
        let file = File::open(folder).ok()?;
        lock(&file, Lock::Shared).then_some(Self(file))
    }

    /// Whether another process holds a lock on the folder; `own` is the lock of this one.
    pub(crate) fn is_elsewhere(folder: &Path, own: Option<&Self>) -> bool {
        match own {
            Some(Self(file)) => {
                let alone = lock(file, Lock::Exclusive);
                // A failed upgrade may have released the shared lock.
                lock(file, Lock::Shared);
                !alone
            }
            // Without locks, a mark counts as that of a crashed process.
            None => match File::open(folder) {
                Ok(file) => lock(&file, Lock::Shared) && !lock(&file, Lock::Exclusive),
                Err(_) => false,
            },
        }
    }
}

#[derive(Clone, Copy)]
enum Lock {
    Shared,
    Exclusive,
}

/// Takes a lock without waiting, and returns whether it was taken.
#[cfg(unix)]
fn lock(file: &File, kind: Lock) -> bool {
    use std::ffi::c_int;
    use std::os::fd::AsRawFd;
    // The values are the same on Linux, macOS and the BSDs.
    const LOCK_SH: c_int = 1;
    const LOCK_EX: c_int = 2;
    const LOCK_NB: c_int = 4;
    unsafe extern "C" {
        fn flock(descriptor: c_int, operation: c_int) -> c_int;
    }
    let operation = match kind {
        Lock::Shared => LOCK_SH,
        Lock::Exclusive => LOCK_EX,
    };
    // SAFETY: the descriptor belongs to an open file, and no memory is passed.
    unsafe { flock(file.as_raw_fd(), operation | LOCK_NB) == 0 }
}

/// Other systems have no locks on folders.
#[cfg(not(unix))]
fn lock(_: &File, _: Lock) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_seen_by_others_until_it_is_dropped() {
        let folder = std::env::temp_dir().join(format!("forall-working-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert!(!Working::is_elsewhere(&folder, None));
        let first = Working::begin(&folder).unwrap();
        assert!(Working::is_elsewhere(&folder, None), "an unlocked process sees it");
        assert!(!Working::is_elsewhere(&folder, Some(&first)), "its own lock does not count");
        let second = Working::begin(&folder).unwrap();
        assert!(Working::is_elsewhere(&folder, Some(&first)) && Working::is_elsewhere(&folder, Some(&second)));
        drop(first);
        assert!(!Working::is_elsewhere(&folder, Some(&second)));
        drop(second);
        assert!(!Working::is_elsewhere(&folder, None));
        assert!(Working::begin(&folder.join("missing")).is_none());
        std::fs::remove_dir(&folder).unwrap();
    }
}
