//! num-bigint before 0.2.4 (issue 121): `modpow` took the sign of the base for the sign of the power, even where the
//! exponent was even. (-1)² mod 10 was 9.

use crate::Bug;

/// The power agrees with repeated multiplication.
pub fn holds(bug: Bug, base: &i32, exponent: &u8, modulus: &u16) -> Option<bool> {
    if *modulus == 0 {
        return None;
    }
    let (base, modulus) = (i64::from(*base), i64::from(*modulus));
    let expected = (0..*exponent).fold(1 % modulus, |power, _| (power * base).rem_euclid(modulus));
    Some(modpow(bug, base, *exponent, modulus) == expected)
}

pub fn witness() -> (i32, u8, u16) {
    (-1, 2, 10)
}

fn modpow(bug: Bug, base: i64, exponent: u8, modulus: i64) -> i64 {
    let (mut square, mut rest, mut power) = (base.abs() % modulus, exponent, 1 % modulus);
    while rest > 0 {
        if rest % 2 == 1 {
            power = power * square % modulus;
        }
        square = square * square % modulus;
        rest /= 2;
    }
    let negative = match bug {
        Bug::Present => base < 0,
        Bug::Fixed => base < 0 && exponent % 2 == 1,
    };
    if negative && power != 0 { modulus - power } else { power }
}
