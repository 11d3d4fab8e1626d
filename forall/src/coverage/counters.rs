//! The counters that `-C instrument-coverage` puts into a program.
//!
//! All of them are in one section of the executable. The linker defines symbols for the start and end of a section;
//! they are weak references, so programs without the section still link, and find no counters.

use super::Unavailable;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters are read this many at once: nearly all of them are 0.
const GROUP: usize = 16;

/// The counters of this process.
#[derive(Debug)]
pub(super) struct Counters {
    all: &'static [AtomicU64],
}

impl Counters {
    pub(super) fn of_this_process() -> Result<Self, Unavailable> {
        let all = section()?;
        if all.is_empty() { Err(Unavailable::NotInstrumented) } else { Ok(Self { all }) }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Passes each nonzero counter to `each`, with its index, and resets it. Others are only read.
    #[inline]
    pub(super) fn take(&mut self, mut each: impl FnMut(usize, u64)) {
        let (groups, rest) = self.all.as_chunks::<GROUP>();
        let mut place = 0;
        for group in groups {
            if any(group) {
                take_each(group, place, &mut each);
            }
            place += GROUP;
        }
        take_each(rest, place, &mut each);
    }

    /// Adds to all counters.
    pub(super) fn add(&mut self, hits: &[u64]) {
        for (counter, hits) in self.all.iter().zip(hits) {
            counter.fetch_add(*hits, Ordering::Relaxed);
        }
    }
}

/// Whether one of the counters is not 0.
#[inline(always)]
fn any(group: &[AtomicU64; GROUP]) -> bool {
    let mut bits = 0;
    for counter in group {
        bits |= counter.load(Ordering::Relaxed);
    }
    bits != 0
}

#[inline]
fn take_each(counters: &[AtomicU64], first: usize, each: &mut impl FnMut(usize, u64)) {
    for (at, counter) in counters.iter().enumerate() {
        let hits = counter.load(Ordering::Relaxed);
        if hits != 0 {
            counter.store(0, Ordering::Relaxed);
            each(first + at, hits);
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn section() -> Result<&'static [AtomicU64], Unavailable> {
    let (start, end): (*const AtomicU64, *const AtomicU64);
    // SAFETY: two loads from the global offset table, whose entries are 0 if the symbols are not defined. No memory that
    // Rust knows is touched, and no register but the two outputs.
    unsafe {
        core::arch::asm!(
            ".weak __start___llvm_prf_cnts",
            ".weak __stop___llvm_prf_cnts",
            "mov {start}, qword ptr [rip + __start___llvm_prf_cnts@GOTPCREL]",
            "mov {end}, qword ptr [rip + __stop___llvm_prf_cnts@GOTPCREL]",
            start = out(reg) start,
            end = out(reg) end,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    if start.is_null() {
        return Ok(&[]);
    }
    let length = (end as usize - start as usize) / size_of::<AtomicU64>();
    // SAFETY: the section is there as long as the program, is writable, aligned to 8 bytes, and an array of 8-byte counters.
    // Rust code has no other access to it than this slice. The increments that the compiler inserts are plain ones, outside
    // of the language; should one happen on another thread while we look, then a count is off, which every reader of
    // counters must expect.
    Ok(unsafe { std::slice::from_raw_parts(start, length) })
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn section() -> Result<&'static [AtomicU64], Unavailable> {
    Err(Unavailable::Target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nonzero_counters_are_taken_and_reset() {
        for length in [1, GROUP - 1, GROUP, 5 * GROUP + 3] {
            let all: &'static [AtomicU64] = Vec::leak((0..length).map(|_| AtomicU64::new(0)).collect());
            let mut counters = Counters { all };
            for place in [0, length / 2, length - 1] {
                all[place].store(place as u64 + 1, Ordering::Relaxed);
            }
            let mut taken = Vec::new();
            counters.take(|place, hits| taken.push((place, hits)));
            let mut expected = vec![0, length / 2, length - 1];
            expected.dedup();
            assert_eq!(taken, expected.iter().map(|&place| (place, place as u64 + 1)).collect::<Vec<_>>());
            counters.take(|place, _| panic!("{place} was set back"));
            let hits: Vec<u64> = (0..length as u64).collect();
            counters.add(&hits);
            let mut taken = vec![0; length];
            counters.take(|place, hits| taken[place] = hits);
            assert_eq!(taken, hits);
        }
    }
}
