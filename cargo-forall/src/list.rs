//! `forall list`: properties with their locations, settings and latest results.

use crate::filter::Filter;
use crate::properties::{self, Property};
use crate::results::{Fuzzed, Last, Results};
use crate::screen::{Paint, Screen, aside, visible};
use crate::words::grouped;
use crate::workspace::{self, Place, Workspace};
use crate::written::{self, Written};
use crate::{Error, orphans, words};
use clap::Args;
use forall::protocol::Verdict;
use forall::run::Store;
use forall::store::Places;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// The arguments of `list`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct List {
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// Only properties that satisfy this expression, as in 'package(shop) and not test(slow)'
    #[arg(short = 'E', long = "filter-expr", value_name = "EXPRESSION")]
    pub expression: Option<Filter>,
    /// Print a line of JSON for each property
    #[arg(long)]
    pub json: bool,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Lists the functions with #[forall::test] in the workspace's tests, each with its name, file, line and runner. Below it are its saved
counterexamples or, if there are none, the result of the last `forall run` or `forall fuzz`.

Property values (`property! { … }`) have the names under which a #[test] runs them, with `forall::check(NAME, &property)` or
`Run::new(NAME, &property).test()`. To find those in helpers, macros and other crates, and computed names, the other tests of a
program with property values run once, without running the properties.

  forall list                  all of them
  forall list parser --json    those with `parser` in their name, as JSON

Exit codes: 0 listed, 2 there are no properties or the tests do not build.";

/// The format version of `--json`.
const JSON: u64 = 1;

/// Lists the properties.
pub fn list(arguments: &List) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let known = properties::of(&workspace.binaries)?;
    let values = values(&workspace, &known, arguments.filter.as_deref());
    let orphans = orphans::message(&workspace, &known, &arguments.place, &Screen::of_this_process());
    let known = properties::satisfying(known, arguments.expression.as_ref())?;
    let all = match properties::filter(known, arguments.filter.as_deref()) {
        Err(_) if !values.is_empty() => Vec::new(),
        found => found?,
    };
    let screen = Screen::of_this_process();
    let mut packages: Vec<(PathBuf, Results)> = Vec::new();
    for property in &all {
        let package = &property.binary.package_directory;
        if !packages.iter().any(|(known, _)| known == package) {
            packages.push((package.clone(), Results::of(package)));
        }
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    for property in &all {
        let package = &property.binary.package_directory;
        let last =
            packages.iter().find(|(known, _)| known == package).and_then(|(_, known)| known.last(&property.name));
        let kept = Kept::of(&property.name, package);
        if arguments.json {
            screen.print(&format!("{}\n", as_json(property, &kept, last)));
        } else {
            screen.print(&entry(property, &kept, last, now, &screen));
        }
    }
    for (value, package, package_name) in values.iter().filter(|_| arguments.expression.is_none()) {
        let kept = Kept::of(&value.name, package);
        if arguments.json {
            let local: Vec<&String> = kept.local.iter().map(|(origin, _)| origin).collect();
            let told = json!({
                "v": JSON, "package": package_name, "name": value.name, "place": value.place, "test": null, "runner": "value", "tests": null,
                "last": null, "kept": local, "committed": kept.committed, "unreadable": kept.unreadable_files(),
            });
            screen.print(&format!("{told}\n"));
        } else {
            screen.print(&value_entry(value, &kept, &screen));
        }
    }
    for (_, results) in &packages {
        if let Some(trouble) = &results.trouble {
            screen.warn(&format!("forall: warning: {trouble}"));
        }
    }
    aside(&screen.shown(&namesakes(&all, &screen)));
    aside(&screen.shown(&orphans));
    Ok(ExitCode::SUCCESS)
}

/// The saved counterexamples of a property.
#[derive(Debug, Default)]
pub struct Kept {
    /// Each with its file and its values in one line.
    pub local: Vec<(String, String)>,
    /// The number of committed regressions.
    pub committed: usize,
    /// Unreadable files, with the errors.
    pub unreadable: Vec<(String, String)>,
}

