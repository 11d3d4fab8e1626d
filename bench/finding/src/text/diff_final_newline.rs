//! diff before 0.1.11, seen in rustfmt (issue 1753): lines are split by `str::lines`, so a diff does not represent the
//! newline at the end.

use crate::Bug;

/// Applying the diff of two strings to the left one gives the right one.
pub fn holds(bug: Bug, left: &str, right: &str) -> Option<bool> {
    let diff = diff(&lines(bug, left), &lines(bug, right));
    Some(apply(&diff, &lines(bug, left)).join("\n") == right)
}

pub fn witness() -> (String, String) {
    ("a".to_owned(), "b\n".to_owned())
}

fn lines(bug: Bug, text: &str) -> Vec<&str> {
    match bug {
        Bug::Present => text.split_terminator('\n').collect(),
        Bug::Fixed => text.split('\n').collect(),
    }
}

/// One block of changed lines, between the common first and last lines.
struct Diff<'a> {
    start: usize,
    deleted: usize,
    inserted: Vec<&'a str>,
}

fn diff<'a>(left: &[&str], right: &[&'a str]) -> Diff<'a> {
    let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[start..], &right[start..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    Diff { start, deleted: left.len() - end, inserted: right[..right.len() - end].to_vec() }
}

fn apply<'a>(diff: &Diff<'a>, left: &[&'a str]) -> Vec<&'a str> {
    let mut lines = left.to_vec();
    lines.splice(diff.start..diff.start + diff.deleted, diff.inserted.iter().copied());
    lines
}
