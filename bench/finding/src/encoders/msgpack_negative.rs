//! `libmpack` (issue 49, seen in Neovim): -129 and -32769 did not survive a round trip. In this model, each is written
//! in the format that ends one number before it.

use crate::Bug;

pub fn holds(bug: Bug, value: &i32) -> Option<bool> {
    Some(decode(&encode(bug, *value)) == Some(*value))
}

pub fn witness() -> (i32,) {
    (-129,)
}

fn encode(bug: Bug, value: i32) -> Vec<u8> {
    let slack = i32::from(bug == Bug::Present);
    let (marker, width) = match value {
        -32..128 => return vec![value as u8],
        value if value >= -128 - slack && value < 128 => (0xd0, 1),
        value if value >= -32_768 - slack && value < 32_768 => (0xd1, 2),
        _ => (0xd2, 4),
    };
    [&[marker], &value.to_be_bytes()[4 - width..]].concat()
}

fn decode(bytes: &[u8]) -> Option<i32> {
    match *bytes {
        [byte] => Some(i32::from(byte as i8)),
        [0xd0, byte] => Some(i32::from(byte as i8)),
        [0xd1, a, b] => Some(i32::from(i16::from_be_bytes([a, b]))),
        [0xd2, a, b, c, d] => Some(i32::from_be_bytes([a, b, c, d])),
        _ => None,
    }
}
