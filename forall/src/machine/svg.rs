//! The picture of a parallel run as SVG, for reports and bug trackers.

use super::picture::{Drawn, Picture};
use std::fmt::Write;

/// The height of a row, in pixels.
const ROW: usize = 22;
/// The approximate width of a character of the font.
const CHARACTER: usize = 8;
/// The margin around the drawing, and between branches.
const MARGIN: usize = 16;

impl Picture {
    /// Returns the drawing as SVG: a column for each branch, a box for each command from its call to its return. Time
    /// runs downwards, in the rows of [`text`](Self::text), which show the order of events but not their durations.
    ///
    /// See [`Picture`].
    pub fn svg(&self) -> String {
        let places = self.places();
        let rows = places.iter().flatten().map(|(_, to)| to + 1).max().unwrap_or(0);
        let top = MARGIN + ROW * (self.prefix.len() + 1);
        let mut body = String::new();
        for (at, drawn) in self.prefix.iter().enumerate() {
            text(&mut body, MARGIN, MARGIN + ROW * (at + 1), &label(drawn));
        }
        let mut left = MARGIN;
        for (branch, commands) in self.branches.iter().enumerate() {
            let longest = commands.iter().map(|drawn| label(drawn).chars().count()).max().unwrap_or(0).max(10);
            let width = CHARACTER * longest + MARGIN;
            text(&mut body, left, top, &format!("branch {}", branch + 1));
            for (drawn, (from, to)) in commands.iter().zip(&places[branch]) {
                let height = ROW * (to - from + 1) - 4;
                let from = top + ROW / 2 + ROW * from;
                let _ = writeln!(
                    body,
                    r##"<rect x="{left}" y="{from}" width="{width}" height="{height}" rx="4" fill="#eef" stroke="#558"/>"##
                );
                text(&mut body, left + 6, from + ROW / 2 + 5, &label(drawn));
            }
            left += width + MARGIN;
        }
        let height = top + ROW * (rows + 2);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{left}\" height=\"{height}\" font-family=\"monospace\" \
             font-size=\"13\">\n{body}</svg>\n"
        )
    }
}

#[inline]
fn label(drawn: &Drawn) -> String {
    format!("{} : {}", drawn.command, drawn.response.as_deref().unwrap_or("…"))
}

#[inline]
fn text(body: &mut String, x: usize, y: usize, text: &str) {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Characters that XML does not allow at all.
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    let _ = writeln!(body, r#"<text x="{x}" y="{y}">{escaped}</text>"#);
}
