//! Untrusted text, escaped and measured: escapes, columns, numbers, times, truncation.

mod layout;
mod runs;

pub(crate) use layout::{Language, layout, marks};
pub(crate) use runs::counted;

use crate::kind::Kind;
use crate::within;
use std::time::Duration;

/// The text with everything escaped that could move the cursor, colour a terminal, or reorder text; line breaks stay.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\r' => out.push_str("\\r"),
            c if is_hostile(c) => escape(&mut out, c),
            c => out.push(c),
        }
    }
    out
}

/// As [`visible`] for code: tabs and line breaks stay; other escapes are inside a literal, where they mean the same.
pub(crate) fn visible_code(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    for c in code.chars() {
        if is_hostile(c) && c != '\n' && c != '\t' { escape(&mut out, c) } else { out.push(c) }
    }
    out
}

/// As [`visible`], on one line.
pub fn one_line(text: &str) -> String {
    within::replaced(&visible(text), "\n", "\\n")
}

fn escape(out: &mut String, c: char) {
    out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
}

/// Control characters, and the format characters that change the order or the look of other text.
///
/// Our own list, instead of `char::escape_debug`: saved files must not depend on the compiler's Unicode tables.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The approximate width of the text on a terminal: wide characters count twice, combining ones not at all.
pub(crate) fn columns(text: &str) -> usize {
    let mut columns = 0;
    for c in text.chars() {
        columns += columns_of(c);
    }
    columns
}

pub(crate) fn columns_of(c: char) -> usize {
    let is_in = |ranges: &[(u32, u32)]| {
        let mut found = false;
        for &(first, last) in ranges {
            found |= first <= c as u32 && c as u32 <= last;
        }
        found
    };
    match c as u32 {
        ..0x300 => 1,
        _ if is_in(COMBINING) => 0,
        _ => 1 + usize::from(is_in(WIDE)),
    }
}

/// The ranges of combining characters.
const COMBINING: &[(u32, u32)] = &[
    (0x300, 0x36f),
    (0x483, 0x489),
    (0x591, 0x5bd),
    (0x610, 0x61a),
    (0x64b, 0x65f),
    (0x1160, 0x11ff),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xe0100, 0xe01ef),
];

/// The ranges of wide characters: East Asian scripts, and emoji.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x23f0, 0x23f0),
    (0x23f3, 0x23f3),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x267f, 0x267f),
    (0x2693, 0x2693),
    (0x26a1, 0x26a1),
    (0x26aa, 0x26ab),
    (0x26bd, 0x26be),
    (0x26c4, 0x26c5),
    (0x26ce, 0x26ce),
    (0x26d4, 0x26d4),
    (0x26ea, 0x26ea),
    (0x26f2, 0x26f3),
    (0x26f5, 0x26f5),
    (0x26fa, 0x26fa),
    (0x26fd, 0x26fd),
    (0x2705, 0x2705),
    (0x270a, 0x270b),
    (0x2728, 0x2728),
    (0x274c, 0x274c),
    (0x274e, 0x274e),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x27b0, 0x27b0),
    (0x27bf, 0x27bf),
    (0x2b1b, 0x2b1c),
    (0x2b50, 0x2b50),
    (0x2b55, 0x2b55),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff01, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f004, 0x1f004),
    (0x1f0cf, 0x1f0cf),
    (0x1f18e, 0x1f18e),
    (0x1f191, 0x1f19a),
    (0x1f200, 0x1f265),
    (0x1f300, 0x1faff),
    (0x20000, 0x3fffd),
];

/// The texts with a separator between them. (`join` is slow to compile.)
pub(crate) fn joined(parts: &[String], separator: &str) -> String {
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(separator);
        }
        out.push_str(part);
    }
    out
}

/// The first `count` characters of the text, or all of it.
pub(crate) fn beginning(text: &str, count: usize) -> &str {
    if let Some((end, _)) = text.char_indices().nth(count) { &text[..end] } else { text }
}

/// The text truncated to `width` columns, with an ellipsis.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += columns_of(c);
        if used > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// Wraps prose to `width`, as `measure` measures texts. The first line begins with the first text, all others with the
