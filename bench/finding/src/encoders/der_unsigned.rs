//! `asn1-rs` (pull request 15) and `der` (pull request 208 of RustCrypto's `utils`): an unsigned integer whose first bit is
//! set needs a zero byte before it, or it is read as negative.

use crate::Bug;

pub fn holds(bug: Bug, value: &u64) -> Option<bool> {
    Some(decode(&encode(bug, *value)) == i128::from(*value))
}

pub fn witness() -> (u64,) {
    (128,)
}

fn encode(bug: Bug, value: u64) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count().min(7);
    let significant = &bytes[zeros..];
    if bug == Bug::Fixed && significant[0] >= 0x80 { [&[0], significant].concat() } else { significant.to_vec() }
}

fn decode(bytes: &[u8]) -> i128 {
    let sign = if bytes[0] >= 0x80 { -1 } else { 0 };
    bytes.iter().fold(sign, |value, byte| value << 8 | i128::from(*byte))
}
