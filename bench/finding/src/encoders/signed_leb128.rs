//! `wasm-ast` (pull requests 18 and 49): the signed LEB128 form ended as soon as the rest was zero. But the reader
//! extends the sign from bit 6 of the last byte, so 64 was decoded as -64.

use crate::Bug;

pub fn holds(bug: Bug, value: &i64) -> Option<bool> {
    Some(decode(&encode(bug, *value)) == *value)
}

pub fn witness() -> (i64,) {
    (64,)
}

fn encode(bug: Bug, mut value: i64) -> Vec<u8> {
    let mut bytes = vec![];
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        let sign = byte & 0x40 != 0;
        let done = match bug {
            Bug::Present => value == 0 || value == -1 && sign,
            Bug::Fixed => value == 0 && !sign || value == -1 && sign,
        };
        if done {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

fn decode(bytes: &[u8]) -> i64 {
    let (mut value, mut shift) = (0, 0);
    for byte in bytes {
        value |= i64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 && shift < 64 && byte & 0x40 != 0 {
            value |= -1 << shift;
        }
    }
    value
}
