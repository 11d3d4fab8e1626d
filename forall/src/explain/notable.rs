//! Values and lengths that programs often treat specially, to be tried before anything is claimed: bugs are seldom
//! about random numbers.

use super::vary::Vary;
use crate::choice::{Choice, Item, Literal};
use crate::generate::{code_of, float_code, special_floats};
use crate::shrink::edit;
use crate::sort::sort_by;

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
/// This many numeric literals of the test are among the first values that are tried, with the numbers between any two.
/// The others are tried before a claim is made.
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
    for text in &quoted(vary) {
        for &c in text {
            if !c.is_ascii() {
                codes.push(code_of(c));
            }
        }
    }
    codes
}

/// The characters of each string and character literal in the test.
pub(super) fn quoted(vary: &Vary<'_>) -> Vec<Vec<char>> {
    let mut found = Vec::new();
    for line in vary.literals().lines() {
        match Literal::read(line) {
            Some(Literal::Text(text)) => found.push(text),
            Some(Literal::Bytes(bytes)) => {
                let mut text = Vec::new();
                for byte in bytes {
                    text.push(char::from(byte));
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
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

/// The magnitude of a numeric literal: integers are exact, however many digits they have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Whole(u128),
    Float(f64),
}

impl Number {
    fn whole(self) -> u128 {
        match self {
            Self::Whole(number) => number,
            Self::Float(number) => number as u128,
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    /// The number in the middle between two.
    fn between(self, other: Self) -> Self {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Self::Whole((a & b) + (a ^ b) / 2),
            _ => Self::Float((self.float() + other.float()) / 2.0),
        }
    }
}

/// The numbers among the literals in these lines, each once.
fn numbers(literals: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    for line in literals.lines() {
        let number = match Literal::read(line.strip_prefix('-').unwrap_or(line)) {
            Some(Literal::Integer(number)) => Number::Whole(number as u128),
            Some(Literal::Float(number)) => Number::Float(number),
            _ => continue,
        };
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Adds a number between any two of the first [`MAX_LITERALS`] numbers, and between any other and the next greater one.
fn add_between(numbers: &mut Vec<Number>) {
    let count = numbers.len();
    for one in 0..count.min(MAX_LITERALS) {
        for other in 0..one {
            numbers.push(numbers[one].between(numbers[other]));
        }
    }
    if count > MAX_LITERALS {
        let mut sorted = numbers[..count].to_vec();
        sort_by(&mut sorted, |a, b| a.float().total_cmp(&b.float()));
        for place in 1..count {
            numbers.push(sorted[place - 1].between(sorted[place]));
        }
    }
}

/// The choices that stand for a number, its neighbours, and the negatives of all of them.
fn codes_near(number: Number, max: u64, codes: &mut Vec<u64>) {
    if let Ok(whole) = u64::try_from(number.whole()) {
        for &near in &[whole, whole.saturating_add(1), whole.saturating_sub(1)] {
            let twice = near.saturating_mul(2);
            codes.extend_from_slice(&[near, twice.saturating_sub(1), twice]);
        }
    }
    let number = number.float();
    for &near in &[number, number * (1.0 + f64::EPSILON), number * (1.0 - f64::EPSILON), number + 1.0, number - 1.0] {
        for &value in &[near, -near] {
            if let Some(code) = float_code(max, value) {
                codes.push(code);
            }
        }
    }
}

/// Both neighbours of the first numeric literals in the test, up to `most`, and numbers between them, as choices.
pub(super) fn near_literals(vary: &Vary<'_>, max: u64, most: usize) -> Vec<u64> {
    let (mut numbers, mut codes) = (numbers(vary.literals()), Vec::new());
    numbers.truncate(most);
    add_between(&mut numbers);
    for &number in &numbers {
        codes_near(number, max, &mut codes);
    }
    codes
}

/// The numeric literals in the test, and their neighbours, as integers of 128 bits: the upper and the lower choice.
pub(super) fn wide_literals(vary: &Vary<'_>) -> Vec<[u64; 2]> {
    let mut codes = Vec::new();
    for number in numbers(vary.literals()) {
        let whole = number.whole();
        for &near in &[whole, whole.saturating_add(1), whole.saturating_sub(1)] {
            let twice = near.saturating_mul(2);
            for &code in &[near, twice.saturating_sub(1), twice] {
                codes.push([(code >> 64) as u64, code as u64]);
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
    values.append(&mut near_literals(vary, max, MAX_LITERALS));
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
    fn numbers_are_read_from_all_forms_of_literals() {
        let whole = |literals: &str| numbers(literals).into_iter().map(Number::whole).collect::<Vec<_>>();
        assert_eq!(whole("0x5e\n0x5eed_cafe_u32\n0o17\n0b1010_0110u8"), [0x5e, 0x5eed_cafe, 0o17, 0b1010_0110]);
        assert_eq!(whole("1_000usize\n-128i8\nb'a'\n12u64"), [1_000, 128, 97, 12]);
        assert_eq!(numbers("1e6\n1.5e-3\n2E4f32\n99."), [1e6, 1.5e-3, 2e4, 99.0].map(Number::Float));
        assert_eq!(whole("9007199254740993\n18446744073709551557"), [(1 << 53) + 1, u128::from(u64::MAX) - 58]);
        assert_eq!(whole("0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fff0"), [u128::MAX - 15]);
        assert_eq!(whole("\"12\"\n'7'\n0x5e\n94"), [94], "strings are not numbers, and each number counts once");
        let many: String = (100..164).map(|number| format!("{number}\n")).collect();
        assert_eq!(numbers(&many).len(), 64);
    }

    #[test]
    fn numbers_between_literals_are_exact() {
        let [a, b] = [u128::MAX - 1, u128::MAX - 5].map(Number::Whole);
        assert_eq!(a.between(b), Number::Whole(u128::MAX - 3));
        assert_eq!(Number::Whole(3).between(Number::Float(0.5)), Number::Float(1.75));
        let mut few = [10, 30, 20].map(Number::Whole).to_vec();
        add_between(&mut few);
        assert_eq!(few, [10, 30, 20, 20, 15, 25].map(Number::Whole));
        let mut many: Vec<Number> = (0..64).rev().map(|number| Number::Whole(10 * number)).collect();
        add_between(&mut many);
        assert!((1..64).all(|number| many.contains(&Number::Whole(10 * number - 5))));
    }

    #[test]
    fn both_neighbours_of_a_large_literal_are_choices() {
        let near = |number: u128| {
            let mut codes = Vec::new();
            codes_near(Number::Whole(number), u64::MAX, &mut codes);
            codes
        };
        let beyond = (1u64 << 53) + 1;
        for whole in [beyond, u64::MAX - 58] {
            assert!([whole - 1, whole, whole + 1].iter().all(|code| near(whole.into()).contains(code)), "{whole}");
        }
        // As signed numbers: positive ones are odd, negative ones even.
        assert!([2 * beyond - 1, 2 * beyond].iter().all(|code| near(beyond.into()).contains(code)));
    }

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
