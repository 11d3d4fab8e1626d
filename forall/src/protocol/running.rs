//! The running input of a campaign, in a file that survives the process. Numbers are little endian and have 8 bytes.
//!
//! ```text
//! file = state (0 idle, 1 running), tests begun, length, seed of the campaign, input: see `testing/input.rs`
//! ```

/// No input is running.
pub const IDLE: u64 = 0;

/// An input is running.
pub const RUNNING: u64 = 1;

/// The number of bytes before the input.
pub const HEADER: usize = 32;

/// Returns the number of inputs started, if one is running, from the first 16 bytes of the file.
#[inline]
pub fn pulse(start: &[u8; 16]) -> Option<u64> {
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&start[at..at + 8]);
        u64::from_le_bytes(word)
    };
    (word(0) == RUNNING).then(|| word(8))
}
