//! The one screen that a run comes down to: which parts there are, and in which order.

use super::assertion::Assertion;
use super::bindings::{block, example};
use super::excerpt::{Excerpt, excerpt};
use super::statistics::{is_empty, statistics};
use super::story::story;
use super::style::{Paint, Style};
use crate::explain::Claim;
use crate::kind::SLASH;
use crate::property::{Binding, Failure, FailureKind};
use crate::protocol::CARGO_OPTIONS;
use crate::run::{Counterexample, Earlier, Explored, Found, Identity, Report, Reruns, Searched, Tested, Verdict};
use crate::sort::{last_below, retain};
use crate::testing::summary;
use crate::text::{columns, count, joined, number, one_line, shell_quoted, shell_word, time, visible};
use crate::within;
use std::path::Path;

/// A message longer than this is cut.
const MAX_LINES: usize = 40;

/// The directory of committed regressions, as the store names it.
const COMMITTED: &str = "forall-regressions";

/// A space at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";

/// Columns of a line of a message, a note or a name beyond which it is cut.
const MAX_COLUMNS: usize = 1_000;

/// A sequence of choices longer than this makes an awkward command: if it is stored, that is the better way to replay it.
const MAX_COMMAND: usize = 1_000;

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
            let text = others(counterexample, style) + &in_all(counterexample, style);
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
            let wrapped = style.wrap(start, &fact.to_string());
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

/// Another failure on one line.
fn other(failure: &Failure, input: &str, style: &Style) -> String {
    let place = if let Some(place) = &failure.location { format!(" at {place}") } else { String::new() };
    let message = failure.message.lines().next().unwrap_or_default();
    let text = one_line(&format!("{message}{place}{input}"));
    label("also:", &crate::text::shorten(&text, style.width.saturating_sub(LABEL).max(20)), style)
}

/// The number of failures of each kind.
fn in_all(counterexample: &Counterexample, style: &Style) -> String {
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
    label("in all:", &joined(&text, ", "), style)
}

/// How many tests each thread ran.
fn workers(counts: &[u64], style: &Style) -> String {
    let mut text = Vec::new();
    for (worker, tests) in counts.iter().enumerate() {
        text.push(within::replaced(&format!("{worker} ran {}", count(*tests, "test")), " ", NO_BREAK));
    }
    within::replaced(&label("workers:", &joined(&text, ", "), style), NO_BREAK, " ")
}

/// A counterexample: the input, how it fails, and what to do with it.
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
            // What stands below the line that failed is not said again.
            Some(text) if source.has_message && !style.verbose && counterexample.before.is_empty() => {
                if let Some(assertion) = Assertion::parse(&counterexample.failure.message) {
                    *text += &assertion.sides(style);
                }
                *text += &stack(&counterexample.failure, &report.identity, style);
            }
            _ => {
                let stack = stack(&counterexample.failure, &report.identity, style);
                parts.push(told(&counterexample.failure, style) + &stack);
            }
        }
        parts.push(notes(&counterexample.notes, style));
    }
    parts.push(what_next(report, counterexample, style));
    if style.verbose {
        parts.push(story(counterexample, style));
    }
}

/// The user's frames between the property and the panic. The property's own frame alone says nothing new.
fn stack(failure: &Failure, identity: &Identity, style: &Style) -> String {
    let Some(backtrace) = &failure.backtrace else { return String::new() };
    let own = [format!(" {}", identity.name), format!(" {}::call", identity.name)];
    let mut frames = Vec::new();
    let mut is_own = false;
    for line in backtrace.lines() {
        // A frame is a line with its name, and mostly one with its place.
        is_own = if line.trim_start().starts_with("at ") { is_own } else { own.iter().any(|own| line.ends_with(own)) };
        if !is_own {
            frames.push(line.to_owned());
        }
    }
    if frames.is_empty() {
        return String::new();
    }
    format!("{}\n{}", style.paint(Paint::Bold, "stack:"), message(&joined(&frames, "\n"), style))
}

/// What must run before an input for it to fail.
fn earlier(before: &[Earlier], style: &Style) -> String {
    let tests = count(before.len() as u64, "earlier test");
    let mut out = style.wrap("", &format!("It fails in a process that has run {tests}, and not alone:"));
    for test in before {
        out += &format!("  {}\n", summary(&test.bindings, style.width.saturating_sub(2).max(20)));
    }
    out
}

/// One line for each variable, and what else it can be: what an exhaustive search finds is small, and most of it has no code
/// form.
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

