//! Bindings to jemalloc: blocks, arenas, knobs, statistics. All `unsafe` code of this package is here.

use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::Code;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::{Arc, LazyLock};
use tikv_jemalloc_ctl::raw;
use tikv_jemalloc_sys as jemalloc;

/// A control knob.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// How long, in milliseconds, new arenas keep unused pages; -1 means forever.
    DirtyDecay,
    /// The same for pages that were partly returned.
    MuzzyDecay,
    /// The same as the first, for the arena of the test.
    ArenaDecay,
    /// Whether jemalloc's own threads return pages.
    BackgroundThread,
}

/// An illegal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// The most milliseconds that jemalloc accepts: one less than the whole seconds whose nanoseconds fit in 64 bits. This
/// is undocumented; the test found it, and the source agrees.
const MOST_MILLISECONDS: i64 = (u64::MAX / 1_000_000_000 - 1) as i64 * 1000;

impl Knob {
    /// All knobs.
    pub const ALL: [Knob; 4] = [Knob::DirtyDecay, Knob::MuzzyDecay, Knob::ArenaDecay, Knob::BackgroundThread];

    /// Returns the initial value: that of the variable that configures jemalloc, or the default.
    pub fn at_start(self) -> i64 {
        static CONFIGURED: LazyLock<[i64; 3]> = LazyLock::new(|| {
            let variable = std::env::var("_RJEM_MALLOC_CONF").unwrap_or_default();
            let configured = |name: &str, default: i64| {
                let mut values = variable.split(',').filter_map(|option| option.split_once(':'));
                let last = values.rfind(|(option, _)| *option == name);
                last.and_then(|(_, value)| if value == "true" { Some(1) } else { value.parse().ok() })
                    .unwrap_or(default)
            };
            [configured("dirty_decay_ms", 10_000), configured("muzzy_decay_ms", 0), configured("background_thread", 0)]
        });
        match self {
            Knob::DirtyDecay | Knob::ArenaDecay => CONFIGURED[0],
            Knob::MuzzyDecay => CONFIGURED[1],
            Knob::BackgroundThread => CONFIGURED[2],
        }
    }

    /// Returns whether a value is legal.
    pub fn is_legal(self, value: i64) -> bool {
        match self {
            Knob::BackgroundThread => (0..=1).contains(&value),
            _ => (-1..=MOST_MILLISECONDS).contains(&value),
        }
    }

    /// Returns interesting values, legal and illegal ones.
    pub fn values_to_try(self) -> Vec<i64> {
        match self {
            Knob::BackgroundThread => vec![0, 1],
            _ => vec![0, 1, 10, 10_000, -1, -2, i64::MIN, MOST_MILLISECONDS, MOST_MILLISECONDS + 1],
        }
    }

    pub(super) fn get(self, arena: &Arena) -> i64 {
        let read = match self {
            // SAFETY: the value of this name is a `bool`.
            Knob::BackgroundThread => unsafe { raw::read::<bool>(BACKGROUND_THREAD) }.map(i64::from),
            // SAFETY: the values of these names are of the type `ssize_t`.
            _ => unsafe { raw::read::<isize>(&self.name(arena)) }.map(|value| value as i64),
        };
        read.expect("it can be read")
    }

    pub(super) fn set(self, arena: &Arena, value: i64) -> Result<(), Refused> {
        let written = match self {
            // SAFETY: the value of this name is a `bool`.
            Knob::BackgroundThread => unsafe { raw::write(BACKGROUND_THREAD, value != 0) },
            // SAFETY: the values of these names are of the type `ssize_t`.
            _ => unsafe { raw::write(&self.name(arena), value as isize) },
        };
        written.map_err(|_| Refused)
    }

    fn name(self, arena: &Arena) -> Vec<u8> {
        match self {
            Knob::DirtyDecay => b"arenas.dirty_decay_ms\0".to_vec(),
            Knob::MuzzyDecay => b"arenas.muzzy_decay_ms\0".to_vec(),
            Knob::ArenaDecay => arena.name("dirty_decay_ms"),
            Knob::BackgroundThread => BACKGROUND_THREAD.to_vec(),
        }
    }
}

const BACKGROUND_THREAD: &[u8] = b"background_thread\0";

/// The allocator's statistics, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    allocated: usize,
    active: usize,
    resident: usize,
    mapped: usize,
}

const PAGE: usize = 4096;

