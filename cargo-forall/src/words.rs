//! Descriptions of a run's result: pure functions of its events.

use crate::screen::{Paint, Screen};
use std::time::Duration;

pub use forall::text::{count, number as grouped, shell_word, time};

use forall::protocol::{Finished, Searched, Started, Verdict};

/// The verdict as a styled word.
pub fn verdict(verdict: Verdict, screen: &Screen) -> String {
    let (word, paint) = match verdict {
        Verdict::Passed | Verdict::Exhausted => ("passed", Paint::Good),
        Verdict::Failed => ("FAILED", Paint::Bad),
        Verdict::Flaky => ("flaky", Paint::Bad),
        Verdict::GaveUp => ("gave up", Paint::Doubtful),
        Verdict::Uncovered => ("uncovered", Paint::Doubtful),
        Verdict::Faulty => ("invalid", Paint::Bad),
        Verdict::Misconfigured => ("not run", Paint::Bad),
        Verdict::Ended => ("crashed", Paint::Bad),
        Verdict::NotDecidable => ("undecided", Paint::Doubtful),
        Verdict::Unknown => ("unknown", Paint::Bad),
    };
    screen.paint(paint, word)
}

/// The figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of valid tests.
    pub valid: u64,
    /// The number of valid tests in the extra time.
    pub explored: u64,
    /// The number of discarded tests.
    pub discarded: u64,
    /// The size of the domain, if it was tested exhaustively.
    pub inputs: Option<u64>,
    /// The depth and extent of a search.
    pub searched: Option<Searched>,
}

impl From<&Finished> for Extent {
    fn from(finished: &Finished) -> Self {
        let Finished { verdict, valid, explored, discarded, inputs, searched, .. } = finished;
        let searched = searched.clone();
        Self { verdict: *verdict, valid: *valid, explored: *explored, discarded: *discarded, inputs: *inputs, searched }
    }
}

/// The number of tests, as text.
pub fn extent(of: impl Into<Extent>) -> String {
    let Extent { verdict, valid, explored, discarded, inputs, searched } = of.into();
    if verdict == Verdict::Exhausted {
        return format!("all {}", count(inputs.unwrap_or(0), "input"));
    }
    if let Some(searched) = searched.filter(|_| verdict == Verdict::Passed) {
        let inputs = match searched.inputs {
            Some(inputs) if inputs < 1e15 => count(inputs as u64, "input"),
            Some(inputs) => format!("{inputs:.1e} inputs"),
            None => "inputs".to_owned(),
        };
        let all = if searched.complete { "all" } else { "part of" };
        let evaluations = count(searched.evaluations, "evaluation");
        return format!("{all} {inputs} up to depth {} ({evaluations})", searched.depth);
    }
    let discarded = match discarded {
        0 => String::new(),
        discarded => format!(", {} discarded", grouped(discarded)),
    };
    let more = match explored {
        0 => String::new(),
        explored => format!(", and {} more", grouped(explored)),
    };
    format!("{}{more}{discarded}", count(valid, "test"))
}

/// Why a run stopped.
pub fn why_stopped(started: Option<&Started>, finished: &Finished) -> String {
    let wanted = started.map_or(0, |started| started.tests);
    let limit = started.and_then(|started| started.time_limit);
    match finished.verdict {
        Verdict::Passed => match (&finished.searched, limit) {
            (Some(searched), _) if searched.complete => {
                format!("all inputs up to depth {} were tested", searched.depth)
            }
            _ if finished.valid >= wanted => "it ran the requested number of tests".to_owned(),
            (_, Some(limit)) if finished.time >= limit => format!("its time limit of {} was reached", seconds(limit)),
            _ => "it was stopped".to_owned(),
        },
        Verdict::Exhausted => "it tested every input".to_owned(),
        Verdict::Failed => "a test failed".to_owned(),
        Verdict::Flaky => "a test failed but passed when rerun".to_owned(),
        Verdict::GaveUp => "too few valid cases".to_owned(),
        Verdict::Uncovered => "a `cover!` requirement was not met".to_owned(),
        Verdict::Faulty => "a generator or shrinker is invalid".to_owned(),
        Verdict::Misconfigured => "its settings are invalid: see its report".to_owned(),
        Verdict::NotDecidable => "its runner cannot decide it".to_owned(),
        Verdict::Ended => "its process crashed".to_owned(),
        Verdict::Unknown => "its verdict is unknown to this version of the tool".to_owned(),
    }
}

/// A duration as text.
pub fn seconds(seconds: f64) -> String {
    time(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}

/// The time since something, in whole units.
pub fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} ago", count(seconds / 60, "minute")),
        3600..86_400 => format!("{} ago", count(seconds / 3600, "hour")),
        _ => format!("{} ago", count(seconds / 86_400, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::{Value, json};

    #[test]
    fn the_reason_for_stopping_is_described() {
        let started = Started { tests: 256, time_limit: Some(5.0), ..Started::default() };
        let finished = |verdict: &str, valid: u64| read(json!({"verdict": verdict, "valid": valid, "time": 5.01}));
        assert_eq!(why_stopped(Some(&started), &finished("passed", 256)), "it ran the requested number of tests");
        assert_eq!(why_stopped(Some(&started), &finished("passed", 7)), "its time limit of 5.0 s was reached");
        let verdicts = [
            "exhausted",
            "failed",
            "flaky",
            "gave_up",
            "uncovered",
            "faulty",
            "misconfigured",
            "not_decidable",
            "ended",
            "later",
        ];
        let told = verdicts.map(|verdict| format!("{verdict}: {}", why_stopped(Some(&started), &finished(verdict, 7))));
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn extents_and_times_are_readable() {
        let extent = |finished: Value| super::extent(&read::<Finished>(finished));
        assert_eq!(extent(json!({"verdict": "passed", "valid": 1, "discarded": 1200})), "1 test, 1,200 discarded");
        let explored = json!({"verdict": "passed", "valid": 256, "explored": 14300, "discarded": 3});
        assert_eq!(extent(explored), "256 tests, and 14,300 more, 3 discarded");
        assert_eq!(extent(json!({"verdict": "exhausted", "inputs": 256})), "all 256 inputs");
        let searched = |complete: bool, inputs: f64| {
            let depth = json!({"depth": 3, "evaluations": 15, "inputs": inputs, "complete": complete});
            json!({"verdict": "passed", "valid": 26, "searched": depth})
        };
        assert_eq!(extent(searched(true, 15.0)), "all 15 inputs up to depth 3 (15 evaluations)");
        assert_eq!(extent(searched(false, 1.2e20)), "part of 1.2e20 inputs up to depth 3 (15 evaluations)");
        assert_eq!(why_stopped(None, &read(searched(true, 15.0))), "all inputs up to depth 3 were tested");
        assert_eq!(
            (seconds(0.0123), ago(7200), count(2, "property")),
            ("12 ms".into(), "2 hours ago".into(), "2 properties".into())
        );
    }
}
