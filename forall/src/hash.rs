//! A small stable hash (FNV-1a) for names, shapes and file names. Not for hostile input, not for hash tables.

/// FNV-1a over 64 bits.
#[derive(Clone, Copy, Debug)]
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

    /// Takes in a word at once: for tables in memory, not for what is stored.
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
