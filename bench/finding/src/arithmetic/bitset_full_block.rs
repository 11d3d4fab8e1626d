//! fixedbitset 0.1.5 (issue 12): `count_ones` read the block behind the last one where the length was a multiple of the
//! block's size.

use crate::Bug;

const BLOCK: usize = 32;

/// A bit set counts the ones that were set.
pub fn holds(bug: Bug, bits: &[bool]) -> Option<bool> {
    let mut blocks = vec![0; bits.len().div_ceil(BLOCK)];
    for index in (0..bits.len()).filter(|index| bits[*index]) {
        blocks[index / BLOCK] |= 1 << (index % BLOCK);
    }
    let expected = bits.iter().filter(|bit| **bit).count();
    Some(count_ones(bug, &blocks, bits.len()) == expected)
}

pub fn witness() -> (Vec<bool>,) {
    (vec![false; BLOCK],)
}

/// Counts the ones among the first `len` bits.
fn count_ones(bug: Bug, blocks: &[u32], len: usize) -> usize {
    let (full, rest) = (len / BLOCK, len % BLOCK);
    let mut ones = blocks[..full].iter().map(|block| block.count_ones() as usize).sum();
    if rest > 0 || bug == Bug::Present && len > 0 {
        let mask = (1 << rest) - 1;
        ones += (blocks[full] & mask).count_ones() as usize;
    }
    ones
}
