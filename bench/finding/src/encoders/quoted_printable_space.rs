//! `quoted_printable` 0.4.5 (issue 10): a space at the end of a line was not encoded, and was lost in transit, since
//! mail servers trim lines.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    let encoded = encode(bug, text);
    let transported: Vec<&str> = encoded.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
    Some(decode(&transported.join("\n")).as_deref() == Some(text.as_bytes()))
}

pub fn witness() -> (String,) {
    ("-- \nsignature".to_owned(),)
}

fn encode(bug: Bug, text: &str) -> String {
    let mut encoded = String::new();
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').unwrap_or(line);
        for (place, byte) in body.bytes().enumerate() {
            let last = place + 1 == body.len();
            match byte {
                b' ' | b'\t' if bug == Bug::Present || !last => encoded.push(char::from(byte)),
                b'!'..=b'~' if byte != b'=' => encoded.push(char::from(byte)),
                _ => encoded += &format!("={byte:02X}"),
            }
        }
        encoded += &line[body.len()..];
    }
    encoded
}

fn decode(encoded: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (vec![], encoded.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'=' => u8::from_str_radix(&String::from_utf8(vec![rest.next()?, rest.next()?]).ok()?, 16).ok()?,
            byte => byte,
        });
    }
    Some(bytes)
}
