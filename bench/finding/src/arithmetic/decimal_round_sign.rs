//! bigdecimal (issue 136): a number that rounds to one unit in the last place returned that unit without its sign, so -0.68
//! rounded to 1.

use crate::Bug;

/// Rounding commutes with negation.
pub fn holds(bug: Bug, digits: &i32, scale: &u8) -> Option<bool> {
    let scale = u32::from(*scale % 10);
    let rounded = round(bug, i64::from(*digits), scale);
    let opposite = round(bug, -i64::from(*digits), scale);
    Some(rounded == -opposite)
}

pub fn witness() -> (i32, u8) {
    (-68, 2)
}

/// Returns `digits / 10^scale`, rounded half away from zero.
fn round(bug: Bug, digits: i64, scale: u32) -> i64 {
    let unit = 10_i64.pow(scale);
    if digits.abs() < unit {
        let magnitude = i64::from(2 * digits.abs() >= unit);
        return if bug == Bug::Present { magnitude } else { magnitude * digits.signum() };
    }
    (digits + digits.signum() * unit / 2) / unit
}
