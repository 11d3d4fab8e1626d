//! Compares a run with the last one of the same property: a pure function of their recorded results.

use super::data::cut;
use crate::results::{self, InShort, Numbers, Remembered};
use crate::screen::Screen;
use crate::words;
use crate::words::grouped;
use forall::run::ByName;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The change of a share that is reported, in percentage points: smaller ones may be chance.
const POINTS: f64 = 5.0;

/// The change of an average that is reported, as a part of the range of the numbers.
const PART: f64 = 0.1;

/// The factor between times that is reported: machines are busy at times.
const TIMES: f64 = 2.0;

/// The length at which counterexamples are truncated.
const VALUES: usize = 200;

/// A quantity of both runs.
#[derive(Debug, PartialEq)]
pub struct Row {
    what: String,
    then: String,
    now: String,
    /// Whether it differs by more than chance explains.
    differs: bool,
}

impl Row {
    /// Its JSON for the page.
    pub fn json(&self) -> Value {
        json!([self.what, self.then, self.now, self.differs])
    }
}

/// The quantities of both runs: verdict, number of tests, time, labels, tables and features.
pub fn rows(before: &Remembered, now: &Remembered) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |what: &str, text: &dyn Fn(&Remembered) -> Option<String>, differs: bool| {
        let (then, is) = (text(before), text(now));
        if then.is_some() || is.is_some() {
            let differs = differs && then.is_some() && is.is_some();
            let shown = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
            rows.push(Row { what: what.to_owned(), then: shown(then), now: shown(is), differs });
        }
    };
    add("verdict", &|run| Some(verdict(run)), verdict(before) != verdict(now));
    let found = |run: &Remembered| run.counterexample.as_deref().map(|text| cut(text, VALUES));
    add("counterexample", &found, found(before) != found(now));
    add("valid tests", &|run| Some(grouped(run.valid)), false);
    let discards = |run: &Remembered| percent(run.discarded, run.valid.saturating_add(run.discarded));
    add("discarded tests", &|run| Some(grouped(run.discarded)), apart(discards(before), discards(now)));
    let different = |run: &Remembered| run.examined.as_ref().map(|examined| examined.different);
    add(
        "distinct inputs",
        &|run| different(run).map(in_percent),
        both(before, now, different).is_some_and(|(a, b)| apart(a, b)),
    );
    let sizes = |run: &Remembered| run.examined.as_ref().map(|examined| examined.sizes.clone());
    add(
        "sizes of inputs",
        &|run| sizes(run).map(|sizes| range(&sizes)),
        both(before, now, sizes).is_some_and(|(a, b)| moved(&a, &b)),
    );
    add("time", &|run| Some(words::seconds(run.time)), false);
    let each = |run: &Remembered| run.examined.as_ref().map(|examined| examined.each);
    let slower = both(before, now, each).is_some_and(|(a, b)| a.max(b) > TIMES * a.min(b));
    add("average time of a test", &|run| each(run).map(words::seconds), slower);
    let generating = |run: &Remembered| run.examined.as_ref().map(|examined| examined.generating);
    add("share of generating", &|run| generating(run).map(in_percent), false);
    let collected = |run: &Remembered| run.collected.clone();
    add(
        "collected",
        &|run| collected(run).map(|numbers| range(&numbers)),
        both(before, now, collected).is_some_and(|(a, b)| moved(&a, &b)),
    );
    for label in keys(before, now, |run| run.labels.keys().collect()) {
        let share = |run: &Remembered| Some(percent(run.labels.get(label).copied().unwrap_or(0), run.valid));
        add(label, &|run| share(run).map(in_percent), both(before, now, share).is_some_and(|(a, b)| apart(a, b)));
    }
    for label in keys(before, now, |run| run.covers.keys().collect()) {
        let share = |run: &Remembered| run.covers.get(label).map(|cover| percent(cover.hits, run.valid));
        add(label, &|run| share(run).map(in_percent), both(before, now, share).is_some_and(|(a, b)| apart(a, b)));
    }
    let kinds: [fn(&Remembered) -> &ByName<InShort>; 2] = [|run| &run.tables, |run| &run.features];
    for kind in kinds {
        for name in keys(before, now, |run| kind(run).keys().collect()) {
            let numbers = |run: &Remembered| kind(run).get(name).and_then(InShort::numbers);
            add(
                name,
                &|run| numbers(run).map(|numbers| range(&numbers)),
                both(before, now, numbers).is_some_and(|(a, b)| moved(&a, &b)),
            );
            let shares = |run: &Remembered, value: &str| kind(run).get(name)?.shares.get(value).copied();
            for value in
                keys(before, now, |run| kind(run).get(name).map_or(Vec::new(), |of| of.shares.keys().collect()))
            {
                let share = |run: &Remembered| shares(run, value);
                add(
                    &format!("{name}: {value}"),
                    &|run| share(run).map(in_percent),
                    both(before, now, share).is_some_and(|(a, b)| apart(a, b)),
                );
            }
        }
    }
    rows
}