impl Kept {
    /// Reads a property's counterexamples from the store of a package.
    pub fn of(name: &str, package: &Path) -> Self {
        let mut kept = Self::default();
        for (origin, entry) in places(package).failures(name) {
            match entry {
                Err(error) => kept.unreadable.push((origin, error.to_string())),
                Ok(_) if is_committed(&origin) => kept.committed += 1,
                Ok(entry) => {
                    let values: Vec<String> =
                        entry.printed.iter().map(|variable| format!("{} = {}", variable.name, variable.text)).collect();
                    kept.local.push((origin, values.join(", ")));
                }
            }
        }
        kept
    }
}

impl Kept {
    /// The uncommitted failure, if any, with the verdict of the last run.
    fn failed(&self, verdict: Verdict, screen: &Screen) -> Option<String> {
        let [(_, values), rest @ ..] = &self.local[..] else { return None };
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let values = in_a_line(values, screen);
        Some(format!("{} for {values}{more}{}", words::verdict(verdict, screen), self.committed()))
    }

    fn committed(&self) -> String {
        match self.committed {
            0 => String::new(),
            number => format!(", {}", words::count(number as u64, "committed regression")),
        }
    }

    fn unreadable_files(&self) -> Vec<&String> {
        self.unreadable.iter().map(|(origin, _)| origin).collect()
    }

    fn unreadable(&self, screen: &Screen) -> String {
        unreadable(&self.unreadable)
            .map_or(String::new(), |text| screen.wrap("    ", &screen.paint(Paint::Doubtful, &text)))
    }
}

/// One message about unreadable files, however many there are; `None` without any.
pub fn unreadable(files: &[(String, String)]) -> Option<String> {
    let [(origin, error), rest @ ..] = files else { return None };
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", grouped(rest.len() as u64)) };
    Some(format!("cannot read {}{more}: {}", visible(origin), visible(error)))
}

/// Whether a counterexample is a committed regression.
pub fn is_committed(origin: &str) -> bool {
    Path::new(origin).components().any(|part| part.as_os_str() == "forall-regressions")
}

/// The stores of a package.
pub fn places(package: &Path) -> Places {
    let store = match std::env::var("FORALL_STORE").ok().filter(|value| !value.is_empty()).as_deref() {
        Some("off" | "0") => Store::Off,
        Some(path) => Store::Directory(path.into()),
        None => Store::Default,
    };
    Places::for_package(package, &store, false)
}

/// The text for a property value, whose runner is chosen in code.
const A_VALUE: &str = "a value";

/// The name of a property value, which may be any string.
fn name(property: &Property) -> String {
    if property.is_value() { format!("\"{}\"", visible(&property.name)) } else { property.name.clone() }
}

fn entry(property: &Property, kept: &Kept, last: Option<Last<'_>>, now: u64, screen: &Screen) -> String {
    let runner = if property.is_value() { A_VALUE } else { &property.runner };
    let place = screen.paint(Paint::Dim, &format!("{}  {runner}", property.place));
    let out = screen.line(&screen.paint(Paint::Bold, &name(property)), &place);
    let committed = kept.committed();
    let verdict = last.map(|last| last.verdict());
    // Saved cases fail, unless they were found to be flaky.
    let kept_is = if verdict == Some(Verdict::Flaky) { Verdict::Flaky } else { Verdict::Failed };
    let result = match (kept.failed(kept_is, screen), last) {
        _ if property.should_panic => format!("{} (#[should_panic]){committed}", should_panic(verdict, screen)),
        (Some(failed), _) => failed,
        (None, Some(last)) => {
            let when = words::ago(now.saturating_sub(last.at()));
            format!("{}, {when}{committed}", came_to(last, screen))
        }
        (None, None) => format!(
            "{}{committed}",
            screen.paint(Paint::Dim, "no recorded run (only `cargo forall run` records results)")
        ),
    };
    out + &screen.wrap("    ", &result) + &kept.unreadable(screen)
}

/// The result of a run or of a `fuzz` campaign.
fn came_to(last: Last<'_>, screen: &Screen) -> String {
    let verdict = words::verdict(last.verdict(), screen);
    let run = match last {
        Last::Run(run) => run,
        Last::Fuzz(Fuzzed { executions, edges, places, .. }) => {
            let passed = last.verdict() == Verdict::Passed;
            let found = if passed { "nothing found in" } else { &format!("{verdict} after") };
            let executions = words::count(*executions, "execution");
            return format!("fuzzed: {found} {executions}, {} of {} edges", grouped(*edges), grouped(*places));
        }
    };
    let what = match (&run.how, &run.counterexample) {
        (Some(how), _) => format!(": {}", visible(how)),
        (None, Some(values)) => format!(" for {}", in_a_line(values, screen)),
        (None, None) => format!(", {}", words::extent(run)),
    };
    format!("{verdict}{what}")
}

