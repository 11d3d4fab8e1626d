//! alphanumeric-sort (pull request 1): if one string is a prefix of the other, the longer one was not always the
//! greater.

use crate::Bug;
use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// The order is antisymmetric.
pub fn holds(bug: Bug, a: &str, b: &str) -> Option<bool> {
    Some(compare(bug, a, b) == compare(bug, b, a).reverse())
}

pub fn witness() -> (String, String) {
    ("1a".to_owned(), "1aa".to_owned())
}

fn compare(bug: Bug, a: &str, b: &str) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.cmp(b);
    }
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                number(&mut left).cmp(&number(&mut right))
            }
            (Some(_), Some(_)) => left.next().cmp(&right.next()),
            (Some(_), None) if bug == Bug::Fixed => Ordering::Greater,
            (None, None) => return a.cmp(b),
            _ => Ordering::Less,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Reads a number. Without leading zeros, the longer one is the greater.
fn number(input: &mut Peekable<Chars>) -> (usize, String) {
    let digits: String = std::iter::from_fn(|| input.next_if(char::is_ascii_digit)).collect();
    let digits = digits.trim_start_matches('0').to_owned();
    (digits.len(), digits)
}
