//! `wildmatch` (issue 18): `*113` did not match `1113`. On a mismatch after a star, the matcher went back in the pattern,
//! but not in the text.

use crate::Bug;

pub fn holds(bug: Bug, text: &str, skip: &u8) -> Option<bool> {
    let text: Vec<char> = text.chars().collect();
    let end = &text[usize::from(*skip) % (text.len() + 1)..];
    Some(ends_with(bug, end, &text))
}

pub fn witness() -> (String, u8) {
    ("1113".to_owned(), 1)
}

/// Matches a pattern that consists of a star and these characters.
fn ends_with(bug: Bug, end: &[char], text: &[char]) -> bool {
    let (mut matched, mut position, mut start) = (0, 0, 0);
    while position < text.len() {
        if matched < end.len() && end[matched] == text[position] {
            matched += 1;
            position += 1;
        } else {
            // The star matches one more character.
            let retry = match bug {
                Bug::Present => position.max(start + 1),
                Bug::Fixed => start + 1,
            };
            (matched, position, start) = (0, retry, retry);
        }
    }
    matched == end.len()
}
