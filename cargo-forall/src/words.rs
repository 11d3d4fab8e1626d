//! What a run came to, in words. Everything here is a pure function of what the run told.

use crate::screen::{Paint, Screen};
use crate::status::grouped;
use serde_json::Value;

/// Whether a verdict lets a test pass.
pub fn is_success(verdict: &str) -> bool {
    matches!(verdict, "passed" | "exhausted")
}

/// The verdict as a word, and how it looks.
pub fn verdict(verdict: &str, screen: &Screen) -> String {
    let (word, paint) = match verdict {
        "passed" | "exhausted" => ("passed", Paint::Good),
        "failed" => ("FAILED", Paint::Bad),
        "flaky" => ("flaky", Paint::Bad),
        "gave_up" => ("gave up", Paint::Doubtful),
        "uncovered" => ("uncovered", Paint::Doubtful),
        "faulty" => ("faulty", Paint::Bad),
        "misconfigured" => ("not run", Paint::Bad),
        "ended" => ("did not end", Paint::Bad),
        "not_decidable" => ("not decidable", Paint::Doubtful),
        other => (other, Paint::Bad),
    };
    screen.paint(paint, word)
}

/// How much was tested.
pub fn extent(finished: &Value) -> String {
    let number = |key: &str| finished[key].as_u64().unwrap_or(0);
    if finished["verdict"] == "exhausted" {
        return format!("all {}", count(number("inputs"), "input"));
    }
    if let Some(depth) = finished["searched"]["depth"].as_u64().filter(|_| finished["verdict"] == "passed") {
        let (complete, evaluations) = searched(finished);
        let inputs = match finished["searched"]["inputs"].as_f64() {
            Some(inputs) if inputs < 1e15 => count(inputs as u64, "input"),
            Some(inputs) => format!("{inputs:.1e} inputs"),
            None => "inputs".to_owned(),
        };
        let all = if complete { "all" } else { "some" };
        return format!("{all} {inputs} of depth {depth}, in {}", count(evaluations, "evaluation"));
    }
    let discarded = match number("discarded") {
        0 => String::new(),
        discarded => format!(", {} discarded", grouped(discarded)),
    };
    format!("{}{discarded}", count(number("valid"), "test"))
}

/// Whether the last depth of a search was searched to its end, and how many evaluations it took.
fn searched(finished: &Value) -> (bool, u64) {
    let searched = &finished["searched"];
    (searched["complete"].as_bool().unwrap_or(false), searched["evaluations"].as_u64().unwrap_or(0))
}

/// Why a run stopped.
pub fn why_stopped(started: Option<&Value>, finished: &Value) -> String {
    let number = |key: &str| finished[key].as_u64().unwrap_or(0);
    let wanted = started.and_then(|started| started["tests"].as_u64()).unwrap_or(0);
    let limit = started.and_then(|started| started["time_limit"].as_f64());
    match finished["verdict"].as_str().unwrap_or_default() {
        "passed" if finished["searched"].is_object() && searched(finished).0 => {
            format!("every input up to depth {} was tried", finished["searched"]["depth"])
        }
        "passed" if number("valid") >= wanted => "as many tests ran as were asked for".to_owned(),
        "passed" => match limit {
            Some(limit) if finished["time"].as_f64().unwrap_or(0.0) >= limit => {
                format!("its {} were over", seconds(limit))
            }
            _ => "it was stopped".to_owned(),
        },
        "exhausted" => "there are no other inputs".to_owned(),
        "failed" => "a test failed".to_owned(),
        "flaky" => "a test failed, and did not when it ran again".to_owned(),
        "gave_up" => "too little could be tested".to_owned(),
        "uncovered" => "too few tests are of a kind that cover! demands".to_owned(),
        "faulty" => "a generator or shrinker is at fault".to_owned(),
        "misconfigured" => "it cannot be run as it is: what it says tells why, and what to do".to_owned(),
        _ => "this runner cannot decide it".to_owned(),
    }
}

/// A length of time for people.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.1} s"),
        s => crate::status::time((s * 1e3) as u64),
    }
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

/// A text as one word of a command for a shell: for commands that people copy, with names that somebody else has given.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-:./+=@%,".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", crate::screen::one_line(text).replace('\'', r"'\''")),
    }
}

/// A number of things.
pub fn count(number: u64, thing: &str) -> String {
    let plural = match thing.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{thing}s"),
    };
    if number == 1 { format!("1 {thing}") } else { format!("{} {plural}", grouped(number)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_word_of_a_command_stays_one_whatever_it_is() {
        assert_eq!(shell_word("shop::tests::sums"), "shop::tests::sums");
        assert_eq!(shell_word("x; rm -rf ~"), "'x; rm -rf ~'");
        assert_eq!(shell_word("it's\n$(x)"), r"'it'\''s\u{a}$(x)'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn why_a_run_stopped_is_told() {
        let started = json!({"tests": 256, "time_limit": 5.0});
        let finished = |verdict: &str, valid: u64| json!({"verdict": verdict, "valid": valid, "time": 5.01});
        assert_eq!(why_stopped(Some(&started), &finished("passed", 256)), "as many tests ran as were asked for");
        assert_eq!(why_stopped(Some(&started), &finished("passed", 7)), "its 5.0 s were over");
        let verdicts =
            ["exhausted", "failed", "flaky", "gave_up", "uncovered", "faulty", "misconfigured", "not_decidable"];
        let told = verdicts.map(|verdict| format!("{verdict}: {}", why_stopped(Some(&started), &finished(verdict, 7))));
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn numbers_and_times_are_for_people() {
        assert_eq!(extent(&json!({"verdict": "passed", "valid": 1, "discarded": 1200})), "1 test, 1,200 discarded");
        assert_eq!(extent(&json!({"verdict": "exhausted", "inputs": 256})), "all 256 inputs");
        let searched = |complete: bool, inputs: f64| {
            let depth = json!({"depth": 3, "evaluations": 15, "inputs": inputs, "complete": complete});
            json!({"verdict": "passed", "valid": 26, "searched": depth})
        };
        assert_eq!(extent(&searched(true, 15.0)), "all 15 inputs of depth 3, in 15 evaluations");
        assert_eq!(extent(&searched(false, 1.2e20)), "some 1.2e20 inputs of depth 3, in 15 evaluations");
        assert_eq!(why_stopped(None, &searched(true, 15.0)), "every input up to depth 3 was tried");
        assert_eq!(
            (seconds(0.0123), ago(7200), count(2, "property")),
            ("12 ms".into(), "2 hours ago".into(), "2 properties".into())
        );
    }
}
