//! What was tested, in tables with bars.

use crate::list::shortened;
use crate::screen::{Paint, Screen, visible};
use crate::words;
use serde_json::Value;

/// A full bar.
const BAR: usize = 20;

/// Longer tables are cut, the most frequent rows first.
const ROWS: usize = 20;

/// The tables of a run: labels, each table, what `cover!` demands. Empty if nothing was counted.
pub fn tables(finished: &Value, screen: &Screen) -> String {
    let valid = finished["valid"].as_u64().unwrap_or(0);
    let mut out = String::new();
    let labels = rows(&finished["labels"]);
    if !labels.is_empty() {
        out += &table("labels", labels, valid, screen);
    }
    for (name, entered) in finished["tables"].as_object().into_iter().flatten() {
        let entered = rows(entered);
        let whole = entered.iter().map(|(_, hits)| hits).sum();
        out += &table(name, entered, whole, screen);
    }
    let covers: Vec<(String, u64)> =
        covers(finished).map(|(name, percent, hits)| (format!("{name} (of {percent} %)"), hits)).collect();
    if !covers.is_empty() {
        out += &table("cover", covers, valid, screen);
    }
    out
}

/// What `cover!` demands, and what was there: a sentence each.
pub fn demands(finished: &Value) -> Vec<String> {
    let valid = finished["valid"].as_f64().unwrap_or(0.0).max(1.0);
    let demand = |(name, percent, hits): (&String, f64, u64)| {
        format!("cover: {name} in {:.1} % of the tests, {percent} % are demanded", 100.0 * hits as f64 / valid)
    };
    covers(finished).map(demand).collect()
}

fn covers(finished: &Value) -> impl Iterator<Item = (&String, f64, u64)> {
    let covers = finished["covers"].as_object().into_iter().flatten();
    covers.map(|(name, cover)| (name, cover["percent"].as_f64().unwrap_or(0.0), cover["hits"].as_u64().unwrap_or(0)))
}

fn rows(counts: &Value) -> Vec<(String, u64)> {
    let counts = counts.as_object().into_iter().flatten();
    counts.map(|(name, hits)| (name.clone(), hits.as_u64().unwrap_or(0))).collect()
}

fn table(name: &str, mut rows: Vec<(String, u64)>, whole: u64, screen: &Screen) -> String {
    rows.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    let name = shortened(&one_line(name), screen.width - 5);
    let mut out = format!("    {}\n", screen.paint(Paint::Bold, &format!("{name}:")));
    let length = if screen.width < 60 { BAR / 2 } else { BAR };
    for (name, hits) in rows.iter().take(ROWS) {
        let share = if whole == 0 { 0.0 } else { *hits as f64 / whole as f64 };
        let full = ((share * length as f64).round() as usize).clamp(usize::from(*hits > 0), length);
        let start = format!("    {:>5.1} %  {}{}  ", share * 100.0, "█".repeat(full), "·".repeat(length - full));
        let room = screen.width.saturating_sub(start.chars().count()).max(10);
        out += &format!("{start}{}\n", shortened(&one_line(name), room));
    }
    if rows.len() > ROWS {
        let more = words::count((rows.len() - ROWS) as u64, "more row");
        out += &screen.wrap("    ", &format!("… and {more}; --json has them all"));
    }
    out
}

fn one_line(text: &str) -> String {
    visible(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tables_have_bars_and_the_most_frequent_first() {
        let finished = json!({
            "valid": 4, "labels": {"odd": 1, "even": 3}, "tables": {"length": {"0": 1, "1": 1}},
            "covers": {"large": {"percent": 20.0, "hits": 2}},
        });
        let expected = "    labels:\n     75.0 %  ███████████████·····  even\n     25.0 %  █████···············  odd\n    length:\n     \
                        50.0 %  ██████████··········  0\n     50.0 %  ██████████··········  1\n    cover:\n     50.0 %  \
                        ██████████··········  large (of 20 %)\n";
        assert_eq!(tables(&finished, &Screen::plain()), expected);
        assert_eq!(tables(&json!({"valid": 4}), &Screen::plain()), "");
    }

    #[test]
    fn long_or_hostile_labels_stay_in_their_line() {
        let label = "\x1b[2J\n".to_owned() + &"x".repeat(500);
        let text = tables(&json!({"valid": 1, "labels": {label: 1}}), &Screen { width: 40, ..Screen::plain() });
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 40) && !text.contains('\x1b'), "{text}");
    }
}
