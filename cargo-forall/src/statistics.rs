//! Statistics of a run as tables with bars.

use crate::list::shortened;
use crate::results::{collected_apart, finite, number};
use crate::screen::{Paint, Screen, one_line};
use crate::words;
use crate::words::grouped;
use forall::protocol::{Cover, Finished, Profiled};
use forall::run::ByName;

/// A full bar.
const BAR: usize = 20;

/// The number of rows of a table, the most frequent first.
const ROWS: usize = 20;

/// The number of rows of a numeric feature; more numbers are grouped into this many ranges.
const RANGES: usize = 10;

/// The number of slow variables that are named.
const SLOWEST: usize = 3;

/// The number of tests of each thread, if there were several.
pub fn workers(finished: &Finished, screen: &Screen) -> String {
    if finished.workers.len() < 2 {
        return String::new();
    }
    let ran: Vec<String> = finished.workers.iter().map(|tests| grouped(*tests)).collect();
    screen.wrap("    ", &format!("tests by thread: {}", ran.join(", ")))
}

/// The numbers of valid tests and duplicate inputs, and the slowest variables.
pub fn counts(finished: &Finished, profiled: Option<&Profiled>, screen: &Screen) -> String {
    // Each depth of a search starts again.
    let over = if finished.searched.is_some() { " over all depths" } else { "" };
    let mut tests = format!("{} valid, {} discarded{over}", grouped(finished.valid), grouped(finished.discarded));
    let Some(profiled) = profiled else { return screen.wrap("    ", &tests) };
    let Profiled { inputs, duplicates, .. } = *profiled;
    if inputs > 0 {
        let share = 100.0 * duplicates as f64 / inputs as f64;
        let first = if inputs < finished.valid { "the first " } else { "" };
        tests += &format!(
            "; {} of {first}{} {} ({share:.0} %)",
            grouped(duplicates),
            words::count(inputs, "input"),
            if duplicates == 1 { "is a duplicate" } else { "are duplicates" }
        );
        if share > 100.0 * MANY {
            tests += ": generate from a larger range, or run fewer tests";
        }
    }
    let mut draws: Vec<_> = profiled.draws.iter().filter(|draws| draws.slowest > 0.0).collect();
    draws.sort_by(|a, b| b.slowest.total_cmp(&a.slowest));
    let slowest: Vec<String> = draws
        .iter()
        .take(SLOWEST)
        .map(|draws| format!("{} {} (test {})", one_line(&draws.variable), words::seconds(draws.slowest), draws.test))
        .collect();
    let mut out = screen.wrap("    ", &tests);
    if !slowest.is_empty() {
        out += &screen.wrap("    ", &format!("slowest draws: {}", slowest.join(", ")));
    }
    out
}

/// The share of duplicates above which tests are wasted.
const MANY: f64 = 1.0 / 3.0;

/// Whether so many inputs are duplicates that it is reported without `--verbose`.
pub fn many_alike(profiled: &Profiled) -> bool {
    profiled.duplicates as f64 > MANY * profiled.inputs as f64
}

/// The tables of a run: labels, tables, features and the requirements of `cover!`. Empty if nothing was counted.
pub fn tables(finished: &Finished, screen: &Screen) -> String {
    let mut out = String::new();
    let (collected, labels) = collected_apart(rows(&finished.labels));
    if !labels.is_empty() {
        out += &table("labels", labels, finished.valid, screen);
    }
    if let Some(ranges) = in_ranges(&collected) {
        out += &in_order("collected", &ranges, finished.valid, screen);
    }
    for (name, entered) in &finished.tables {
        out += &table(name, rows(entered), entered.values().sum(), screen);
    }
    for (name, values) in &finished.features {
        let (whole, values) = (values.values().sum(), rows(values));
        out += &match in_ranges(&values) {
            Some(ranges) => in_order(name, &ranges, whole, screen),
            None => table(name, values, whole, screen),
        };
    }
    let cover = |(name, cover): &(String, Cover)| (format!("{name} (of {} %)", cover.percent), cover.hits);
    let covers: Vec<(String, u64)> = finished.covers.iter().map(cover).collect();
    if !covers.is_empty() {
        out += &table("cover", covers, finished.valid, screen);
    }
    out
}

/// Labels that all tests have, which may mean that the interesting case is never reached.
pub fn constant_labels(finished: &Finished) -> Vec<String> {
    let is_constant = |(label, hits): &(&String, &u64)| **hits == finished.valid && finite(label).is_none();
    let many = finished.valid >= 20 && finished.labels.len() == 1;
    let all = finished.labels.iter().map(|(label, hits)| (label, hits)).filter(|_| many).filter(is_constant);
    all.map(|(label, _)| format!("every test has the label `{}`: are other cases ever generated?", one_line(label)))
        .collect()
}

