//! `rust-ini` (pull request 156): the writer escaped a vertical tab as `\v` and a form feed as `\f`, which the reader
//! decodes to the letters. The fix writes them as numbers, like other control characters.

use crate::Bug;

pub fn holds(bug: Bug, entries: &[(String, String)]) -> Option<bool> {
    let text: String =
        entries.iter().map(|(key, value)| format!("{}={}\n", escape(bug, key), escape(bug, value))).collect();
    Some(read(&text) == entries)
}

pub fn witness() -> (Vec<(String, String)>,) {
    (vec![("page".to_owned(), "\u{c}".to_owned())],)
}

fn escape(bug: Bug, text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '\u{b}' if bug == Bug::Present => "\\v".to_owned(),
        '\u{c}' if bug == Bug::Present => "\\f".to_owned(),
        '\n' => "\\n".to_owned(),
        '\\' | '=' => format!("\\{c}"),
        c if c.is_control() => format!("\\x{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    escaped.collect()
}

fn read(text: &str) -> Vec<(String, String)> {
    let (mut entries, mut key, mut part) = (vec![], String::new(), String::new());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '=' => key = std::mem::take(&mut part),
            '\n' => entries.push((std::mem::take(&mut key), std::mem::take(&mut part))),
            '\\' => match rest.next() {
                Some('n') => part.push('\n'),
                Some('x') => {
                    let digits: String = rest.by_ref().take(4).collect();
                    part.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                Some(other) => part.push(other),
                None => {}
            },
            c => part.push(c),
        }
    }
    entries
}
