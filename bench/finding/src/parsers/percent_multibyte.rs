//! `tower-mcp` (pull request 1279) and other hand-written URL decoders: after a percent sign, the next two bytes were
//! sliced out of the string, which panics inside a multibyte character.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    let decoded = decode(bug, text);
    // A string without escapes is decoded to itself.
    Some(text.contains('%') || decoded == text.as_bytes())
}

pub fn witness() -> (String,) {
    ("%aé".to_owned(),)
}

fn decode(bug: Bug, text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut decoded, mut i) = (vec![], 0);
    while i < bytes.len() {
        let escape = bytes[i] == b'%' && i + 2 < bytes.len();
        let digits = match bug {
            Bug::Present => escape.then(|| &text[i + 1..i + 3]),
            Bug::Fixed => escape.then(|| text.get(i + 1..i + 3)).flatten(),
        };
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                i += 3;
            }
            None => {
                decoded.push(bytes[i]);
                i += 1;
            }
        }
    }
    decoded
}
