//! `rmp` 0.5 (issue 24): the writer of signed integers treated zero as a small negative number. Its byte is that of a
//! positive number, which the reader of signed integers rejected.

use crate::Bug;

pub fn holds(bug: Bug, values: &[i32]) -> Option<bool> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| encode(*value)).collect();
    Some(decode(bug, &bytes).as_deref() == Some(values))
}

pub fn witness() -> (Vec<i32>,) {
    (vec![0],)
}

fn encode(value: i32) -> Vec<u8> {
    match value {
        -32..=0 => vec![value as u8],
        _ => [&[0xd2], &value.to_be_bytes()[..]].concat(),
    }
}

fn decode(bug: Bug, mut bytes: &[u8]) -> Option<Vec<i32>> {
    let mut values = vec![];
    while let Some((marker, rest)) = bytes.split_first() {
        bytes = rest;
        values.push(match marker {
            0xe0..=0xff => i32::from(*marker as i8),
            0..=0x7f if bug == Bug::Fixed => i32::from(*marker),
            0xd2 => {
                let (number, rest) = bytes.split_first_chunk()?;
                bytes = rest;
                i32::from_be_bytes(*number)
            }
            _ => return None,
        });
    }
    Some(values)
}
