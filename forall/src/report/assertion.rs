//! Failed comparisons: parses the messages of `assert_eq!` and related macros, and shows the two sides with their
//! differences marked.

use super::diff::{Stretch, diff, words};
use super::style::{Paint, Style};
use crate::text::{Language, layout};
use crate::text::{beginning, columns, count, joined, one_line, visible};
use crate::within;

/// The parsed message of `assert_eq!`, `assert_ne!` or `assert_matches!`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assertion<'a> {
    /// The first line, and the user's message.
    pub(crate) head: &'a str,
    /// `==`, `!=` or `matches`.
    pub(crate) operator: &'a str,
    pub(crate) left: &'a str,
    pub(crate) right: &'a str,
}

/// A difference takes at most this many lines.
const MAX_LINES: usize = 50;

/// The number of equal lines shown around different ones.
const CONTEXT: usize = 2;

/// Longer sides are truncated before they are compared, from shortly before their first difference.
const MAX_BYTES: usize = 100_000;

impl<'a> Assertion<'a> {
    /// Parses a panic's message, in the standard library's format:
    ///
    /// ```text
    /// assertion `left == right` failed: a message
    ///   left: 1
    ///  right: 2
    /// ```
    pub(crate) fn parse(message: &'a str) -> Option<Self> {
        let (operator, rest) = within::split_once(message.strip_prefix("assertion `left ")?, " right` failed")?;
        if !matches!(operator, "==" | "!=" | "matches") {
            return None;
        }
        let at = message.len() - rest.len() + within::find(rest, "\n  left: ")?;
        let (left, right) = within::split_once(&message[at + "\n  left: ".len()..], "\n right: ")?;
        Some(Self { head: &message[..at], operator, left, right })
    }

    /// The sides, to be printed below the head.
    pub(crate) fn sides(&self, style: &Style) -> String {
        match self.operator {
            "==" if self.left == self.right => {
                let why = if within::contains(self.left, "NaN") {
                    "NaN is not equal to itself"
                } else {
                    "their `Debug` output does not show the difference"
                };
                format!("{}  (both sides print alike: {why})\n", value("both:", self.left, style))
            }
            "==" => difference(self.left, self.right, style),
            "!=" if self.left == self.right => value("both:", self.left, style),
            _ => value(" left:", self.left, style) + &value("right:", self.right, style),
        }
    }
}

/// One value after its label.
fn value(label: &str, text: &str, style: &Style) -> String {
    let text = visible(text);
    let start = format!("  {label} ");
    let mut lines = layout(&text, Language::Debug, style.width - columns(&start), 0, 0);
    let left_out = lines.len().saturating_sub(if style.verbose { usize::MAX } else { MAX_LINES });
    lines.truncate(lines.len() - left_out);
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let indent = if i == 0 { start.clone() } else { " ".repeat(columns(&start)) };
        out.push_str(&format!("{indent}{}\n", elide(line, style.width.max(80))));
    }
    if left_out > 0 {
        out.push_str(&format!("{}… ({} more)\n", " ".repeat(columns(&start)), count(left_out as u64, "line")));
    }
    out
}

/// Two values that should be equal: one above the other if each fits on a line, otherwise line by line.
fn difference(left: &str, right: &str, style: &Style) -> String {
    let (left, right) = bounded(left, right);
    let (left, right) = (visible(&left), visible(&right));
    let width = style.width - "   left: ".len();
    let (a, b) = (lines(&left, width), lines(&right, width));
    if a.len() > 1 || b.len() > 1 {
        return line_by_line(&a, &b, style);
    }
    let pair = Pair::new(&left, &right, width);
    pair.sides("   left: ", "  right: ", style)
}

/// The sides, truncated to what can be compared.
fn bounded(left: &str, right: &str) -> (String, String) {
    if left.len().max(right.len()) <= MAX_BYTES {
        return (left.to_owned(), right.to_owned());
    }
    let (a, b) = (left.as_bytes(), right.as_bytes());
    let mut same = 0;
    while same < a.len() && same < b.len() && a[same] == b[same] {
        same += 1;
    }
    let part = |text: &str| {
        let start = boundary(text, same.saturating_sub(100));
        let end = boundary(text, start + MAX_BYTES / 2);
        let before = if start > 0 { "…" } else { "" };
        let behind = if end < text.len() { "…" } else { "" };
        format!("{before}{}{behind}", &text[start..end])
    };
    (part(left), part(right))
}

/// The last character boundary up to `at`. (`str::floor_char_boundary` is newer than our minimum Rust version.)
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A side as lines. The `Debug` of a multi-line string is split at its line breaks.
fn lines(text: &str, width: usize) -> Vec<String> {
    let literal = text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
    if literal && columns(text) > width && within::contains(text, "\\n") {
        let mut lines = Vec::new();
        let mut rest = text;
        while let Some((line, behind)) = within::split_once(rest, "\\n") {
            lines.push(format!("{line}\\n"));
            rest = behind;
        }
        lines.push(rest.to_owned());
        return lines;
    }
    layout(text, Language::Compared, width, 0, 0)
}

