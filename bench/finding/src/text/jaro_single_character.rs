//! strsim (pull request 6): the window in which characters match is half of the longer length, minus one. For two
//! strings of one character, the subtraction overflows.

use crate::Bug;

/// The similarity is between 0 and 1, and 1 only for equal strings.
pub fn holds(bug: Bug, a: &str, b: &str) -> Option<bool> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let similarity = jaro(bug, &a, &b);
    Some((0.0..=1.0).contains(&similarity) && (similarity == 1.0) == (a == b))
}

pub fn witness() -> (String, String) {
    ("a".to_owned(), "b".to_owned())
}

fn jaro(bug: Bug, a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return if a == b { 1.0 } else { 0.0 };
    }
    let half = a.len().max(b.len()) / 2;
    let window = match bug {
        Bug::Present => half - 1,
        Bug::Fixed => half.saturating_sub(1),
    };
    let mut matched_a = vec![];
    let mut taken = vec![false; b.len()];
    for (index, c) in a.iter().enumerate() {
        let near = index.saturating_sub(window)..b.len().min(index + window + 1);
        if let Some(other) = near.into_iter().find(|other| !taken[*other] && b[*other] == *c) {
            taken[other] = true;
            matched_a.push(c);
        }
    }
    if matched_a.is_empty() {
        return 0.0;
    }
    let matched_b = b.iter().zip(&taken).filter_map(|(c, taken)| taken.then_some(c));
    let transposed = matched_a.iter().zip(matched_b).filter(|(a, b)| **a != *b).count() as f64 / 2.0;
    let matches = matched_a.len() as f64;
    (matches / a.len() as f64 + matches / b.len() as f64 + (matches - transposed) / matches) / 3.0
}
