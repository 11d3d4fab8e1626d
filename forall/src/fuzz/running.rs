//! The input that is running, where it survives the process: in a file that is mapped into memory.
//!
//! Writing it before each execution costs some stores to memory and no call of the system. When the process dies, whatever
//! it dies of, the pages are the kernel's, and who started the process reads the file.
//!
//! ```text
//! file  = state (8 bytes: 0 idle, 1 running) tests begun (8) length (8) input
//! input = size (4) end (1: 0 simplest, 1 random) random (8) steps: count (4) step*  items: count (4) item*
//! step  = kind (1) number (8) quantifier (4)         item = kind (1: 0 choice, 1 fork) number (8)
//! ```
//!
//! All numbers are little endian. Decoding is total: who died may have died while writing.

use crate::choice::{Choice, Item, Origin, Source};
use crate::property::Step;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

/// The longest input that fits: as many items as can be recorded. Only what is written takes room, in memory and on disk.
const CAPACITY: usize = 64 << 20;

const HEADER: usize = 24;
const IDLE: u64 = 0;
const RUNNING: u64 = 1;

/// What a test was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) steps: Vec<Step>,
    /// How many tests were begun before it.
    pub(super) index: u64,
    items: Vec<Item>,
    size: u32,
    at_end: Option<u64>,
}

impl Input {
    pub(super) fn source(&self) -> Source {
        Source::from_origin(&Origin { items: &self.items, size: self.size, at_end: self.at_end })
    }
}

/// A file that holds the input that is running.
#[derive(Debug)]
pub(crate) struct Running {
    map: NonNull<u8>,
    buffer: Vec<u8>,
    begun: u64,
}

impl Running {
    /// Maps the file, which exists.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        file.set_len(CAPACITY as u64)?;
        Ok(Self { map: mapping::map(&file)?, buffer: Vec::new(), begun: 0 })
    }

    /// This input begins to run.
    pub(crate) fn begin(&mut self, origin: &Origin<'_>, steps: &[Step]) {
        encode(&mut self.buffer, origin, steps);
        self.begun += 1;
        let length = self.buffer.len().min(CAPACITY - HEADER);
        self.say(IDLE);
        // SAFETY: `length` bytes behind the header are within the mapping, which is ours alone, and in the buffer.
        unsafe { std::ptr::copy_nonoverlapping(self.buffer.as_ptr(), self.map.as_ptr().add(HEADER), length) };
        self.word(1).store(self.begun, Ordering::Relaxed);
        self.word(2).store(length as u64, Ordering::Relaxed);
        self.say(RUNNING);
    }

    /// It has ended.
    pub(crate) fn end(&mut self) {
        self.say(IDLE);
    }

    fn say(&self, state: u64) {
        // Who reads it reads after our end; so it is enough that the compiler keeps the order.
        compiler_fence(Ordering::SeqCst);
        self.word(0).store(state, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the header has three words; the mapping begins at a page, so they are aligned, and lives as long as we do.
        unsafe { &*self.map.as_ptr().cast::<AtomicU64>().add(at) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: it was mapped, and nobody refers to it any more.
        unsafe { mapping::unmap(self.map) };
    }
}

#[cfg(target_os = "linux")]
mod mapping {
    use super::CAPACITY;
    use std::ffi::{c_int, c_void};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::ptr::{NonNull, null_mut};

    /// Maps the beginning of a file that is long enough.
    pub(super) fn map(file: &File) -> io::Result<NonNull<u8>> {
        const READ_AND_WRITE: c_int = 3;
        const SHARED: c_int = 1;
        // SAFETY: a new mapping, at an address of the kernel's choice, of a file that is open; nothing that Rust knows is
        // touched. The mapping outlives the descriptor.
        let map = unsafe { mmap(null_mut(), CAPACITY, READ_AND_WRITE, SHARED, file.as_raw_fd(), 0) };
        // Failure is told by the address -1.
        match NonNull::new(map.cast::<u8>()) {
            Some(map) if map.as_ptr().addr() != usize::MAX => Ok(map),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// # Safety
    ///
    /// It is a mapping that [`map`] made, and is used no more.
    pub(super) unsafe fn unmap(map: NonNull<u8>) {
        // SAFETY: it was mapped with this length.
        unsafe { munmap(map.as_ptr().cast(), CAPACITY) };
    }

    unsafe extern "C" {
        fn mmap(at: *mut c_void, length: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
        fn munmap(at: *mut c_void, length: usize) -> c_int;
    }
}

/// There are no campaigns elsewhere.
#[cfg(not(target_os = "linux"))]
mod mapping {
    use std::fs::File;
    use std::io;
    use std::ptr::NonNull;

    pub(super) fn map(_: &File) -> io::Result<NonNull<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) unsafe fn unmap(_: NonNull<u8>) {}
}

/// The input that was running when the process ended. None if none was, or the file makes no sense.
pub(super) fn read(path: &Path) -> Option<Input> {
    let mut file = File::open(path).ok()?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header).ok()?;
    let mut reader = Reader { rest: &header };
    let (state, begun, length) = (reader.number(8)?, reader.number(8)?, reader.number(8)?);
    // The file is as long as the longest input.
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|&length| length <= CAPACITY - HEADER)?];
    file.read_exact(&mut bytes).ok()?;
    decode(&bytes, begun.saturating_sub(1)).filter(|_| state == RUNNING)
}

