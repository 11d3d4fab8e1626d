//! The screen of a report: its parts and their order.

use super::assertion::Assertion;
use super::bindings::block;
use super::commands::{cargo_test, other, stored, what_next};
use super::excerpt::{Excerpt, excerpt};
use super::facts::after_label;
use super::head::head;
use super::statistics::{is_empty, statistics};
use super::story::story;
use super::style::{NO_BREAK, Paint, Style, label};
use crate::explain::Claim;
use crate::property::{Binding, Failure, FailureKind};
use crate::run::{Counterexample, Earlier, Identity, Report, Tested, Verdict};
use crate::sort::retain;
use crate::testing::summary;
use crate::text::{columns, count, joined, one_line, visible};
use crate::within;

/// Messages are truncated to this many lines.
const MAX_LINES: usize = 40;

/// Lines of messages, notes and names are truncated to this many columns.
const MAX_COLUMNS: usize = 1_000;

pub(crate) fn screen(report: &Report, style: &Style) -> String {
    let mut parts = vec![head(report, style)];
    if let Some(counterexample) = &report.counterexample {
        show(report, counterexample, style, &mut parts);
        if style.verbose {
            for other in &counterexample.others {
                parts.push(style.paint(Paint::Bad, "ANOTHER FAILURE") + ", found while shrinking the one above\n");
                show(report, other, style, &mut parts);
            }
        }
        if !counterexample.others.is_empty() {
            let text = others(counterexample, style) + &totals(counterexample, style);
            match parts.last_mut() {
                Some(last) if !style.verbose => *last += &text,
                _ => parts.push(text),
            }
        }
    } else if !report.verdict.is_success()
        && report.statistics.valid + report.statistics.discarded > 0
        && report.searched.is_empty()
    {
        let command = format!("FORALL_SEED={:#x} {}", report.seed, cargo_test(report));
        parts.push(label("rerun:", &command, style));
    }
    let tested = report.counterexample.is_none() || style.verbose;
    if tested && !is_empty(&report.statistics) {
        parts.push(statistics(&report.statistics, style));
    }
    if style.verbose && !report.workers.is_empty() {
        parts.push(workers(&report.workers, style));
    }
    if style.warnings && !report.warnings.is_empty() {
        let start = "warning: ";
        let mut warnings = String::new();
        for fact in &report.warnings {
            let wrapped = style.wrap(start, &after_label(fact));
            warnings += &style.paint(Paint::Doubtful, start);
            warnings += &wrapped[start.len().min(wrapped.len())..];
        }
        parts.push(warnings);
    }
    retain(&mut parts, |part| !part.is_empty());
    joined(&parts, "\n")
}

/// The other failures, a line for each.
fn others(counterexample: &Counterexample, style: &Style) -> String {
    let mut out = String::new();
    for Counterexample { failure, bindings, .. } in if style.verbose { &[] } else { &counterexample.others[..] } {
        out += &other(failure, &format!(" ({})", summary(bindings, style.width)), style);
    }
    out
}

/// The number of failures of each kind.
fn totals(counterexample: &Counterexample, style: &Style) -> String {
    let mut text = Vec::new();
    for (kind, thing) in &[
        (FailureKind::Falsified, "falsified"),
        (FailureKind::Error, "returned error"),
        (FailureKind::Panic, "panic"),
        (FailureKind::Deadline, "missed deadline"),
        (FailureKind::Crash, "crash"),
        (FailureKind::Hang, "hang"),
    ] {
        let mut number = usize::from(counterexample.failure.kind == *kind);
        for other in &counterexample.others {
            number += usize::from(other.failure.kind == *kind);
        }
        match number {
            0 => {}
            _ if *kind == FailureKind::Falsified => text.push(format!("{number} {thing}")),
            _ => text.push(count(number as u64, thing)),
        }
    }
    label("total:", &joined(&text, ", "), style)
}

/// The number of tests that each thread ran.
fn workers(counts: &[u64], style: &Style) -> String {
    let mut text = Vec::new();
    for (worker, tests) in counts.iter().enumerate() {
        text.push(within::replaced(&format!("{worker} ran {}", count(*tests, "test")), " ", NO_BREAK));
    }
    within::replaced(&label("workers:", &joined(&text, ", "), style), NO_BREAK, " ")
}

