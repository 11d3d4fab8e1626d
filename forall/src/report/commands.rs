//! The lines below a failure: the commands that replay and save the counterexample, and its origin.

use super::bindings::example;
use super::facts::after_label;
use super::style::{LABEL, Style, label};
use crate::choice::ROUND;
use crate::kind::SLASH;
use crate::property::Failure;
use crate::protocol::{CARGO_OPTIONS, RACE_OPTIONS};
use crate::run::{Counterexample, Found, Identity, Report, Reruns};
use crate::settings::GENERATIONAL;
use crate::testing::summary;
use crate::text::{columns, number, one_line, shell_quoted, shell_word, shorten};
use crate::within;
use std::path::{Path, PathBuf};

/// The name of the directory of committed regressions.
const COMMITTED: &str = "forall-regressions";

/// Longer sequences of choices do not fit in a command: a saved failure is replayed from its file instead.
const MAX_COMMAND: usize = 1_000;
/// How to replay and save the counterexample, and its origin.
pub(super) fn what_next(report: &Report, counterexample: &Counterexample, style: &Style) -> String {
    let mut out = String::new();
    let mut cargo_test = cargo_test(report);
    if !matches!(counterexample.found, Found::Example(_)) {
        if counterexample.beside > 1 {
            cargo_test = format!("FORALL_BESIDE={} {cargo_test}", counterexample.beside);
        }
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
                let why = format!(
                    "replays {path} first; {} choices are too many for a command",
                    number(sequence.len() as u64)
                );
                label("replay:", &cargo_test, style) + &style.wrap(&" ".repeat(LABEL), &why)
            }
            (_, Some(request)) => {
                let seed = format!("FORALL_SEED={:#x}", report.seed);
                let command = format!("{seed} FORALL_DO={} {cargo_test}", shell_quoted(&request));
                let why = "generates the original input again: it has too many choices for a command";
                label("replay:", &command, style) + &style.wrap(&" ".repeat(LABEL), why)
            }
            _ if std::env::var_os(RACE_OPTIONS).is_some() => {
                label("replay:", &format!("{cargo_test} {}", shell_quoted(&text)), style)
            }
            _ => {
                let request = format!("replay {} {text}", report.identity.name);
                label("replay:", &format!("FORALL_DO={} {cargo_test}", shell_quoted(&request)), style)
            }
        };
        let Reruns { runs, failed } = counterexample.reruns;
        // Saved failures are replayed several times.
        if 0 < failed && failed < runs && !is_tried_first {
            let why = "runs it once and may pass: repeat the command until it fails";
            out += &style.wrap(&" ".repeat(LABEL), why);
        }
        if !counterexample.unrecorded {
            out += &as_regression(report, counterexample, &cargo_test, style);
        }
    }
    out += &origin(report, counterexample, style);
    out
}

/// The request that reruns a test whose input has too many choices for a command.
fn by_index(report: &Report, counterexample: &Counterexample, length: usize) -> Option<String> {
    let alone = counterexample.before.is_empty();
    match counterexample.found {
        Found::Random { index, .. } if alone && (length > MAX_COMMAND || counterexample.unrecorded) => {
            Some(format!("run {} {index}..{}", report.identity.name, index + 1))
        }
        _ => None,
    }
}

/// How to save the input as a regression.
fn as_regression(report: &Report, counterexample: &Counterexample, cargo_test: &str, style: &Style) -> String {
    let path = stored(&report.identity, counterexample);
    if let Some(path) = &path
        && component(path, COMMITTED).is_some()
    {
        return label("saved:", &format!("{path}, a committed regression"), style);
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
            // A command is never wrapped, so that it can be copied.
            label("example:", &example, style) + &label("commit:", &command, style)
        }
        (Some(example), None) => label("example:", &example, style),
        (None, Some(command)) => label("commit:", &command, style),
        (None, None) => String::new(),
    }
}

