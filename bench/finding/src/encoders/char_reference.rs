//! `quick-xml` (issue 270): a character reference was decoded to the bytes of its number, which is UTF-8 only for
//! ASCII.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    let references: String = text.chars().map(|c| format!("&#{};", u32::from(c))).collect();
    Some(decode(bug, &references) == text.as_bytes())
}

pub fn witness() -> (String,) {
    ("é".to_owned(),)
}

fn decode(bug: Bug, references: &str) -> Vec<u8> {
    let mut bytes = vec![];
    for reference in references.split_terminator(';') {
        let number: u32 = reference.strip_prefix("&#").and_then(|digits| digits.parse().ok()).expect("a reference");
        match (bug, char::from_u32(number).expect("a character")) {
            (Bug::Present, c) => {
                let number = u32::from(c).to_be_bytes();
                let zeros = number.iter().take_while(|byte| **byte == 0).count().min(3);
                bytes.extend(&number[zeros..]);
            }
            (Bug::Fixed, c) => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}
