//! `tower-http` (pull request 556): a range request for an empty file was answered with a content length of 1, because
//! the last position of a range is inclusive and that of an empty file was taken to be 0.

use crate::Bug;

pub fn holds(bug: Bug, body: &[u8], first: &Option<u8>, last: &Option<u8>) -> Option<bool> {
    let text = |position: &Option<u8>| position.map_or(String::new(), |position| position.to_string());
    let length = content_length(bug, &format!("bytes={}-{}", text(first), text(last)), body.len())?;
    let expected = match (first.map(usize::from), last.map(usize::from)) {
        (None, None) => return None,
        (None, Some(count)) => count.min(body.len()),
        (Some(first), None) => body.len().saturating_sub(first),
        (Some(first), Some(last)) => body.iter().skip(first).take(last + 1 - first).count(),
    };
    Some(length == expected)
}

pub fn witness() -> (Vec<u8>, Option<u8>, Option<u8>) {
    (vec![], Some(0), None)
}

/// Returns the length of the response; `None` for a range that cannot be satisfied.
fn content_length(bug: Bug, header: &str, size: usize) -> Option<usize> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let end = size.saturating_sub(1);
    let (first, last) = match (first.parse::<usize>().ok(), last.parse::<usize>().ok()) {
        (None, Some(0)) | (None, None) => return None,
        (None, Some(count)) => (size.saturating_sub(count), end),
        (Some(first), None) => (first, end),
        (Some(first), Some(last)) => (first, last.min(end)),
    };
    if first > last {
        return None;
    }
    if bug == Bug::Fixed && size == 0 {
        return Some(0);
    }
    Some(last - first + 1)
}
