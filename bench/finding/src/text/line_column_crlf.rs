//! rust-peg (issue 153): the position of an error adds up the lengths of lines and one byte for each line's end, but
//! `str::lines` removes two bytes of a `\r\n`.

use crate::Bug;

/// The position agrees with counting newlines.
pub fn holds(bug: Bug, text: &str, offset: &usize) -> Option<bool> {
    let offset = offset % (text.len() + 1);
    let before = &text.as_bytes()[..offset];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Some(position(bug, text, offset) == (line, column))
}

pub fn witness() -> (String, usize) {
    ("a\r\nb".to_owned(), 3)
}

/// Returns the line and the column of a byte, both from 1.
fn position(bug: Bug, text: &str, offset: usize) -> (usize, usize) {
    let lines: Vec<&str> = match bug {
        Bug::Present => text.lines().collect(),
        Bug::Fixed => text.split('\n').collect(),
    };
    let mut rest = offset;
    for (index, line) in lines.iter().enumerate() {
        if rest <= line.len() {
            return (index + 1, rest + 1);
        }
        rest -= line.len() + 1;
    }
    (lines.len() + 1, rest + 1)
}
