//! The running input, in a memory-mapped file that survives the process.
//!
//! Writing the input before each execution costs some stores to memory and no system call. When the process crashes,
//! the kernel still has the pages, and the parent reads the file. Its format is described in
//! [`protocol::running`](crate::protocol::running).

use crate::choice::Origin;
use crate::property::Step;
use crate::protocol::running::{HEADER, IDLE, RUNNING};
use crate::testing::Input;
use crate::testing::guest::WriteDown;
use crate::wire::{Mapping, Reader, Writer};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

/// The size of the file, and so the limit for an input: the recording limit. Only written pages take memory and disk
/// space.
const CAPACITY: usize = 64 << 20;

/// A file with the running input.
#[derive(Debug)]
pub(crate) struct Running {
    map: Mapping,
    buffer: Writer,
    begun: u64,
}

impl WriteDown for Running {
    fn begin(&mut self, origin: &Origin<'_>, steps: &[Step]) {
        self.buffer.bytes.clear();
        Input::write(&mut self.buffer, origin, steps);
        self.begun += 1;
        let bytes = &self.buffer.bytes;
        let length = bytes.len().min(self.map.length() - HEADER);
        self.set_state(IDLE);
        // SAFETY: `length` bytes behind the header are within the mapping, which is ours alone, and in the buffer.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.map.at().as_ptr().add(HEADER), length) };
        self.word(1).store(self.begun, Ordering::Relaxed);
        self.word(2).store(length as u64, Ordering::Relaxed);
        self.set_state(RUNNING);
    }

    fn end(&mut self) {
        self.set_state(IDLE);
    }
}

impl Running {
    /// Maps the file, which must exist, for a campaign with this seed.
    pub(super) fn open(path: &Path, seed: u64) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        let running = Self { map: Mapping::new(&file, CAPACITY)?, buffer: Writer::default(), begun: 0 };
        running.word(3).store(seed, Ordering::Relaxed);
        Ok(running)
    }

    fn set_state(&self, state: u64) {
        // The input is read only after this process has ended, so the order that the compiler preserves suffices. Only
        // the pulse (the state and the number of inputs begun) is read earlier: both words are atomic, and a mixed pair
        // only restarts the hang timer.
        compiler_fence(Ordering::SeqCst);
        self.word(0).store(state, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the header has four words; the mapping begins at a page, so they are aligned, and lives as long as we do.
        unsafe { &*self.map.at().as_ptr().cast::<AtomicU64>().add(at) }
    }
}

/// The input that was running when a campaign crashed.
#[derive(Debug, PartialEq)]
pub(super) struct LastInput {
    pub(super) input: Input,
    /// The number of inputs started before it.
    pub(super) index: u64,
    /// The seed of the campaign.
    pub(super) seed: u64,
}

/// Returns the input that was running when the process ended. `None` if there was none, or the file is invalid.
pub(super) fn read(path: &Path) -> Option<LastInput> {
    let mut file = File::open(path).ok()?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header).ok()?;
    let mut reader = Reader::new(&header);
    let (state, begun, length, seed) = (reader.number()?, reader.number()?, reader.number()?, reader.number()?);
    // The file is as long as the longest input.
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|&length| length <= CAPACITY - HEADER)?];
    file.read_exact(&mut bytes).ok()?;
    let input = Input::read(&mut Reader::new(&bytes)).filter(|_| state == RUNNING)?;
    Some(LastInput { input, index: begun.saturating_sub(1), seed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{AtEnd, Item, Sequence, Source};
    use std::fs;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("forall-running-{name}-{}", std::process::id()));
        fs::write(&path, []).unwrap();
        path
    }

    #[test]
    fn the_file_contains_the_running_input_until_it_ends() {
        let path = file("until");
        let mut running = Running::open(&path, 0x1f).unwrap();
        assert_eq!(read(&path), None, "nothing runs yet");
        let steps = [Step::Mutate { quantifier: 2, seed: 99 }, Step::Shrink { quantifier: 0, candidate: 3 }];
        let mut sequence = Sequence::from_values(30, &[7, u64::MAX]);
        sequence.items.push(Item::Fork { len: 0 });
        let at_random = Source::tape(&sequence, AtEnd::Random(5));
        for source in [Source::record(1, 2, 3), Source::replay(&sequence), at_random] {
            running.begin(&source.origin(), &steps);
            let LastInput { input, seed, .. } = read(&path).unwrap();
            assert_eq!(input.source().origin(), source.origin());
            assert_eq!((&input.steps[..], seed), (&steps[..], 0x1f));
        }
        assert_eq!(read(&path).unwrap().index, 2);
        running.end();
        assert_eq!(read(&path), None);
        fs::remove_file(&path).unwrap();
    }
}
