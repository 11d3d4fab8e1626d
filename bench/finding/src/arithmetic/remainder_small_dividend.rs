//! crypto-bigint before 0.4.2 (issue 84): where the divisor has more bits than the dividend, `div_rem` returned a remainder
//! of 0 instead of the dividend.

use crate::Bug;

/// The dividend is the divisor times the quotient, plus the remainder.
pub fn holds(bug: Bug, dividend: &u64, divisor: &u64) -> Option<bool> {
    if *divisor == 0 {
        return None;
    }
    let (quotient, remainder) = div_rem(bug, *dividend, *divisor);
    Some(
        remainder < *divisor
            && u128::from(quotient) * u128::from(*divisor) + u128::from(remainder) == (*dividend).into(),
    )
}

pub fn witness() -> (u64, u64) {
    (1, 13)
}

/// Long division, one bit of the quotient at a time.
fn div_rem(bug: Bug, dividend: u64, divisor: u64) -> (u64, u64) {
    let Some(mut shift) = divisor.leading_zeros().checked_sub(dividend.leading_zeros()) else {
        return (0, if bug == Bug::Present { 0 } else { dividend });
    };
    let (mut quotient, mut remainder) = (0, dividend);
    loop {
        if remainder >> shift >= divisor {
            remainder -= divisor << shift;
            quotient |= 1 << shift;
        }
        match shift.checked_sub(1) {
            Some(next) => shift = next,
            None => return (quotient, remainder),
        }
    }
}
