//! The property as it stands in its file, with each value under the parameter that it is bound to, and the failure under its line.
//!
//! The file is read when the report is shown. Where it is not there, or has been edited since the program was built, nothing is
//! shown in its place.

use super::style::{Paint, Style};
use super::text::{columns, one_line, shorten, visible};
use crate::run::{Counterexample, Identity};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Of a longer function only the lines with something to say are shown, and those next to them.
const MAX_LINES: usize = 24;

/// So many lines before and after one with something to say.
const AROUND: usize = 2;

/// Columns before the text of a line.
const GUTTER: usize = 8;

/// The lines of the property; or those around the failure, if that is elsewhere.
pub(super) fn excerpt(identity: &Identity, counterexample: &Counterexample, style: &Style) -> String {
    let Some(text) = read(identity, identity.file) else { return String::new() };
    let Some(range) = function(&text, identity) else { return String::new() };
    let mut remarks = Remarks { style, below: Vec::new() };
    for binding in &counterexample.bindings {
        let mut number = 0;
        for line in text.lines() {
            number += 1;
            if number >= range.0
                && number <= range.1
                && let Some(at) = word(line, binding.name)
                && line[at + binding.name.len()..].trim_start().starts_with(':')
            {
                let value = format!("{} = {}", binding.name, binding.printed.text());
                remarks.add(number, &line[..at], &value);
                break;
            }
        }
    }
    let failure = &counterexample.failure;
    let Some(place) = &failure.location else { return remarks.below(&text, range) };
    let message = failure.message.lines().next().unwrap_or_default();
    let line = place.line as usize;
    if place.file == identity.file && line >= range.0 && line <= range.1 {
        remarks.failed(&text, place.line, place.column, message);
        return remarks.below(&text, range);
    }
    let mut out = remarks.below(&text, range);
    if let Some(text) = read(identity, &place.file) {
        let mut remarks = Remarks { style, below: Vec::new() };
        remarks.failed(&text, place.line, place.column, message);
        out += &format!("\n{}\n", one_line(&place.file));
        out += &remarks.below(&text, (line.saturating_sub(AROUND), line + AROUND));
    }
    out
}

/// A file of the program, as it was when the program was built.
fn read(identity: &Identity, file: &str) -> Option<String> {
    let built = modified(&std::env::current_exe().ok()?)?;
    // The compiler names files from the workspace on, and that is where the package is or above it.
    for folder in Path::new(identity.package_directory).ancestors() {
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

/// The first and the last line of the property, from 1: from `fn` to the brace that stands below it.
fn function(text: &str, identity: &Identity) -> Option<(usize, usize)> {
    let name = &identity.name[identity.name.rfind(':').map_or(0, |colon| colon + 1)..];
    let (mut number, mut first, mut indent) = (0, 0, 0);
    for line in text.lines() {
        number += 1;
        if first > 0 {
            if line.len() - line.trim_start().len() == indent && line.trim_start().starts_with('}') {
                return Some((first, number));
            }
        } else if number >= identity.line as usize && word(line, "fn").is_some() && word(line, name).is_some() {
            if line.trim_end().ends_with('}') {
                return Some((number, number));
            }
            (first, indent) = (number, line.len() - line.trim_start().len());
        }
    }
    None
}

/// Where a name stands in a line, not as a part of a longer one.
fn word(line: &str, name: &str) -> Option<usize> {
    let joins =
        |at: usize| line.as_bytes().get(at).is_some_and(|&c| c == b'_' || c.is_ascii_alphanumeric() || !c.is_ascii());
    let mut from = 0;
    while let Some(found) = line[from..].find(name) {
        let start = from + found;
        from = start + name.len();
        if !joins(start.wrapping_sub(1)) && !joins(from) {
            return Some(start);
        }
    }
    None
}

/// What is to be said below lines of a file.
struct Remarks<'a> {
    style: &'a Style,
    /// The number of the line, and what is said.
    below: Vec<(usize, String)>,
}

impl Remarks<'_> {
    /// Says something below a line, behind what stands `before` it there.
    fn add(&mut self, line: usize, before: &str, text: &str) {
        let (text, room) = (one_line(text), self.style.width.saturating_sub(GUTTER));
        // Where there is too little room to the right it begins further to the left, and points at nothing.
        let place = columns(&visible(before));
        let fits = if place <= room / 2 { place } else { room.saturating_sub(columns(&text) + 2) };
        let column = place.min(fits);
        let mark = if column == place { "^" } else { " " };
        self.below.push((line, shorten(&format!("{}{mark} {text}", " ".repeat(column)), room)));
    }

    /// Says how the test failed.
    fn failed(&mut self, text: &str, line: u32, column: u32, message: &str) {
        let mut number = 0;
        for content in text.lines() {
            number += 1;
            if number == line {
                // The compiler counts columns in characters.
                let before = super::text::beginning(content, (column as usize).saturating_sub(1));
                self.add(line as usize, before, message);
            }
        }
    }

    /// The lines of the text in a range, with what is said below them.
    fn below(&self, text: &str, (first, last): (usize, usize)) -> String {
        let (mut out, mut number, mut skipped) = (String::new(), 0, false);
        let room = self.style.width.saturating_sub(GUTTER);
        for line in text.lines() {
            number += 1;
            if number < first || number > last {
                continue;
            }
            let mut near = last - first < MAX_LINES;
            for (at, _) in &self.below {
                near |= at.abs_diff(number) <= AROUND;
            }
            if !near {
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
