//! `forall report`: runs properties and writes what was tested as one page that opens anywhere, offline.

mod campaign;
mod compare;
mod data;

use crate::arguments::{number, seed, time};
use crate::process::{Process, aloud};
use crate::progress::Bar;
use crate::properties;
use crate::screen::Screen;
use crate::workspace::{self, More, Place};
use crate::{Error, interrupt, results, scratch, words};
use clap::Args;
use forall::protocol::{Decode, TestCase};
use results::Remembered;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The arguments of `report`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Report {
    /// Only properties with this in their name
    pub filter: Option<String>,
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "forall-report.html")]
    pub output: PathBuf,
    /// Run as many tests of each property, in the place of what its attribute says
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// Test for this long, all properties together, as in 30s, 5m or 1h
    #[arg(long = "for", value_name = "TIME", value_parser = time, conflicts_with = "tests")]
    pub time: Option<Duration>,
    /// What random choices depend on, as in 7 or 0x1f. A fresh one each time, if not given
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Draw how many branches of your code the tests reach. The tests are built once more, as for `fuzz`, and run slower
    #[arg(long)]
    pub coverage: bool,
    /// Run nothing: show the campaign that has this corpus, a directory or in Redis, as one page. Writes nothing there
    #[arg(long, value_name = "DIRECTORY or redis://…", conflicts_with_all = ["tests", "time", "seed", "coverage"])]
    pub corpus: Option<String>,
    /// Where to look.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs the properties and writes a page: for each its verdict, what was generated (sizes, labels, tables, features) as charts,
examples to browse, where the time goes, the counterexample with its source, what was tried to make it small, and a drawing of it
if it is a parallel run of a machine. Click a bar to see its examples. The page is one file, needs no network, and says how it
differs from the last run. Every test is looked at, so tests run on one thread.

  forall report                          all properties, to forall-report.html
  forall report parser --tests 10000 -o parser.html
  forall report parser --coverage        with how many branches were reached, too
  forall report --corpus /shared/corpus  what many workers did: see `run --corpus`

The page of a campaign shows who ran what (worker, shard, machine, build, tests, seconds), where the time went, for each property when
edges were reached and whether it still grows, and the counterexamples. Nothing is built or run, and a filter is part of a name.

Exit codes: 0 all passed, 1 some did not pass, or a corpus has counterexamples, 2 nothing could be run or written.";

/// So large may the examples be, of all properties together, in bytes.
const EXAMPLES: usize = 3 << 20;

/// Runs, and writes the page.
pub fn report(arguments: &Report) -> Result<ExitCode, Error> {
    // Better now than after all the tests.
    writable(&arguments.output)?;
    if let Some(address) = &arguments.corpus {
        let (data, failed) = campaign::data(address, arguments.filter.as_deref())?;
        write(&arguments.output, &data)?;
        return Ok(ExitCode::from(u8::from(failed)));
    }
    let workspace =
        workspace::build_with(&arguments.place, if arguments.coverage { More::Coverage } else { More::Nothing })?;
    let all = properties::filter(properties::of(&workspace.binaries)?, arguments.filter.as_deref())?;
    let screen = Screen::of_this_process();
    let limit = arguments.time.map_or(String::new(), |time| format!(" of {}", words::seconds(time.as_secs_f64())));
    let bar = Bar::new(all.len(), &limit);
    let observed = scratch::folder(&workspace.target_directory.join("forall-events"), ".observed")?;
    interrupt::notice();
    let (mut told, mut good, mut left_out) = (Vec::new(), 0, LeftOut::default());
    for (at, property) in all.iter().enumerate() {
        // What is to fail is not looked at: it fails.
        if property.should_panic {
            left_out.should_panic += 1;
            continue;
        }
        bar.begin(at, &property.name);
        // What the property before it left behind.
        let _ = fs::remove_dir_all(&observed);
        // Those are values, which are not for a terminal.
        let plain = Screen { colour: false, ..screen };
        let mut process = Process::new(property, &workspace, &plain)?;
        process = process.with("FORALL_OBSERVE", &observed).with("NO_COLOR", "1");
        // At its end an instrumented program writes its counters to a file, which nobody wants here.
        process = process.with("LLVM_PROFILE_FILE", "/dev/null");
        if let Some(tests) = arguments.tests {
            process = process.with("FORALL_TESTS", tests.to_string());
        }
        if let Some(time) = arguments.time {
            let share = (time / all.len().max(1) as u32).max(Duration::from_millis(1));
            process = process.with("FORALL_TIME", format!("{}ms", share.as_millis()));
            process = process.with("FORALL_TESTS", u64::MAX.to_string());
        }
        if let Some(seed) = arguments.seed {
            process = process.with("FORALL_SEED", seed.to_string());
        }
        if arguments.filter.as_deref().is_some_and(|filter| property.is_called(filter)) {
            process = process.even_if_ignored();
        }
        let ended = process.run(&mut |urgent| {
            bar.tick();
            if !urgent.is_empty() {
                bar.say(|| aloud(urgent));
            }
        })?;
        // The page is of what ran to its end.
        if interrupt::came() {
            left_out.not_run = all.len() - at;
            break;
        }
        if ended.is_left_out() {
            left_out.ignored += 1;
            continue;
        }
        let before = results::Results::of(&property.binary.package_directory).of_run(&property.name).cloned();
        let tests = tests(&observed, &property.name);
        let now = match ended.finished() {
            Some(finished) => Remembered { examined: data::examined(&tests), ..results::remembered(finished) },
            None => results::of_one_that_ended(ended.how),
        };
        if let Err(why) = results::remember(property, &now) {
            bar.say(|| screen.warn(&format!("forall: warning: {why}")));
        }
        good += usize::from(ended.finished().is_some_and(|finished| finished.verdict.is_success()));
        told.push(data::property(property, &ended, (before.as_ref(), &now), &tests, EXAMPLES / all.len()));
    }
    bar.end();
    let _ = fs::remove_dir_all(&observed);
    if interrupt::came() && told.is_empty() {
        return Ok(interrupt::pass_on());
    }
    let number = told.len();
    let summary = format!(
        "{}: {good} passed, {} did not{}",
        words::count(number as u64, "property"),
        number - good,
        left_out.text()
    );
    write(&arguments.output, &json!({"title": "What was tested", "summary": summary, "properties": told}))?;
    Ok(ExitCode::from(u8::from(good < number)))
}

