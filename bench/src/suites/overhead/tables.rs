//! The tables that people read.

use super::{
    CASES, CPU_TIME, FIRST, FORMS, INSTRUCTIONS, PER_ELEMENT, PROFILES, RATIO, REGEX, REGEX_TOOLS, SAME_SIZE, SIZE,
    TIMED_CASES,
};
use crate::report::{Report, Table, number};

pub fn tables(report: &Report, tools: &[&str]) -> Vec<Table> {
    let mut tables = Vec::new();
    for (prefix, property) in [("", "constant property"), ("peers/", "properties of the baseline")] {
        for &profile in PROFILES {
            let mut table = Table {
                title: format!("Instructions per test, {profile}, {property}"),
                head: heads(prefix),
                ..Table::default()
            };
            for &tool in tools {
                let cell = |case: &&str| cost(report, prefix, case, tool, profile);
                table.rows.push(line(tool, CASES.iter().map(cell)));
            }
            if table.rows.iter().flatten().any(|cell| cell.ends_with('*')) {
                table.notes.push(
                    "* The values have a different mean size (see the table of sizes); per element in brackets.".into(),
                );
            }
            tables.push(table);
        }
    }
    let mut sizes = Table { title: "Mean size of the values".into(), head: heads(""), ..Table::default() };
    for &tool in tools {
        let cell = |case: &&str| report.value(case, tool, "release", SIZE).map_or("–".into(), number);
        sizes.rows.push(line(tool, CASES.iter().map(cell)));
    }
    tables.push(sizes);
    tables.push(times(report, tools));
    tables.push(texts(report, tools));
    if tools.contains(&"forall") {
        tables.push(forms(report));
        tables.push(first(report));
    }
    // A smoke run measures little, so rows that it omits are not reported.
    for table in &mut tables {
        table.rows.retain(|row| row.iter().any(|cell| cell.starts_with(|c: char| c.is_ascii_digit())));
    }
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn heads(prefix: &str) -> Vec<String> {
    line("tool", CASES.iter().map(|case| format!("{prefix}{case}")))
}

fn line(first: &str, rest: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(rest).collect()
}

fn cost(report: &Report, prefix: &str, case: &str, tool: &str, profile: &str) -> String {
    let Some(cost) = report.value(&format!("{prefix}{case}"), tool, profile, INSTRUCTIONS) else { return "–".into() };
    let size = report.value(case, tool, profile, SIZE);
    let expected = report.value(case, "hand", profile, SIZE);
    match (size, expected) {
        (Some(size), Some(expected)) if !same_size(size, expected) => {
            format!("{} [{}]*", number(cost), number(cost / size))
        }
        _ => number(cost),
    }
}

/// Whether two mean sizes are equal but for chance.
pub fn same_size(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_SIZE * a.max(b)
}

/// CPU time, where instructions cannot be counted.
fn times(report: &Report, tools: &[&str]) -> Table {
    let head = line("tool", TIMED_CASES.iter().map(|case| (*case).to_owned()));
    let mut table =
        Table { title: "CPU time per test in ns, release, constant property".into(), head, ..Table::default() };
    for &tool in tools {
        let cell = |case: &&str| report.value(case, tool, "release", CPU_TIME).map_or("–".into(), number);
        table.rows.push(line(tool, TIMED_CASES.iter().map(cell)));
    }
    table
}

/// Texts that match a regular expression.
fn texts(report: &Report, tools: &[&str]) -> Table {
    let head = line("tool", REGEX.iter().map(|case| case.trim_start_matches("regex/").to_owned()));
    let title = "A string that matches a regular expression, instructions per test, release, constant property".into();
    let mut table = Table { title, head, ..Table::default() };
    for tool in tools.iter().filter(|tool| REGEX_TOOLS.contains(tool)) {
        table.rows.push(line(tool, REGEX.iter().map(|case| cost(report, "", case, tool, "release"))));
    }
    table
}

fn forms(report: &Report) -> Table {
    let head = ["test", "profile", "property!", "closure", "ratio"].map(String::from).to_vec();
    let title = "The same test as a property and as a closure, instructions per test".into();
    let mut table = Table { title, head, ..Table::default() };
    for form in FORMS {
        for &profile in PROFILES {
            let value = |case: String, metric| report.value(&case, "forall", profile, metric);
            let text = |value: Option<f64>| value.map_or("–".into(), number);
            table.rows.push(vec![
                form.to_string(),
                profile.to_owned(),
                text(value(format!("property/{form}"), INSTRUCTIONS)),
                text(value(format!("closure/{form}"), INSTRUCTIONS)),
                value(format!("property_vs_closure/{form}"), RATIO).map_or("–".into(), |ratio| format!("{ratio:.3}")),
            ]);
        }
    }
    table
}

/// The cost of the first tests of a run, most of which are shaped.
fn first(report: &Report) -> Table {
    let title = "Tests 2 to 256 of a run of forall's, instructions per test, constant property".into();
    let mut table = Table { title, head: heads(""), ..Table::default() };
    table.head[0] = "profile".to_owned();
    for &profile in PROFILES {
        let cell = |case: &&str| report.value(case, "forall", profile, FIRST).map_or("–".into(), number);
        table.rows.push(line(profile, CASES.iter().map(cell)));
    }
    table.notes.push("Most of these tests are shaped, on tape. No threshold.".into());
    table
}

/// The cost of a case: per test, or per element if the other tool's values have a different mean size.
pub fn comparable(report: &Report, case: &str, ours: &str, theirs: &str, profile: &str) -> Option<(f64, f64)> {
    let value = |tool, metric| report.value(case, tool, profile, metric);
    let same = same_size(value(ours, SIZE)?, value(theirs, SIZE)?);
    let metric = if same { INSTRUCTIONS } else { PER_ELEMENT };
    Some((value(ours, metric)?, value(theirs, metric)?))
}
