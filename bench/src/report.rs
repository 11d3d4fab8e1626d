//! The results of a suite: rows for programs, tables and bars for people.

use std::fmt::Write;

/// The results of a suite.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every number that was measured.
    pub rows: Vec<Row>,
    /// The printed tables.
    pub tables: Vec<Table>,
    /// The thresholds.
    pub bars: Vec<Bar>,
}

/// A number that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The case.
    pub case: String,
    /// By which tool.
    pub tool: String,
    /// In which build: `release` or `dev`.
    pub profile: &'static str,
    /// The metric.
    pub metric: &'static str,
    /// The number.
    pub value: f64,
}

/// A table for people.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The title.
    pub title: String,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Notes below the table.
    pub notes: Vec<String>,
}

/// A limit for a number.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name of the limited quantity.
    pub what: String,
    /// The number; none if it was not measured.
    pub value: Option<f64>,
    /// Its limit.
    pub limit: Limit,
}

/// How a number is limited.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// Less than this.
    Below(f64),
    /// More than this.
    Above(f64),
    /// At most five hundredths away from this.
    Near(f64),
}

impl Bar {
    /// Whether the number keeps to the limit; none if it was not measured.
    pub fn kept(&self) -> Option<bool> {
        let value = self.value?;
        Some(match self.limit {
            Limit::AtLeast(limit) => value >= limit,
            Limit::AtMost(limit) => value <= limit,
            Limit::Below(limit) => value < limit,
            Limit::Above(limit) => value > limit,
            Limit::Near(expected) => (value - expected).abs() <= 0.05 * expected,
        })
    }
}

impl Report {
    /// The value of a row.
    pub fn value(&self, case: &str, tool: &str, profile: &str, metric: &str) -> Option<f64> {
        let wanted =
            |row: &&Row| row.case == case && row.tool == tool && row.profile == profile && row.metric == metric;
        self.rows.iter().find(wanted).map(|row| row.value)
    }

    /// How many bars are missed.
    pub fn missed(&self) -> usize {
        self.bars.iter().filter(|bar| bar.kept() == Some(false)).count()
    }

    /// How many things happened that must never happen: missed bars with a limit of zero.
    pub fn forbidden(&self) -> usize {
        let is_forbidden = |bar: &&Bar| matches!(bar.limit, Limit::AtMost(0.0)) && bar.kept() == Some(false);
        self.bars.iter().filter(is_forbidden).count()
    }

    /// One object per line.
    pub fn json(&self, suite: &str) -> String {
        let mut text = String::new();
        for Row { case, tool, profile, metric, value } in &self.rows {
            // Names are of ASCII letters, digits, `_`, `-`, `:`, `/` and `+`: Rust's quotes are JSON's.
            let _ = writeln!(
                text,
                r#"{{"suite":{suite:?},"case":{case:?},"tool":{tool:?},"profile":{profile:?},"metric":{metric:?},"value":{value}}}"#
            );
        }
        text
    }

    /// Tables in Markdown, then the thresholds.
    pub fn tables(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            table.write(&mut text);
            text.push('\n');
        }
        if self.bars.iter().any(|bar| bar.value.is_some()) {
            text += "Thresholds\n\n";
        }
        let mut not_measured = 0;
        for bar in &self.bars {
            let (Some(value), Some(kept)) = (bar.value, bar.kept()) else {
                not_measured += 1;
                continue;
            };
            let verdict = if kept { "ok    " } else { "MISSED" };
            let limit = match bar.limit {
                Limit::AtLeast(limit) => format!("at least {}", number(limit)),
                Limit::AtMost(limit) => format!("at most {}", number(limit)),
                Limit::Below(limit) => format!("below {}", number(limit)),
                Limit::Above(limit) => format!("above {}", number(limit)),
                Limit::Near(expected) => format!("{} ± 5 %", number(expected)),
            };
            let _ = writeln!(text, "- {verdict} {}: {} ({limit})", bar.what, number(value));
        }
        if not_measured > 0 {
            let _ = writeln!(text, "\n{not_measured} thresholds were not measured.");
        }
        text
    }
}

impl Table {
    fn write(&self, text: &mut String) {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| lines().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..self.head.len()).map(|column| width(column).unwrap_or(0)).collect();
        let _ = writeln!(text, "{}\n", self.title);
        for (i, line) in lines().enumerate() {
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width - cell.chars().count());
                let _ = if column == 0 { write!(text, "| {cell}{pad} ") } else { write!(text, "| {pad}{cell} ") };
            }
            text.push_str("|\n");
            if i == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    let _ = if column == 0 { write!(text, "|-{dashes}") } else { write!(text, "|{dashes}:") };
                }
                text.push_str("|\n");
            }
        }
        for note in &self.notes {
            let _ = writeln!(text, "\n{note}");
        }
    }
}

/// A number for people: four digits or all before the point, thousands apart.
pub fn number(value: f64) -> String {
    if value.abs() < 10.0 {
        return format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    if value.abs() < 100.0 {
        return format!("{value:.1}").trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_their_thousands_apart() {
        let numbers = [0.0, 1.046, 24.0, 57.25, 999.6, 1234567.0].map(number);
        assert_eq!(numbers, ["0", "1.046", "24", "57.2", "1 000", "1 234 567"]);
    }

    #[test]
    fn a_row_is_one_json_object() {
        let row = Row { case: "peers/unit".into(), tool: "hand".into(), profile: "dev", metric: "m", value: 1.5 };
        let report = Report { rows: vec![row], ..Report::default() };
        let expected =
            r#"{"suite":"s","case":"peers/unit","tool":"hand","profile":"dev","metric":"m","value":1.5}"#.to_owned();
        assert_eq!(report.json("s"), expected + "\n");
    }

    #[test]
    fn only_a_missed_limit_of_zero_is_forbidden() {
        let bar = |value, limit| Bar { what: String::new(), value: Some(value), limit };
        let bars = vec![bar(1.0, Limit::AtMost(0.0)), bar(0.0, Limit::AtMost(0.0)), bar(2.0, Limit::AtMost(1.0))];
        let report = Report { bars, ..Report::default() };
        assert_eq!((report.missed(), report.forbidden()), (2, 1));
    }

    #[test]
    fn bars_are_kept_or_missed() {
        let kept = |value, limit| Bar { what: String::new(), value: Some(value), limit }.kept();
        assert_eq!(kept(24.0, Limit::AtLeast(24.0)), Some(true));
        assert_eq!(kept(24.0, Limit::AtMost(24.0)), Some(true));
        assert_eq!(kept(24.0, Limit::Below(24.0)), Some(false));
        assert_eq!(kept(24.0, Limit::Above(24.0)), Some(false));
        assert_eq!(kept(95.0, Limit::Near(100.0)), Some(true));
        assert_eq!(kept(94.0, Limit::Near(100.0)), Some(false));
    }
}