impl Statistics {
    pub(super) fn now() -> Self {
        // SAFETY: the epoch is a `u64`, and the others are of the type `size_t`.
        unsafe {
            raw::write(b"epoch\0", 1u64).expect("the epoch can be advanced");
            let read = |name: &[u8]| raw::read::<usize>(name).expect("it can be read");
            Self {
                allocated: read(b"stats.allocated\0"),
                active: read(b"stats.active\0"),
                resident: read(b"stats.resident\0"),
                mapped: read(b"stats.mapped\0"),
            }
        }
    }

    /// Checks invariants that hold even while other threads allocate: numbers of pages, and more than nothing.
    pub fn make_sense(&self) -> bool {
        let Self { allocated, active, resident, mapped } = *self;
        allocated > 0 && active > 0 && resident > 0 && [active, resident, mapped].iter().all(|bytes| bytes % PAGE == 0)
    }
}

/// An arena that only this test uses.
#[derive(Clone, Debug)]
pub(super) struct Arena(Arc<ArenaIndex>);

#[derive(Debug)]
struct ArenaIndex(u32);

impl Drop for ArenaIndex {
    fn drop(&mut self) {
        // Blocks keep their arena alive, so nothing of it is in use; and no thread has it as its own.
        act(format!("arena.{}.destroy\0", self.0).as_bytes());
    }
}

impl Arena {
    pub(super) fn create() -> Self {
        // SAFETY: the value of this name is an `unsigned`.
        let index = unsafe { raw::read::<u32>(b"arenas.create\0") };
        Self(Arc::new(ArenaIndex(index.expect("there is room for one more arena"))))
    }

    fn name(&self, what: &str) -> Vec<u8> {
        format!("arena.{}.{what}\0", self.0.0).into_bytes()
    }

    /// Flags for blocks of this arena. They bypass thread caches, which would keep blocks of destroyed arenas.
    fn flags(&self) -> c_int {
        jemalloc::MALLOCX_ARENA(self.0.0 as usize) | jemalloc::MALLOCX_TCACHE_NONE
    }

    /// Returns a block of this size, filled with a byte, or `None` if out of memory.
    pub(super) fn allocate(&self, size: usize, byte: u8) -> Option<Block> {
        let mut block = self.allocate_with(size, self.flags())?;
        block.bytes_mut().fill(byte);
        Some(block)
    }

    /// Returns a block of zeros at a multiple of its size.
    pub(super) fn allocate_aligned(&self, size: usize) -> Option<Block> {
        let flags = self.flags() | jemalloc::MALLOCX_ALIGN(size) | jemalloc::MALLOCX_ZERO;
        let block = self.allocate_with(size, flags)?;
        assert_eq!(block.address().addr() % size, 0, "a block of {size} bytes is not aligned to its size");
        Some(block)
    }

    fn allocate_with(&self, size: usize, flags: c_int) -> Option<Block> {
        // SAFETY: the size is not 0, and the arena is alive.
        let address = NonNull::new(unsafe { jemalloc::mallocx(size.max(1), flags) })?;
        Some(Block(Kept::Allocated { address: Address(address), size, flags, _arena: self.clone() }))
    }

    /// Returns whether gigabytes can be allocated. They are freed at once, untouched.
    pub(super) fn allocate_huge(&self) -> bool {
        // SAFETY: the size is not 0, and what was allocated is freed with the size and the flags that it was asked for with.
        unsafe {
            let address = jemalloc::mallocx(HUGE, self.flags());
            if !address.is_null() {
                jemalloc::sdallocx(address, HUGE, self.flags());
            }
            !address.is_null()
        }
    }

    pub(super) fn purge(&self) {
        act(&self.name("purge"));
    }

    pub(super) fn decay(&self) {
        act(&self.name("decay"));
    }
}

const HUGE: usize = 4 << 30;

/// Flushes the cache of the calling thread.
pub(super) fn flush_cache() {
    act(b"thread.tcache.flush\0");
}

/// Calls a control without a value.
fn act(name: &[u8]) {
    assert_eq!(name.last(), Some(&0), "a name ends with a zero");
    // SAFETY: the name ends with a zero, and nothing is read or written.
    let error =
        unsafe { jemalloc::mallctl(name.as_ptr().cast(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), 0) };
    assert_eq!(error, 0, "{}", String::from_utf8_lossy(name));
}

/// A block that is allocated when a test is generated: the same byte, repeated.
#[derive(Clone, PartialEq)]
pub struct Prepared(Arc<Vec<u8>>);

impl Prepared {
    /// Allocates it.
    pub fn new(size: usize, byte: u8) -> Self {
        Self(Arc::new(vec![byte; size]))
    }

