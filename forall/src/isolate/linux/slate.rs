//! The data of a child process that survives its crash: its current test, with notes and choices.
//!
//! A file that both processes map into memory. The loop over a block stores the index of each test there, as it does in
//! a [`Progress`] otherwise: without an additional instruction.
//!
//! ```text
//! slate = progress (as the program has it, up to HANGS)  for how long the test hangs (8)  its repetitions (8)
//!         whether the connection is cut off (8)  length of the notes (8)  note*      note = length (4) text
//!         from JOURNAL on: length of the journal (8)  what `choice/journal.rs` writes
//! ```

use super::system;
use crate::choice::{Drawn, Keep, read_journal};
use crate::context::Listen;
use crate::property::Progress;
use crate::wire::{Mapping, Reader};
use std::fs::File;
use std::io;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The offset of the notes, and of the fields before them: whether the child has lost its connection, how often the
/// test has repeated itself, and for how long it hangs.
const NOTES: usize = 4096;
const CUT_OFF: usize = NOTES - 8;
const REPETITIONS: usize = NOTES - 16;
const HANGS: usize = NOTES - 24;

/// The offset of the journal of choices: space for about 800,000.
const JOURNAL: usize = 1 << 20;

/// The total size. Only written pages take memory or disk space.
const LENGTH: usize = JOURNAL + (1 << 24);

const _: () = assert!(size_of::<Progress>() <= HANGS);

#[derive(Debug)]
pub(super) struct Slate {
    map: Mapping,
    /// Held by the thread of this process that writes to the journal.
    writing: Mutex<()>,
}

impl Slate {
    pub(super) fn new(file: &File) -> io::Result<Self> {
        Ok(Self { map: Mapping::new(file, LENGTH)?, writing: Mutex::new(()) })
    }

    /// Moves the progress of this process into the mapping. Called once, in the process that runs tests.
    pub(super) fn place_progress(&'static self) -> &'static Progress {
        let place = self.map.at().cast::<Progress>();
        // SAFETY: the mapping begins with space for it, at a page and so aligned, and is never unmapped: it is borrowed
        // forever. The other process accesses only the three atomic fields below.
        unsafe {
            place.write(Progress::default());
            place.as_ref()
        }
    }

    /// The current or last test.
    pub(super) fn index(&self) -> &AtomicU64 {
        // SAFETY: a field of the `Progress` at the beginning, or of the zeros before it is written; both processes are
        // the same program, and access it atomically.
        unsafe { self.map.at().byte_add(offset_of!(Progress, index)).cast().as_ref() }
    }

    /// The number of discarded tests of the block.
    pub(super) fn discarded(&self) -> &AtomicU64 {
        // SAFETY: as for the index.
        unsafe { self.map.at().byte_add(offset_of!(Progress, discarded)).cast().as_ref() }
    }

    /// Whether the run should stop.
    pub(super) fn cancel(&self) -> &AtomicBool {
        // SAFETY: as for the index. Zero is a valid `bool`.
        unsafe { self.map.at().byte_add(offset_of!(Progress, cancel)).cast().as_ref() }
    }

    /// Whether the child has lost its connection, and cannot answer any more.
    pub(super) fn is_cut_off(&self) -> bool {
        self.cut_off().load(Ordering::Relaxed) != 0
    }

    /// Records that the child has lost its connection.
    pub(super) fn cut(&self) {
        self.cut_off().store(1, Ordering::Relaxed);
    }

    /// A byte, not a `bool`: a test may write anything here.
    fn cut_off(&self) -> &AtomicU8 {
        // SAFETY: the byte is in the mapping, after the progress, and both processes access it atomically. Every value
        // is a `u8`.
        unsafe { self.map.at().byte_add(CUT_OFF).cast().as_ref() }
    }

    /// How long the test has been hanging, in nanoseconds, if it reports that.
    pub(super) fn hangs(&self) -> &AtomicU64 {
        // SAFETY: the word is in the mapping, after the progress, aligned, and both processes access it atomically.
        unsafe { self.map.at().byte_add(HANGS).cast().as_ref() }
    }

    /// How often the test has repeated itself, if it reports that.
    pub(super) fn repetitions(&self) -> &AtomicU64 {
        // SAFETY: as above.
        unsafe { self.map.at().byte_add(REPETITIONS).cast().as_ref() }
    }

    /// Removes the mapping from copies of this process that `fork` creates: a test may return there as well, and the
    /// copy would run the next tests and write here. It is killed when it tries.
    pub(super) fn keep_from_copies(&self) {
        system::keep_from_copies(self.map.at(), self.map.length());
    }

    /// The space for notes in bytes. Later ones are lost if the process crashes.
    fn room(&self) -> usize {
        JOURNAL - NOTES - 8
    }

    fn noted(&self) -> &AtomicU64 {
        // SAFETY: the word is in the mapping, and 4096 is a multiple of its size.
        unsafe { self.map.at().byte_add(NOTES).cast().as_ref() }
    }

    /// The notes since the last reset. Called in the other process, while no test runs.
    pub(super) fn notes(&self) -> Vec<String> {
        let used = (self.noted().load(Ordering::Acquire) as usize).min(self.room());
        // SAFETY: these bytes are within the mapping, and their writer waits or is dead.
        let bytes = unsafe { std::slice::from_raw_parts(self.map.at().byte_add(NOTES + 8).as_ptr(), used) };
        let mut notes = Vec::new();
        let mut reader = Reader::new(bytes);
        while let Some(note) = reader.text() {
            notes.push(note.to_owned());
        }
        notes
    }

    /// The choices of the last test, at this size. Called in the other process, while no test runs.
    pub(super) fn drawn(&self, size: u32) -> Drawn {
        let used = (self.journaled().load(Ordering::Acquire) as usize).min(JOURNAL_ROOM);
        // SAFETY: these bytes are within the mapping, and their writer waits or is dead.
        let bytes = unsafe { std::slice::from_raw_parts(self.map.at().byte_add(JOURNAL + 8).as_ptr(), used) };
        read_journal(bytes, size)
    }

    fn journaled(&self) -> &AtomicU64 {
        // SAFETY: the word is in the mapping, aligned.
        unsafe { self.map.at().byte_add(JOURNAL).cast().as_ref() }
    }

    /// Resets it: at this test, nothing discarded, no notes.
    pub(super) fn clear(&self, index: u64) {
        self.index().store(index, Ordering::Relaxed);
        self.discarded().store(0, Ordering::Relaxed);
        self.cancel().store(false, Ordering::Relaxed);
        self.noted().store(0, Ordering::Relaxed);
        self.journaled().store(0, Ordering::Relaxed);
        self.hangs().store(0, Ordering::Relaxed);
        self.repetitions().store(0, Ordering::Relaxed);
    }
}

/// The space for the journal in bytes. Later choices are lost if the process crashes.
const JOURNAL_ROOM: usize = LENGTH - JOURNAL - 8;

/// In the process that runs tests.
impl Keep for Slate {
    fn keep(&self, event: &[u8]) {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.journaled().load(Ordering::Relaxed) as usize;
        if used > JOURNAL_ROOM || event.len() > JOURNAL_ROOM - used {
            // Nothing after it either: the journal must be a prefix.
            self.journaled().store(JOURNAL_ROOM as u64, Ordering::Release);
            return;
        }
        // SAFETY: this many bytes from there are within the mapping, as just checked, and there is no other writer now.
        unsafe {
            let at = self.map.at().as_ptr().add(JOURNAL + 8 + used);
            std::ptr::copy_nonoverlapping(event.as_ptr(), at, event.len());
        }
        self.journaled().store((used + event.len()) as u64, Ordering::Release);
    }
}

/// In the process that runs tests, by one thread at a time.
impl Listen for Slate {
    /// Adds a note, if there is space.
    fn note(&self, text: &str) {
        let used = self.noted().load(Ordering::Relaxed) as usize;
        let length = 4 + text.len();
        if used > self.room() || length > self.room() - used {
            return;
        }
        // SAFETY: `length` bytes from there are within the mapping, as just checked, and there is no other writer now.
        unsafe {
            let at = self.map.at().as_ptr().add(NOTES + 8 + used);
            std::ptr::copy_nonoverlapping((text.len() as u32).to_le_bytes().as_ptr(), at, 4);
            std::ptr::copy_nonoverlapping(text.as_ptr(), at.add(4), text.len());
        }
        self.noted().store((used + length) as u64, Ordering::Release);
    }

