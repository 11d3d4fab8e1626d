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
        what: format!("evaluations as a share of {HYPOTHESIS}'s, without those at random, median of all challenges"),
        value: median(shares),
        limit: Limit::AtMost(1.0),
    });
    bars.extend(cpu(report, sets));
    bars
}

/// The limit on CPU time is a tenth of hegeltest's for all challenges together, as a run of all of them takes. Such a sum is made by
/// the few challenges on which hegeltest takes long: on most, which take a fraction of a millisecond, the share is larger. So the
/// share for each set and the median of the challenges have limits of their own, which are to notice that they grow.
fn cpu(report: &Report, sets: &[Set]) -> Vec<Bar> {
    let mut bars = Vec::new();
    let mut bar = |which: String, value, most| {
        let what = format!("CPU time as a share of {HEGELTEST}'s, {which}");
        bars.push(Bar { what, value, limit: Limit::AtMost(most) });
    };
    let all = pairs(report, sets, HEGELTEST, CPU);
    bar(format!("sum of all {} challenges that both have", all.len()), share_of_sums(&all), 0.1);
    bar("median of the challenges".into(), median(all.iter().map(|(ours, theirs)| ours / theirs).collect()), 0.2);
    for set in sets {
        let own = pairs(report, std::slice::from_ref(set), HEGELTEST, CPU);
        if !own.is_empty() {
            bar(format!("sum of the {} of {}", own.len(), set.name), share_of_sums(&own), 0.3);
        }
    }
    bars
}

fn share_of_sums(pairs: &[(f64, f64)]) -> Option<f64> {
    let (ours, theirs) = pairs.iter().fold((0.0, 0.0), |(ours, theirs), pair| (ours + pair.0, theirs + pair.1));
    (theirs > 0.0).then_some(ours / theirs)
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
    use super::super::PROFILE;
    use super::*;
    use crate::report::Row;

    #[test]
    fn cpu_time_is_compared_by_sum_by_median_and_by_set() {
        let sets = [("long", ["a", "b"].as_slice()), ("short", &["c"]), ("own", &["d"])];
        let sets = sets.map(|(name, challenges)| Set { name, challenges: challenges.to_vec() });
        let costs = [("long/a", 1.0, 80.0), ("long/b", 1.0, 10.0), ("short/c", 2.0, 10.0), ("own/d", 9.0, 0.0)];
        let mut report = Report::default();
        for (challenge, ours, theirs) in costs {
            for (tool, value) in [(FORALL, ours), (HEGELTEST, theirs)] {
                if value > 0.0 {
                    let (case, tool) = (challenge.to_owned(), tool.to_owned());
                    report.rows.push(Row { case, tool, profile: PROFILE, metric: CPU, value });
                }
            }
        }
        let found: Vec<(String, f64)> =
            cpu(&report, &sets).into_iter().map(|bar| (bar.what, bar.value.unwrap())).collect();
        let share = |which: &str| found.iter().find(|(what, _)| what.ends_with(which)).unwrap().1;
        assert_eq!(share("sum of all 3 challenges that both have"), 0.04);
        assert_eq!(share("median of the challenges"), 0.1);
        assert_eq!(share("sum of the 2 of long"), 2.0 / 90.0);
        assert_eq!(share("sum of the 1 of short"), 0.2);
        assert_eq!(found.len(), 4, "a set that only one tool has is not compared: {found:?}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