    /// The size, and the byte.
    pub fn contents(&self) -> (usize, u8) {
        (self.0.len(), self.0.first().copied().unwrap_or(0))
    }
}

impl Arbitrary for Prepared {
    fn arbitrary(source: &mut Source) -> Self {
        Self::new(source.draw(0..1000), source.draw(0..=255))
    }

    fn print(&self, code: &mut Code) {
        let (size, byte) = self.contents();
        write!(code, "Prepared::new({size}, {byte})");
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, byte) = self.contents();
        write!(f, "[{byte}; {size}]")
    }
}

/// A block, and its owner.
#[derive(Debug)]
pub(super) struct Block(Kept);

#[derive(Debug)]
enum Kept {
    /// Owned by the last command that refers to it.
    Prepared(Arc<Vec<u8>>),
    /// Owned by the test. The arena lives as long as the block.
    Allocated { address: Address, size: usize, flags: c_int, _arena: Arena },
}

#[derive(Clone, Copy, Debug)]
struct Address(NonNull<c_void>);

// SAFETY: a block has one owner, and blocks may be used and freed by any thread.
unsafe impl Send for Address {}

impl Block {
    /// Returns the block of a command, without allocating.
    pub(super) fn prepared(Prepared(bytes): &Prepared) -> Option<Self> {
        Some(Self(Kept::Prepared(Arc::clone(bytes))))
    }

    fn address(&self) -> *const u8 {
        match &self.0 {
            Kept::Prepared(bytes) => bytes.as_ptr(),
            Kept::Allocated { address, .. } => address.0.as_ptr().cast(),
        }
    }

    fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kept::Prepared(bytes) => bytes,
            // SAFETY: the block has this many bytes, all initialised when it was allocated or resized.
            Kept::Allocated { address, size, .. } => unsafe {
                std::slice::from_raw_parts(address.0.as_ptr().cast(), *size)
            },
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Kept::Prepared(bytes) => Arc::make_mut(bytes).as_mut_slice(),
            // SAFETY: as above; any byte is a valid `u8`, and the block is uniquely owned.
            Kept::Allocated { address, size, .. } => unsafe {
                std::slice::from_raw_parts_mut(address.0.as_ptr().cast(), *size)
            },
        }
    }

    /// Resizes the block; new bytes get the first byte. Returns whether there was memory for it.
    pub(super) fn resize(&mut self, size: usize) -> bool {
        let byte = self.bytes().first().copied().unwrap_or(0);
        let before = self.bytes().len();
        match &mut self.0 {
            Kept::Prepared(bytes) => Arc::make_mut(bytes).resize(size, byte),
            Kept::Allocated { address, size: old, flags, .. } => {
                // SAFETY: the block is alive and ours, and the size is not 0. It may move.
                let moved = unsafe { jemalloc::rallocx(address.0.as_ptr(), size.max(1), *flags) };
                let Some(moved) = NonNull::new(moved) else { return false };
                (address.0, *old) = (moved, size);
                // SAFETY: the block now has this many bytes; those from `before` on are uninitialised and are written here.
                unsafe { moved.cast::<u8>().add(before.min(size)).write_bytes(byte, size.saturating_sub(before)) };
            }
        }
        true
    }

    /// Returns the size, and the byte that fills it.
    pub(super) fn contents(&self) -> (usize, Option<u8>) {
        let bytes = self.bytes();
        let first = bytes.first().copied();
        (bytes.len(), first.filter(|first| bytes.iter().all(|byte| byte == first)))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Kept::Allocated { address, size, flags, .. } = &self.0 {
            // SAFETY: the block is alive and ours, and was allocated with this size and these flags.
            unsafe { jemalloc::sdallocx(address.0.as_ptr(), (*size).max(1), *flags) };
        }
    }
}

/// Limits the address space of the process, with enough room for everything except [`HUGE`] blocks, or removes the
/// limit.
pub(super) fn limit_memory(limited: bool) {
    const ROOM: u64 = 2 << 30;
    let used = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<u64> = used.and_then(|text| text.split(' ').next()?.parse().ok());
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the struct is initialised by `getrlimit`, and written back with a soft limit not above the hard limit.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_AS, &mut limit), 0);
        limit.rlim_cur = match (limited, pages) {
            (true, Some(pages)) => limit.rlim_max.min(pages * PAGE as u64 + ROOM),
            _ => limit.rlim_max,
        };
        assert_eq!(libc::setrlimit(libc::RLIMIT_AS, &limit), 0);
    }
}