/// The verdict, and what it means if that does not go without saying.
fn head(report: &Report, style: &Style) -> String {
    let (word, paint) = match &report.verdict {
        Verdict::Passed | Verdict::Exhausted { .. } => ("passed", Paint::Good),
        Verdict::Failed => ("FAILED", Paint::Bad),
        Verdict::Flaky => ("FLAKY", Paint::Bad),
        Verdict::GaveUp(_) => ("GAVE UP", Paint::Bad),
        Verdict::Uncovered(_) => ("UNCOVERED", Paint::Bad),
        Verdict::Faulty(_) => ("FAULTY", Paint::Bad),
        Verdict::Misconfigured(_) => ("NOT RUN", Paint::Bad),
        Verdict::NotDecidable(_) => ("UNDECIDED", Paint::Bad),
    };
    let line = style.wrap(&format!("{word} "), &format!("{}{}", place(&report.identity), numbers(report)));
    let line = style.paint(paint, word) + &within::replaced(&line[word.len()..], NO_BREAK, " ");
    let explanation = match &report.verdict {
        Verdict::GaveUp(why)
        | Verdict::Uncovered(why)
        | Verdict::Faulty(why)
        | Verdict::Misconfigured(why)
        | Verdict::NotDecidable(why) => style.wrap("", &why.to_string()),
        Verdict::Flaky => {
            let text = "The same input failed in one run and not in another, so the property depends on something beside its input: \
                        time, threads, global state, the order of a hash map, the environment. Find out what, and make it part of the \
                        input.";
            let reruns = report.counterexample.as_ref().map_or(String::new(), |shown| failed_again(shown.reruns));
            style.wrap("", &format!("{text}{reruns}"))
        }
        _ => String::new(),
    };
    if explanation.is_empty() { line } else { format!("{line}\n{explanation}") }
}

/// How often a flaky input failed when it was run again.
fn failed_again(reruns: Reruns) -> String {
    match reruns {
        Reruns { runs: 0, .. } => String::new(),
        Reruns { runs, failed: 0 } => format!("\nThe input below did not fail again in {}.", count(runs, "run")),
        Reruns { runs, failed } => {
            format!("\nThe input below failed {} of {} when it was run again.", number(failed), count(runs, "run"))
        }
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

/// How much was tested, and how long that took.
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
            numbers.push(format!("on its example {}", place + 1));
        }
        (_, Some(Found::Stored(_))) => {
            begins = "";
            numbers.push("on a stored counterexample".to_owned());
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
            numbers.push(depth(&searched[complete.unwrap_or(last)]));
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

/// `Depth 4: 19,910 evaluations stand for 1.2e11 inputs`
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
        Some(0.0) => "nothing to try".to_owned(),
        Some(inputs) if searched.complete => {
            let stand = if searched.evaluations == 1 { "stands" } else { "stand" };
            format!("{evaluations} {stand} for {}", inputs_text(inputs))
        }
        Some(inputs) => format!("{evaluations} in a space of {}", inputs_text(inputs)),
        None => evaluations,
    }
}

/// Small numbers as they are, large ones by their magnitude.
fn inputs_text(inputs: f64) -> String {
    match inputs {
        1.0 => "1 input".to_owned(),
        _ if inputs < 1e6 => format!("{} inputs", number(inputs as u64)),
        _ if inputs.is_infinite() => "more than 1e308 inputs".to_owned(),
        _ => format!("{inputs:.1e} inputs"),
    }
}

/// Where a value that is too long to be shown can be seen.
fn whole(identity: &Identity, counterexample: &Counterexample) -> String {
    match stored(identity, counterexample) {
        Some(path) => format!("; the whole is in {path}, or set FORALL_VERBOSE=1"),
        None => "; FORALL_VERBOSE=1 shows all of it".to_owned(),
    }
}

/// The file in which the counterexample is kept, relative to its package.
fn stored(identity: &Identity, counterexample: &Counterexample) -> Option<String> {
    let package = identity.package_directory;
    let within = |path: &str| -> Option<String> {
        if package.is_empty() {
            return None;
        }
        Some(path.strip_prefix(package)?.strip_prefix(SLASH)?.to_owned())
    };
    let found = match &counterexample.found {
        Found::Stored(path) => Some(path),
        _ => None,
    };
    let path = counterexample.stored.as_ref().or(found)?;
    Some(one_line(&within(path).unwrap_or_else(|| path.clone())))
}

/// The two ways in which runs of the same input ended.
fn two_runs(counterexample: &Counterexample, identity: &Identity, style: &Style) -> String {
    let other = &other_runs(counterexample);
    let failure = &counterexample.failure;
    let mut out = format!("{}\n", style.paint(Paint::Bold, "one run:"));
    out += &indented(&(told(failure, style) + &stack(failure, identity, style) + &notes(&counterexample.notes, style)));
    out += &style.paint(Paint::Bold, "other runs of the same input:");
    out.push('\n');
    out + &indented(&(message(other, style) + &notes(&counterexample.other_notes, style)))
}

