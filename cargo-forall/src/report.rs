//! `forall report`: runs properties and writes one self-contained HTML page.

mod campaign;
mod compare;
mod data;
mod shape;

use crate::arguments::{number, seed, time};
use crate::process::{Ended, Process, aloud};
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
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "forall-report.html")]
    pub output: PathBuf,
    /// The number of tests of each property, overriding its attribute
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// The total time for all properties, as in 30s, 5m or 1h
    #[arg(long = "for", value_name = "TIME", value_parser = time, conflicts_with = "tests")]
    pub time: Option<Duration>,
    /// The seed, as in 7 or 0x1f. By default, a new one for each run
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Chart the branches that the tests reach. Builds the tests with instrumentation, as `fuzz` does; they run slower
    #[arg(long)]
    pub coverage: bool,
    /// Run nothing; report on the campaign of this corpus (a directory or Redis), without modifying it
    #[arg(long, value_name = "DIRECTORY or redis://…", conflicts_with_all = ["tests", "time", "seed", "coverage"])]
    pub corpus: Option<String>,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs the properties and writes an HTML page. Failures come first. Each property has its verdict, charts of the generated inputs
(numbers, lengths, variants, labels, tables, features), examples, the time spent, and the counterexample with its source, its shrink
steps and, for a parallel state machine, a drawing. Click a bar to filter the examples. The page is a single file, needs no network,
and compares the run with the previous one. Tests are observed one by one, so they run on one thread.

  forall report                          all properties, to forall-report.html
  forall report parser --tests 10000 -o parser.html
  forall report parser --coverage        also charts the branches reached
  forall report --corpus /shared/corpus  the results of a campaign: see `run --corpus`

The page of a campaign shows the workers (shard, machine, build, tests, seconds), the time spent, each property's edges over time and
whether they still grow, and the counterexamples. Nothing is built or run.

Exit codes: 0 all passed, 1 some did not pass, or the corpus has counterexamples, 2 nothing could be run or written.";

/// The size limit of all examples, in bytes.
const EXAMPLES: usize = 3 << 20;

/// Runs the properties and writes the page.
pub fn report(arguments: &Report) -> Result<ExitCode, Error> {
    // Fails before the tests run rather than after them.
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
        // Properties that are expected to panic have no charts.
        if property.should_panic {
            left_out.should_panic += 1;
            continue;
        }
        bar.begin(at, &property.name);
        // Removes the files of the previous property.
        let _ = fs::remove_dir_all(&observed);
        // Values of the page need no limits for a terminal.
        let plain = Screen { colour: false, ..screen };
        let run = |store: bool| -> Result<Ended, Error> {
            let mut process = Process::new(property, &workspace, &plain)?;
            process = process.with("FORALL_OBSERVE", &observed).with("NO_COLOR", "1");
            // Discards the profile that an instrumented program writes when it exits.
            process = process.with("LLVM_PROFILE_FILE", "/dev/null");
            if let Some(tests) = arguments.tests {
                process = process.with("FORALL_TESTS", tests.to_string());
            }
            if let Some(time) = arguments.time {
                let share = (time / all.len().max(1) as u32).max(Duration::from_millis(1));
                process = process.with("FORALL_MAX_TIME", format!("{}ms", share.as_millis()));
                process = process.with("FORALL_TESTS", u64::MAX.to_string());
            }
            if let Some(seed) = arguments.seed {
                process = process.with("FORALL_SEED", seed.to_string());
            }
            if arguments.filter.as_deref().is_some_and(|filter| property.is_called(filter)) {
                process = process.even_if_ignored();
            }
            if !store {
                process = process.with("FORALL_STORE", "off");
            }
            process.run(&mut |urgent| {
                bar.tick();
                if !urgent.is_empty() {
                    bar.suspend(|| aloud(urgent));
                }
            })
        };
        let ended = run(true)?;
        // Only finished runs are on the page.
        if interrupt::came() {
            left_out.not_run = all.len() - at;
            break;
        }
        if ended.is_left_out() {
            left_out.ignored += 1;
            continue;
        }
        let before = results::Results::of(&property.binary.package_directory).of_run(&property.name).cloned();
        let mut recorded = tests(&observed, &property.name);
        // A saved failure ends the run before anything is generated: the charts are those of a run without it.
        let mut fresh = None;
        if data::is_replayed(&ended) {
            let _ = fs::remove_dir_all(&observed);
            // Committed regressions are always replayed.
            fresh = Some(run(false)?).filter(|fresh| !data::is_replayed(fresh));
            recorded = tests(&observed, &property.name);
        }
        let now = match ended.finished() {
            Some(finished) => Remembered { examined: data::examined(&recorded), ..results::remembered(finished) },
            None => results::of_one_that_ended(ended.how),
        };
        if let Err(why) = results::remember(property, &now) {
            bar.suspend(|| screen.warn(&format!("forall: warning: {why}")));
        }
        good += usize::from(ended.finished().is_some_and(|finished| finished.verdict.is_success()));
        let ran = data::Ran { ended: &ended, fresh: fresh.as_ref(), tests: &recorded };
        told.push(data::property(property, &ran, (before.as_ref(), &now), EXAMPLES / all.len()));
    }
    bar.end();
    let _ = fs::remove_dir_all(&observed);
    if interrupt::came() && told.is_empty() {
        return Ok(interrupt::pass_on());
    }
    // Failures first, each group in the order of the sources.
    told.sort_by_key(|property| property["text"].is_null());
    let number = told.len();
    let summary = format!(
        "{}: {good} passed, {} failed{}",
        words::count(number as u64, "property"),
        number - good,
        left_out.text()
    );
    write(&arguments.output, &json!({"title": "Test report", "summary": summary, "properties": told}))?;
    Ok(ExitCode::from(u8::from(good < number)))
}