/// Values, truncated to the line.
fn in_a_line(values: &str, screen: &Screen) -> String {
    shortened(&visible(values).replace('\n', " "), screen.width.saturating_sub(30).max(20))
}

/// The result of a property that is expected to panic.
fn should_panic(verdict: Option<Verdict>, screen: &Screen) -> String {
    match verdict {
        None => "expected to panic".to_owned(),
        Some(verdict) if verdict.is_success() => {
            format!("{}: expected to panic, but passed", words::verdict(Verdict::Failed, screen))
        }
        Some(_) => "panics as expected".to_owned(),
    }
}

/// Like [`entry`], for a property value that the tool cannot run.
fn value_entry(value: &Written, kept: &Kept, screen: &Screen) -> String {
    let place = screen.paint(Paint::Dim, &format!("{}  {A_VALUE}", value.place));
    let first = screen.line(&screen.paint(Paint::Bold, &format!("\"{}\"", visible(&value.name))), &place);
    let note = "`cargo test` runs it. `cargo forall run` can run it only if a #[test] reaches forall::check(…) or Run::…(…).test()";
    let result = kept
        .failed(Verdict::Failed, screen)
        .unwrap_or_else(|| format!("{}{}", screen.paint(Paint::Dim, note), kept.committed()));
    first + &screen.wrap("    ", &result) + &kept.unreadable(screen)
}

/// The properties of the tested packages that are values and not among those that are `known`, with their packages.
fn values(workspace: &Workspace, known: &[Property], filter: Option<&str>) -> Vec<(Written, PathBuf, String)> {
    let packages: BTreeSet<(&PathBuf, &str)> =
        workspace.binaries.iter().map(|binary| (&binary.package_directory, &*binary.package)).collect();
    let mut values = Vec::new();
    for (package, name) in packages {
        for value in written::of(package, name) {
            let is_known = known.iter().any(|known| known.name == value.name && known.place == value.place);
            if !is_known && filter.is_none_or(|filter| value.name.contains(filter)) {
                values.push((value, package.clone(), name.to_owned()));
            }
        }
    }
    values
}

fn as_json(property: &Property, kept: &Kept, last: Option<Last<'_>>) -> Value {
    let local: Vec<&String> = kept.local.iter().map(|(origin, _)| origin).collect();
    json!({
        "v": JSON, "package": property.binary.package, "name": property.name, "place": property.place, "test": property.test_name(), "runner": property.runner, "tests": property.tests,
        "last": last.map(|last| last.json()), "kept": local, "committed": kept.committed, "unreadable": kept.unreadable_files(),
    })
}

/// The warning about properties with the same name.
pub fn namesakes(all: &[Property], screen: &Screen) -> String {
    let mut out = String::new();
    for (name, places) in properties::namesakes(all) {
        let text = format!(
            "forall: warning: {} properties are called {name} ({}). They share their saved failures; rename one of them",
            places.len(),
            places.join(", ")
        );
        out += &screen.wrap("", &text);
    }
    out
}