fn encode(bytes: &mut Vec<u8>, origin: &Origin<'_>, steps: &[Step]) {
    bytes.clear();
    bytes.extend_from_slice(&origin.size.to_le_bytes());
    pair(bytes, u8::from(origin.at_end.is_some()), origin.at_end.unwrap_or(0));
    bytes.extend_from_slice(&(steps.len() as u32).to_le_bytes());
    for step in steps {
        let (kind, quantifier, number) = match *step {
            Step::Shrink { quantifier, candidate } => (0, quantifier, u64::from(candidate)),
            Step::Mutate { quantifier, seed } => (1, quantifier, seed),
        };
        pair(bytes, kind, number);
        bytes.extend_from_slice(&quantifier.to_le_bytes());
    }
    bytes.extend_from_slice(&(origin.items.len() as u32).to_le_bytes());
    for item in origin.items {
        match item {
            Item::Choice(choice) => pair(bytes, 0, choice.value),
            Item::Fork { len } => pair(bytes, 1, u64::from(*len)),
        }
    }
}

fn pair(bytes: &mut Vec<u8>, tag: u8, number: u64) {
    bytes.push(tag);
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn decode(bytes: &[u8], index: u64) -> Option<Input> {
    let mut reader = Reader { rest: bytes };
    let size = reader.number(4)? as u32;
    let at_end = match (reader.number(1)?, reader.number(8)?) {
        (0, _) => None,
        (1, place) => Some(place),
        _ => return None,
    };
    let mut steps = Vec::new();
    for _ in 0..reader.number(4)? {
        let (kind, number, quantifier) = (reader.number(1)?, reader.number(8)?, reader.number(4)?);
        let quantifier = quantifier as u32;
        steps.push(match kind {
            0 => Step::Shrink { quantifier, candidate: u32::try_from(number).ok()? },
            1 => Step::Mutate { quantifier, seed: number },
            _ => return None,
        });
    }
    let mut items = Vec::new();
    for _ in 0..reader.number(4)? {
        items.push(match (reader.number(1)?, reader.number(8)?) {
            (0, value) => Item::Choice(Choice { value, max: u64::MAX }),
            (1, len) => Item::Fork { len: u32::try_from(len).ok()? },
            _ => return None,
        });
    }
    Some(Input { steps, index, items, size, at_end })
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// The number in the next `width` bytes.
    fn number(&mut self, width: usize) -> Option<u64> {
        let (bytes, rest) = self.rest.split_at_checked(width)?;
        self.rest = rest;
        let mut word = [0; 8];
        word[..width].copy_from_slice(bytes);
        Some(u64::from_le_bytes(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{AtEnd, Sequence};
    use crate::prelude::*;
    use std::fs;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("forall-running-{name}-{}", std::process::id()));
        fs::write(&path, []).unwrap();
        path
    }

    #[test]
    fn what_runs_is_in_the_file_until_it_ends() {
        let path = file("until");
        let mut running = Running::open(&path).unwrap();
        assert_eq!(read(&path), None, "nothing runs yet");
        let steps = [Step::Mutate { quantifier: 2, seed: 99 }, Step::Shrink { quantifier: 0, candidate: 3 }];
        let mut sequence = Sequence::from_values(30, &[7, u64::MAX]);
        sequence.items.push(Item::Fork { len: 0 });
        let at_random = Source::tape(&sequence, AtEnd::Random(5));
        for source in [Source::record(1, 2, 3), Source::replay(&sequence), at_random] {
            running.begin(&source.origin(), &steps);
            let found = read(&path).unwrap();
            assert_eq!(found.source().origin(), source.origin());
            assert_eq!(found.steps, steps);
        }
        assert_eq!(read(&path).unwrap().index, 2);
        running.end();
        assert_eq!(read(&path), None);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn any_bytes_are_read_to_an_input_or_to_none() {
        let property = property! { forall bytes: Vec<u8>; check drop(decode(bytes, 0)) };
        forall::check("reading what ran", &property);
    }
}