/// The number of properties that are not on the page, and why.
#[derive(Debug, Default)]
struct LeftOut {
    ignored: usize,
    should_panic: usize,
    not_run: usize,
}

impl LeftOut {
    fn text(&self) -> String {
        let why = [
            (self.ignored, "#[ignore]d (include one by its full name)"),
            (self.should_panic, "expected to panic (#[should_panic])"),
            (self.not_run, "not run (interrupted)"),
        ];
        let parts = why.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, why)| format!("{number} {why}")).collect();
        if parts.is_empty() { String::new() } else { format!("; not shown: {}", parts.join(", ")) }
    }
}

/// Writes the page and prints its path.
fn write(path: &Path, data: &Value) -> Result<(), Error> {
    let (page, screen) = (page(data), Screen::of_this_process());
    fs::write(path, &page).map_err(|error| unwritable(path, error))?;
    let (summary, size) = (data["summary"].as_str().unwrap_or_default(), page.len().div_ceil(1024));
    screen.print(&screen.wrap("", &format!("{summary}. Wrote {} ({size} KB)", path.display())));
    Ok(())
}

/// The recorded tests of a property.
fn tests(folder: &Path, property: &str) -> Vec<TestCase> {
    let mut tests: Vec<TestCase> = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().ends_with("_testcases.jsonl") {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            tests.extend(text.lines().filter_map(TestCase::read));
        }
    }
    // A test may run several property values.
    tests.retain(|test| test.property == property);
    tests
}

/// The whole page, without external resources.
fn page(data: &Value) -> String {
    // Only `<` can end a script element, and JSON strings can escape it.
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
    // Replaced last, so that the data is not searched for placeholders.
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
    Error::File { doing: "write", path: path.to_owned(), source, advice: "choose another file with --output" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_that_are_not_shown_are_counted() {
        assert_eq!(LeftOut::default().text(), "");
        let some = LeftOut { ignored: 1, should_panic: 2, not_run: 375 };
        assert_eq!(
            some.text(),
            "; not shown: 1 #[ignore]d (include one by its full name), 2 expected to panic (#[should_panic]), 375 not run \
             (interrupted)"
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
