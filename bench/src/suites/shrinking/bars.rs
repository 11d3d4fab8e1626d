//! The thresholds for forall's shrinking.

use super::{CPU, DISTINCT, EVALUATIONS, FORALL, FORALL_LARGE, HEGELTEST, HYPOTHESIS, IDEAL, Set, THIRTEEN};
use crate::report::{Bar, Limit, Report};

pub fn bars(report: &Report, sets: &[Set]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for set in sets {
        let mut bar =
            |what: String, value, limit| bars.push(Bar { what: format!("{}, {what}", set.name), value, limit });
        // The challenge that is farthest stands for all, and is named if not all are alike.
        let mut farthest = |what: &str, tool, metric, sign: f64, limit| {
            let mut values = set.values(report, tool, metric);
            values.sort_by(|a, b| (sign * b.1).total_cmp(&(sign * a.1)));
            let worst = values.first().copied();
            let which = worst.filter(|worst| values.iter().any(|(_, value)| *value != worst.1));
            let which = which.map_or(String::new(), |(challenge, _)| format!(" ({challenge})"));
            bar(format!("{what}{which}"), worst.map(|(_, value)| value), limit);
        };
        farthest("most distinct results", FORALL, DISTINCT, 1.0, Limit::AtMost(1.0));
        farthest("most distinct results from large cases", FORALL_LARGE, DISTINCT, 1.0, Limit::AtMost(1.0));
        farthest("least share of ideal results", FORALL, IDEAL, -1.0, Limit::AtLeast(1.0));
        if set.name == THIRTEEN {
            farthest("most evaluations, mean of a challenge", FORALL, EVALUATIONS, 1.0, Limit::AtMost(300.0));
            farthest("most CPU time, ms per shrink", FORALL, CPU, 1.0, Limit::Below(5.0));
            let means = set.values(report, FORALL, EVALUATIONS).into_iter().map(|(_, mean)| mean).collect();
            bar("median of mean evaluations".into(), median(means), Limit::AtMost(40.0));
        }
    }
    let evaluations = pairs(report, sets, HYPOTHESIS, EVALUATIONS);
    let shares = evaluations.iter().map(|(ours, theirs)| ours / theirs).collect();
    bars.push(Bar {
        what: format!("evaluations as a share of {HYPOTHESIS}'s, median of all challenges"),
        value: median(shares),
        limit: Limit::AtMost(1.0),
    });
    let cpu = pairs(report, sets, HEGELTEST, CPU);
    let (ours, theirs) = cpu.iter().fold((0.0, 0.0), |(ours, theirs), pair| (ours + pair.0, theirs + pair.1));
    bars.push(Bar {
        what: format!("CPU time as a share of {HEGELTEST}'s, all challenges"),
        value: (theirs > 0.0).then_some(ours / theirs),
        limit: Limit::AtMost(0.1),
    });
    bars
}

/// The costs of forall and of another tool, for each challenge that both have.
fn pairs(report: &Report, sets: &[Set], tool: &str, metric: &str) -> Vec<(f64, f64)> {
    let mut pairs = Vec::new();
    for set in sets {
        let theirs = set.values(report, tool, metric);
        for (challenge, ours) in set.values(report, FORALL, metric) {
            let other = theirs.iter().find(|(name, _)| *name == challenge);
            pairs.extend(other.map(|(_, theirs)| (ours, *theirs)));
        }
    }
    pairs
}

/// The middle one; of an even number of values, the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
