//! `simple_asn1` (pull request 10): the number 0 in an object identifier was written as no byte at all.

use crate::Bug;

pub fn holds(bug: Bug, arcs: &[u32]) -> Option<bool> {
    let bytes: Vec<u8> = arcs.iter().flat_map(|arc| encode(bug, *arc)).collect();
    Some(decode(&bytes) == arcs)
}

pub fn witness() -> (Vec<u32>,) {
    (vec![1, 3, 132, 0, 10],)
}

/// Returns seven bits per byte; all bytes except the last have the highest bit set.
fn encode(bug: Bug, mut arc: u32) -> Vec<u8> {
    let mut bytes = vec![];
    if bug == Bug::Fixed && arc == 0 {
        bytes.push(0);
    }
    while arc > 0 {
        let more = if bytes.is_empty() { 0 } else { 0x80 };
        bytes.push((arc & 0x7f) as u8 | more);
        arc >>= 7;
    }
    bytes.reverse();
    bytes
}

fn decode(bytes: &[u8]) -> Vec<u32> {
    let (mut arcs, mut arc) = (vec![], 0);
    for byte in bytes {
        arc = arc << 7 | u32::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            arcs.push(std::mem::take(&mut arc));
        }
    }
    arcs
}
