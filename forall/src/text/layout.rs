//! Layout of long values: breaks Rust code, and `Debug` output that looks like it, at its brackets and commas.
//!
//! Only white space and trailing commas change, where they are insignificant: code still compiles.

use super::columns;
use crate::within;

/// The language of the text, and the purpose.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Language {
    /// Rust code: allows trailing commas.
    Code,
    /// The `Debug` of a value.
    Debug,
    /// The `Debug` of a value that is compared with another, line by line: one item per line.
    Compared,
}

/// Items of a list up to this many columns share a line.
const SHORT_ITEM: usize = 12;

/// In a list of more items than this, which would fill the screen, longer ones share lines as well.
const MANY_ITEMS: usize = 12;
const SHORT_ITEM_OF_MANY: usize = 32;

/// Brackets nested deeper than this stay on their line: deeper indentation is unreadable, and the stack is finite.
const MAX_DEPTH: usize = 32;

const INDENT: usize = 4;

/// Breaks `text` into lines of at most `width` columns, at brackets and commas. The first line begins at column `used`,
/// and `after` columns are needed after the last.
pub(crate) fn layout(text: &str, language: Language, width: usize, used: usize, after: usize) -> Vec<String> {
    if within::contains(text, "\n") {
        let mut lines = Vec::new();
        for line in text.lines() {
            lines.push(line.to_owned());
        }
        return lines;
    }
    let mut lines = vec![String::new()];
    let mut breaker = Breaker { language, width, lines: &mut lines };
    breaker.lay(text, 0, used, after, 0);
    lines
}

struct Breaker<'a> {
    language: Language,
    width: usize,
    lines: &'a mut Vec<String>,
}

impl Breaker<'_> {
    /// Lays out `text` after the last line, which has `used` columns.
    fn lay(&mut self, text: &str, indent: usize, used: usize, after: usize, depth: usize) {
        let group =
            if used + columns(text) + after <= self.width || depth >= MAX_DEPTH { None } else { widest_group(text) };
        let Some(group) = group else {
            self.push(text);
            return;
        };
        self.push(&text[..=group.open]);
        let inner = indent + INDENT;
        let items = &group.items;
        let short = if items.len() > MANY_ITEMS { SHORT_ITEM_OF_MANY } else { SHORT_ITEM };
        let fill = self.language != Language::Compared
            && items.len() > 1
            && items.iter().all(|item| columns(&text[item.clone()]) <= short);
        for (i, item) in items.iter().enumerate() {
            let item = &text[item.clone()];
            let room =
                if let Some(line) = self.lines.last() { columns(line) } else { 0 } + 1 + columns(item) <= self.width;
            if fill && i > 0 && room {
                self.push(" ");
                self.push(item);
            } else {
                self.line(inner);
                self.lay(item, inner, inner, 0, depth + 1);
            }
        }
        if group.commas && self.language == Language::Code {
            self.push(",");
        }
        self.line(indent);
        self.push(&text[group.close..]);
    }

    fn push(&mut self, text: &str) {
        self.lines.last_mut().expect("there is always a line").push_str(text);
    }

    fn line(&mut self, indent: usize) {
        self.lines.push(" ".repeat(indent));
    }
}

/// A pair of brackets and its items with their separators, trimmed.
struct Group {
    open: usize,
    close: usize,
    items: Vec<std::ops::Range<usize>>,
    /// Whether a trailing comma is insignificant: there are commas already, and no semicolons.
    commas: bool,
}

/// The widest outermost pair of brackets with contents, if all brackets and quotes match.
fn widest_group(text: &str) -> Option<Group> {
    let marks = marks(text)?;
    let mut best: Option<(usize, usize)> = None;
    let mut open = 0;
    let mut depth = 0;
    for (i, &at) in marks.iter().enumerate() {
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => {
                if depth == 0 {
                    open = i;
                }
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth -= 1;
                let wider = best.is_none_or(|(from, to)| at - marks[open] > marks[to] - marks[from]);
                if depth == 0 && wider && !text[marks[open] + 1..at].trim().is_empty() {
                    best = Some((open, i));
                }
            }
            _ => {}
        }
    }
    let (from, to) = best?;
    let (open, close) = (marks[from], marks[to]);
    let mut items = Vec::new();
    let (mut start, mut depth) = (open + 1, 0);
    let (mut commas, mut semicolons) = (0, 0);
    for &at in &marks[from + 1..to] {
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            mark if depth == 0 => {
                items.push(trimmed(text, start, at + 1));
                *(if mark == b',' { &mut commas } else { &mut semicolons }) += 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    let rest = trimmed(text, start, close);
    let ends_in_comma = rest.is_empty();
    if !ends_in_comma {
        items.push(rest);
    }
    let macro_call = text[..open].ends_with('!') && !text[..open].ends_with("vec!");
    let commas = !ends_in_comma && !macro_call && commas > 0 && semicolons == 0;
    Some(Group { open, close, items, commas })
}

fn trimmed(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let part = &text[start..end];
    let start = start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// The positions of brackets, commas and semicolons outside of literals; `None` if brackets or quotes do not match.
pub(crate) fn marks(text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    let mut marks = Vec::new();
    let mut closing = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(text, at)?,
            b'\'' => at = end_of_char(text, at),
            open @ (b'(' | b'[' | b'{') => {
                closing.push(match open {
                    b'(' => b')',
                    b'[' => b']',
                    _ => b'}',
                });
                marks.push(at);
            }
            close @ (b')' | b']' | b'}') => {
                if closing.pop() != Some(close) {
                    return None;
                }
                marks.push(at);
            }
            b',' | b';' => marks.push(at),
            _ => {}
        }
        at += 1;
    }
    closing.is_empty().then_some(marks)
}