/// The position of a directory of this name in the path.
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
            let when = if *index >= ROUND { ", in extra time" } else { "" };
            let text = format!("at random{when}: test {index}, size {size}, seed {:#x}", report.seed);
            label("found:", &text, style)
        }
        Found::Guided { index } => {
            let runner = match &*report.runner {
                "" | GENERATIONAL => "your own runner".to_owned(),
                name => format!("the `{name}` runner"),
            };
            label("found:", &format!("by {runner}, test {index}, seed {:#x}", report.seed), style)
        }
        Found::Explored { number } => {
            let text = format!("in extra time, test {}, seed {:#x}", crate::text::number(*number), report.seed);
            label("found:", &text, style)
        }
        Found::Literals { number, size } => {
            let text =
                format!("with literals from the source code: test {number}, size {size}, seed {:#x}", report.seed);
            label("found:", &text, style)
        }
        Found::Enumerated => label("found:", "by exhaustive testing", style),
        Found::Searched { depth } => {
            let text = format!("by exhaustive search up to depth {depth}; `_` stands for any value");
            label("found:", &text, style)
        }
        Found::Stored(_) | Found::Example(_) | Found::Given | Found::WhileShrinking => String::new(),
    };
    if let Some(original) = &counterexample.original {
        let (width, whole) = (style.width.saturating_sub(LABEL).max(20), summary(original, usize::MAX));
        // Omitted if it does not fit, or equals the values above.
        if style.verbose || columns(&whole) <= width && whole != summary(&counterexample.bindings, usize::MAX) {
            out += &label("original:", &whole, style);
        }
    }
    if let Some(why) = &counterexample.shrinking.cut_short {
        out +=
            &label("shrunk:", &format!("not completely, stopped {why}; there may be a simpler counterexample"), style);
    }
    for caveat in &counterexample.caveats {
        out += &label("note:", &after_label(caveat), style);
    }
    for (_, failure) in &counterexample.shrinking.others {
        out += &other(failure, "", style);
    }
    out
}
/// Another failure on one line.
pub(super) fn other(failure: &Failure, input: &str, style: &Style) -> String {
    let place = if let Some(place) = &failure.location { format!(" at {place}") } else { String::new() };
    let message = failure.message.lines().next().unwrap_or_default();
    let text = one_line(&format!("{message}{place}{input}"));
    label("also:", &shorten(&text, style.width.saturating_sub(LABEL).max(20)), style)
}

/// The file in which the counterexample is saved, relative to its package.
pub(super) fn stored(identity: &Identity, counterexample: &Counterexample) -> Option<String> {
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

/// The command that runs the test. In a workspace it names the package: elsewhere, `cargo test` would not find the
/// test, or find another one of the same name. Programs with `isolate::entry` are started directly.
pub(super) fn cargo_test(report: &Report) -> String {
    if let Some(command) = crate::run::elsewhere::command() {
        return command;
    }
    if let Ok(options) = std::env::var(RACE_OPTIONS) {
        return format!("cargo forall race{options} {}", shell_word(&report.identity.name));
    }
    let mut command = "cargo test".to_owned();
    // Already quoted for a shell by the tool.
    if let Some(options) = std::env::var(CARGO_OPTIONS).ok().filter(|options| !options.is_empty()) {
        command += &format!(" {options}");
    }
    // A property value has no package directory; cargo passes it to the test program.
    let directory = match report.identity.package_directory {
        "" if report.test.is_some() => std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from),
        "" => None,
        directory => Some(PathBuf::from(directory)),
    };
    if let Some(package) = std::env::var_os("CARGO_PKG_NAME")
        && directory.is_some_and(|directory| is_member(&directory))
    {
        command += &format!(" -p {}", shell_word(&package.to_string_lossy()));
    }
    command += &format!(" {}", shell_word(test_name(report)));
    if report.identity.ignored {
        command += " -- --ignored";
    }
    command
}

/// Whether the package in this directory belongs to a workspace whose root is above it.
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

/// The name for `cargo test`: that of the test that ran, or else the property's path without the crate.
fn test_name(report: &Report) -> &str {
    let name = &*report.identity.name;
    match (&report.test, within::split_once(name, "::")) {
        (Some(test), _) => test,
        (None, Some((_, rest))) => rest,
        (None, None) => name,
    }
}