/// The requirements of `cover!`, one sentence each.
pub fn requirements(finished: &Finished) -> Vec<String> {
    let valid = (finished.valid as f64).max(1.0);
    let requirement = |(name, Cover { percent, hits }): &(String, Cover)| {
        format!("cover: {name} in {:.1} % of the tests, {percent} % required", 100.0 * *hits as f64 / valid)
    };
    finished.covers.iter().map(requirement).collect()
}

fn rows(counts: &ByName<u64>) -> Vec<(String, u64)> {
    counts.iter().cloned().collect()
}

/// Groups numbers into ranges in ascending order, or lists them if they are few; other values follow. `None` for few numbers
/// mixed with other values.
fn in_ranges(values: &[(String, u64)]) -> Option<Vec<(String, u64)>> {
    let mut numbers: Vec<(f64, u64)> = Vec::new();
    let mut others = Vec::new();
    for (value, hits) in values {
        match finite(value) {
            Some(number) => numbers.push((number, *hits)),
            None => others.push((value.clone(), *hits)),
        }
    }
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (low, high) = (numbers.first()?.0, numbers.last()?.0);
    if numbers.len() <= RANGES {
        let each = || numbers.iter().map(|(number, hits)| (number.to_string(), *hits)).collect();
        return others.is_empty().then(each);
    }
    let is_whole = numbers.iter().all(|(number, _)| number.fract() == 0.0);
    let width = (high - low) / RANGES as f64;
    let width = if is_whole { ((high - low + 1.0) / RANGES as f64).ceil() } else { width };
    let mut edges: Vec<f64> =
        (0..RANGES).map(|place| low + place as f64 * width).filter(|from| *from <= high).collect();
    edges.push(high);
    let mut ranges = between(&edges, &numbers, is_whole);
    let most = ranges.iter().map(|(_, hits)| *hits).max().unwrap_or(0) as f64;
    let all = numbers.iter().map(|(_, hits)| *hits).sum::<u64>() as f64;
    // If nearly all numbers would be in one range, the ranges are powers of ten.
    if (high - low).is_infinite() || most > CROWDED * all && high.max(-low) > 1000.0 {
        ranges = between(&powers(low, high), &numbers, is_whole);
    }
    others.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    ranges.extend(others);
    Some(ranges)
}

/// The share of numbers above which a range is too crowded.
const CROWDED: f64 = 0.6;

/// The number of tests in each range, the last one with its end.
fn between(edges: &[f64], numbers: &[(f64, u64)], is_whole: bool) -> Vec<(String, u64)> {
    let mut ranges = Vec::new();
    for (at, edge) in edges.windows(2).enumerate() {
        let (from, to, is_last) = (edge[0], edge[1], at + 2 == edges.len());
        let within = |number: f64| number >= from && (number < to || is_last && number <= to);
        let hits = numbers.iter().filter(|(number, _)| within(*number)).map(|(_, hits)| hits).sum();
        let end = if is_whole && !is_last { to - 1.0 } else { to };
        let name = if is_whole && from == end { number(from) } else { format!("{} to {}", number(from), number(end)) };
        ranges.push((name, hits));
    }
    ranges
}

/// Range edges at zero and at powers of ten, as many as there is room for.
fn powers(low: f64, high: f64) -> Vec<f64> {
    let places = |most: f64| if most >= 1.0 { most.log10().floor() as i32 + 1 } else { 0 };
    let step = ((places(high) + places(-low)) as usize).div_ceil(RANGES - 2).max(1) as i32;
    let mut edges = vec![low];
    let mut below: Vec<f64> = (0..=places(-low) / step).map(|power| -(10f64.powi(power * step))).collect();
    below.reverse();
    edges.extend(below.into_iter().filter(|edge| *edge > low && *edge < high));
    edges.extend(Some(0.0).filter(|zero| low < *zero && *zero < high));
    let above = (0..=places(high) / step).map(|power| 10f64.powi(power * step));
    edges.extend(above.filter(|edge| *edge > low && *edge < high));
    edges.push(high);
    edges
}

fn table(name: &str, mut rows: Vec<(String, u64)>, whole: u64, screen: &Screen) -> String {
    rows.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    in_order(name, &rows, whole, screen)
}