    fn mark(&self) -> u64 {
        self.noted().load(Ordering::Relaxed)
    }

    fn forget_since(&self, mark: u64) {
        self.noted().store(mark, Ordering::Release);
    }

    fn repeated(&self, times: u64) {
        self.repetitions().store(times, Ordering::Relaxed);
    }

    fn hang(&self, time: Duration) {
        self.hangs().store(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slates of two processes, here both in one.
    fn slates(name: &str) -> [&'static Slate; 2] {
        let path = std::env::temp_dir().join(format!("forall-slate-{name}-{}", std::process::id()));
        let slates = [(); 2].map(|()| {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(&path).unwrap();
            &*Box::leak(Box::new(Slate::new(&file).unwrap()))
        });
        std::fs::remove_file(&path).unwrap();
        slates
    }

    #[test]
    fn the_parent_sees_where_the_child_is() {
        let [child, parent] = slates("where");
        let progress = child.place_progress();
        parent.clear(7);
        assert_eq!(progress.index.load(Ordering::Relaxed), 7);
        progress.index.store(9, Ordering::Relaxed);
        progress.discard();
        assert_eq!((parent.index().load(Ordering::Relaxed), parent.discarded().load(Ordering::Relaxed)), (9, 1));
        parent.cancel().store(true, Ordering::Relaxed);
        assert!(progress.cancel.load(Ordering::Relaxed));
        assert!(!parent.is_cut_off());
        child.cut();
        assert!(parent.is_cut_off() && parent.notes().is_empty());
    }

    #[test]
    fn the_parent_sees_how_often_a_test_was_repeated_and_that_it_hangs() {
        let [child, parent] = slates("repeated");
        child.place_progress();
        child.repeated(300);
        child.hang(Duration::from_nanos(7));
        assert_eq!((parent.repetitions().load(Ordering::Relaxed), parent.hangs().load(Ordering::Relaxed)), (300, 7));
        parent.clear(0);
        assert_eq!((child.repetitions().load(Ordering::Relaxed), child.hangs().load(Ordering::Relaxed)), (0, 0));
        assert!(!child.is_cut_off());
    }

    #[test]
    fn the_parent_reads_notes_of_the_child_up_to_the_size_limit() {
        let [child, parent] = slates("noted");
        child.note("one");
        child.note("");
        assert_eq!(parent.notes(), ["one", ""]);
        parent.clear(0);
        assert!(parent.notes().is_empty());
        let long = "x".repeat(100_000);
        for _ in 0..20 {
            child.note(&long);
        }
        assert_eq!(parent.notes().len(), 10);
    }
}
