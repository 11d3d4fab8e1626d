//! The thresholds for the results. Only what was run with ten seeds or more counts.

use super::{BY_DEFAULT, CPU, ETNA, FORALL, HELD_OUT, IN_256, MEDIAN_TESTS, PROFILE, PROPTEST, RUNS};
use crate::report::{Bar, Limit, Report};

/// The tasks, in two modes each.
const LEAST_RUNS: [(&str, f64); 2] = [(ETNA, 2.0 * 10.0 * 110.0), (HELD_OUT, 2.0 * 10.0 * 40.0)];

pub fn bars(report: &Report, tools: &[&str]) -> Vec<Bar> {
    let value = |part: &str, tool: &str, metric| {
        let enough = LEAST_RUNS.iter().find(|(of, _)| *of == part).map_or(0.0, |(_, least)| *least);
        report.value(part, tool, PROFILE, RUNS).filter(|runs| *runs >= enough)?;
        report.value(part, tool, PROFILE, metric)
    };
    let peers = || tools.iter().copied().filter(|tool| *tool != FORALL);
    let ours = |part, metric| value(part, FORALL, metric);
    let mut bars = vec![
        Bar { what: format!("{ETNA}, {IN_256}"), value: ours(ETNA, IN_256), limit: Limit::AtLeast(0.7) },
        Bar { what: format!("{ETNA}, {BY_DEFAULT}"), value: ours(ETNA, BY_DEFAULT), limit: Limit::AtLeast(0.9) },
    ];
    for peer in peers() {
        if let Some(theirs) = value(HELD_OUT, peer, BY_DEFAULT) {
            let what = format!("{HELD_OUT}, {BY_DEFAULT}, against {peer}");
            bars.push(Bar { what, value: ours(HELD_OUT, BY_DEFAULT), limit: Limit::Above(theirs) });
        }
    }
    if let Some(best) = peers().filter_map(|peer| value(HELD_OUT, peer, MEDIAN_TESTS)).min_by(f64::total_cmp) {
        // Most runs find nothing: no number of tests is enough.
        let ours = ours(HELD_OUT, RUNS).map(|_| ours(HELD_OUT, MEDIAN_TESTS).unwrap_or(f64::INFINITY));
        let what = format!("{HELD_OUT}, {MEDIAN_TESTS}, against the best peer");
        bars.push(Bar { what, value: ours, limit: Limit::AtMost(best) });
    }
    for part in [ETNA, HELD_OUT] {
        if let Some(theirs) = value(part, PROPTEST, CPU) {
            let what = format!("{part}, CPU ms of a default run, against {PROPTEST}");
            bars.push(Bar { what, value: ours(part, CPU), limit: Limit::AtMost(theirs) });
        }
    }
    bars
}
