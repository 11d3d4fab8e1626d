//! The outcome as one HTML page: the source of each function, with the share of detected mutants by line, and survivors
//! to open.
//!
//! The page contains no script and loads nothing.

use super::judge::Verdict;
use super::library::line_of;
use super::mutant::Mutant;
use super::outcome::Outcome;
use super::score::{Tally, percent};
use super::text;
use crate::screen::Screen;
use std::collections::BTreeMap;

/// The colours of lines; the rest of the style is that of reports.
const STYLE: &str = "\
.source { font: .85rem/1.45 monospace; background: var(--code); overflow-x: auto; padding: .5rem 0; }
.source code { display: block; white-space: pre; padding: 0 .75rem; border-left: .4rem solid transparent; }
.source .all { border-color: var(--good); } .source .some { border-color: var(--doubt); } .source .none { border-color: var(--bad); }
.source details { white-space: normal; border-left: .4rem solid var(--bad); padding: 0 .75rem; } .source pre { margin: 0; padding: .25rem 0; }
.number { color: var(--soft); display: inline-block; width: 4ch; text-align: right; margin-right: 1ch; user-select: none; }
td, th { white-space: nowrap; } td:first-child { white-space: normal; }";

/// The page.
pub fn page(outcome: &Outcome<'_>) -> String {
    let css = include_str!("../report/page.css");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Strength of properties</title>\n<style>\n{css}{STYLE}\n</style>\n</head>\n<body>\n<header><h1>Strength of properties</h1><p>{}</p></header>\n",
        escaped(&text::score(outcome, &Screen::plain()))
    );
    out += "<p class=\"soft\">The bar before a line is green if all of its mutants are detected, amber if some are, red if none is.</p>\n";
    out += "<table><thead><tr><th>function<th>killed<th>timed out<th>survived<th>not reached<th>score</tr></thead><tbody>\n";
    for (function, tally) in outcome.functions() {
        let Tally { killed, timed_out, survived, not_reached, .. } = tally;
        let score = tally.score().map_or_else(|| "–".to_owned(), percent);
        let name = escaped(&outcome.library.functions[function].name);
        out += &format!(
            "<tr><td><a href=\"#f{function}\">{name}</a><td>{killed}<td>{timed_out}<td>{survived}<td>{not_reached}<td>{score}</tr>\n"
        );
    }
    out += "</tbody></table>\n";
    for (function, tally) in outcome.functions() {
        out += &source(outcome, function, &tally);
    }
    out + "</body>\n</html>\n"
}

/// Returns the source of a function. It is expanded if one of its mutants is undetected.
fn source(outcome: &Outcome<'_>, function: usize, tally: &Tally) -> String {
    let (library, found) = (outcome.library, &outcome.library.functions[function]);
    let file = &library.files[found.file];
    let mut lines: BTreeMap<usize, Vec<&Mutant>> = BTreeMap::new();
    for mutant in outcome.mutants.iter().filter(|mutant| mutant.function == function) {
        lines.entry(library.line(mutant)).or_default().push(mutant);
    }
    let is_open = tally.survived + tally.not_reached > 0;
    let first = line_of(&file.text, found.range.start);
    let mut out = format!(
        "<details id=\"f{function}\"{}><summary>{} <span class=\"soft\">{}:{first}</span></summary><div class=\"source\">\n",
        if is_open { " open" } else { "" },
        escaped(&found.name),
        escaped(&file.name)
    );
    // With the indentation of the file.
    let start = file.text[..found.range.start].rfind('\n').map_or(0, |at| at + 1);
    for (at, line) in file.text[start..found.range.end].lines().enumerate() {
        let mutants = lines.get(&(first + at)).map(Vec::as_slice).unwrap_or_default();
        let mut tally = Tally::default();
        mutants.iter().for_each(|mutant| tally.add(outcome.verdict(mutant)));
        let class = match (tally.detected(), tally.judged()) {
            (_, 0) => "",
            (0, _) => "none",
            (detected, judged) if detected == judged => "all",
            _ => "some",
        };
        out +=
            &format!("<code class=\"{class}\"><span class=\"number\">{}</span>{}</code>\n", first + at, escaped(line));
        for mutant in mutants {
            out += &survivor(outcome, mutant);
        }
    }
    out + "</div></details>\n"
}

/// Returns an undetected mutant, collapsed.
fn survivor(outcome: &Outcome<'_>, mutant: &Mutant) -> String {
    let why = match outcome.verdict(mutant) {
        Verdict::Survived => "",
        Verdict::NotReached => " (no test reaches it)",
        Verdict::Killed(_) | Verdict::TimedOut(_) | Verdict::NotJudged => return String::new(),
    };
    let (_, after) = outcome.change(mutant);
    let difference = outcome.differences.get(&mutant.id).map(|it| it.text(&Screen::plain())).unwrap_or_default();
    format!(
        "<details><summary>{}{why}</summary><pre>{}\n{}</pre></details>\n",
        escaped(&mutant.what),
        escaped(&after.join("\n")),
        escaped(&difference)
    )
}

/// Escapes HTML markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::judge::Judged;
    use super::super::library::Library;
    use super::super::mutant::{Edition, File};
    use super::*;

    #[test]
    fn a_page_has_lines_by_verdict_survivors_to_open_and_no_markup_of_the_source() {
        let text = "fn less(a: u8, b: u8) -> bool {\n    a < b\n}\n".to_owned();
        let found = find::find(&text, 0, &[], &find::Options::default()).unwrap();
        let (path, name) = ("src/<b>.rs".into(), "src/<b>.rs".to_owned());
        let file = File { path, name, text, conditions: Vec::new(), edition: Edition::Since2018 };
        let (functions, mutants) = (found.functions, found.mutants);
        let library = Library { files: vec![file], functions, mutants, ..Library::default() };
        let mut judged = Judged::default();
        for mutant in &library.mutants {
            let verdict = if mutant.what.contains("<=") { Verdict::Survived } else { Verdict::Killed(vec![0]) };
            judged.verdicts.insert(mutant.id, verdict);
        }
        let outcome = Outcome {
            library: &library,
            mutants: library.mutants.iter().collect(),
            tests: &[],
            reached: &[],
            judged: &judged,
            all_killers: false,
            differences: BTreeMap::new(),
        };
        let page = page(&outcome);
        assert!(page.contains("src/&lt;b&gt;.rs:1") && !page.contains("<b>"), "{page}");
        assert!(page.contains("<code class=\"some\"><span class=\"number\">2</span>    a &lt; b</code>"), "{page}");
        let legend =
            "The bar before a line is green if all of its mutants are detected, amber if some are, red if none is.";
        assert!(page.contains(legend), "{page}");
        assert!(page.contains("<details><summary>replace `&lt;` by `&lt;=`</summary><pre>    a &lt;= b\n"), "{page}");
        assert!(page.contains("<code class=\"\"><span class=\"number\">3</span>}</code>"), "{page}");
        assert!(!page.contains("<script") && !page.contains("http:"), "nothing is loaded: {page}");
    }
}
