//! `parquet2` (pull request 179): large differences were packed incorrectly. In this model, their bit width is computed
//! from a signed range, which overflows.

use crate::Bug;

pub fn holds(bug: Bug, values: &[i64]) -> Option<bool> {
    let (first, deltas) = values.split_first()?;
    let deltas: Vec<i64> =
        deltas.iter().scan(*first, |last, value| Some(value.wrapping_sub(std::mem::replace(last, *value)))).collect();
    let least = deltas.iter().min().copied().unwrap_or(0);
    let width = width(bug, &deltas);
    let packed: Vec<u64> = deltas.iter().map(|delta| low_bits(delta.wrapping_sub(least) as u64, width)).collect();
    let mut decoded = vec![*first];
    for offset in packed {
        let last = decoded[decoded.len() - 1];
        decoded.push(last.wrapping_add(least).wrapping_add(offset as i64));
    }
    Some(decoded == values)
}

pub fn witness() -> (Vec<i64>,) {
    (vec![0, i64::MAX, 0],)
}

/// Returns the number of bits for the differences from the least one.
fn width(bug: Bug, deltas: &[i64]) -> u32 {
    let (Some(least), Some(most)) = (deltas.iter().min(), deltas.iter().max()) else { return 0 };
    let range = most.wrapping_sub(*least);
    match bug {
        Bug::Present => i64::BITS - range.max(0).leading_zeros(),
        Bug::Fixed => u64::BITS - (range as u64).leading_zeros(),
    }
}

fn low_bits(number: u64, width: u32) -> u64 {
    if width == 0 { 0 } else { number & (u64::MAX >> (u64::BITS - width)) }
}
