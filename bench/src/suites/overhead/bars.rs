//! The thresholds for the counts: the baseline, which the hand-written loop must reproduce, and forall's own limits.

use super::tables::comparable;
use super::{CASES, FORMS, INSTRUCTIONS, PEERS, PROFILES, RATIO, REGEX};
use crate::report::{Bar, Limit, Report};

/// The counts of the hand-written loop when the peers were first measured, with the properties of the baseline.
const BASELINE: &[(&str, &str, f64)] = &[
    ("release", "unit", 9.0),
    ("release", "pair", 28.0),
    ("release", "vec", 1248.0),
    ("release", "vec50", 1182.0),
    ("release", "str", 6292.0),
    ("release", "expr", 26712.0),
    ("dev", "pair", 397.0),
    ("dev", "vec50", 13803.0),
];

/// The most instructions that a test of forall may cost.
const ABSOLUTE: &[(&str, &str, f64)] =
    &[("release", "unit", 24.0), ("release", "pair", 60.0), ("dev", "pair", 500.0), ("dev", "vec50", 7500.0)];

/// How much more than `hand_same` a test of forall may cost in release.
const TIMES_HAND_SAME: &[(&str, f64)] = &[("vec50", 1.15), ("str", 1.1), ("expr", 1.05)];

/// How much more than building it by hand a text that matches a regular expression may cost in release.
const REGEX_TIMES_HAND: f64 = 1.5;

/// How much more than a closure a property may cost in release. Without optimisation the clauses of a telescope are calls
/// and moves that nothing removes: there the table shows the ratio, and the limits above hold.
const TIMES_CLOSURE: f64 = 1.03;

pub fn bars(report: &Report) -> Vec<Bar> {
    let mut bars = Vec::new();
    let cost = |case: &str, tool, profile| report.value(case, tool, profile, INSTRUCTIONS);
    for &(profile, case, expected) in BASELINE {
        let case = format!("peers/{case}");
        let value = cost(&case, "hand", profile);
        bars.push(Bar { what: format!("{profile} {case}, hand"), value, limit: Limit::Near(expected) });
    }
    for &(profile, case, limit) in ABSOLUTE {
        let value = cost(case, "forall", profile);
        bars.push(Bar { what: format!("{profile} {case}"), value, limit: Limit::AtMost(limit) });
    }
    for &(case, limit) in TIMES_HAND_SAME {
        let ratio = |(ours, theirs): (f64, f64)| ours / theirs;
        let value = cost(case, "forall", "release").zip(cost(case, "hand_same", "release")).map(ratio);
        bars.push(Bar { what: format!("release {case} / hand_same"), value, limit: Limit::AtMost(limit) });
    }
    for case in REGEX {
        let value = comparable(report, case, "forall", "hand", "release").map(|(ours, theirs)| ours / theirs);
        let what = format!("release {case} / built by hand");
        bars.push(Bar { what, value, limit: Limit::AtMost(REGEX_TIMES_HAND) });
    }
    for &profile in PROFILES {
        for &case in CASES {
            for &peer in PEERS {
                // Quickcheck's bare loop is the one row where a peer may win: there the absolute limit holds.
                if (profile, case, peer) == ("release", "unit", "quickcheck") {
                    continue;
                }
                if let Some((ours, theirs)) = comparable(report, case, "forall", peer, profile) {
                    let what = format!("{profile} {case} against {peer}");
                    bars.push(Bar { what, value: Some(ours), limit: Limit::Below(theirs) });
                }
            }
        }
    }
    for form in FORMS {
        let value = report.value(&format!("property_vs_closure/{form}"), "forall", "release", RATIO);
        let what = format!("release {form}, property / closure");
        bars.push(Bar { what, value, limit: Limit::AtMost(TIMES_CLOSURE) });
    }
    bars
}
