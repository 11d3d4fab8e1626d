//! Statistics: labels, tables and `cover!` requirements, with bars.

use super::style::{Paint, Style};
use crate::run::{ByName, Cover, Statistics};
use crate::sort::sort_by;
use crate::text::{columns, count, number, one_line, percent, share, shorten};

/// Tables are truncated to this many rows, the most frequent first.
const MAX_ROWS: usize = 20;

/// The width of a full bar.
const BAR: usize = 20;

/// Whether there is anything to show.
pub(crate) fn is_empty(statistics: &Statistics) -> bool {
    statistics.labels.is_empty() && statistics.tables.is_empty() && statistics.covers.is_empty()
}

/// The statistics: one table for labels, one for each `tabulate!` name, and one for coverage requirements.
pub(crate) fn statistics(statistics: &Statistics, style: &Style) -> String {
    let valid = statistics.valid;
    let mut out = String::new();
    if !statistics.labels.is_empty() {
        out += &table("labels", &statistics.labels, valid, style);
    }
    for (name, rows) in &statistics.tables {
        let mut entries = 0u64;
        for times in rows.values() {
            entries = entries.saturating_add(*times);
        }
        let name = format!("{} ({} entries)", one_line(name), number(entries));
        out += &table(&name, rows, entries, style);
    }
    if !statistics.covers.is_empty() {
        out += &covers(&statistics.covers, valid, style);
    }
    out
}

fn table(name: &str, counts: &ByName<u64>, whole: u64, style: &Style) -> String {
    let mut rows = Vec::new();
    for row in counts {
        rows.push(row);
    }
    sort_by(&mut rows, |(_, a), (_, b)| b.cmp(a));
    let shown = if style.verbose { rows.len() } else { MAX_ROWS.min(rows.len()) };
    let mut out = format!("{}\n", style.paint(Paint::Bold, &format!("{}:", shorten(name, style.width - 1))));
    for (label, hits) in &rows[..shown] {
        out += &row(*hits, whole, label, style);
    }
    if shown < rows.len() {
        let rest = count((rows.len() - shown) as u64, "more row");
        out += &style.wrap("  ", &format!("… ({rest}; FORALL_VERBOSE=1 shows them)"));
    }
    out
}

fn row(hits: u64, whole: u64, label: &str, style: &Style) -> String {
    let start = format!("  {:>7}  {}  ", percent(hits, whole), bar(share(hits, whole), style));
    format!("{start}{}\n", shorten(&one_line(label), style.width.saturating_sub(columns(&start)).max(10)))
}

/// A bar as long as the share, readable without colours.
fn bar(share: f64, style: &Style) -> String {
    let length = if style.width < 60 { BAR / 2 } else { BAR };
    let full = ((share.clamp(0.0, 1.0) * length as f64).round() as usize).max(usize::from(share > 0.0));
    format!("{}{}", "█".repeat(full), "·".repeat(length - full))
}

fn covers(covers: &ByName<Cover>, valid: u64, style: &Style) -> String {
    let mut out = format!("{}\n", style.paint(Paint::Bold, "cover:"));
    for (label, cover) in covers {
        let met = share(cover.hits, valid) * 100.0 >= cover.percent;
        let (word, paint) = if met { ("ok ", Paint::Good) } else { ("low", Paint::Doubtful) };
        let found = share(cover.hits, valid);
        let end = format!("  (required: {} %)", cover.percent);
        // On a narrow screen the label is worth more than the bar.
        let bar = if style.width < 60 { String::new() } else { bar(found, style) + "  " };
        let start = format!("  {:>7}  {bar}", percent(cover.hits, valid));
        let room = style.width.saturating_sub(columns(&start) + columns(&end) + columns(word) + 2).max(10);
        out += &format!("{start}{}  {}{end}\n", style.paint(paint, word), shorten(&one_line(label), room));
    }
    out
}