/// A counterexample: the input, the failure, and the commands.
fn show(report: &Report, counterexample: &Counterexample, style: &Style, parts: &mut Vec<String>) {
    if counterexample.case.searched_to().is_some() {
        parts.push(variables(counterexample, style));
    } else if !counterexample.bindings.is_empty() {
        let claims = &counterexample.explanation.claims;
        let whole = whole(&report.identity, counterexample);
        parts.push(block(&counterexample.bindings, claims, &report.identity.name, style, &whole));
    }
    let source = if style.sources { excerpt(&report.identity, counterexample, style) } else { Excerpt::default() };
    parts.push(source.text);
    if !counterexample.before.is_empty() {
        parts.push(earlier(&counterexample.before, style));
    }
    let flaky = report.verdict == Verdict::Flaky || !counterexample.other_run.is_empty();
    if flaky {
        parts.push(two_runs(counterexample, &report.identity, style));
    } else {
        match parts.last_mut() {
            // The message is already printed below the line that failed.
            Some(text) if source.has_message && !style.verbose && counterexample.before.is_empty() => {
                if let Some(assertion) = Assertion::parse(&counterexample.failure.message) {
                    *text += &assertion.sides(style);
                }
                *text += &stack(&counterexample.failure, &report.identity, style);
            }
            _ => {
                let stack = stack(&counterexample.failure, &report.identity, style);
                parts.push(described(&counterexample.failure, style) + &stack);
            }
        }
        parts.push(notes(&counterexample.notes, style));
    }
    parts.push(what_next(report, counterexample, style));
    if style.verbose {
        parts.push(story(counterexample, style));
    }
}

/// The user's frames between the property and the panic. The property's own frame is omitted.
fn stack(failure: &Failure, identity: &Identity, style: &Style) -> String {
    let Some(backtrace) = &failure.backtrace else { return String::new() };
    let mut own = Vec::new();
    for end in ["", "::call"] {
        // `Run::new` may name a property without its path.
        own.push(format!(" {}{end}", identity.name));
        own.push(format!("::{}{end}", identity.name));
    }
    let mut frames = Vec::new();
    let mut is_own = false;
    for line in backtrace.lines() {
        // A frame is a line with its name, and usually one with its location.
        is_own = if line.trim_start().starts_with("at ") { is_own } else { own.iter().any(|own| line.ends_with(own)) };
        if !is_own {
            frames.push(line.to_owned());
        }
    }
    // A single frame at the location of the failure, which is printed above, adds nothing.
    let place = failure.location.as_ref().map_or_else(String::new, |location| location.to_string());
    let is_above =
        |at: &str| within::split_once(at, "at ").is_some_and(|(_, at)| place.ends_with(at.trim_start_matches("./")));
    if frames.is_empty() || frames.len() == 2 && is_above(&frames[1]) {
        return String::new();
    }
    format!("{}\n{}", style.paint(Paint::Bold, "stack:"), message(&joined(&frames, "\n"), style))
}

/// The inputs that must run before the counterexample for it to fail.
fn earlier(before: &[Earlier], style: &Style) -> String {
    let tests = count(before.len() as u64, "earlier test");
    let mut out =
        style.wrap("", &format!("The input does not fail on its own, only after {tests} in the same process:"));
    for test in before {
        out += &format!("  {}\n", summary(&test.bindings, style.width.saturating_sub(2).max(20)));
    }
    out
}

/// One line for each variable, and the claims about it. Counterexamples of an exhaustive search are small, and most
/// have no code form.
fn variables(counterexample: &Counterexample, style: &Style) -> String {
    let mut lines = String::new();
    for (variable, Binding { name, printed, .. }) in counterexample.bindings.iter().enumerate() {
        let value = printed.debug.as_deref().or(printed.code.as_deref()).unwrap_or(printed.type_name);
        lines += &format!("    {name} = {}\n", visible(value));
        for claim in &counterexample.explanation.claims {
            if let Claim::Any(any) = claim
                && any.variable == variable
            {
                lines += &style.wrap(&" ".repeat(columns(name) + 7), &claim.to_string());
            }
        }
    }
    lines
}

/// Where to find a value that is truncated in the report.
fn whole(identity: &Identity, counterexample: &Counterexample) -> String {
    match stored(identity, counterexample) {
        Some(path) => format!("; the full value is in {path}, or set FORALL_VERBOSE=1"),
        None => "; set FORALL_VERBOSE=1 to print all of it".to_owned(),
    }
}

