//! The source of the property, with the failure below its line. The values are in the block above; in a verbose report
//! they are also below their parameters.
//!
//! The file is read when the report is rendered. If it is missing, or was edited since the program was built, nothing
//! is shown.

use super::assertion::Assertion;
use super::bindings::shown;
use super::style::{Paint, Style};
use crate::run::{Counterexample, Identity};
use crate::text::Language;
use crate::text::{columns, columns_of, one_line, shorten, visible};
use crate::within;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// For longer functions, only lines with remarks and the lines before them are shown.
const MAX_LINES: usize = 6;

/// The number of lines before a line with a remark.
const AROUND: usize = 1;

/// Columns before the text of a line.
const GUTTER: usize = 8;

/// Longer messages are not shown below the line that failed.
const MAX_MESSAGE: usize = 3;

/// Lines of the source.
#[derive(Default)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Whether the whole message of the failure is below the line that failed.
    pub(super) has_message: bool,
}

/// The lines of the property; or those around the failure, if it is elsewhere.
pub(super) fn excerpt(identity: &Identity, counterexample: &Counterexample, style: &Style) -> Excerpt {
    let mut excerpt = Excerpt::default();
    let Some(text) = read(identity, identity.file) else { return excerpt };
    let lines = split(&text);
    let Some((first, last)) = range(&lines, identity, counterexample) else { return excerpt };
    let mut remarks = Remarks::new(style);
    remarks.parameters.push(first);
    for binding in counterexample.bindings.iter().filter(|binding| !binding.printed.in_body) {
        let mut number = first - 1;
        while number < last && number < lines.len() {
            let line = lines[number];
            number += 1;
            if let Some(at) = word(line, binding.name)
                && let after = line[at + binding.name.len()..].trim_start()
                && (after.starts_with(':') || after.starts_with("in "))
            {
                let language = if binding.printed.code.is_some() { Language::Code } else { Language::Debug };
                let value = format!("{} = {}", binding.name, shown(binding.printed.text(), language, style));
                if style.verbose {
                    remarks.add(number, &line[..at], &value);
                }
                remarks.parameters.push(number);
                break;
            }
        }
    }
    let Counterexample { failure, .. } = counterexample;
    let message = match Assertion::parse(&failure.message) {
        Some(assertion) => assertion.head,
        None => &failure.message,
    };
    let mut elsewhere = String::new();
    if let Some(place) = &failure.location {
        let line = place.line as usize;
        if place.file == identity.file && line >= first && line <= last {
            excerpt.has_message = remarks.failed(&lines, line, place.column, message);
        } else if let Some(text) = read(identity, &place.file) {
            let (mut remarks, lines) = (Remarks::new(style), split(&text));
            excerpt.has_message = remarks.failed(&lines, line, place.column, message);
            remarks.failed = None;
            let around = remarks.below(&lines, line.saturating_sub(AROUND), line);
            elsewhere = format!("{}\n{around}", one_line(&place.to_string()));
        }
    }
    excerpt.text = remarks.below(&lines, first, last) + &elsewhere;
    excerpt
}

fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(line);
    }
    lines
}

/// A source file of the program, as it was when the program was built.
fn read(identity: &Identity, file: &str) -> Option<String> {
    let built = modified(&std::env::current_exe().ok()?)?;
    // The compiler's paths are relative to the workspace, which is the package's directory or above it.
    let package = std::env::current_dir().unwrap_or_default().join(identity.package_directory);
    for folder in package.ancestors() {
        let path = folder.join(file);
        if let Some(edited) = modified(&path) {
            return if edited <= built { fs::read_to_string(path).ok() } else { None };
        }
    }
    None
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The first and the last line of the property, from 1: those of the function under an attribute; or, for a property
/// that is a value, from the first variable to where it is run.
fn range(lines: &[&str], identity: &Identity, counterexample: &Counterexample) -> Option<(usize, usize)> {
    let (run_at, last) = (identity.line as usize, identity.last_line as usize);
    let (mut number, mut first) = (0, 0);
    let (is_value, name) = (last == 0, &identity.name[identity.name.rfind(':').map_or(0, |colon| colon + 1)..]);
    let (before, name) = if is_value { ("forall", counterexample.bindings.first()?.name) } else { ("fn", name) };
    let head = format!("{before} {name}");
    for line in lines {
        number += 1;
        let is_near = if is_value { number <= run_at } else { number >= run_at && first == 0 };
        if is_near && word(line, &head).is_some() {
            first = number;
        }
    }
    let last = if is_value { run_at } else { last };
    if first == 0 || first > last { None } else { Some((first, last)) }
}

/// The position of a name in a line, as a whole word.
fn word(line: &str, name: &str) -> Option<usize> {
    let joins = |at: usize| match line.as_bytes().get(at) {
        Some(&c) => c == b'_' || c.is_ascii_alphanumeric() || !c.is_ascii(),
        None => false,
    };
    let mut from = 0;
    while let Some(found) = within::find(&line[from..], name) {
        let start = from + found;
        from = start + name.len();
        if !joins(start.wrapping_sub(1)) && !joins(from) {
            return Some(start);
        }
    }
    None
}

/// Remarks below the lines of a file.
struct Remarks<'a> {
    style: &'a Style,
    /// The number of the line, and the remark.
    below: Vec<(usize, String)>,
    /// The numbers of the lines with parameters.
    parameters: Vec<usize>,
    /// The number of the line that failed.
    failed: Option<usize>,
}