/// The end of the string literal that opens at `at`. A raw one has its `r` and hashes before that.
fn end_of_string(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].trim_end_matches('#');
    let hashes = at - before.len();
    if before.ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        return Some(at + 1 + within::find(&text[at + 1..], &close)? + hashes);
    }
    let mut escaped = false;
    for (i, byte) in text.as_bytes()[at + 1..].iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1 + i),
            _ => {}
        }
    }
    None
}

/// The end of the character literal that opens at `at`; `at` itself for a lifetime or an apostrophe.
fn end_of_char(text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    let mut chars = rest.char_indices();
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            if let Some((i, _)) = chars.find(|&(_, c)| c == '\'') { at + 1 + i } else { at }
        }
        Some(_) => match chars.next() {
            Some((i, '\'')) => at + 1 + i,
            _ => at,
        },
        None => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, width: usize) -> String {
        layout(text, Language::Code, width, 0, 0).join("\n")
    }

    #[test]
    fn text_that_fits_is_not_wrapped() {
        assert_eq!(code("vec![1, 2, 3]", 13), "vec![1, 2, 3]");
    }

    #[test]
    fn short_items_fill_lines_and_long_ones_have_their_own() {
        assert_eq!(code("vec![1, 2, 3, 4, 5, 6]", 16), "vec![\n    1, 2, 3, 4,\n    5, 6,\n]");
        assert_eq!(
            code("Node { left: Some(Box::new(Leaf)), right: None }", 32),
            "Node {\n    left: Some(Box::new(Leaf)),\n    right: None,\n}"
        );
    }

    #[test]
    fn no_trailing_comma_is_added_where_it_changes_the_meaning() {
        assert_eq!(code("(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)", 10), "(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n)");
        assert_eq!(
            code("vec![aaaaaaaaaaaaaaaa; bbbbbbbbbbbbbbbb]", 20),
            "vec![\n    aaaaaaaaaaaaaaaa;\n    bbbbbbbbbbbbbbbb\n]"
        );
        assert_eq!(
            code("my![aaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb]", 20),
            "my![\n    aaaaaaaaaaaaaaaa,\n    bbbbbbbbbbbbbbbb\n]"
        );
        assert_eq!(code("(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,)", 20), "(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n)");
        assert_eq!(
            code("{ let mut x = aaaaaaaaa(); x.go(); x }", 20),
            "{\n    let mut x = aaaaaaaaa();\n    x.go();\n    x\n}"
        );
    }

    #[test]
    fn brackets_and_commas_in_literals_are_left_alone() {
        let text = r####"f("a,]\"(", ',', '\'', '\u{7b}', r#"",("#, b"}", x.y::<'static>(), aaaaaaaa)"####;
        let lines = layout(text, Language::Code, 30, 0, 0);
        let items = [
            r#""a,]\"(","#,
            "',',",
            r"'\'',",
            r"'\u{7b}',",
            r###"r#"",("#,"###,
            r#"b"}","#,
            "x.y::<'static>(),",
            "aaaaaaaa,",
        ];
        assert_eq!(lines[1..lines.len() - 1].iter().map(|line| line.trim()).collect::<Vec<_>>(), items);
    }

    #[test]
    fn text_that_is_not_code_is_left_alone() {
        for text in
            ["(((((((((((((((((", "don't (know, what)] this is", "\"never closed (a, b, c)", "", "'", "'\\", "r#\""]
        {
            assert_eq!(code(text, 5), text, "{text}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let text = format!("{}{}", "(".repeat(20_000), ")".repeat(20_000));
        assert!(layout(&text, Language::Debug, 40, 0, 0).len() < 100);
    }
}
