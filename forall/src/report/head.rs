//! The first line of a report: the verdict, the property and the number of tests, with the reason below it.

use super::style::{NO_BREAK, Paint, Style};
use crate::fact::Fact;
use crate::run::{Explored, Found, Identity, Report, Reruns, Searched, Verdict};
use crate::sort::last_below;
use crate::text::{count, joined, number, one_line, time};
use crate::within;

/// The verdict, with an explanation if it needs one.
pub(super) fn head(report: &Report, style: &Style) -> String {
    let (word, paint) = match &report.verdict {
        Verdict::Passed | Verdict::Exhausted { .. } => ("passed", Paint::Good),
        Verdict::Failed => ("FAILED", Paint::Bad),
        Verdict::Flaky => ("FLAKY", Paint::Bad),
        Verdict::GaveUp(_) => ("GAVE UP", Paint::Bad),
        Verdict::Uncovered(_) => ("UNCOVERED", Paint::Bad),
        Verdict::Faulty(why) => (invalid(why), Paint::Bad),
        Verdict::Misconfigured(_) => ("NOT RUN", Paint::Bad),
        Verdict::NotDecidable(_) => ("UNDECIDED", Paint::Bad),
    };
    let line = style.wrap(&format!("{word} "), &format!("{}{}", place(&report.identity), numbers(report)));
    let line = style.paint(paint, word) + &within::replaced(&line[word.len()..], NO_BREAK, " ");
    let explanation = match &report.verdict {
        // A failure that is confirmed, under a scheduler.
        Verdict::Failed => {
            let shown = report.counterexample.as_ref().filter(|shown| shown.reruns.failed < shown.reruns.runs);
            shown.map_or(String::new(), |shown| style.wrap("", failed_again(shown.reruns).trim_start()))
        }
        Verdict::Flaky => {
            let caveats = report.counterexample.as_ref().map_or(&[][..], |shown| &shown.caveats);
            let is_race = |caveat: &Fact| matches!(caveat, Fact::FlakyRace { .. } | Fact::FlakyUnderControl);
            let text = match caveats.iter().any(is_race) {
                // The author cannot make the interleaving of threads part of the input.
                true => "The same input failed in one run and not in another.",
                false => {
                    "The same input failed in one run and not in another, so the property depends on something \
                          other than its input: time, threads, global state, the order of a hash map, the environment. \
                          Find the cause, and make it part of the input."
                }
            };
            let reruns = report.counterexample.as_ref().map_or(String::new(), |shown| failed_again(shown.reruns));
            style.wrap("", &format!("{text}{reruns}"))
        }
        verdict => match verdict.reason() {
            Some(why) => style.wrap("", &why.to_string()),
            None => String::new(),
        },
    };
    if explanation.is_empty() { line } else { format!("{line}\n{explanation}") }
}

/// How often a flaky input failed in reruns.
fn failed_again(reruns: Reruns) -> String {
    match reruns {
        Reruns { runs: 0, .. } => String::new(),
        Reruns { runs, failed: 0 } => format!("\nThe input below did not fail again in {}.", count(runs, "run")),
        Reruns { runs, failed } => {
            format!("\nThe input below failed in {} of {} when it was rerun.", number(failed), count(runs, "run"))
        }
    }
}

/// The word for an invalid part of a test.
fn invalid(why: &Fact) -> &'static str {
    match why {
        Fact::FeedbackPanicked { .. } => "INVALID FEEDBACK",
        Fact::RunnerPanicked { .. } | Fact::RunnerReportedAnother { .. } | Fact::RunnerDidNotFinish { .. } => {
            "INVALID RUNNER"
        }
        Fact::SenselessSpecification { .. } => "INVALID SPECIFICATION",
        Fact::ContractBroken { by, .. } if by == "shrinker" => "INVALID SHRINKER",
        Fact::ContractBroken { by, .. } if by == "mutator" => "INVALID MUTATOR",
        _ => "INVALID GENERATOR",
    }
}

/// `my_crate::tests::sorts (src/lib.rs:12)`
fn place(identity: &Identity) -> String {
    let name = one_line(&identity.name);
    match (identity.file, identity.line) {
        ("", _) => name,
        (file, 0) => format!("{name} ({file})"),
        (file, line) => format!("{name} ({file}:{line})"),
    }
}

