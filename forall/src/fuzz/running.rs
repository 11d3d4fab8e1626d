//! The input that is running, where it survives the process: in a file that is mapped into memory.
//!
//! Writing it before each execution costs some stores to memory and no call of the system. When the process dies, whatever
//! it dies of, the pages are the kernel's, and who started the process reads the file.
//!
//! ```text
//! file  = state (8 bytes: 0 idle, 1 running) length (8 bytes) input
//! input = size (4) end (1: 0 simplest, 1 random) seed (8) steps: count (4) step*  items: count (4) item*
//! step  = kind (1) quantifier (4) number (8)         item = kind (1: 0 choice, 1 fork) number (8)
//! ```
//!
//! All numbers are little endian. Decoding is total: who died may have died while writing.

use crate::choice::{AtEnd, Choice, Item, Sequence, Source};
use crate::property::Step;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

/// The longest input that fits: as many items as can be recorded. Only what is written takes room, in memory and on disk.
const CAPACITY: usize = 64 << 20;

const HEADER: usize = 16;
const IDLE: u64 = 0;
const RUNNING: u64 = 1;

/// What an execution is made of: the sequence with what comes after its end, and the steps on values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) sequence: Sequence,
    pub(crate) at_end: AtEnd,
    pub(crate) steps: Vec<Step>,
}

impl Input {
    pub(crate) fn source(&self) -> Source {
        Source::tape(&self.sequence, self.at_end)
    }
}

/// A file that holds the input that is running.
#[derive(Debug)]
pub(crate) struct Running {
    map: NonNull<u8>,
    buffer: Vec<u8>,
}

impl Running {
    /// Maps the file, which exists.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        file.set_len(CAPACITY as u64)?;
        const READ_AND_WRITE: c_int = 3;
        const SHARED: c_int = 1;
        // SAFETY: a new mapping, at an address of the kernel's choice, of a file that is open and long enough; nothing that
        // Rust knows is touched. The mapping outlives the descriptor.
        let map = unsafe { mmap(std::ptr::null_mut(), CAPACITY, READ_AND_WRITE, SHARED, file.as_raw_fd(), 0) };
        // Failure is told by the address -1.
        match NonNull::new(map.cast::<u8>()) {
            Some(map) if map.as_ptr().addr() != usize::MAX => Ok(Self { map, buffer: Vec::new() }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// This input begins to run.
    pub(crate) fn begin(&mut self, sequence: &Sequence, at_end: AtEnd, steps: &[Step]) {
        encode(&mut self.buffer, sequence, at_end, steps);
        let length = self.buffer.len().min(CAPACITY - HEADER);
        self.say(IDLE);
        // SAFETY: `length` bytes behind the header are within the mapping, which is ours alone, and in the buffer.
        unsafe { std::ptr::copy_nonoverlapping(self.buffer.as_ptr(), self.map.as_ptr().add(HEADER), length) };
        self.word(1).store(length as u64, Ordering::Relaxed);
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
        // SAFETY: the header has two words; the mapping begins at a page, so they are aligned, and lives as long as we do.
        unsafe { &*self.map.as_ptr().cast::<AtomicU64>().add(at) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this length, and nobody refers to it any more.
        unsafe { munmap(self.map.as_ptr().cast(), CAPACITY) };
    }
}

unsafe extern "C" {
    fn mmap(address: *mut c_void, length: usize, protection: c_int, flags: c_int, file: c_int, offset: i64)
    -> *mut c_void;
    fn munmap(address: *mut c_void, length: usize) -> c_int;
}

/// The input that was running when the process ended. None if none was, or the file makes no sense.
pub(crate) fn read(path: &Path) -> Option<Input> {
    let mut file = File::open(path).ok()?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header).ok()?;
    let mut reader = Reader { rest: &header };
    let (state, length) = (reader.number(8)?, reader.number(8)?);
    // The file is as long as the longest input.
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|&length| length <= CAPACITY - HEADER)?];
    file.read_exact(&mut bytes).ok()?;
    if state == RUNNING { decode(&bytes) } else { None }
}

fn encode(bytes: &mut Vec<u8>, sequence: &Sequence, at_end: AtEnd, steps: &[Step]) {
    bytes.clear();
    bytes.extend_from_slice(&sequence.size.to_le_bytes());
    let (tag, seed) = match at_end {
        AtEnd::Simplest => (0, 0),
        AtEnd::Random(seed) => (1, seed),
    };
    pair(bytes, tag, seed);
    bytes.extend_from_slice(&(steps.len() as u32).to_le_bytes());
    for step in steps {
        let (kind, quantifier, number) = match *step {
            Step::Shrink { quantifier, candidate } => (0, quantifier, u64::from(candidate)),
            Step::Mutate { quantifier, seed } => (1, quantifier, seed),
        };
        pair(bytes, kind, number);
        bytes.extend_from_slice(&quantifier.to_le_bytes());
    }
    bytes.extend_from_slice(&(sequence.items.len() as u32).to_le_bytes());
    for item in &sequence.items {
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

fn decode(bytes: &[u8]) -> Option<Input> {
    let mut reader = Reader { rest: bytes };
    let size = reader.number(4)? as u32;
    let at_end = match (reader.number(1)?, reader.number(8)?) {
        (0, _) => AtEnd::Simplest,
        (1, seed) => AtEnd::Random(seed),
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
    Some(Input { sequence: Sequence { size, items, spans: Vec::new() }, at_end, steps })
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
        let mut sequence = Sequence::from_values(30, &[7, u64::MAX]);
        sequence.items.push(Item::Fork { len: 0 });
        let steps = [Step::Mutate { quantifier: 2, seed: 99 }, Step::Shrink { quantifier: 0, candidate: 3 }];
        running.begin(&sequence, AtEnd::Random(5), &steps);
        let found = read(&path);
        assert_eq!(found, Some(Input { sequence, at_end: AtEnd::Random(5), steps: steps.to_vec() }));
        running.end();
        assert_eq!(read(&path), None);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn any_bytes_are_read_to_an_input_or_to_none() {
        let property = property! { forall bytes: Vec<u8>; check drop(decode(bytes)) };
        forall::check("reading what ran", &property);
    }
}
