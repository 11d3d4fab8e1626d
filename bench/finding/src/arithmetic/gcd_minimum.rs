//! num-integer (issue 55) and Typst (pull request 8352): `gcd` takes absolute values first, which overflows on the least
//! number, even where the result fits.

use crate::Bug;

/// The greatest common divisor divides both numbers.
pub fn holds(bug: Bug, a: &i64, b: &i64) -> Option<bool> {
    let gcd = gcd(bug, *a, *b);
    let divides = |n: i64| n.unsigned_abs().is_multiple_of(gcd);
    Some(divides(*a) && divides(*b))
}

pub fn witness() -> (i64, i64) {
    (i64::MIN, 6)
}

fn gcd(bug: Bug, a: i64, b: i64) -> u64 {
    let (mut a, mut b) = match bug {
        Bug::Present => (a.abs().cast_unsigned(), b.abs().cast_unsigned()),
        Bug::Fixed => (a.unsigned_abs(), b.unsigned_abs()),
    };
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
