//! The figures of the document: the simulated fleets, and their tables.
//!
//! Prose is written by hand. This module writes the text between `<!-- name -->` and `<!-- end -->`.

use crate::curve::Curve;
use crate::drawing;
use crate::fleet::{Fleet, Listing, Moment, Store, overloaded, saturated, simulate};
use std::fs;
use std::path::{Path, PathBuf};

/// A Redis server on a dedicated machine, with a network of 10 Gbit/s: the vendor's figures. Lists are sent whole.
const REDIS: Store = Store { operations: 100_000.0, bytes: 1.25e9, listing: Listing::Whole };

/// How long the campaigns of the document take, in seconds.
const HOUR: f64 = 3600.0;

/// Fleets of these sizes are simulated.
const SIZES: [f64; 5] = [1.0, 8.0, 100.0, 1_000.0, 10_000.0];

pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/campaigns/ten-thousand-workers.md")
}

pub fn drawing_path() -> PathBuf {
    path().with_extension("svg")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The logs, by name.
fn campaigns() -> Result<Vec<(String, Curve)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("campaigns");
    let mut all = Vec::new();
    for name in ["sql", "patterns"] {
        let text = read(&folder.join(format!("{name}.jsonl")))?;
        all.push((name.to_owned(), Curve::read(&text).map_err(|error| format!("{name}.jsonl: {error}"))?));
    }
    Ok(all)
}

/// The document as it has to be, and the drawing.
pub fn renew() -> Result<(String, String), String> {
    let campaigns = campaigns()?;
    let (_, sql) = &campaigns[0];
    let fleets: Vec<(f64, Vec<Moment>)> =
        SIZES.iter().map(|&workers| (workers, simulate(sql, &Fleet::of(workers), &REDIS, HOUR))).collect();
    let mut text = read(&path())?;
    for (name, table) in [
        ("logs", logs(&campaigns)),
        ("measured", measured(sql)?),
        ("sizes", sizes(sql, &fleets)),
        ("remedies", remedies(sql)),
    ] {
        text = replaced(&text, name, &table)?;
    }
    Ok((text, drawing::draw(&fleets, REDIS.operations)))
}

/// The text with what stands between the marks of a table replaced.
fn replaced(text: &str, name: &str, table: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let missing = || format!("the document has no place for the table {name}");
    let (before, rest) = text.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{table}\n{end}{after}"))
}

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
    text += &format!("| --- |{}\n", " ---: |".repeat(head.len() - 1));
    for row in rows {
        text += &line(row);
    }
    text
}

fn logs(campaigns: &[(String, Curve)]) -> String {
    let row = |(name, curve): &(String, Curve)| {
        let (executions, entries) = curve.end();
        vec![
            format!("`{name}`"),
            short(executions),
            short(curve.per_second),
            short(curve.edges as f64),
            short(entries),
            short(curve.bytes),
            format!("{:.2}", curve.exponent),
        ]
    };
    let head = ["campaign", "executions", "per second", "edges", "entries", "bytes per entry", "growth"];
    table(&head, &campaigns.iter().map(row).collect::<Vec<_>>())
}

/// The campaign of eight workers that was run, and what the model says of it.
fn measured(curve: &Curve) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("campaigns/eight-workers.json");
    let run: serde_json::Value =
        serde_json::from_str(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    let of = |field: &str| run[field].as_f64().ok_or_else(|| format!("{}: no {field}", path.display()));
    let (workers, seconds) = (of("workers")?, of("seconds")?);
    let mut curve = curve.clone();
    curve.per_second = of("executions")? / workers / seconds;
    // A worker looks each second, and its search looks each second what came.
    let fleet = Fleet { interval: 2.0, ..Fleet::of(workers) };
    let said = simulate(&curve, &fleet, &Store { listing: Listing::News, ..REDIS }, seconds).pop().unwrap_or_default();
    let rows = [
        vec!["executions".to_owned(), short(of("executions")?), short(said.executions)],
        vec!["entries in the store".to_owned(), short(of("entries")?), short(said.entries)],
        vec!["bytes in the store".to_owned(), short(of("bytes")?), short(said.entries * curve.bytes)],
    ];
    Ok(table(&["eight workers", "measured", "simulated"], &rows))
}