impl<'a> Remarks<'a> {
    fn new(style: &'a Style) -> Self {
        Self { style, below: Vec::new(), parameters: Vec::new(), failed: None }
    }

    /// Adds a remark below a line, after the text `before`.
    fn add(&mut self, line: usize, before: &str, text: &str) {
        let (text, room) = (one_line(text), self.style.width.saturating_sub(GUTTER));
        // If there is no room to the right of the mark, the text goes to its left, or is printed without a mark.
        let (place, length) = (columns(&visible(before)), columns(&text));
        let marked = if place + 2 + length <= room {
            format!("{}^ {text}", " ".repeat(place))
        } else if length < place && place < room {
            format!("{}{text} ^", " ".repeat(place - length - 1))
        } else {
            format!("{} {text}", " ".repeat(room.saturating_sub(length + 1)))
        };
        self.below.push((line, shorten(&marked, room)));
    }

    /// Adds the message of the failure, and returns whether all of it is shown.
    fn failed(&mut self, lines: &[&str], line: usize, column: u32, message: &str) -> bool {
        if line == 0 || line > lines.len() {
            return false;
        }
        let content = lines[line - 1];
        // The compiler counts columns as terminals do, with four for a tab.
        let (mut end, mut counted) = (0, 1);
        for c in content.chars() {
            if counted >= column as usize {
                break;
            }
            counted += if c == '\t' { 4 } else { columns_of(c) };
            end += c.len_utf8();
        }
        self.failed = Some(line);
        let (room, message) = (self.style.width.saturating_sub(GUTTER), message.trim());
        let first = message.lines().next().unwrap_or_default();
        let wrapped = Style { width: room, ..*self.style }.wrap("", &one_line(message));
        let count = wrapped.lines().count();
        if count <= 1 || count > MAX_MESSAGE || message.len() > first.len() {
            self.add(line, &content[..end], first);
            return count == 1 && columns(first) < room;
        }
        // The message is too long for one line: it starts at the left margin, without a mark.
        for piece in wrapped.lines() {
            self.below.push((line, piece.to_owned()));
        }
        true
    }

    /// The lines from the first to the last, with their remarks.
    fn below(&self, lines: &[&str], first: usize, last: usize) -> String {
        let (mut out, mut skipped) = (String::new(), false);
        let room = self.style.width.saturating_sub(GUTTER);
        // Lines after the one that failed are not shown.
        let last = if self.style.verbose { last } else { last.min(self.failed.unwrap_or(last)) };
        let mut number = first.saturating_sub(1);
        while number < last && number < lines.len() {
            let line = lines[number];
            number += 1;
            let mut near = last - first < MAX_LINES;
            for (at, _) in &self.below {
                near |= number <= *at && at - number <= AROUND;
            }
            near |= self.parameters.contains(&number);
            if !near && !self.style.verbose {
                skipped = true;
                continue;
            }
            if skipped {
                out += "  ...\n";
            }
            skipped = false;
            out += format!("{number:>5} | {}", shorten(&visible(line), room)).trim_end();
            out.push('\n');
            for (at, remark) in &self.below {
                if *at == number {
                    out += &format!("      | {}\n", self.style.paint(Paint::Doubtful, remark));
                }
            }
        }
        out
    }
}
