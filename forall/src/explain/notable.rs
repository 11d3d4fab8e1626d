//! Values and lengths that programs often treat specially, to be tried before anything is claimed: bugs are seldom
//! about random numbers.

use super::vary::Vary;
use crate::choice::{Choice, Item};
use crate::generate::{code_of, float_code, special_floats};
use crate::shrink::edit;

/// Choices with at most this maximum are tried with all their values.
pub(super) const SMALL: u64 = 255;
/// For larger choices, all values below this are tried: the bug may be about one small number, or one character of
/// ASCII.
const SWEPT: u64 = 128;
/// Numbers that often matter to programs, and their neighbours.
const SPECIAL: [u64; 14] =
    [200, 256, 500, 1_000, 1_024, 4_096, 10_000, 1 << 15, 1 << 16, 100_000, 1_000_000, 1 << 31, 1 << 32, 1 << 53];
/// Lengths of collections, likeliest first: programs work in blocks, and grow buffers by doubling.
#[rustfmt::skip]
pub(super) const LENGTHS: [usize; 49] = [
    1, 2, 16, 32, 4, 8, 10, 64, 100, 3, 5, 7, 9, 6, 20, 12, 128, 50, 256, 15, 17, 31, 33, 63, 65, 11, 13, 14, 18, 19, 21, 22,
    23, 24, 25, 26, 27, 28, 29, 30, 40, 48, 60, 96, 99, 101, 127, 255, 257,
];
/// Remainders modulo all numbers up to this are considered.
const MODULI: u64 = 1_024;

/// The number of random values of each magnitude that are tried before anything is claimed about a number.
const OF_EACH_POWER: u64 = 3;
/// The exponents of the floats that are tried: magnitudes that occur in practice.
const EXPONENTS: std::ops::RangeInclusive<i32> = -12..=24;
/// With at most this many literals in the test, the numbers between any two are tried.
const MAX_LITERALS: usize = 12;
/// One character of each class that programs may treat specially, except ASCII, which is tried as a whole: letters of
/// one, two, three and four bytes, in either case or both, digits, numbers, marks, spaces, signs, emoji, controls, and
/// the ends of planes.
const CLASSES: [char; 48] = [
    '\u{80}',
    '\u{85}',
    '\u{a0}',
    '¡',
    '¢',
    '©',
    'ª',
    '\u{ad}',
    '²',
    '½',
    'À',
    'ß',
    'é',
    '×',
    'ÿ',
    'İ',
    'ı',
    'ſ',
    'ǅ',
    '\u{301}',
    'Σ',
    'ς',
    'Ж',
    'ב',
    '٣',
    'क',
    'ẞ',
    '\u{200b}',
    '\u{200d}',
    '\u{200e}',
    '\u{2028}',
    '\u{202e}',
    '€',
    'Ⅷ',
    '→',
    '☃',
    '\u{3000}',
    '中',
    '한',
    '\u{e000}',
    'ﬁ',
    '\u{feff}',
    '\u{fffd}',
    '\u{ffff}',
    '𝔸',
    '🌍',
    '😀',
    '\u{10ffff}',
];

/// Characters worth trying in a string, as choices: ASCII, one of each class, and those in the test's literals.
pub(super) fn characters(vary: &Vary<'_>) -> Vec<u64> {
    let mut codes = Vec::new();
    for byte in 0..128u8 {
        codes.push(code_of(char::from(byte)));
    }
    for &c in &CLASSES {
        codes.push(code_of(c));
    }
    for line in vary.literals().lines() {
        for c in unquoted(line).unwrap_or_default().chars() {
            if !c.is_ascii() {
                codes.push(code_of(c));
            }
        }
    }
    codes
}

/// The contents of a string or character literal, without its quotes. Escapes are left as they are: the
/// characters they stand for are tried anyway, or are rare.
pub(super) fn unquoted(literal: &str) -> Option<&str> {
    let quoted = literal.strip_prefix("b").unwrap_or(literal);
    let (first, rest) = (quoted.get(..1)?, quoted.get(1..quoted.len().checked_sub(1)?)?);
    (matches!(first, "\"" | "'") && quoted.ends_with(first)).then_some(rest)
}

/// Numbers of all magnitudes, as choices.
pub(super) fn magnitudes(vary: &mut Vary<'_>, max: u64) -> Vec<u64> {
    let mut codes = Vec::new();
    for exponent in 0..64 {
        for _ in 0..OF_EACH_POWER {
            let power = 1u64 << exponent;
            if power <= max {
                codes.push((power | vary.random.up_to(power - 1)).min(max));
            }
        }
    }
    for exponent in EXPONENTS {
        for _ in 0..OF_EACH_POWER {
            // Between this power and the next.
            let value = 2f64.powi(exponent) * (1.0 + vary.random.up_to(999) as f64 / 1000.0);
            let sign = if vary.random.up_to(1) == 0 { 1.0 } else { -1.0 };
            if let Some(code) = float_code(max, sign * value) {
                codes.push(code);
            }
        }
    }
    codes
}

/// Both neighbours of each numeric literal in the test, and a number between any two, as choices.
fn near_literals(vary: &Vary<'_>, max: u64) -> Vec<u64> {
    let mut numbers = Vec::new();
    for line in vary.literals().lines() {
        let digits = crate::within::replaced(line.strip_prefix('-').unwrap_or(line), "_", "");
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
        if numbers.len() < MAX_LITERALS
            && let Ok(number) = digits[..end].trim_end_matches('.').parse::<f64>()
        {
            numbers.push(number);
        }
    }
    for one in 0..numbers.len() {
        for other in 0..one {
            numbers.push((numbers[one] + numbers[other]) / 2.0);
        }
    }
    let mut codes = Vec::new();
    for &number in &numbers {
        let whole = number as u64;
        for &near in &[whole, whole.saturating_add(1), whole.saturating_sub(1)] {
            let twice = near.saturating_mul(2);
            codes.extend_from_slice(&[near, twice.saturating_sub(1), twice]);
        }
        for &near in &[number, number * (1.0 + f64::EPSILON), number * (1.0 - f64::EPSILON), number + 1.0, number - 1.0]
        {
            for &value in &[near, -near] {
                if let Some(code) = float_code(max, value) {
                    codes.push(code);
                }
            }
        }
    }
    codes
}

/// Values worth trying for a choice, and whether they are exhaustive.
pub(super) fn values(vary: &Vary<'_>, max: u64) -> (Vec<Item>, bool) {
    let mut values = Vec::new();
    for item in vary.items().iter().take(20) {
        let other = edit::value(item);
        values.extend_from_slice(&[other, other.saturating_add(1), other.saturating_sub(1)]);
    }
    // The maximum and minimum of a signed type are among the last three codes.
    values.extend_from_slice(&[max, max.wrapping_sub(1), max.wrapping_sub(2), max / 2, max / 2 + 1]);
    for &number in &vary.numbers_told() {
        // Also encoded as signed numbers: positive ones are odd, negative ones even.
        let twice = number.saturating_mul(2);
        values.extend_from_slice(&[number, twice.saturating_sub(1), twice]);
    }
    values.append(&mut near_literals(vary, max));
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

/// A few differences up to a limit such that every modulus up to about a thousand divides one of them: two numbers that
/// are so far apart leave the same remainder.
pub(super) fn differences(limit: u64) -> Vec<u64> {
    let largest = MODULI.min(limit);
    let mut left = Vec::new();
    // Every divisor of a number also divides its double.
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

/// The greatest common divisor.
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
