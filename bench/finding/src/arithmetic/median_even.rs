//! aprender (issue 491): the median of an even number of values is the upper one of the middle pair, not their mean.
//! Polars (pull request 527) replaced a median of the same kind.

use crate::Bug;

/// The median commutes with negation.
pub fn holds(bug: Bug, values: &[i32]) -> Option<bool> {
    let negated = values.iter().map(|value| -f64::from(*value)).collect();
    let values = values.iter().map(|value| f64::from(*value)).collect();
    Some(median(bug, values)? == -median(bug, negated)?)
}

pub fn witness() -> (Vec<i32>,) {
    (vec![1, 2],)
}

fn median(bug: Bug, mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if bug == Bug::Present || values.len() % 2 == 1 {
        return Some(upper);
    }
    Some((values[middle - 1] + upper) / 2.0)
}