const COLUMNS: [&str; 7] = [
    "entries after an hour",
    "bytes",
    "peak operations per second",
    "peak bytes per second",
    "overloaded from",
    "overloaded for",
    "lag of workers",
];

fn columns(curve: &Curve, history: &[Moment]) -> Vec<String> {
    let end = history[history.len() - 1];
    let most = |of: &dyn Fn(&Moment) -> f64| history.iter().map(of).fold(0.0, f64::max);
    vec![
        short(end.entries),
        short(end.entries * curve.bytes),
        short(most(&|moment| moment.operations)),
        short(most(&|moment| moment.bytes)),
        saturated(history).map_or("never".to_owned(), |at| format!("{} s", short(at))),
        format!("{} s", short(overloaded(history))),
        format!("{} s", short(end.delay)),
    ]
}

fn sizes(curve: &Curve, fleets: &[(f64, Vec<Moment>)]) -> String {
    let row = |(workers, history): &(f64, Vec<Moment>)| [vec![short(*workers)], columns(curve, history)].concat();
    table(&[&["workers"], &COLUMNS[..]].concat(), &fleets.iter().map(row).collect::<Vec<_>>())
}

/// Ten thousand workers, started in several ways.
fn remedies(curve: &Curve) -> String {
    let all = Fleet::of(10_000.0);
    // A night of eight workers.
    let known = 8.0 * curve.per_second * 8.0 * HOUR;
    let news = Store { listing: Listing::News, ..REDIS };
    let cases = [
        ("unchanged", all, REDIS),
        ("lists of new entries only", all, news),
        ("polling every 30 s", Fleet { interval: 30.0, ..all }, news),
        ("starting with a corpus of eight workers and one night", Fleet { known, ..all }, news),
        ("both of these", Fleet { known, interval: 30.0, ..all }, news),
        ("a hundred stores, merged every minute", Fleet { groups: 100.0, merge: 60.0, interval: 5.0, ..all }, news),
        ("all of these", Fleet { known, groups: 100.0, merge: 60.0, interval: 5.0, ..all }, news),
    ];
    let row = |(name, fleet, store): &(&str, Fleet, Store)| {
        [vec![(*name).to_owned()], columns(curve, &simulate(curve, fleet, store, HOUR))].concat()
    };
    table(&[&["ten thousand workers"], &COLUMNS[..]].concat(), &cases.iter().map(row).collect::<Vec<_>>())
}

/// A number of two digits that count, with its thousands as a letter.
pub fn short(value: f64) -> String {
    if value < 0.05 {
        return "0".to_owned();
    }
    let rounded = {
        let scale = 10f64.powi(value.log10().floor() as i32 - 1);
        (value / scale).round() * scale
    };
    let (scaled, letter) = match rounded {
        value if value >= 0.9995e12 => (value / 1e12, " T"),
        value if value >= 0.9995e9 => (value / 1e9, " G"),
        value if value >= 0.9995e6 => (value / 1e6, " M"),
        value if value >= 9_995.0 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let digits = if scaled < 9.95 { format!("{scaled:.1}") } else { format!("{scaled:.0}") };
    format!("{}{letter}", digits.trim_end_matches(".0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 0.1, 7.0, 1234.0, 12_345.0, 999_999.0, 2.5e9, 3e13].map(short);
        assert_eq!(numbers, ["0", "0.1", "7", "1200", "12 k", "1 M", "2.5 G", "30 T"]);
    }

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let text = "a\n<!-- x -->\nold\n<!-- end -->\nb";
        assert_eq!(replaced(text, "x", "new").unwrap(), "a\n<!-- x -->\n\nnew\n<!-- end -->\nb");
        assert!(replaced(text, "y", "new").is_err());
    }
}