fn texts(lines: &[String]) -> Vec<&str> {
    let mut texts = Vec::with_capacity(lines.len());
    for line in lines {
        texts.push(line.as_str());
    }
    texts
}

fn line_by_line(a: &[String], b: &[String], style: &Style) -> String {
    let (a, b) = (texts(a), texts(b));
    let mut out = vec![format!("  {} / {}", style.paint(Paint::Bad, "- left"), style.paint(Paint::Good, "+ right"))];
    let stretches = diff(&a, &b);
    let last = stretches.len().saturating_sub(1);
    let width = style.width - 4;
    for (i, stretch) in stretches.iter().enumerate() {
        if stretch.same {
            let same = &a[stretch.left.clone()];
            let head = if i == 0 { 0 } else { CONTEXT };
            let tail = if i == last { 0 } else { CONTEXT };
            let left_out = head..same.len().saturating_sub(tail);
            for (i, line) in same.iter().enumerate() {
                if left_out.len() < 2 || !left_out.contains(&i) {
                    out.push(format!("    {}", elide(line, width)));
                } else if i == left_out.start {
                    let between = count(left_out.len() as u64, "identical line");
                    out.push(style.paint(Paint::Dim, &format!("    … {between}")));
                }
            }
            continue;
        }
        let (left, right) = (&a[stretch.left.clone()], &b[stretch.right.clone()]);
        if left.len() == right.len() {
            for (i, l) in left.iter().enumerate() {
                let pair = Pair::new(l, right[i], width);
                let sides = pair.sides("  - ", "  + ", style);
                for line in sides.lines() {
                    out.push(line.to_owned());
                }
            }
        } else {
            for line in left {
                out.push(style.paint(Paint::Bad, &format!("  - {}", elide(line, width))));
            }
            for line in right {
                out.push(style.paint(Paint::Good, &format!("  + {}", elide(line, width))));
            }
        }
    }
    let left_out = out.len().saturating_sub(if style.verbose { usize::MAX } else { MAX_LINES });
    out.truncate(out.len() - left_out);
    if left_out > 0 {
        out.push(format!("    … ({}; FORALL_VERBOSE=1 shows them)", count(left_out as u64, "more line")));
    }
    joined(&out, "\n") + "\n"
}

enum Side {
    Left,
    Right,
}

/// Two lines, one of which replaces the other.
struct Pair {
    /// Equal and different parts, with their text on the left and on the right.
    parts: Vec<(bool, String, String)>,
}

impl Pair {
    /// Compares word by word. Parts that are too long for `width` are shortened: first equal ones, then different ones.
    fn new(left: &str, right: &str, width: usize) -> Self {
        let (left, right) = (one_line(left), one_line(right));
        let (a, b) = (words(&left), words(&right));
        let cut = columns(&left).max(columns(&right)) > width;
        let shortened = |words: &[&str], limit: usize| {
            let mut text = String::new();
            for word in words {
                text.push_str(word);
            }
            if cut { elide(&text, limit) } else { text }
        };
        let mut parts = Vec::new();
        for Stretch { same, left, right } in &diff(&a, &b) {
            let limit = if *same { width / 4 } else { width / 2 };
            parts.push((*same, shortened(&a[left.clone()], limit), shortened(&b[right.clone()], limit)));
        }
        Self { parts }
    }

    /// The two sides. Without colour, differences are marked below each side, or once below both if they are in the
    /// same columns.
    fn sides(&self, left: &str, right: &str, style: &Style) -> String {
        let (left, left_marks) = self.side(left, Side::Left, style);
        let (right, right_marks) = self.side(right, Side::Right, style);
        let (a, b) = (left_marks.trim_end(), right_marks.trim_end());
        let same = !a.is_empty() && !b.is_empty() && (a.starts_with(b) || b.starts_with(a));
        let mut out = left;
        if !same {
            out += &left_marks;
        }
        out += &right;
        out + if same && left_marks.len() > right_marks.len() { &left_marks } else { &right_marks }
    }

    /// One side with differences in colour, and the line of marks if there are no colours.
    fn side(&self, label: &str, side: Side, style: &Style) -> (String, String) {
        let (mut text, mut marks) = (label.to_owned(), " ".repeat(columns(label)));
        // If nothing is equal, marks are useless.
        let marked = self.parts.iter().any(|(same, left, _)| *same && left.chars().any(char::is_alphanumeric))
            || self.parts.len() > 1;
        for (same, left, right) in &self.parts {
            let (part, paint) = match side {
                Side::Left => (left, Paint::Bad),
                Side::Right => (right, Paint::Good),
            };
            text.push_str(&if *same { part.clone() } else { style.paint(paint, part) });
            marks.push_str(&if *same { " " } else { "^" }.repeat(columns(part)));
        }
        let text = text + "\n";
        if style.colour || !marked || marks.trim().is_empty() {
            return (text, String::new());
        }
        (text, format!("{}\n", marks.trim_end()))
    }
}