/// What other runs of the same input came to, and how often.
fn other_runs(counterexample: &Counterexample) -> String {
    let mut parts = Vec::new();
    for (tested, count) in &counterexample.other_run {
        let told = match tested {
            Tested::Pass => "passed".to_owned(),
            Tested::Discard(_) => "was discarded".to_owned(),
            Tested::Fail(failure) if failure.same_origin(&counterexample.failure) => "failed again".to_owned(),
            Tested::Fail(failure) => {
                let place = failure.location.as_ref().map_or_else(String::new, |location| format!(", at {location}"));
                format!("failed in another way{place}: {}", failure.message)
            }
            Tested::Fault(_) => "met a fault of the generator".to_owned(),
            Tested::NoSuchStep => "took another path".to_owned(),
        };
        parts.push(match counterexample.reruns.runs {
            0 => told,
            runs => format!("{told} ({count} of {runs})"),
        });
    }
    if parts.is_empty() { "did not fail".to_owned() } else { joined(&parts, "; ") }
}

/// How a test failed.
fn told(failure: &Failure, style: &Style) -> String {
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

/// A message as it was written, unless it is too long.
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

/// How to replay it, how to keep it, where it came from.
fn what_next(report: &Report, counterexample: &Counterexample, style: &Style) -> String {
    let mut out = String::new();
    let cargo_test = cargo_test(report);
    if !matches!(counterexample.found, Found::Example(_)) {
        let (mut text, sequence) = (String::new(), &counterexample.case.sequence);
        for earlier in &counterexample.before {
            text += &(earlier.case.to_text() + ",");
        }
        text += &counterexample.case.to_text();
        let by_index = by_index(report, counterexample, text.len());
        let stored = stored(&report.identity, counterexample);
        let is_tried_first = stored.is_some() && text.len() > MAX_COMMAND;
        out += &match (stored, by_index) {
            (Some(path), _) if is_tried_first => {
                let why = format!("tries {path} first: the input has {} choices", number(sequence.len() as u64));
                label("replay:", &cargo_test, style) + &style.wrap(&" ".repeat(LABEL), &why)
            }
            (_, Some(request)) => {
                let seed = format!("FORALL_SEED={:#x}", report.seed);
                let command = format!("{seed} FORALL_DO={} {cargo_test}", shell_quoted(&request));
                let why = "makes the input again as it was found: it has too many choices to be given here";
                label("replay:", &command, style) + &style.wrap(&" ".repeat(LABEL), why)
            }
            _ => {
                let request = format!("replay {} {text}", report.identity.name);
                label("replay:", &format!("FORALL_DO={} {cargo_test}", shell_quoted(&request)), style)
            }
        };
        let Reruns { runs, failed } = counterexample.reruns;
        // What is tried because it is stored is tried several times.
        if 0 < failed && failed < runs && !is_tried_first {
            let why = "runs it once, so it may pass: repeat the command until it fails";
            out += &style.wrap(&" ".repeat(LABEL), why);
        }
        if !counterexample.unrecorded {
            out += &keep(report, counterexample, &cargo_test, style);
        }
    }
    out += &origin(report, counterexample, style);
    out
}

/// The request for the test that found an input whose choices are too many for a command.
fn by_index(report: &Report, counterexample: &Counterexample, length: usize) -> Option<String> {
    let alone = counterexample.before.is_empty();
    match counterexample.found {
        Found::Random { index, .. } if alone && (length > MAX_COMMAND || counterexample.unrecorded) => {
            Some(format!("run {} {index}..{}", report.identity.name, index + 1))
        }
        _ => None,
    }
}

/// How to keep the input for good.
fn keep(report: &Report, counterexample: &Counterexample, cargo_test: &str, style: &Style) -> String {
    let path = stored(&report.identity, counterexample);
    if let Some(path) = &path
        && component(path, COMMITTED).is_some()
    {
        return label("kept:", &format!("{path}, a committed regression"), style);
    }
    // Only a function written with an attribute has a place to put the example.
    let is_function = !report.identity.package_directory.is_empty();
    let example = if is_function { example(&counterexample.bindings, &report.identity.name) } else { None };
    let command = path.map(|_| {
        let request = shell_quoted(&format!("keep {}", report.identity.name));
        format!("FORALL_DO={request} {cargo_test}")
    });
    match (example, command) {
        (Some(example), Some(command)) => {
            // A command is one line, however long, so that it can be copied.
            label("keep:", &example, style) + &label("commit:", &command, style)
        }
        (Some(example), None) => label("keep:", &example, style),
        (None, Some(command)) => label("keep:", &command, style),
        (None, None) => String::new(),
    }
}

/// Where in the path a directory of this name stands, if it does.
fn component(path: &str, directory: &str) -> Option<usize> {
    let mut at = 0;
    for part in path.split(SLASH) {
        if part == directory {
            return Some(at);
        }
        at += part.len() + 1;
    }
    None
}

fn origin(report: &Report, counterexample: &Counterexample, style: &Style) -> String {
    let mut out = match &counterexample.found {
        Found::Random { index, size } => {
            label("found:", &format!("at random: test {index}, size {size}, seed {:#x}", report.seed), style)
        }
        Found::Guided { index } => {
            label("found:", &format!("by a guided runner: test {index}, seed {:#x}", report.seed), style)
        }
        Found::Explored { number } => {
            let text = format!("by exploring: test {}, seed {:#x}", crate::text::number(*number), report.seed);
            label("found:", &text, style)
        }
        Found::Literals { number, size } => {
            let text = format!("with literals of the source: test {number}, size {size}, seed {:#x}", report.seed);
            label("found:", &text, style)
        }
        Found::Enumerated => label("found:", "by trying every input", style),
        Found::Searched { depth } => {
            let text = format!("by exhaustive search up to depth {depth}; `_` stands for any value");
            label("found:", &text, style)
        }
        Found::Stored(_) | Found::Example(_) | Found::Given | Found::WhileShrinking => String::new(),
    };
    if let Some(original) = &counterexample.original {
        let (width, whole) = (style.width.saturating_sub(LABEL).max(20), summary(original, usize::MAX));
        // Omitted: it does not fit, or the lines above show it.
        if style.verbose || columns(&whole) <= width && whole != summary(&counterexample.bindings, usize::MAX) {
            out += &label("original:", &whole, style);
        }
    }
    if let Some(why) = &counterexample.shrinking.cut_short {
        out += &label("shrunk:", &format!("not to the end: it stopped {why}; simpler inputs may fail too"), style);
    }
    for caveat in &counterexample.caveats {
        out += &label("note:", &caveat.to_string(), style);
    }
    for (_, failure) in &counterexample.shrinking.others {
        out += &other(failure, "", style);
    }
    out
}

/// Columns before what a label announces.
const LABEL: usize = 10;

/// A labelled line. A command is never broken; other text is.
fn label(label: &str, text: &str, style: &Style) -> String {
    let start = format!("{label:LABEL$}");
    let pasted = within::contains(text, "cargo test ") || text.starts_with("#[");
    let line = if pasted { format!("{start}{text}\n") } else { style.wrap(&start, text) };
    debug_assert!(columns(&start) == LABEL);
    style.paint(Paint::Bold, label) + &line[label.len()..]
}

/// The command that runs the test. A member of a workspace is named: elsewhere in it, `cargo test` would look for the test in vain,
/// or find another of its name. A program that can be started again is.
fn cargo_test(report: &Report) -> String {
    if let Some(command) = crate::run::elsewhere::command() {
        return command;
    }
    let mut command = "cargo test".to_owned();
    // Words of a shell already: a tool passes on what it was given.
    if let Some(options) = std::env::var(CARGO_OPTIONS).ok().filter(|options| !options.is_empty()) {
        command += &format!(" {options}");
    }
    if let Some(package) = std::env::var_os("CARGO_PKG_NAME")
        && is_member(Path::new(report.identity.package_directory))
    {
        command += &format!(" -p {}", shell_word(&package.to_string_lossy()));
    }
    command += &format!(" {}", shell_word(test_name(report)));
    if report.identity.ignored {
        command += " -- --ignored";
    }
    command
}

/// Whether the package in this directory is of a workspace whose root is above it.
fn is_member(package: &Path) -> bool {
    const MANIFEST: &str = "Cargo.toml";
    let Ok(own) = std::fs::read_to_string(package.join(MANIFEST)) else { return false };
    let mut above = package;
    while !within::contains(&own, "[workspace]") {
        let Some(parent) = above.parent() else { break };
        above = parent;
        if above.join(MANIFEST).is_file() {
            return true;
        }
    }
    false
}

/// The name by which `cargo test` knows the test: the one that ran, or else the property's path without the crate.
fn test_name(report: &Report) -> &str {
    let name = &*report.identity.name;
    match (&report.test, within::split_once(name, "::")) {
        (Some(test), _) => test,
        (None, Some((_, rest))) => rest,
        (None, None) => name,
    }
}
