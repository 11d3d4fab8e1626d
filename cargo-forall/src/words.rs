//! What a run came to, in words. Everything here is a pure function of what the run told.

use crate::screen::{Paint, Screen};
use std::time::Duration;

pub use forall::text::{count, number as grouped, shell_word, time};

use forall::protocol::{Finished, Searched, Started, Verdict};

/// The verdict as a word, and how it looks.
pub fn verdict(verdict: Verdict, screen: &Screen) -> String {
    let (word, paint) = match verdict {
        Verdict::Passed | Verdict::Exhausted => ("passed", Paint::Good),
        Verdict::Failed => ("FAILED", Paint::Bad),
        Verdict::Flaky => ("flaky", Paint::Bad),
        Verdict::GaveUp => ("gave up", Paint::Doubtful),
        Verdict::Uncovered => ("uncovered", Paint::Doubtful),
        Verdict::Faulty => ("faulty", Paint::Bad),
        Verdict::Misconfigured => ("not run", Paint::Bad),
        Verdict::Ended => ("did not end", Paint::Bad),
        Verdict::NotDecidable => ("not decidable", Paint::Doubtful),
        Verdict::Unknown => ("unknown", Paint::Bad),
    };
    screen.paint(paint, word)
}

/// How much was tested, in figures.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    /// What the run came to.
    pub verdict: Verdict,
    /// How many tests were valid.
    pub valid: u64,
    /// How many were discarded.
    pub discarded: u64,
    /// How many inputs there are, if all were tried.
    pub inputs: Option<u64>,
    /// How far a search came.
    pub searched: Option<Searched>,
}

impl From<&Finished> for Extent {
    fn from(finished: &Finished) -> Self {
        let Finished { verdict, valid, discarded, inputs, searched, .. } = finished;
        Self { verdict: *verdict, valid: *valid, discarded: *discarded, inputs: *inputs, searched: searched.clone() }
    }
}

/// How much was tested.
pub fn extent(of: impl Into<Extent>) -> String {
    let Extent { verdict, valid, discarded, inputs, searched } = of.into();
    if verdict == Verdict::Exhausted {
        return format!("all {}", count(inputs.unwrap_or(0), "input"));
    }
    if let Some(searched) = searched.filter(|_| verdict == Verdict::Passed) {
        let inputs = match searched.inputs {
            Some(inputs) if inputs < 1e15 => count(inputs as u64, "input"),
            Some(inputs) => format!("{inputs:.1e} inputs"),
            None => "inputs".to_owned(),
        };
        let all = if searched.complete { "all" } else { "some" };
        let evaluations = count(searched.evaluations, "evaluation");
        return format!("{all} {inputs} of depth {}, in {evaluations}", searched.depth);
    }
    let discarded = match discarded {
        0 => String::new(),
        discarded => format!(", {} discarded", grouped(discarded)),
    };
    format!("{}{discarded}", count(valid, "test"))
}

/// Why a run stopped.
pub fn why_stopped(started: Option<&Started>, finished: &Finished) -> String {
    let wanted = started.map_or(0, |started| started.tests);
    let limit = started.and_then(|started| started.time_limit);
    match finished.verdict {
        Verdict::Passed => match (&finished.searched, limit) {
            (Some(searched), _) if searched.complete => {
                format!("every input up to depth {} was tried", searched.depth)
            }
            _ if finished.valid >= wanted => "as many tests ran as were asked for".to_owned(),
            (_, Some(limit)) if finished.time >= limit => format!("its {} were over", seconds(limit)),
            _ => "it was stopped".to_owned(),
        },
        Verdict::Exhausted => "there are no other inputs".to_owned(),
        Verdict::Failed => "a test failed".to_owned(),
        Verdict::Flaky => "a test failed, and did not when it ran again".to_owned(),
        Verdict::GaveUp => "too little could be tested".to_owned(),
        Verdict::Uncovered => "too few tests are of a kind that cover! demands".to_owned(),
        Verdict::Faulty => "a generator or shrinker is at fault".to_owned(),
        Verdict::Misconfigured => "it cannot be run as it is: what it says tells why, and what to do".to_owned(),
        Verdict::NotDecidable | Verdict::Ended | Verdict::Unknown => "this runner cannot decide it".to_owned(),
    }
}

/// A length of time for people.
pub fn seconds(seconds: f64) -> String {
    time(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}

/// How long ago something was, in whole units.
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
    fn why_a_run_stopped_is_told() {
        let started = Started { tests: 256, time_limit: Some(5.0), ..Started::default() };
        let finished = |verdict: &str, valid: u64| read(json!({"verdict": verdict, "valid": valid, "time": 5.01}));
        assert_eq!(why_stopped(Some(&started), &finished("passed", 256)), "as many tests ran as were asked for");
        assert_eq!(why_stopped(Some(&started), &finished("passed", 7)), "its 5.0 s were over");
        let verdicts =
            ["exhausted", "failed", "flaky", "gave_up", "uncovered", "faulty", "misconfigured", "not_decidable"];
        let told = verdicts.map(|verdict| format!("{verdict}: {}", why_stopped(Some(&started), &finished(verdict, 7))));
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn numbers_and_times_are_for_people() {
        let extent = |finished: Value| super::extent(&read::<Finished>(finished));
        assert_eq!(extent(json!({"verdict": "passed", "valid": 1, "discarded": 1200})), "1 test, 1,200 discarded");
        assert_eq!(extent(json!({"verdict": "exhausted", "inputs": 256})), "all 256 inputs");
        let searched = |complete: bool, inputs: f64| {
            let depth = json!({"depth": 3, "evaluations": 15, "inputs": inputs, "complete": complete});
            json!({"verdict": "passed", "valid": 26, "searched": depth})
        };
        assert_eq!(extent(searched(true, 15.0)), "all 15 inputs of depth 3, in 15 evaluations");
        assert_eq!(extent(searched(false, 1.2e20)), "some 1.2e20 inputs of depth 3, in 15 evaluations");
        assert_eq!(why_stopped(None, &read(searched(true, 15.0))), "every input up to depth 3 was tried");
        assert_eq!(
            (seconds(0.0123), ago(7200), count(2, "property")),
            ("12 ms".into(), "2 hours ago".into(), "2 properties".into())
        );
    }
}