/// The text without its middle, if it is wider than `width`.
fn elide(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if columns(text) <= width || length <= 3 {
        return text.to_owned();
    }
    let keep = width.saturating_sub(3) / 2;
    let tail = beginning(text, length.saturating_sub(keep)).len();
    format!("{} … {}", beginning(text, keep), &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn message(body: impl FnOnce() + std::panic::UnwindSafe) -> String {
        *catch_unwind(body).unwrap_err().downcast::<String>().unwrap()
    }

    #[test]
    fn the_standard_librarys_messages_are_understood() {
        let plain = message(|| assert_eq!(vec![1], vec![2]));
        let read = Assertion::parse(&plain).unwrap();
        assert_eq!((read.operator, read.left, read.right), ("==", "[1]", "[2]"));
        assert_eq!(read.head, "assertion `left == right` failed");

        let with_message = message(|| assert_ne!(1, 1, "two\nlines"));
        let read = Assertion::parse(&with_message).unwrap();
        assert_eq!((read.head, read.operator), ("assertion `left != right` failed: two\nlines", "!="));
    }

    #[test]
    fn other_messages_are_left_alone() {
        for text in [
            "",
            "assertion failed: x",
            "assertion `left == right` failed",
            "assertion `left == right` failed\n  left: 1",
        ] {
            assert_eq!(Assertion::parse(text), None);
        }
    }

    fn sides(left: &str, right: &str, width: usize) -> String {
        difference(left, right, &Style::plain().width(width))
    }

    #[test]
    fn short_sides_are_printed_one_above_the_other() {
        let expected = "   left: [1, 2, 3]\n  right: [1, 2, 4]\n                ^\n";
        assert_eq!(sides("[1, 2, 3]", "[1, 2, 4]", 60), expected);
        assert_eq!(sides("[1, 20]", "[10, 20]", 60), "   left: [1, 20]\n  right: [10, 20]\n          ^^\n");
        assert_eq!(sides("[]", "[1]", 60), "   left: []\n  right: [1]\n          ^\n");
        assert_eq!(sides("1", "2", 60), "   left: 1\n  right: 2\n");
    }

    #[test]
    fn long_sides_are_compared_line_by_line() {
        let list = |n: u32| {
            format!(
                "[{}]",
                (0..40)
                    .map(|i| format!("Item {{ id: {} }}", i + n * u32::from(i == 20)))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        };
        let text = sides(&list(0), &list(5), 60);
        assert!(text.contains("  -     Item { id: 20 },\n"), "{text}");
        assert!(text.contains("  +     Item { id: 25 },\n"), "{text}");
        assert!(text.contains("… 19 identical lines"), "{text}");
        assert!(text.lines().count() < 15, "{text}");
    }

    #[test]
    fn an_extra_item_does_not_shift_the_others() {
        let list = |from: u32| format!("{:?}", (from..60).collect::<Vec<_>>());
        let text = sides(&list(0), &list(1), 60);
        assert_eq!(text, "  - left / + right\n    [\n  -     0,\n        1,\n        2,\n    … 58 identical lines\n");
    }

    #[test]
    fn long_strings_are_shown_around_their_difference() {
        let long = "word ".repeat(200);
        let text = sides(&format!("\"{long}a {long}\""), &format!("\"{long}b {long}\""), 80);
        assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
        assert!(text.contains('^'), "{text}");
    }

    #[test]
    fn multi_line_strings_are_compared_by_line() {
        let text = sides(
            &format!("{:?}", "one\ntwo\nthree\n".repeat(5)),
            &format!("{:?}", "one\ntwo\nthree\n".repeat(4) + "one\nTWO\nthree\n"),
            60,
        );
        assert!(text.contains("  - two\\n\n"), "{text}");
        assert!(text.contains("  + TWO\\n\n"), "{text}");
    }

    #[test]
    fn huge_sides_are_truncated() {
        let (a, b) = ("[".to_owned() + &"1, ".repeat(500_000) + "1]", "[".to_owned() + &"2, ".repeat(500_000) + "2]");
        let text = sides(&a, &b, 100);
        assert!(
            text.lines().count() <= MAX_LINES + 1 && text.len() < 20_000,
            "{} {}",
            text.lines().count(),
            text.len()
        );
    }

    #[test]
    fn sides_that_look_the_same_are_explained() {
        let nan = message(|| assert_eq!(f64::NAN, f64::NAN));
        let text = Assertion::parse(&nan).unwrap().sides(&Style::plain());
        assert_eq!(text, "  both: NaN\n  (both sides print alike: NaN is not equal to itself)\n");
    }
}
