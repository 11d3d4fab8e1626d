//! num (issue 431): `mod_floor(MIN, -1)` panics, because the remainder of the processor's division overflows. The result,
//! 0, would fit.

use crate::Bug;

/// The remainder is the dividend less the divisor times the floored quotient.
pub fn holds(bug: Bug, dividend: &i32, divisor: &i32) -> Option<bool> {
    if *divisor == 0 {
        return None;
    }
    let expected = i64::from(*dividend) - i64::from(*divisor) * floor_quotient(*dividend, *divisor);
    Some(i64::from(mod_floor(bug, *dividend, *divisor)) == expected)
}

pub fn witness() -> (i32, i32) {
    (i32::MIN, -1)
}

fn floor_quotient(dividend: i32, divisor: i32) -> i64 {
    (f64::from(dividend) / f64::from(divisor)).floor() as i64
}

fn mod_floor(bug: Bug, dividend: i32, divisor: i32) -> i32 {
    let rest = match bug {
        Bug::Present => dividend % divisor,
        Bug::Fixed => dividend.wrapping_rem(divisor),
    };
    if rest != 0 && (rest < 0) != (divisor < 0) { rest + divisor } else { rest }
}