/// second. Paragraphs that begin with four spaces are not prose and stay as they are, and so does text between
/// backticks.
pub fn wrap(width: usize, (first, hanging): (&str, &str), prose: &str, measure: &dyn Fn(&str) -> usize) -> String {
    let mut out = String::new();
    for (i, paragraph) in prose.lines().enumerate() {
        let start = if i == 0 { first } else { hanging };
        if paragraph.starts_with("    ") {
            out.push_str(&format!("{start}{paragraph}\n"));
            continue;
        }
        let mut line = start.to_owned();
        let mut empty = true;
        for word in words(paragraph.trim_start()) {
            if !empty && measure(&line) + 1 + measure(word) > width {
                out.push_str(line.trim_end());
                out.push('\n');
                line = hanging.to_owned();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The words of a line, separated by spaces, except inside backticks.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in line.char_indices() {
        quoted ^= c == '`';
        if c == ' ' && !quoted {
            words.push(&line[start..at]);
            start = at + 1;
        }
    }
    words.push(&line[start..]);
    words
}

/// A number with thousands separators: `12,345`.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: `1 test`, `12,345 tests`, `2 properties`.
pub fn count(n: u64, thing: &str) -> String {
    if n == 1 {
        return format!("1 {thing}");
    }
    match thing.strip_suffix('y') {
        // `property`, not `day`.
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u'] as [char; 4]) => format!("{} {stem}ies", number(n)),
        _ => format!("{} {thing}s", number(n)),
    }
}

/// A time in the unit that suits it: `830 ns`, `1.2 ms`, `12 s`, `2 min 5 s`, `3 h 20 min`.
pub fn time(time: Duration) -> String {
    let scaled = |value: f64, unit: &str| {
        if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
    };
    let nanos = time.as_nanos();
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..999_500 => scaled(nanos as f64 / 1e3, "µs"),
        999_500..999_500_000 => scaled(nanos as f64 / 1e6, "ms"),
        999_500_000..119_500_000_000 => scaled(time.as_secs_f64(), "s"),
        _ => {
            let seconds = (time.as_secs_f64()).round() as u64;
            match seconds / 60 {
                minutes @ 0..120 => format!("{minutes} min {} s", seconds % 60),
                minutes => format!("{} h {} min", number(minutes / 60), minutes % 60),
            }
        }
    }
}

/// A share of a whole in percent: `0.4 %`, `52.0 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", share(part, whole) * 100.0)
}

pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The text as one word of a POSIX shell.
pub fn shell_word(text: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '+' | '=' | '@' | '%' | ',');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    shell_quoted(text)
}

/// The text in quotes for a POSIX shell. Control characters, which a name may contain, are escaped for the terminal's
/// sake.
pub(crate) fn shell_quoted(text: &str) -> String {
    let control: Kind = char::is_control;
    if !text.contains(control) {
        return format!("'{}'", within::replaced(text, "'", r"'\''"));
    }
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out += &format!("\\{c}"),
            _ if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    out += &format!("\\x{byte:02x}");
                }
            }
            _ => out.push(c),
        }
    }
    out + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_control_characters_are_escaped() {
        assert_eq!(visible("a\x1b[31mb\rc\u{202e}d\ne\tf"), "a\\u{1b}[31mb\\rc\\u{202e}d\ne    f");
        assert_eq!(one_line("a\nb"), "a\\nb");
        assert_eq!(visible_code("\"\x1b\" é"), "\"\\u{1b}\" é");
    }

    #[test]
    fn numbers_and_times_are_readable() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(number).each_ref().map(|s| &**s));
        let times = [5, 1_200, 999_600, 12_000_000, 1_000_000_000, 125_000_000_000, 7_260_000_000_000]
            .map(|n| time(Duration::from_nanos(n)));
        assert_eq!(times, ["5 ns", "1.2 µs", "1.0 ms", "12 ms", "1.0 s", "2 min 5 s", "2 h 1 min"]);
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "0.0 %");
        let counts = [count(1, "test"), count(2000, "test"), count(2, "property"), count(2, "day")];
        assert_eq!(counts, ["1 test", "2,000 tests", "2 properties", "2 days"]);
    }

    #[test]
    fn shell_words_survive_quotes_and_spaces() {
        assert_eq!(shell_word("a::b"), "a::b");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word("it's\n"), r"$'it\'s\x0a'");
    }

    #[test]
    fn truncation_counts_columns() {
        assert_eq!(shorten("日本語", 5), "日本…");
        assert_eq!(shorten("abc", 3), "abc");
    }
}
