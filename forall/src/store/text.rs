//! Human-readable, untrusted text in files: escaping, truncation, and quoting for messages.

use crate::kind::Kind;
use crate::text::is_hostile;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Characters that an editor hides, or that would change a terminal. Line breaks and tabs are neither.
fn is_hidden(c: char) -> bool {
    !matches!(c, '\n' | '\t') && is_hostile(c)
}

fn escape_char(text: &mut String, c: char) {
    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
}

/// Turns any text into one line: hidden characters, line breaks, backslashes, spaces at the ends and `also` are
/// escaped.
pub(super) fn escape(text: &str, also: Option<char>) -> String {
    let mut line = String::with_capacity(text.len());
    let last = if let Some((at, _)) = text.char_indices().next_back() { at } else { 0 };
    for (at, c) in text.char_indices() {
        if c == '\\' {
            line.push_str("\\\\");
        } else if is_hidden(c) || c == '\n' || Some(c) == also || c.is_whitespace() && (at == 0 || at == last) {
            escape_char(&mut line, c);
        } else {
            line.push(c);
        }
    }
    line
}

/// The inverse of [`escape`], or `None` if it is not its output.
pub(super) fn unescape(line: &str) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let code = &rest[at + 1..];
        if let Some(after) = code.strip_prefix('\\') {
            text.push('\\');
            rest = after;
        } else {
            let (digits, after) = code.strip_prefix("u{")?.split_once('}')?;
            // The standard library's parser also accepts a sign.
            if !matches!(digits.len(), 1..=6) || digits.starts_with('+') {
                return None;
            }
            let code = u64::from_str_radix(digits, 16).ok()?;
            text.push(char::from_u32(code as u32)?);
            rest = after;
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Appends the lines of a text, each after a mark: verbatim after `|`, so that code can be copied from the file, or
/// escaped after `\`, if the line contains something that an editor hides, reorders or removes.
pub(super) fn block(file: &mut String, text: &str) {
    for line in text.split('\n') {
        if line.is_empty() {
            file.push_str("|\n");
        } else if line.contains(is_hidden as Kind) || line.ends_with(char::is_whitespace as Kind) {
            let _ = writeln!(file, "\\ {}", escape(line, None));
        } else {
            let _ = writeln!(file, "| {line}");
        }
    }
}

/// Truncates the text to `limit` bytes, with a mark. A truncated text is not truncated again.
pub(super) fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let note = format!("… (truncated, {} bytes in total)", text.len());
    let mut end = limit.saturating_sub(note.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}{note}", &text[..end]))
}

/// The beginning of a text from a file, quoted for a message.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((at, _)) => format!("{:?}…", &text[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_survives_escaping() {
        for c in (0..=0x3000).chain([0xfeff, 0xfffd, 0x1f600, 0x10_ffff]).filter_map(char::from_u32) {
            for text in [c.to_string(), format!("a{c}b"), format!("{c}{c}"), format!("{c}\\u{{41}}{c}")] {
                let line = escape(&text, Some(':'));
                assert!(!line.contains([':', '\n', '\r']) && !line.contains(is_hidden), "{line:?}");
                assert_eq!(line.trim(), line);
                assert_eq!(unescape(&line).as_deref(), Some(text.as_str()));
            }
        }
    }

    #[test]
    fn malformed_escapes_are_rejected() {
        for line in [r"\", r"\n", r"\u", r"\u{", r"\u{}", r"\u{d800}", r"\u{110000}", r"\u{+41}", r"\u{0000041}"] {
            assert_eq!(unescape(line), None, "{line}");
        }
    }

    #[test]
    fn a_truncated_text_is_within_its_limit_and_is_not_truncated_again() {
        for limit in 64..100 {
            let text = cut(&"é".repeat(200), limit).into_owned();
            assert!(text.len() <= limit && text.ends_with("400 bytes in total)"), "{text}");
            assert_eq!(cut(&text, limit), text);
        }
    }
}
