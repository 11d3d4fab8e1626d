//! The README's picture: the report that `cargo test` prints for the README's code, as an SVG.
//!
//! `.ci/picture` draws it again from real output. The test below fails when the picture shows another text than the report has.

use crate::blocks::chapters;
use crate::sessions::{Project, steady};
use regex::Regex;
use std::fs;

/// The terminal's width. Longer lines continue on the next row, as they do on a terminal.
const COLUMNS: usize = 100;
const COLUMN: f32 = 8.4;
const ROW: usize = 19;
const MARGIN: usize = 16;

/// Readable on light and on dark pages: the picture has a background of its own and follows the reader's colour scheme.
const CSS: &str = "
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; fill: #1f2328 }
  rect { fill: #f6f8fa; stroke: #d0d7de }
  .bold { font-weight: bold } .dim { fill: #59636e } .red { fill: #cf222e } .green { fill: #116329 } .yellow { fill: #7d4e00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    rect { fill: #161b22; stroke: #3d444d }
    .dim { fill: #9198a1 } .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 }
  }
";

#[test]
#[ignore = "slow: 40 s"]
fn readme_picture_shows_the_report() {
    let readme = chapters().into_iter().find(|chapter| chapter.name == "README").unwrap();
    let project = Project::new("picture");
    for block in &readme.blocks {
        if let Some(file) = &block.file {
            project.write(file, &block.text);
        }
    }
    let output = project.run("CLICOLOR_FORCE=1 cargo test --color always");
    let session = format!("\x1b[1m$ cargo test\x1b[0m\n...\n{}", report(&output));
    let path = readme.path.with_file_name("docs").join("report.svg");
    let shown = || fs::read_to_string(&path).map(|picture| steady(&text(&picture))).unwrap_or_default();
    if std::env::var_os("BOOK_WRITE").is_some() && shown() != steady(&plain(&session)) {
        fs::write(&path, svg(&session)).unwrap();
    }
    assert_eq!(shown(), steady(&plain(&session)), "docs/report.svg is out of date: run .ci/picture, and look at it");
}

#[test]
fn picture_keeps_the_text_it_draws() {
    let long = "x".repeat(COLUMNS + 1);
    let session = format!("\x1b[1;31mFAILED\x1b[0m a < b && \"c\"\n\n    \x1b[2m// dim\x1b[0m\n{long}\n");
    let picture = svg(&session);
    assert_eq!(text(&picture), plain(&session));
    assert!(picture.contains(r#"<tspan class="bold red">FAILED</tspan>"#), "{picture}");
}

#[test]
fn readme_has_at_most_600_words() {
    let readme = chapters().into_iter().find(|chapter| chapter.name == "README").unwrap();
    let words = readme.text.split_whitespace().count();
    assert!(words <= 600, "{words} words: move something into the book");
}

/// Returns the report within the output of a test harness: from the verdict up to the harness's next heading.
fn report(output: &str) -> String {
    let lines = output.lines().skip_while(|line| !plain(line).starts_with("FAILED demo"));
    let lines: Vec<&str> =
        lines.take_while(|line| !["failures:", "note:"].iter().any(|end| plain(line).starts_with(end))).collect();
    assert!(!lines.is_empty(), "no report in this output:\n{output}");
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// Returns the text without escape sequences.
fn plain(text: &str) -> String {
    Regex::new(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\(B").unwrap().replace_all(text, "").into_owned()
}

/// Draws text with ANSI colours.
fn svg(session: &str) -> String {
    let escape = Regex::new(r"\x1b\[([0-9;]*)m|\x1b\(B").unwrap();
    let mut classes: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for line in session.lines() {
        let mut row = Row::new(false);
        let mut rest = line;
        loop {
            let found = escape.captures(rest);
            let end = found.as_ref().map_or(rest.len(), |found| found.get(0).unwrap().start());
            for letter in rest[..end].chars() {
                if row.columns == COLUMNS {
                    rows.push(std::mem::replace(&mut row, Row::new(true)));
                }
                row.push(letter, &classes);
            }
            let Some(found) = found else { break };
            for code in found.get(1).map_or("", |codes| codes.as_str()).split(';') {
                match code {
                    "1" => classes.push("bold"),
                    "2" => classes.push("dim"),
                    "31" => classes.push("red"),
                    "32" => classes.push("green"),
                    "33" => classes.push("yellow"),
                    "" | "0" => classes.clear(),
                    _ => panic!("the picture has no colour {code}"),
                }
            }
            rest = &rest[found.get(0).unwrap().end()..];
        }
        rows.push(row);
    }
    let (width, height) = ((COLUMNS as f32 * COLUMN) as usize + 2 * MARGIN, rows.len() * ROW + 2 * MARGIN);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <!-- Drawn by .ci/picture from the output of the README's code. -->\n<style>{CSS}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
        width - 1,
        height - 1,
    );
    for (number, row) in rows.iter().enumerate() {
        picture += &row.draw(MARGIN + number * ROW + 14);
    }
    picture + "</svg>\n"
}

/// A row of the terminal: pieces of text with the classes of their style.
struct Row {
    continues: bool,
    columns: usize,
    pieces: Vec<(String, String)>,
}

impl Row {
    fn new(continues: bool) -> Self {
        Self { continues, columns: 0, pieces: Vec::new() }
    }

    fn push(&mut self, letter: char, classes: &[&str]) {
        self.columns += 1;
        let classes = classes.join(" ");
        match self.pieces.last_mut() {
            Some((same, text)) if *same == classes => text.push(letter),
            _ => self.pieces.push((classes, letter.to_string())),
        }
    }

    /// Every row has the length of its columns, whatever font the reader has.
    fn draw(&self, y: usize) -> String {
        let pieces = self.pieces.iter().map(|(classes, text)| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            if classes.is_empty() { text } else { format!("<tspan class=\"{classes}\">{text}</tspan>") }
        });
        let id = if self.continues { " data-continues=\"\"" } else { "" };
        let length = self.columns as f32 * COLUMN;
        format!(
            "<text x=\"{MARGIN}\" y=\"{y}\" textLength=\"{length:.0}\" xml:space=\"preserve\"{id}>{}</text>\n",
            pieces.collect::<String>()
        )
    }
}

/// Returns the text of a picture.
fn text(picture: &str) -> String {
    let row = Regex::new(r"<text [^>]*?( data-continues[^>]*)?>(.*)</text>").unwrap();
    let tag = Regex::new("<[^>]*>").unwrap();
    let mut text = String::new();
    for row in row.captures_iter(picture) {
        if row.get(1).is_none() && !text.is_empty() {
            text.push('\n');
        }
        text += &tag.replace_all(&row[2], "").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
    text + "\n"
}
