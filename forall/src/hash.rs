//! A small stable hash (FNV-1a) for names, shapes and file names, and a set of hashes. Not for hostile input.

/// FNV-1a over 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Hashes a word at once: for tables in memory, not for saved hashes.
    pub(crate) fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    pub(crate) fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }

    /// The hash of one text.
    pub(crate) fn of(text: &str) -> u64 {
        let mut hash = Self::default();
        hash.bytes(text.as_bytes());
        hash.finish()
    }
}

/// A set of hashes. The standard library's would hash them again, and is slow to compile.
#[derive(Clone, Default)]
pub(crate) struct Set {
    /// Each hash is in the first free slot from its low bits on; 0 is free. At most half are taken.
    slots: Vec<u64>,
    taken: usize,
}

impl Set {
    /// Adds a hash, and says whether it is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        if self.taken * 2 >= self.slots.len() {
            let larger = vec![0; (self.slots.len() * 2).max(64)];
            for &hash in &std::mem::replace(&mut self.slots, larger) {
                let slot = self.slot(hash);
                self.slots[slot] = hash;
            }
        }
        let hash = hash.max(1);
        let slot = self.slot(hash);
        let new = self.slots[slot] == 0;
        self.slots[slot] = hash;
        self.taken += usize::from(new);
        new
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        !self.slots.is_empty() && self.slots[self.slot(hash.max(1))] != 0
    }

    /// The slot of a hash.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_reports_whether_a_value_is_new() {
        let mut set = Set::default();
        let hashes = |bits: u32| (0..1000u64).map(move |i| i << bits);
        for bits in [0, 10] {
            let new = hashes(bits).filter(|&hash| set.insert(hash)).count();
            // Below 1000, only 0 is a multiple of 1024; and 0 counts as 1.
            assert_eq!(new, 999);
            assert!(!hashes(bits).any(|hash| set.insert(hash)));
        }
    }
}
