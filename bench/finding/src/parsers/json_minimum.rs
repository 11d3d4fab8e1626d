//! `json` (issue 185), `hcl-rs` (pull request 549) and others: the parser read the digits as a positive number and negated
//! it, which overflows for the smallest one.

use crate::Bug;

pub fn holds(bug: Bug, number: &i64) -> Option<bool> {
    Some(parse(bug, &number.to_string()) == Some(*number))
}

pub fn witness() -> (i64,) {
    (i64::MIN,)
}

fn parse(bug: Bug, text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let magnitude: u64 = digits.parse().ok()?;
    match (negative, bug) {
        (false, _) => i64::try_from(magnitude).ok(),
        (true, Bug::Present) => Some(-(magnitude as i64)),
        (true, Bug::Fixed) => 0i64.checked_sub_unsigned(magnitude),
    }
}
