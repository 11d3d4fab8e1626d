//! Substring search, with little code to compile.
//!
//! The standard library has a fast search for each type of pattern, and all of them are compiled where one is used, including that for a
//! single character. Texts here are short. For kinds of characters see `kind.rs`.

/// The position of the first occurrence.
pub(crate) fn find(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut at = 0;
    while at + part.len() <= text.len() {
        if text[at..].starts_with(part) {
            return Some(at);
        }
        at += 1;
    }
    None
}

pub(crate) fn contains(text: &str, part: &str) -> bool {
    find(text, part).is_some()
}

/// The text before the part, and the text after it.
pub(crate) fn split_once<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, part)?;
    Some((&text[..at], &text[at + part.len()..]))
}

/// Replaces all occurrences of the part.
pub(crate) fn replaced(text: &str, part: &str, with: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = split_once(rest, part) {
        out += before;
        out += with;
        rest = behind;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_as_the_standard_library_does() {
        for text in ["", "a", "aaa", "ab", "abcabcab", "aäbäab", "ß\n\u{1f600}ab"] {
            for part in ["a", "aa", "ab", "cab", "ä", "\u{1f600}", "abcabcabc"] {
                assert_eq!(find(text, part), text.find(part), "{part} in {text}");
                assert_eq!(contains(text, part), text.contains(part), "{part} in {text}");
                assert_eq!(split_once(text, part), text.split_once(part), "{part} in {text}");
                assert_eq!(replaced(text, part, "+a"), text.replace(part, "+a"), "{part} in {text}");
            }
        }
    }
}
