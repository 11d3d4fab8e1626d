//! Whether what is claimed of counterexamples is so, and whether what is simple and so is claimed.
//!
//! The battery (`tests/library/tests/shrink/battery/`) generates properties of which the truth is known: conditions on one to three variables of
//! all standard kinds, which hold for 0.3 to 50 % of the generator's values. Each claim is held against inputs that it speaks of.
//! The explainer was tuned on one half of the kinds of conditions; the other half shows what that is worth.

#[path = "../../../../tests/library/tests/shrink/battery/mod.rs"]
mod battery;

use super::Suite;
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use battery::{Effort, Figures, Judged, judge};

pub const SUITE: Suite = Suite {
    name: "explain",
    about: "whether claims about counterexamples are true, and simple truths are claimed",
    tools: &[TOOL],
    own: &[],
    run,
};

const TOOL: &str = "forall";
const PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

/// The properties of one seed.
const PROPERTIES: usize = 1_200;
const SMOKE: usize = 60;

/// Claims that 1 % or more of the inputs they speak of refute.
const FALSE: &str = "false_claims";
/// Of the properties that pass for 0.3 to 1 %, the share with a claim that 0.3 % or more refute.
const RARE_FALSE: &str = "rare_false_share";
/// Of the properties of which something simple is true, the share of which it is claimed.
const FOUND: &str = "simple_found_share";
const MILLISECONDS: &str = "mean_ms";
const EVALUATIONS: &str = "mean_evaluations";

/// A set of properties: all, and the two halves.
const SETS: [(&str, Option<u64>); 3] = [("all", None), ("tuned", Some(0)), ("held_out", Some(1))];

fn run(options: &Options) -> Result<Finished, String> {
    let (count, effort) = if options.smoke {
        (SMOKE, Effort { drawn: 3_000, against: 2_000 })
    } else {
        (PROPERTIES, Effort { drawn: 20_000, against: 10_000 })
    };
    let mut judged = Vec::new();
    for seed in 0..options.seeds.unwrap_or(1) {
        judged.extend(judge(count, 1 + seed, effort));
    }
    for one in judged.iter().filter(|one| is_refuted(one)) {
        eprintln!(
            "false ({}): {}\n    passes for {:.2} %: {:?}",
            one.family,
            one.text,
            100.0 * one.passing,
            one.claims
        );
    }
    let mut report = Report::default();
    let mut table = Table {
        title: format!("Claims about the counterexamples of {} properties with known truth", judged.len()),
        head: ["properties", "count", "claims", "false", "rare", "rare, false", "simple", "found", "runs", "ms"]
            .map(String::from)
            .to_vec(),
        ..Table::default()
    };
    for (name, half) in SETS {
        let figures = Figures::of(judged.iter().filter(|one| half.is_none_or(|half| one.half == half)));
        for (metric, value) in [
            (FALSE, figures.false_claims as f64),
            (RARE_FALSE, figures.rare_share()),
            (FOUND, figures.found_share()),
            (MILLISECONDS, figures.milliseconds),
            (EVALUATIONS, figures.evaluations),
        ] {
            report.rows.push(Row { case: name.into(), tool: TOOL.into(), profile: PROFILE, metric, value });
        }
        let counts = [figures.properties, figures.claims, figures.false_claims, figures.rare, figures.rare_false];
        let mut row = vec![name.to_owned()];
        row.extend(counts.map(|count| count.to_string()));
        row.extend([figures.simple, figures.found].map(|count| count.to_string()));
        row.extend([figures.evaluations, figures.milliseconds].map(number));
        table.rows.push(row);
    }
    table.notes = vec![
        "`rare`: properties that pass for 0.3 to 1 %. `simple`: properties with a simple explanation.".into(),
        "The explainer was tuned on the properties of `tuned`, not on those of `held_out`.".into(),
    ];
    report.tables.push(table);
    // Of a few properties too few pass rarely for a share of them.
    let enough = |value: Option<f64>| value.filter(|_| !options.smoke);
    for (name, _) in SETS {
        let value = |metric: &str| report.value(name, TOOL, PROFILE, metric);
        report.bars.extend([
            Bar { what: format!("{name}, false claims"), value: value(FALSE), limit: Limit::AtMost(0.0) },
            Bar {
                what: format!("{name}, share of false claims where 0.3 to 1 % pass"),
                value: enough(value(RARE_FALSE)),
                limit: Limit::AtMost(0.05),
            },
            Bar {
                what: format!("{name}, share of simple truths that are claimed"),
                value: value(FOUND),
                limit: Limit::AtLeast(0.6),
            },
        ]);
    }
    Ok(Finished::Measured(report))
}

fn is_refuted(one: &Judged) -> bool {
    one.claims.iter().any(|(_, refuted)| *refuted >= 0.01)
}
