//! Which processes are shrinking or explaining failures of a property, and at which input the killed ones ended.
//!
//! A process that works on a failure marks its entry as unfinished. If the process is killed, the mark stays. To
//! distinguish a running process from one that ended, each has a file of its own in the property's folder, which it
//! keeps locked: the system releases the lock when the process ends, however it ends.
//!
//! A file gets its final name after it was locked, so a file that can be locked belongs to a process that ended. Other
//! processes look at it with a shared lock, so they disturb neither each other nor a process that starts.

use super::Entry;
use super::directory::create_temporary;
use crate::choice::{Origin, Source};
use crate::hash::Fnv;
use crate::property::Step;
use crate::testing::Input;
use crate::testing::guest::WriteDown;
use crate::wire::{Reader, Writer};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The prefix of the files.
const PREFIX: &str = "working-";

/// The file of this process, locked while a failure is being shrunk or explained.
#[derive(Debug)]
pub(crate) struct Working {
    file: File,
    path: PathBuf,
}

/// The other processes that worked on the failures of a property.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Others {
    /// Whether one of them is still running.
    pub(crate) are_running: bool,
    /// The last input of each one that ended while it worked on this case and recorded its inputs.
    pub(crate) last_inputs: Vec<u64>,
}

impl Working {
    /// Creates and locks a file in the folder of a property. Fails if the file system has no locks.
    pub(super) fn begin(folder: &Path) -> io::Result<Self> {
        let (temporary, file) = create_temporary(folder)?;
        // Containers that share the directory may share process ids, but not the instant as well.
        let instant = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        let path = folder.join(format!("{PREFIX}{}-{instant}", std::process::id()));
        let locked = match lock(&file, Lock::Exclusive) {
            true => fs::rename(&temporary, &path),
            false => Err(io::ErrorKind::Unsupported.into()),
        };
        match locked {
            Ok(()) => Ok(Self { file, path }),
            Err(error) => {
                let _ = fs::remove_file(&temporary);
                Err(error)
            }
        }
    }

    /// Returns the information that the files of other processes in the folder have about the case with this entry id.
    pub(crate) fn others(folder: &Path, own: Option<&Self>, case: u64) -> Others {
        let mut others = Others::default();
        for path in files(folder) {
            if own.is_some_and(|own| own.path == path) {
                continue;
            }
            let Ok(mut file) = File::open(&path) else { continue };
            if !lock(&file, Lock::Shared) {
                others.are_running = true;
                continue;
            }
            match read(&mut file) {
                Some((of, input)) if of == case && input != NONE => others.last_inputs.push(input),
                // Its case was replaced, or it ran no candidate.
                _ => drop(fs::remove_file(&path)),
            }
        }
        others
    }

    /// Deletes the files of processes that ended.
    pub(crate) fn forget_ended(folder: &Path) {
        for path in files(folder) {
            if File::open(&path).is_ok_and(|file| lock(&file, Lock::Shared)) {
                let _ = fs::remove_file(&path);
            }
        }
    }

    /// Records the inputs that run while the case of this entry is being worked on.
    pub(crate) fn trace(&self, entry: &Entry) -> Option<Box<dyn WriteDown + Send>> {
        let file = self.file.try_clone().ok()?;
        let mut trace = Trace { file, case: entry.id().number(), itself: 0, buffer: Writer::default() };
        trace.itself = trace.hash(&Source::replay(&entry.case.sequence).origin(), &entry.case.steps);
        Some(Box::new(trace))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        // Succeeds if the last entry was deleted meanwhile.
        let _ = self.path.parent().map(fs::remove_dir);
    }
}

/// The files of processes in the folder of a property.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if matches!(entry.file_name().to_str(), Some(name) if name.starts_with(PREFIX)) {
            files.push(entry.path());
        }
    }
    files
}

/// Records which input runs, as a hash after the id of the case. The case itself, which runs several times, is none: it
/// did not crash when it was saved.
struct Trace {
    file: File,
    case: u64,
    itself: u64,
    buffer: Writer,
}

/// The record of a process that runs none of its candidates.
const NONE: u64 = 0;