fn in_order(name: &str, rows: &[(String, u64)], whole: u64, screen: &Screen) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::{Value, json};

    fn tables(finished: &Value, screen: &Screen) -> String {
        super::tables(&read(finished.clone()), screen)
    }

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
        let many: serde_json::Map<String, Value> = (0..200).map(|n: u64| (format!("row {n}"), json!(1))).collect();
        let text = tables(&json!({"valid": 200, "tables": {"t": many}}), &Screen::plain());
        assert!(text.contains(" more rows; --json has them all"), "{text}");
    }

    #[test]
    fn collected_numbers_are_sorted_and_separate_from_labels() {
        let shown = |labels: Value| {
            let text = tables(&json!({"valid": 4, "labels": labels}), &Screen::plain());
            text.lines().map(|line| line.rsplit("  ").next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let collected = shown(json!({"10": 3, "9": 1, "even": 2, "1e3": 1}));
        assert_eq!(collected, ["labels:", "even", "collected:", "9", "10", "1000"]);
        assert_eq!(shown(json!({"7": 1, "even": 2})), ["labels:", "even", "7"], "one number may be a name");
    }

    #[test]
    fn numeric_features_are_sorted_and_grouped_into_ranges() {
        let depths: serde_json::Map<String, Value> = (1..=40).map(|depth: u64| (depth.to_string(), json!(1))).collect();
        let finished =
            json!({"valid": 40, "features": {"depth": depths, "few": {"10": 39, "9": 1}, "kind": {"a": 1, "3": 39}}});
        let text = tables(&finished, &Screen::plain());
        let starts: Vec<&str> = text.lines().map(|line| line.rsplit("  ").next().unwrap()).collect();
        let expected = [
            "depth:", "1 to 4", "5 to 8", "9 to 12", "13 to 16", "17 to 20", "21 to 24", "25 to 28", "29 to 32",
            "33 to 36", "37 to 40", "few:", "9", "10", "kind:", "3", "a",
        ];
        assert_eq!(starts, expected, "{text}");
        assert_eq!(text.matches(" 10.0 %").count(), 10, "{text}");
    }

    #[test]
    fn floats_are_grouped_and_other_values_follow() {
        let mut values: Vec<(String, u64)> = (0..100).map(|n| (format!("{}", f64::from(n) / 4.0), 1)).collect();
        values.extend([("1e300".to_owned(), 2), ("-5".to_owned(), 1), ("NaN".to_owned(), 3), ("inf".to_owned(), 4)]);
        let ranges = in_ranges(&values).unwrap();
        let expected = ["-5 to -1", "-1 to 0", "0 to 1", "1 to 1e38", "1e38 to 1e76", "1e76 to 1e114"];
        let names: Vec<&str> = ranges.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names[..6], expected, "{names:?}");
        assert_eq!(names[names.len() - 2..], ["inf", "NaN"]);
        assert_eq!(ranges.iter().map(|(_, hits)| hits).sum::<u64>(), 110);
        values.extend([(f64::MAX.to_string(), 1), (f64::MIN.to_string(), 1)]);
        let ranges = in_ranges(&values).unwrap();
        assert!(ranges.len() <= RANGES + 4 && ranges.iter().map(|(_, hits)| hits).sum::<u64>() == 112, "{ranges:?}");
        let even: Vec<(String, u64)> = (0..20).map(|n| (format!("{}", f64::from(n) / 4.0), 1)).collect();
        assert_eq!(in_ranges(&even).unwrap()[0], ("0 to 0.475".to_owned(), 2));
    }

    #[test]
    fn duplicates_and_slow_variables_are_printed() {
        let finished = read(json!({"valid": 2000, "discarded": 3}));
        let draws =
            json!([{"variable": "n", "slowest": 2e-6, "test": 4}, {"variable": "xs", "slowest": 0.001, "test": 17}]);
        let profiled = read(json!({"inputs": 1000, "duplicates": 400, "draws": draws}));
        let expected = "    2,000 valid, 3 discarded; 400 of the first 1,000 inputs are duplicates (40 %): generate from a\n    larger range, or \
                        run fewer tests\n    slowest draws: xs 1.0 ms (test 17), n 2.0 µs (test 4)\n";
        assert_eq!(counts(&finished, Some(&profiled), &Screen::plain()), expected);
        assert!(many_alike(&profiled));
        assert_eq!(counts(&finished, None, &Screen::plain()), "    2,000 valid, 3 discarded\n");
    }

    #[test]
    fn a_label_of_every_test_is_pointed_out() {
        let notes = |labels: Value| constant_labels(&read(json!({"valid": 50, "labels": labels})));
        assert_eq!(notes(json!({"error": 50})), ["every test has the label `error`: are other cases ever generated?"]);
        assert!(notes(json!({"error": 49})).is_empty() && notes(json!({"7": 50})).is_empty());
        assert!(notes(json!({"error": 50, "empty": 3})).is_empty(), "other labels tell the cases apart");
    }

    #[test]
    fn long_or_hostile_labels_stay_within_their_line() {
        let label = "\x1b[2J\n".to_owned() + &"x".repeat(500);
        let text = tables(&json!({"valid": 1, "labels": {label: 1}}), &Screen { width: 40, ..Screen::plain() });
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 40) && !text.contains('\x1b'), "{text}");
    }
}
