//! `ox` (pull request 276): Base58 writes each leading zero byte as `1`. The loop that counts them omitted the last
//! byte, so input of only zeros lost one.

use crate::Bug;

pub fn holds(bug: Bug, bytes: &[u8]) -> Option<bool> {
    Some(decode(&encode(bug, bytes)) == bytes)
}

pub fn witness() -> (Vec<u8>,) {
    (vec![0],)
}

/// Returns the digits, without an alphabet.
fn encode(bug: Bug, bytes: &[u8]) -> Vec<u8> {
    let counted = match bug {
        Bug::Present => &bytes[..bytes.len().saturating_sub(1)],
        Bug::Fixed => bytes,
    };
    let zeros = counted.iter().take_while(|byte| **byte == 0).count();
    [vec![0; zeros], converted(bytes, 256, 58)].concat()
}

fn decode(digits: &[u8]) -> Vec<u8> {
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    [vec![0; zeros], converted(digits, 58, 256)].concat()
}

/// Converts a number to another base, without leading zeros.
fn converted(digits: &[u8], from: u32, to: u32) -> Vec<u8> {
    let mut result: Vec<u8> = vec![];
    for digit in digits {
        let mut carry = u32::from(*digit);
        for place in &mut result {
            carry += u32::from(*place) * from;
            *place = (carry % to) as u8;
            carry /= to;
        }
        while carry > 0 {
            result.push((carry % to) as u8);
            carry /= to;
        }
    }
    result.reverse();
    result
}