impl Trace {
    fn hash(&mut self, origin: &Origin<'_>, steps: &[Step]) -> u64 {
        self.buffer.bytes.clear();
        // One input may run within several limits.
        Input::write(&mut self.buffer, &Origin { limit: 0, ..*origin }, steps);
        let mut hash = Fnv::default();
        hash.bytes(&self.buffer.bytes);
        hash.finish()
    }
}

impl WriteDown for Trace {
    fn begin(&mut self, origin: &Origin<'_>, steps: &[Step]) {
        let input = self.hash(origin, steps);
        self.buffer.bytes.clear();
        self.buffer.number(self.case);
        self.buffer.number(if input == self.itself { NONE } else { input });
        // Without the record, an end counts as that of a killed process.
        let _ = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&self.buffer.bytes));
    }

    /// The record stays: a process may also end after the input, while its values are printed.
    fn end(&mut self) {}
}

/// The id of the case and the hash of the input that a process recorded last.
fn read(file: &mut File) -> Option<(u64, u64)> {
    let mut bytes = [0; 16];
    file.read_exact(&mut bytes).ok()?;
    let mut reader = Reader::new(&bytes);
    Some((reader.number()?, reader.number()?))
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

/// The standard library locks files only from a later version than ours on.
#[cfg(not(unix))]
fn lock(_: &File, _: Lock) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::choice::Sequence;
    use crate::testing::Case;
    use std::thread;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("forall-working-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn are_running(folder: &Path, own: Option<&Working>) -> bool {
        Working::others(folder, own, 0).are_running
    }

    #[test]
    fn a_running_process_is_seen_by_others_until_it_ends() {
        let folder = folder("seen");
        assert!(!are_running(&folder, None));
        let first = Working::begin(&folder).unwrap();
        assert!(are_running(&folder, None));
        assert!(!are_running(&folder, Some(&first)), "its own file does not count");
        let second = Working::begin(&folder).unwrap();
        assert!(are_running(&folder, Some(&first)) && are_running(&folder, Some(&second)));
        drop(first);
        assert!(!are_running(&folder, Some(&second)));
        drop(second);
        assert!(!folder.exists(), "it was the last file");
        assert!(Working::begin(&folder).is_err());
    }

    #[test]
    fn looking_does_not_hold_up_a_process_that_begins_nor_others_that_look() {
        let folder = folder("looking");
        let first = Working::begin(&folder).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..200).for_each(|_| assert!(are_running(&folder, None))));
            }
            scope.spawn(|| (0..200).for_each(|_| drop(Working::begin(&folder).unwrap())));
        });
        drop(first);
        fs::remove_dir_all(&folder).unwrap_or_default();
    }

    #[test]
    fn the_last_candidate_of_a_process_that_ended_is_known_by_its_case() {
        let folder = folder("input");
        let entry = |number: u64| {
            Entry::failure("p", Case { sequence: Sequence::from_values(100, &[number]), steps: Vec::new() })
        };
        let ends_at = |number: u64| {
            let working = Working::begin(&folder).unwrap();
            let mut trace = working.trace(&entry(9)).unwrap();
            for at in [5, number] {
                trace.begin(&Source::replay(&entry(at).case.sequence).origin(), &[]);
                trace.end();
            }
            // A killed process deletes nothing, and its lock is released.
            let left_behind = folder.join(format!("{PREFIX}ended-{}", files(&folder).len()));
            fs::copy(&working.path, left_behind).unwrap();
        };
        let others = |number: u64| Working::others(&folder, None, entry(number).id().number());
        for number in [1, 2, 1, 9] {
            ends_at(number);
        }
        fs::write(folder.join(format!("{PREFIX}ended-at-once")), "").unwrap();
        let Others { are_running, mut last_inputs } = others(9);
        last_inputs.sort_unstable();
        assert_eq!((are_running, last_inputs.len(), files(&folder).len()), (false, 3, 3));
        last_inputs.dedup();
        assert_eq!(last_inputs.len(), 2);
        Working::forget_ended(&folder);
        assert_eq!(files(&folder).len(), 0);
        ends_at(1);
        assert_eq!(others(8), Others::default(), "the case was replaced");
        assert_eq!(files(&folder).len(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
