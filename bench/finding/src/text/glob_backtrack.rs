//! wildflower (issue 14): the part after a `*` is matched at its first occurrence only. `foo*bar` does not match
//! "foobarbar".

use crate::Bug;

/// A pattern in which a `*` replaces a part matches the original.
pub fn holds(bug: Bug, prefix: &str, middle: &str, suffix: &str) -> Option<bool> {
    Some(matches(bug, &format!("{prefix}*{suffix}"), &format!("{prefix}{middle}{suffix}")))
}

pub fn witness() -> (String, String, String) {
    ("foo".to_owned(), "bar".to_owned(), "bar".to_owned())
}

fn matches(bug: Bug, pattern: &str, text: &str) -> bool {
    let mut pieces: Vec<&str> = pattern.split('*').collect();
    let (first, last) = (pieces.remove(0), pieces.pop());
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = last else { return rest.is_empty() };
    for piece in pieces {
        let Some(start) = rest.find(piece) else { return false };
        rest = &rest[start + piece.len()..];
    }
    match bug {
        Bug::Present => last.is_empty() || rest.find(last).is_some_and(|start| start + last.len() == rest.len()),
        Bug::Fixed => rest.ends_with(last),
    }
}
