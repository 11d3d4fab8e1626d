//! Rust twins of the recorded Futhark programs: the same entry points, served by `forall_futhark::serve`.

pub mod faults;
pub mod faulty;
pub mod session;
mod twins;

pub use twins::{TWINS, twin};

/// Formats bytes as in the recordings.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses the bytes in a recording.
pub fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).filter_map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()).collect()
}
