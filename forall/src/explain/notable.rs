//! Values and lengths that programs treat apart, to be tried before anything is claimed: a bug is seldom about a random number.

use super::vary::Vary;
use crate::choice::{Choice, Item};
use crate::generate::special_floats;
use crate::shrink::edit;

/// All values of a choice with no larger maximum are tried.
pub(super) const SMALL: u64 = 255;
/// Of larger choices all values below this are: the bug may be about one small number, or one character of ASCII.
const SWEPT: u64 = 128;
/// Numbers that programs are often about, and their neighbours.
const SPECIAL: [u64; 14] =
    [200, 256, 500, 1_000, 1_024, 4_096, 10_000, 1 << 15, 1 << 16, 100_000, 1_000_000, 1 << 31, 1 << 32, 1 << 53];
/// Lengths of collections, the likeliest first: programs work in blocks, and grow what they have by doubling it.
#[rustfmt::skip]
pub(super) const LENGTHS: [usize; 49] = [
    1, 2, 16, 32, 4, 8, 10, 64, 100, 3, 5, 7, 9, 6, 20, 12, 128, 50, 256, 15, 17, 31, 33, 63, 65, 11, 13, 14, 18, 19, 21, 22,
    23, 24, 25, 26, 27, 28, 29, 30, 40, 48, 60, 96, 99, 101, 127, 255, 257,
];
/// Remainders by all numbers up to this are looked at.
const MODULI: u64 = 1_024;

/// Values worth a try for a choice, and whether they are all there are.
pub(super) fn values(vary: &Vary<'_>, max: u64) -> (Vec<Item>, bool) {
    let mut values = Vec::new();
    for item in vary.items().iter().take(20) {
        let other = edit::value(item);
        values.extend_from_slice(&[other, other.saturating_add(1), other.saturating_sub(1)]);
    }
    // The greatest and the least of a signed type are among the last three codes.
    values.extend_from_slice(&[max, max.wrapping_sub(1), max.wrapping_sub(2), max / 2, max / 2 + 1]);
    for &number in &vary.numbers_told() {
        // As signed numbers are coded, too: positive ones are odd, negative ones are even.
        let twice = number.saturating_mul(2);
        values.extend_from_slice(&[number, twice.saturating_sub(1), twice]);
    }
    let all = max <= SMALL;
    for value in 0..if all { max + 1 } else { SWEPT } {
        values.push(value);
    }
    values.append(&mut special_floats(max));
    for &special in &SPECIAL {
        values.extend_from_slice(&[special, special - 1, 2 * special - 1, 2 * special]);
    }
    let mut items = Vec::new();
    for &value in &values {
        let item = Item::Choice(Choice { value, max });
        if value <= max && !items.contains(&item) {
            items.push(item);
        }
    }
    (items, all)
}

/// Differences up to a limit, few of them, such that every modulus up to a thousand or so divides one of them: two numbers
/// that are so far apart leave the same remainder.
pub(super) fn differences(limit: u64) -> Vec<u64> {
    let largest = MODULI.min(limit);
    let mut left = Vec::new();
    // What divides a smaller number divides its double as well.
    for modulus in largest / 2 + 1..=largest {
        left.push(modulus);
    }
    let mut found = Vec::new();
    while let Some(mut multiple) = left.pop() {
        let mut rest = Vec::new();
        for &modulus in &left {
            let common = multiple.checked_mul(modulus / divisor(multiple, modulus));
            match common.filter(|common| *common <= limit) {
                Some(common) => multiple = common,
                None => rest.push(modulus),
            }
        }
        left = rest;
        found.push(multiple);
    }
    found
}

/// The greatest number that divides both.
fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_modulus_divides_one_of_the_differences() {
        for limit in [0, 1, 7, 255, 999, 65_535, u64::from(u32::MAX), u64::MAX] {
            let differences = differences(limit);
            assert!(differences.iter().all(|difference| (1..=limit).contains(difference)));
            for modulus in 1..=MODULI.min(limit) {
                assert!(differences.iter().any(|difference| difference % modulus == 0), "{modulus} up to {limit}");
            }
        }
        assert!(differences(u64::MAX).len() < 100, "{}", differences(u64::MAX).len());
    }
}