/// How many properties the page does not show, and why.
#[derive(Debug, Default)]
struct LeftOut {
    ignored: usize,
    should_panic: usize,
    not_run: usize,
}

impl LeftOut {
    fn text(&self) -> String {
        let why = [
            (self.ignored, "#[ignore]d (one that is named in full is shown)"),
            (self.should_panic, "to fail (#[should_panic])"),
            (self.not_run, "not run, since this was told to end"),
        ];
        let parts = why.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, why)| format!("{number} {why}")).collect();
        if parts.is_empty() { String::new() } else { format!("; left out: {}", parts.join(", ")) }
    }
}

/// Writes the page, and says so.
fn write(path: &Path, data: &Value) -> Result<(), Error> {
    let (page, screen) = (page(data), Screen::of_this_process());
    fs::write(path, &page).map_err(|error| unwritable(path, error))?;
    let (summary, size) = (data["summary"].as_str().unwrap_or_default(), page.len().div_ceil(1024));
    screen.say(&screen.wrap("", &format!("{summary}. {} ({size} KB) shows it", path.display())));
    Ok(())
}

/// What was written down of the tests of a property.
fn tests(folder: &Path, property: &str) -> Vec<TestCase> {
    let mut tests: Vec<TestCase> = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().ends_with("_testcases.jsonl") {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            tests.extend(text.lines().filter_map(TestCase::read));
        }
    }
    // One that is a value may run beside others.
    tests.retain(|test| test.property == property);
    tests
}

/// The whole page, with nothing outside of it.
fn page(data: &Value) -> String {
    // Inside of a script nothing ends it but `<`, which texts of JSON can do without.
    let data = data.to_string().replace('<', "\\u003c");
    let script = [
        include_str!("report/charts.js"),
        include_str!("report/page.js"),
        include_str!("report/campaign.js"),
        include_str!("report/begin.js"),
    ]
    .concat();
    let page = include_str!("report/page.html").replace("/*STYLE*/", include_str!("report/page.css"));
    let page = page.replace("/*SCRIPT*/", &script);
    // The last, so that nothing in it is taken for a place to fill.
    page.replacen("/*DATA*/", &data, 1)
}

fn writable(path: &Path) -> Result<(), Error> {
    let existed = path.exists();
    fs::OpenOptions::new().create(true).append(true).open(path).map_err(|error| unwritable(path, error))?;
    if !existed {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

fn unwritable(path: &Path, source: std::io::Error) -> Error {
    Error::File { doing: "write", path: path.to_owned(), source, advice: "name another file with --output" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said() {
        assert_eq!(LeftOut::default().text(), "");
        let some = LeftOut { ignored: 1, should_panic: 2, not_run: 375 };
        assert_eq!(
            some.text(),
            "; left out: 1 #[ignore]d (one that is named in full is shown), 2 to fail (#[should_panic]), 375 not run, since this was \
             told to end"
        );
    }

    #[test]
    fn nothing_in_the_data_is_markup() {
        let page = page(&json!({"summary": "</script><script>alert(1)</script>/*SCRIPT*/", "properties": []}));
        assert!(!page.contains("<script>alert"), "{page}");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
        );
        assert!(!page.contains("https://"), "nothing is loaded");
    }
}