/// A sentence with the last verdict and the differences.
pub fn sentence(before: &Remembered, now: &Remembered) -> String {
    let (then, extent) = (verdict(before), words::extent(before));
    let mut parts = match verdict(now) {
        now if now == then => vec![format!("also {then}, {extent}")],
        now => vec![format!("{then}, {extent}"), format!("this run: {now}")],
    };
    for Row { what, then, now, .. } in rows(before, now).iter().filter(|row| row.differs && row.what != "verdict") {
        parts.push(format!("{what}: {then} → {now}"));
    }
    format!("Previous run: {}.", parts.join("; "))
}

fn verdict(run: &Remembered) -> String {
    words::verdict(run.verdict.unwrap_or_default(), &Screen::plain())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn in_percent(share: f64) -> String {
    format!("{share:.1} %")
}

fn apart(then: f64, now: f64) -> bool {
    (then - now).abs() >= POINTS
}

/// A quantity that both runs have.
fn both<T>(before: &Remembered, now: &Remembered, of: impl Fn(&Remembered) -> Option<T>) -> Option<(T, T)> {
    of(before).zip(of(now))
}

/// The names in either run.
fn keys<'a>(
    before: &'a Remembered,
    now: &'a Remembered,
    of: impl Fn(&'a Remembered) -> Vec<&'a str>,
) -> BTreeSet<&'a str> {
    [before, now].into_iter().flat_map(of).collect()
}

fn range(Numbers { least, mean, most }: &Numbers) -> String {
    let number = results::number;
    format!("{} to {}, {} on average", number(*least), number(*most), number(*mean))
}

/// Whether an average moved noticeably.
fn moved(then: &Numbers, now: &Numbers) -> bool {
    let width = |numbers: &Numbers| numbers.most - numbers.least;
    (then.mean - now.mean).abs() > PART * width(then).max(width(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[test]
    fn a_run_is_compared_with_the_last() {
        let before = read(
            json!({"verdict": "failed", "valid": 100, "labels": {"even": 50, "old": 1}, "counterexample": "n = 7"}),
        );
        let now = read(json!({"verdict": "passed", "valid": 100, "labels": {"even": 80}}));
        assert_eq!(
            sentence(&before, &now),
            "Previous run: FAILED, 100 tests; this run: passed; even: 50.0 % → 80.0 %."
        );
    }

    #[test]
    fn quantities_of_both_runs_are_paired() {
        let run = |mean: f64, each: f64| {
            read(json!({
                "verdict": "passed", "valid": 80, "discarded": 20, "time": 0.5, "labels": {}, "collected": {"least": 1.0, "mean": 2.0, "most": 3.0},
                "features": {"depth": {"least": 0.0, "mean": mean, "most": 10.0}, "kind": {"shares": {"a": 10.0 * mean}}},
                "examined": {"sizes": {"least": 0.0, "mean": 49.5, "most": 99.0}, "different": 98.5, "each": each, "generating": 30.0},
            }))
        };
        let rows: Vec<String> =
            rows(&run(5.0, 1e-5), &run(7.0, 3e-5)).iter().map(|row| row.json().to_string()).collect();
        let expected = [
            r#"["verdict","passed","passed",false]"#,
            r#"["valid tests","80","80",false]"#,
            r#"["discarded tests","20","20",false]"#,
            r#"["distinct inputs","98.5 %","98.5 %",false]"#,
            r#"["sizes of inputs","0 to 99, 49.5 on average","0 to 99, 49.5 on average",false]"#,
            r#"["time","500 ms","500 ms",false]"#,
            r#"["average time of a test","10 µs","30 µs",true]"#,
            r#"["share of generating","30.0 %","30.0 %",false]"#,
            r#"["collected","1 to 3, 2 on average","1 to 3, 2 on average",false]"#,
            r#"["depth","0 to 10, 5 on average","0 to 10, 7 on average",true]"#,
            r#"["kind: a","50.0 %","70.0 %",true]"#,
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn quantities_of_one_run_only_are_not_compared() {
        let examined = read(json!({"verdict": "passed", "valid": 1, "examined": {"different": 10.0}}));
        let rows = rows(&read(json!({"verdict": "passed", "valid": 1})), &examined);
        assert!(rows.iter().any(|row| row.what == "distinct inputs" && row.then == "–" && !row.differs), "{rows:?}");
    }
}