/// Truncates a line.
pub fn shortened(text: &str, width: usize) -> String {
    console::truncate_str(text, width, "…").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use crate::results::Remembered;

    #[test]
    fn many_unreadable_files_are_one_message() {
        let files = |number: usize| vec![("a\u{1b}.case".to_owned(), "it is empty; delete it".to_owned()); number];
        assert_eq!(unreadable(&files(0)), None);
        assert_eq!(unreadable(&files(1)).unwrap(), "cannot read a\\u{1b}.case: it is empty; delete it");
        assert_eq!(
            unreadable(&files(1001)).unwrap(),
            "cannot read a\\u{1b}.case and 1,000 more: it is empty; delete it"
        );
    }

    fn property() -> Property {
        Property { place: "src/lib.rs:7".to_owned(), ..Property::example("my_crate::tests::sorts") }
    }

    #[test]
    fn an_entry_has_the_latest_result() {
        let screen = Screen::plain();
        let passed: Remembered = read(json!({"verdict": "passed", "valid": 256, "discarded": 0, "at": 1000}));
        let passed = Last::Run(&passed);
        let none = Kept::default();
        let start = "my_crate::tests::sorts  src/lib.rs:7  generational\n";
        assert_eq!(
            entry(&property(), &none, Some(passed), 1300, &screen),
            format!("{start}    passed, 256 tests, 5 minutes ago\n")
        );
        assert_eq!(
            entry(&property(), &none, None, 0, &screen),
            format!("{start}    no recorded run (only `cargo forall run` records results)\n")
        );
        let kept = Kept {
            local: vec![("x".into(), "xs = vec![\n1]".into()), ("y".into(), "xs = []".into())],
            committed: 1,
            unreadable: vec![("z.case".into(), "it is cut off; restore the file, or delete it".into())],
        };
        assert_eq!(
            entry(&property(), &kept, Some(passed), 1300, &screen),
            format!(
                "{start}    FAILED for xs = vec![ 1] and 1 more, 1 committed regression\n    cannot read z.case: it is cut off; \
                 restore the file, or delete it\n"
            )
        );
    }

    #[test]
    fn the_last_verdict_is_printed() {
        let said = |kept: &Kept, last: Value| {
            let (run, fuzzed) = (read::<Remembered>(last.clone()), read::<Fuzzed>(last));
            let last = if fuzzed.executions > 0 { Last::Fuzz(&fuzzed) } else { Last::Run(&run) };
            let text = entry(&property(), kept, Some(last), 0, &Screen::plain());
            text.lines().last().unwrap_or_default().trim().to_owned()
        };
        let (none, one) = (Kept::default(), Kept { local: vec![("x".into(), "n = 1".into())], ..Kept::default() });
        assert_eq!(said(&one, json!({"verdict": "flaky"})), "flaky for n = 1");
        assert_eq!(said(&one, json!({"verdict": "passed"})), "FAILED for n = 1");
        // Found, but not saved.
        assert_eq!(said(&none, json!({"verdict": "failed", "counterexample": "n = 1"})), "FAILED for n = 1, just now");
        let fuzzed = json!({"verdict": "passed", "executions": 20_000, "edges": 12, "places": 40});
        assert_eq!(said(&none, fuzzed.clone()), "fuzzed: nothing found in 20,000 executions, 12 of 40 edges, just now");
        assert_eq!(said(&one, fuzzed), "FAILED for n = 1");
        let found = json!({"verdict": "failed", "executions": 1, "edges": 12, "places": 40});
        assert_eq!(said(&none, found), "fuzzed: FAILED after 1 execution, 12 of 40 edges, just now");
        let ended = crate::results::of_one_that_ended(forall::protocol::Death::Signal(11));
        assert_eq!(
            said(&none, crate::json::value(&ended)),
            "crashed: killed by SIGSEGV, a segmentation fault, just now"
        );
    }

    #[test]
    fn an_expected_panic_is_not_a_failure() {
        let property = Property { should_panic: true, ..property() };
        let kept = Kept { local: vec![("x".into(), "n = 1".into())], ..Kept::default() };
        let said = |last: Option<Value>| {
            let last = last.map(read::<Remembered>);
            let text = entry(&property, &kept, last.as_ref().map(Last::Run), 0, &Screen::plain());
            text.lines().last().unwrap_or_default().trim().to_owned()
        };
        assert_eq!(said(None), "expected to panic (#[should_panic])");
        assert_eq!(said(Some(json!({"verdict": "failed"}))), "panics as expected (#[should_panic])");
        assert_eq!(said(Some(json!({"verdict": "passed"}))), "FAILED: expected to panic, but passed (#[should_panic])");
    }

    #[test]
    fn on_a_narrow_terminal_an_entry_takes_more_lines() {
        let screen = Screen { width: 40, ..Screen::plain() };
        assert_eq!(
            entry(&property(), &Kept::default(), None, 0, &screen),
            "my_crate::tests::sorts\n        src/lib.rs:7  generational\n    no recorded run (only\n    `cargo forall run` records results)\n"
        );
    }

    #[test]
    fn properties_of_one_name_are_reported_with_their_locations() {
        let other = Property { place: "src/main.rs:9".to_owned(), ..property() };
        let text = namesakes(&[property(), other], &Screen::plain());
        assert_eq!(
            text,
            "forall: warning: 2 properties are called my_crate::tests::sorts (src/lib.rs:7, src/main.rs:9). They\nshare their \
             saved failures; rename one of them\n"
        );
    }
}