/// The number of tests, and the time.
fn numbers(report: &Report) -> String {
    let statistics = &report.statistics;
    let mut numbers = Vec::new();
    let mut begins = ":";
    match (&report.verdict, report.counterexample.as_ref().map(|counterexample| &counterexample.found)) {
        (Verdict::Misconfigured(_), _) => return String::new(),
        (Verdict::Exhausted { inputs, at_size }, _) => {
            let size = at_size.map(|size| format!(" of size {size}")).unwrap_or_default();
            numbers.push(match inputs {
                1 => format!("exhaustive: the only input{size}"),
                _ => format!("exhaustive: all {} inputs{size}", number(*inputs)),
            });
        }
        (_, Some(Found::Example(place))) => {
            begins = "";
            numbers.push(format!("on example {}", place + 1));
        }
        (_, Some(Found::Stored(_))) => {
            begins = "";
            numbers.push("on a saved failure".to_owned());
        }
        (_, Some(Found::Given)) => {
            begins = "";
            numbers.push("on the given input".to_owned());
        }
        (Verdict::Failed | Verdict::Flaky, Some(Found::Searched { depth })) => {
            begins = "";
            numbers.push(format!("at depth {depth}"));
            if let Some(last) = report.searched.last() {
                numbers.push(evaluations(last));
            }
        }
        (Verdict::Failed | Verdict::Flaky, Some(Found::Literals { number: before, .. })) => {
            begins = "";
            numbers.push(format!("after {} with literals", count(before.saturating_add(1), "test")));
        }
        _ if !report.searched.is_empty() => {
            let (searched, last) = (&report.searched, report.searched.len() - 1);
            let complete = last_below(searched.len(), &|at| searched[at].complete);
            let evaluations: u64 = searched.iter().map(|depth| depth.evaluations).sum();
            // A search after other tests is a second opinion: its evaluations are not among the tests.
            let is_second = evaluations != statistics.valid + statistics.discarded;
            match complete {
                Some(at) if is_second => {
                    numbers.push(count(statistics.valid, "test"));
                    numbers.push(format!("all {} up to depth {}", all_inputs(&searched[at]), searched[at].depth));
                }
                None if is_second => numbers.push(count(statistics.valid, "test")),
                _ => numbers.push(depth(&searched[complete.unwrap_or(last)])),
            }
        }
        (Verdict::Failed | Verdict::Flaky, _) => {
            begins = "";
            let Explored { valid, .. } = statistics.explored;
            let ran = statistics.valid.saturating_add(valid).saturating_add(1);
            numbers.push(format!("after {}", count(ran, "test")));
        }
        _ => numbers.push(count(statistics.valid, "test")),
    }
    if statistics.explored.valid > 0 && report.counterexample.is_none() {
        let Explored { valid, time: took, .. } = statistics.explored;
        numbers.push(format!("and {} more in {}", number(valid), time(took)));
    }
    if statistics.discarded > 0 {
        numbers.push(format!("{} discarded", number(statistics.discarded)));
    }
    if let Some(counterexample) = &report.counterexample
        && counterexample.shrinking.accepted > 0
    {
        numbers.push(count(counterexample.shrinking.accepted, "shrink"));
    }
    numbers.push(time(report.time));
    // A number and its unit stay on one line.
    for number in &mut numbers {
        if let Some(at) = number.rfind(' ') {
            *number = format!("{}{NO_BREAK}{}", &number[..at], &number[at + 1..]);
        }
    }
    format!("{begins} {}", joined(&numbers, ", "))
}

/// `Depth 4: 19,910 evaluations covered 1.2e11 inputs`
pub(super) fn depth(searched: &Searched) -> String {
    let unfinished = if searched.complete { "" } else { ", not finished" };
    let mut text = format!("Depth {}: {}{unfinished}", searched.depth, evaluations(searched));
    for witness in &searched.witnesses {
        text += &format!("\n    {}", one_line(witness));
    }
    text
}

fn evaluations(searched: &Searched) -> String {
    let evaluations = count(searched.evaluations, "evaluation");
    match searched.inputs {
        Some(0.0) => "nothing to test".to_owned(),
        Some(inputs) if searched.complete => format!("{evaluations} covered {}", inputs_text(inputs)),
        Some(inputs) => format!("{evaluations} in a space of {}", inputs_text(inputs)),
        None => evaluations,
    }
}

fn all_inputs(searched: &Searched) -> String {
    searched.inputs.map_or_else(|| "inputs".to_owned(), inputs_text)
}

/// Small numbers are exact, large ones in scientific notation.
fn inputs_text(inputs: f64) -> String {
    match inputs {
        1.0 => "1 input".to_owned(),
        _ if inputs < 1e6 => format!("{} inputs", number(inputs as u64)),
        _ if inputs.is_infinite() => "more than 1e308 inputs".to_owned(),
        _ => format!("{inputs:.1e} inputs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::run::{Run, Settings, Store};
    use std::cell::Cell;

    #[test]
    fn only_flaky_failures_of_races_cannot_be_made_part_of_the_input() {
        let runs = Cell::new(0);
        let property = property! { forall n: u64; check { runs.set(runs.get() + 1); runs.get() > 1 || *n == 7 } };
        let settings = Settings::new().seed(1).store(Store::Off);
        let mut report = Run::new("flaky", &property).settings(settings).report();
        let advice = "Find the cause, and make it part of the input.";
        let lost = "The input below did not fail again in ";
        let text = head(&report, &Style::plain());
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(report.verdict == Verdict::Flaky && words.join(" ").contains(advice) && text.contains(lost), "{text}");
        for caveat in [Fact::FlakyRace { property: "flaky".to_owned() }, Fact::FlakyUnderControl] {
            report.counterexample.as_mut().unwrap().caveats = vec![caveat];
            let text = head(&report, &Style::plain());
            let said =
                text.split_once("The same input failed in one run and not in another.").map(|(_, said)| said.trim());
            assert!(said.is_some_and(|said| said.starts_with(lost)), "{text}");
        }
        // A failure that the scheduler confirmed.
        report.verdict = Verdict::Failed;
        let text = head(&report, &Style::plain());
        assert!(!text.contains("The same input") && text.contains(lost), "{text}");
    }
}
