//! codemem 0.6.2 (issue 3) and many others: a string is truncated at a byte offset, which panics inside a character.

use crate::Bug;

const ELLIPSIS: &str = "...";

/// A truncated string is a prefix of at most the given length, followed by an ellipsis.
pub fn holds(bug: Bug, text: &str, max: &u8) -> Option<bool> {
    let max = usize::from(*max);
    let truncated = truncate(bug, text, max);
    if text.len() <= max {
        return Some(truncated == text);
    }
    let prefix = truncated.strip_suffix(ELLIPSIS);
    Some(prefix.is_some_and(|prefix| prefix.len() <= max && text.starts_with(prefix)))
}

pub fn witness() -> (String, u8) {
    ("mutó".to_owned(), 4)
}

fn truncate(bug: Bug, text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let end = match bug {
        Bug::Present => max,
        Bug::Fixed => text.floor_char_boundary(max),
    };
    format!("{}{ELLIPSIS}", &text[..end])
}
