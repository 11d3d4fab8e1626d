//! Long values with equal elements: runs of equal elements are counted.
//!
//! Code stays code: `vec![0, 0, …]` becomes `[vec![0; 6071], vec![171], vec![0; 3928]].concat()`, and a string of one
//! character `"a".repeat(2000)`. Other text has the counts between the elements.

use super::{Language, joined, marks};
use crate::within;
use std::ops::Range;

/// Shorter lists and strings are written out.
const LONG: usize = 40;
/// The minimum length of a run that is counted.
const RUN: usize = 8;

/// The text with long runs of equal elements counted.
pub(crate) fn counted(text: &str, language: Language) -> String {
    if text.len() < LONG {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut done = 0;
    for list in &lists(text, language) {
        if list.start >= done {
            out.push_str(&text[done..list.start]);
            out.push_str(&list_of_runs(&text[list.clone()], language));
            done = list.end;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// The lists and strings in a text, outer ones before those inside.
fn lists(text: &str, language: Language) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(marks) = marks(text) else { return found };
    let mut open = Vec::new();
    for &at in &marks {
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => {
                let Some(start) = open.pop() else { return found };
                let before = &text[..start];
                if language != Language::Code && text[start..].starts_with('[') {
                    found.push(start..at + 1);
                } else if language == Language::Code && before.ends_with("vec!") && text[start..].starts_with('[') {
                    found.push(start - 4..at + 1);
                } else if language == Language::Code && before.ends_with(STRING) {
                    found.push(start - STRING.len()..at + 1);
                }
            }
            _ => {}
        }
    }
    crate::sort::sort_by(&mut found, |a: &Range<usize>, b: &Range<usize>| a.start.cmp(&b.start));
    found
}

const STRING: &str = "String::from";

/// A list or a string by its runs, if that is much shorter.
fn list_of_runs(text: &str, language: Language) -> String {
    let shorter = if text.starts_with(STRING) { string_of_runs(text) } else { elements_of_runs(text, language) };
    match shorter {
        Some(shorter) if 2 * shorter.len() <= text.len() => shorter,
        // Nested lists may have runs.
        _ => match text.find('[') {
            Some(at) if text.ends_with(']') => {
                let (open, close) = (at + 1, text.len() - 1);
                format!("{}{}{}", &text[..open], counted(&text[open..close], language), &text[close..])
            }
            _ => text.to_owned(),
        },
    }
}

fn elements_of_runs(text: &str, language: Language) -> Option<String> {
    let inner = text[text.find('[')? + 1..].strip_suffix("]")?;
    let marks = marks(inner)?;
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0);
    for &at in &marks {
        match inner.as_bytes()[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth == 0 => return None,
            _ if depth == 0 => {
                items.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        items.push(inner[start..].trim());
    }
    if items.len() < LONG {
        return None;
    }
    let (is_code, mut parts) = (language == Language::Code, Vec::new());
    // Elements outside of runs, in order.
    let mut apart: Vec<String> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let mut end = at;
        while end < items.len() && items[end] == items[at] {
            end += 1;
        }
        if end - at < RUN {
            apart.push(items[at].to_owned());
            at += 1;
            continue;
        }
        if !apart.is_empty() {
            let list = joined(&apart, ", ");
            parts.push(if is_code { format!("vec![{list}]") } else { list });
            apart.clear();
        }
        let (item, count) = (items[at], end - at);
        parts.push(if is_code { format!("vec![{item}; {count}]") } else { format!("{item}; {count}") });
        at = end;
    }
    if parts.is_empty() {
        return None;
    }
    if !apart.is_empty() {
        let list = joined(&apart, ", ");
        parts.push(if is_code { format!("vec![{list}]") } else { list });
    }
    match (is_code, parts.len()) {
        (true, 1) => Some(parts.remove(0)),
        (true, _) => Some(format!("[{}].concat()", joined(&parts, ", "))),
        (false, _) => Some(format!("[{}]", joined(&parts, ", "))),
    }
}

/// `String::from("aaa…")` by its runs.
fn string_of_runs(text: &str) -> Option<String> {
    let inner = text.strip_prefix("String::from(\"")?.strip_suffix("\")")?;
    // An escape is several characters: such a string is not changed.
    if inner.len() < LONG || within::contains(inner, "\\") {
        return None;
    }
    let (mut parts, mut apart) = (Vec::new(), String::new());
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        let same = rest.trim_start_matches(c);
        let count = (rest.len() - same.len()) / c.len_utf8();
        if count < 2 * RUN {
            apart.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        if !apart.is_empty() {
            parts.push(format!("String::from(\"{apart}\")"));
            apart.clear();
        }
        parts.push(format!("\"{c}\".repeat({count})"));
        rest = same;
    }
    if parts.is_empty() {
        return None;
    }
    if !apart.is_empty() {
        parts.push(format!("String::from(\"{apart}\")"));
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { format!("[{}].concat()", joined(&parts, ", ")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_equal_elements_are_counted() {
        let zeros = |count| vec!["0"; count].join(", ");
        let code = |text: &str| counted(text, Language::Code);
        let blob = format!("vec![{}, 171, {}]", zeros(6071), zeros(3928));
        assert_eq!(code(&blob), "[vec![0; 6071], vec![171], vec![0; 3928]].concat()");
        assert_eq!(code(&format!("Some(vec![{}])", zeros(50))), "Some(vec![0; 50])");
        assert_eq!(code(&format!("vec![vec![{}], vec![1]]", zeros(50))), "vec![vec![0; 50], vec![1]]");
        assert_eq!(
            code(&format!("String::from(\"{}b\")", "a".repeat(99))),
            "[\"a\".repeat(99), String::from(\"b\")].concat()"
        );
        assert_eq!(code(&format!("(String::from(\"{}\"), 1)", "é".repeat(50))), "(\"é\".repeat(50), 1)");
        assert_eq!(counted(&format!("P([{}, 1])", zeros(60)), Language::Debug), "P([0; 60, 1])");
        let different = format!("vec![{}]", (0..60).map(|i| i.to_string()).collect::<Vec<_>>().join(", "));
        for text in
            [&*different, "vec![0, 0, 0]", "\"never closed", "vec![[0; 100], [0; 100], [0; 100], [0; 100], [0]]"]
        {
            assert_eq!(code(text), text);
        }
    }
}
