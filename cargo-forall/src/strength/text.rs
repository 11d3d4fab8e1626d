//! The outcome as terminal text.

use super::judge::Verdict;
use super::mutant::Mutant;
use super::outcome::Outcome;
use super::score::{Tally, percent};
use crate::screen::{Paint, Screen, visible};
use std::collections::BTreeMap;

/// The maximum number of lines of a change.
const LINES: usize = 6;

/// The maximum number of mutants that are listed for a property that alone kills them.
const ALONE: usize = 3;

/// Returns the table of functions, at most `most` survivors, the properties, and the score.
pub fn text(outcome: &Outcome<'_>, most: usize, screen: &Screen) -> String {
    let parts = [
        functions(outcome, screen),
        survivors(outcome, most, screen),
        properties(outcome, screen),
        score(outcome, screen),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn functions(outcome: &Outcome<'_>, screen: &Screen) -> String {
    let library = outcome.library;
    let mut files: BTreeMap<&str, Vec<(&str, Tally)>> = BTreeMap::new();
    for (function, tally) in outcome.functions() {
        let function = &library.functions[function];
        files.entry(&library.files[function.file].name).or_default().push((&function.name, tally));
    }
    if files.is_empty() {
        return String::new();
    }
    let width = screen.width.saturating_sub(50).clamp(16, 44);
    let mut out = format!("{:width$}  killed  timed out  survived  not reached  score\n", "function");
    for (file, functions) in files {
        out += &format!("{}\n", screen.paint(Paint::Dim, &visible(file)));
        for (name, tally) in functions {
            let name = crate::list::shortened(&format!("  {name}"), width);
            let number = |number: usize| if number == 0 { "·".to_owned() } else { number.to_string() };
            let row = format!(
                "{name:width$}  {:>6}  {:>9}  {:>8}  {:>11}  {:>5}",
                number(tally.killed),
                number(tally.timed_out),
                number(tally.survived),
                number(tally.not_reached),
                tally.score().map_or("–".to_owned(), percent)
            );
            let paint = match tally {
                Tally { survived: 0, not_reached: 0, .. } => Paint::Good,
                Tally { killed: 0, timed_out: 0, .. } => Paint::Bad,
                _ => Paint::Doubtful,
            };
            out += &format!("{}\n", if screen.colour { screen.paint(paint, &row) } else { row });
        }
    }
    out
}

/// Returns a survivor: its location, its change, and the number of executions.
fn survivor(number: usize, mutant: &Mutant, outcome: &Outcome<'_>, screen: &Screen) -> String {
    let library = outcome.library;
    let place = format!("{}:{}", library.file(mutant).name, library.line(mutant));
    let (tests, count) = outcome.reach(mutant);
    let function = &library.functions[mutant.function].name;
    let mut out = screen.line(
        &format!("{number:>3}. {}", screen.paint(Paint::Bold, &visible(&place))),
        &visible(&format!("`{function}`: {}", mutant.what)),
    );
    let (before, after) = outcome.change(mutant);
    let indent = before.iter().chain(&after).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    for (sign, paint, lines) in [("-", Paint::Bad, before), ("+", Paint::Good, after)] {
        for line in lines.iter().take(LINES) {
            out += &format!(
                "     {}\n",
                screen.paint(paint, &visible(&format!("{sign} {}", line.get(indent..).unwrap_or(line))))
            );
        }
        if lines.len() > LINES {
            out += &format!("     {sign} … {} more lines\n", lines.len() - LINES);
        }
    }
    let reached = format!(
        "{} reach{} it at least {count} time{} and pass{}",
        plural(tests, "test"),
        if tests == 1 { "es" } else { "" },
        if count == 1 { "" } else { "s" },
        if tests == 1 { "es" } else { "" }
    );
    out += &screen.wrap("     ", &reached);
    if let Some(difference) = outcome.differences.get(&mutant.id) {
        out += &difference.text(screen);
    }
    out
}

fn survivors(outcome: &Outcome<'_>, most: usize, screen: &Screen) -> String {
    let survivors = outcome.survivors();
    if survivors.is_empty() {
        return String::new();
    }
    let mut out = format!("{}\n\n", screen.paint(Paint::Bold, "Survivors, most often executed first"));
    for (at, mutant) in survivors.iter().take(most).enumerate() {
        out += &survivor(at + 1, mutant, outcome, screen);
        out.push('\n');
    }
    if survivors.len() > most {
        out += &format!("{} more; --show {} prints all of them\n\n", survivors.len() - most, survivors.len());
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

fn properties(outcome: &Outcome<'_>, screen: &Screen) -> String {
    let mut out = String::new();
    for (at, test) in outcome.tests.iter().enumerate().filter(|(_, test)| test.is_property) {
        let killed = outcome.kills(at);
        let alone = outcome.killed_alone(at);
        if !alone.is_empty() {
            let count = alone.len();
            out += &format!("  {} kills {}, {count} of them alone:\n", visible(&test.name), plural(killed, "mutant"));
            for mutant in alone.iter().take(ALONE) {
                let (file, line) = (&outcome.library.file(mutant).name, outcome.library.line(mutant));
                let function = &outcome.library.functions[mutant.function].name;
                let what = format!("{file}:{line}  `{function}`: {}", mutant.what);
                out += &screen.wrap("    ", &visible(&what));
            }
            if count > ALONE {
                out += &format!("    and {} more; --json writes all of them\n", count - ALONE);
            }
        }
        if outcome.judged.idle.contains(&at) {
            let reached = outcome.reached[at].mutants.len();
            let why = match reached {
                0 => "reaches no mutant".to_owned(),
                _ => format!("kills none of the {} it reaches", plural(reached, "mutant")),
            };
            out += &format!("  {} {}\n", visible(&test.name), screen.paint(Paint::Doubtful, &why));
        }
    }
    if out.is_empty() { out } else { format!("{}\n{out}", screen.paint(Paint::Bold, "Properties")) }
}

/// Returns the score, with its interval and the counts.
pub fn score(outcome: &Outcome<'_>, screen: &Screen) -> String {
    score_of(&outcome.tally(), screen)
}

fn score_of(tally: &Tally, screen: &Screen) -> String {
    let Some(score) = tally.score() else { return "no mutant was tested\n".to_owned() };
    let (low, high) = tally.interval();
    let mut out = format!(
        "{} {} of {} detected (95 % interval: {} to {})\n",
        screen.paint(Paint::Bold, &format!("score {}:", percent(score))),
        tally.detected(),
        plural(tally.judged(), "mutant"),
        percent(low),
        percent(high)
    );
    let mut parts = Vec::new();
    for (count, what) in [
        (tally.killed, "killed"),
        (tally.timed_out, "timed out"),
        (tally.survived, "survived"),
        (tally.not_reached, "not reached by any test"),
        (tally.not_judged, "not tested: stopped early"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    out += &screen.wrap("  ", &parts.join(", "));
    out
}

/// Returns a number with its noun.
pub fn plural(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns the verdict in one word.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Killed(_) => "killed",
        Verdict::TimedOut(_) => "timed_out",
        Verdict::Survived => "survived",
        Verdict::NotReached => "not_reached",
        Verdict::NotJudged => "not_judged",
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::judge::Judged;
    use super::super::library::Library;
    use super::super::mutant::{Edition, File};
    use super::super::tests::Test;
    use super::*;
    use crate::build::Binary;
    use std::path::PathBuf;

    #[test]
    fn long_lists_of_survivors_and_of_uniquely_killed_mutants_are_truncated() {
        let source = "fn f(a: u8, b: u8) -> bool { a < b }\nfn g(a: u8) -> u8 { a + 1 }\n".to_owned();
        let found = find::find(&source, 0, &[], &find::Options::default()).unwrap();
        let (path, name) = ("src/lib.rs".into(), "src/lib.rs".to_owned());
        let file = File { path, name, text: source, conditions: Vec::new(), edition: Edition::Since2018 };
        let (functions, mutants) = (found.functions, found.mutants);
        let library = Library { files: vec![file], functions, mutants, ..Library::default() };
        let binary = Binary { path: PathBuf::new(), package: String::new(), package_directory: PathBuf::new() };
        let (name, place) = ("less".to_owned(), String::new());
        let test = Test { harness_name: name.clone(), name, place, is_property: true, binary };
        let mut judged = Judged::default();
        for mutant in &library.mutants {
            let verdict = if mutant.function == 0 { Verdict::Killed(vec![0]) } else { Verdict::Survived };
            judged.verdicts.insert(mutant.id, verdict);
        }
        let outcome = Outcome {
            library: &library,
            mutants: library.mutants.iter().collect(),
            tests: &[test],
            reached: &[],
            judged: &judged,
            all_killers: true,
            differences: BTreeMap::new(),
        };
        let text = text(&outcome, 1, &Screen::plain());
        assert!(text.contains("\n5 more; --show 6 prints all of them\n"), "{text}");
        let alone = "  less kills 4 mutants, 4 of them alone:\n    src/lib.rs:1  `f`: return `true`\n";
        assert!(text.contains(alone), "{text}");
        assert!(text.contains("    and 1 more; --json writes all of them\n"), "{text}");
    }

    #[test]
    fn untested_mutants_are_counted_separately() {
        let screen = Screen::plain();
        let stopped = Tally { killed: 1, not_judged: 3, ..Tally::default() };
        let text = score_of(&stopped, &screen);
        assert!(text.starts_with("score 100 %: 1 of 1 mutant detected (95 % interval: 20 % to 100 %)\n"), "{text}");
        assert!(text.contains("1 killed, 3 not tested: stopped early"), "{text}");
        assert_eq!(score_of(&Tally { not_judged: 3, ..Tally::default() }, &screen), "no mutant was tested\n");
    }
}