/// The outcomes of two runs of the same input.
fn two_runs(counterexample: &Counterexample, identity: &Identity, style: &Style) -> String {
    let other = &other_runs(counterexample);
    let failure = &counterexample.failure;
    let mut out = format!("{}\n", style.paint(Paint::Bold, "one run:"));
    out += &indented(
        &(described(failure, style) + &stack(failure, identity, style) + &notes(&counterexample.notes, style)),
    );
    out += &style.paint(Paint::Bold, "other runs of the same input:");
    out.push('\n');
    out + &indented(&(message(other, style) + &notes(&counterexample.other_notes, style)))
}

/// The outcomes of other runs of the same input, and how often each occurred.
fn other_runs(counterexample: &Counterexample) -> String {
    let mut parts = Vec::new();
    for (tested, count) in &counterexample.other_run {
        let outcome = match tested {
            Tested::Pass => "passed".to_owned(),
            Tested::Discard(_) => "was discarded".to_owned(),
            Tested::Fail(failure) if failure.same_origin(&counterexample.failure) => "failed again".to_owned(),
            Tested::Fail(failure) => {
                let place = failure.location.as_ref().map_or_else(String::new, |location| format!(", at {location}"));
                format!("failed in another way{place}: {}", failure.message)
            }
            Tested::Fault(_) => "ended with an invalid generator".to_owned(),
            Tested::NoSuchStep => "made different choices".to_owned(),
        };
        parts.push(match counterexample.reruns.runs {
            0 => outcome,
            runs => format!("{outcome} ({count} of {runs})"),
        });
    }
    if parts.is_empty() { "did not fail".to_owned() } else { joined(&parts, "; ") }
}

/// How a test failed.
fn described(failure: &Failure, style: &Style) -> String {
    let mut out = String::new();
    match (&failure.location, failure.kind) {
        (Some(location), FailureKind::Panic) => out += &format!("panicked at {}\n", one_line(&location.to_string())),
        (Some(location), _) => out += &format!("failed at {}\n", one_line(&location.to_string())),
        (None, FailureKind::Panic) => out += "panicked\n",
        (None, _) => {}
    }
    match Assertion::parse(&failure.message) {
        Some(assertion) => out += &(message(assertion.head, style) + &assertion.sides(style)),
        None => out += &message(&failure.message, style),
    }
    out
}

/// A message, truncated if it is too long.
fn message(text: &str, style: &Style) -> String {
    let text = visible(text);
    let mut out = String::new();
    let (lines, width) = if style.verbose { (usize::MAX, usize::MAX) } else { (MAX_LINES, MAX_COLUMNS) };
    for line in text.trim_end().lines().take(lines) {
        out += &crate::text::shorten(line, width);
        out.push('\n');
    }
    let left_out = text.trim_end().lines().count().saturating_sub(lines);
    if left_out > 0 {
        out += &format!("… ({} more; FORALL_VERBOSE=1 shows them)\n", count(left_out as u64, "line"));
    }
    out
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out += &format!("  {line}\n");
    }
    out
}

fn notes(notes: &[String], style: &Style) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let shown = if style.verbose { notes.len() } else { notes.len().min(MAX_LINES) };
    let mut out = format!("{}\n", style.paint(Paint::Bold, "notes:"));
    for note in &notes[..shown] {
        out += &indented(&message(note, style));
    }
    if shown < notes.len() {
        let rest = count((notes.len() - shown) as u64, "more note");
        out += &format!("  … ({rest}; FORALL_VERBOSE=1 shows them)\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_the_property_itself_is_not_printed_as_a_stack() {
        let stack_of = |frames: &str, name: &'static str| {
            let mut failure = Failure::new(FailureKind::Panic, "boom");
            failure.backtrace = Some(frames.to_owned());
            stack(&failure, &Identity::new(name), &Style::plain())
        };
        assert_eq!(stack_of("   8: my_crate::tests::sorts", "my_crate::tests::sorts"), "");
        assert_eq!(stack_of("   8: my_crate::tests::sorts::call", "my_crate::tests::sorts"), "");
        assert_eq!(stack_of("   8: my_crate::tests::sorts", "sorts"), "");
        assert_eq!(stack_of("   8: my_crate::resorts", "sorts"), "stack:\n   8: my_crate::resorts\n");
    }
}
