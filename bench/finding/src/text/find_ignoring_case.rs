//! obscura (issue 1015), rigour (issue 227) and others: the search runs on the lowercased string, and its offsets index the
//! original one. Lowercasing changes the length of some characters, such as `İ` and `Ⱥ`.

use crate::Bug;
use std::ops::Range;

/// The match contains the word, ignoring case.
pub fn holds(bug: Bug, before: &str, word: &str, after: &str) -> Option<bool> {
    let text = format!("{before}{word}{after}");
    let found = find(bug, &text, word)?;
    Some(lower(&text[found]).contains(&lower(word)))
}

pub fn witness() -> (String, String, String) {
    ("İ".to_owned(), "error".to_owned(), String::new())
}

fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn find(bug: Bug, text: &str, word: &str) -> Option<Range<usize>> {
    let start = lower(text).find(&lower(word))?;
    let end = start + lower(word).len();
    if bug == Bug::Present {
        return Some(start..end);
    }
    // The characters of the original string whose lowercase overlaps the match.
    let (mut offset, mut found) = (0, None::<Range<usize>>);
    for (index, c) in text.char_indices() {
        let next = offset + c.to_lowercase().map(char::len_utf8).sum::<usize>();
        if offset < end && start < next {
            found = Some(found.map_or(index, |found| found.start)..index + c.len_utf8());
        }
        offset = next;
    }
    Some(found.unwrap_or(0..0))
}
