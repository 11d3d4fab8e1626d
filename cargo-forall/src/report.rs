//! `forall report`: runs properties and writes one self-contained HTML page.

mod campaign;
mod compare;
mod data;
mod inflate;
mod observed;
mod profile;
mod shape;
mod sources;

pub(crate) use observed::{Observed, Observer};

use crate::arguments::{number, seed, time};
use crate::jobs::{self, Job};
use crate::process::aloud;
use crate::progress::Bar;
use crate::properties::{self, Property};
use crate::screen::Screen;
use crate::workspace::{self, More, Place};
use crate::{Error, interrupt, words};
use clap::Args;
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
    /// Show the source lines and chart the branches that the tests and the corpus of `fuzz` reach. Builds the tests with
    /// instrumentation, as `fuzz` does; they run slower
    #[arg(long)]
    pub coverage: bool,
    /// Run nothing; report on the campaign of this corpus (a directory, Redis or S3 bucket), without modifying it
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
and compares the run with the previous one. The tests of a property are observed one by one, on one thread; several properties run
at once.

  forall report                          all properties, to forall-report.html
  forall report parser --tests 10000 -o parser.html
  forall report parser --coverage        also shows the source lines that no test reached
  forall report --corpus /shared/corpus  the results of a campaign: see `run --corpus`

With --coverage, the page marks the lines that neither the tests nor the corpus of `fuzz` reached, in the instrumented crates, and
lists the inputs of the corpus that reach more than the tests.

The page of a campaign shows the workers (shard, machine, build, tests, seconds), the time spent, each property's edges over time and
whether they still grow, and the counterexamples. Nothing is built or run.

Exit codes: 0 all passed, 1 some did not pass, or the corpus has counterexamples, 2 nothing could be run or written,
130 after Ctrl-C.";

/// The size of the data of all properties, in bytes: a page of hundreds of properties stays below 2 MB.
const DATA: usize = 3 << 19;

/// The size of the data of one of `number` properties, in bytes.
pub(crate) fn budget(number: usize) -> usize {
    DATA / number.max(1)
}

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
    // Properties that are expected to panic have no charts.
    let (skipped, shown): (Vec<&Property>, Vec<&Property>) = all.iter().partition(|property| property.should_panic);
    let lanes = jobs::cores().min(shown.len());
    let bar = Bar::new(shown.len(), &limit).with_lanes(lanes);
    let observer = Observer {
        workspace: &workspace,
        tests: arguments.tests,
        time: arguments.time.map(|time| time.saturating_mul(lanes as u32) / shown.len().max(1) as u32),
        seed: arguments.seed,
        filter: arguments.filter.as_deref(),
        budget: budget(all.len()),
        coverage: arguments.coverage,
        stop: None,
    };
    interrupt::notice();
    let mut left_out = LeftOut { should_panic: skipped.len(), ..LeftOut::default() };
    let mut told: Vec<Option<Observed>> = shown.iter().map(|_| None).collect();
    let mut trouble = None;
    let work = |job: Job| {
        let property = shown[job.item];
        bar.begin_in(job.lane, &property.name);
        let observed = observer.observe(property, &mut |urgent| {
            bar.tick();
            if !urgent.is_empty() {
                bar.suspend(|| aloud(urgent));
            }
        });
        let failed = matches!(&observed, Ok(Some(observed)) if !observed.good);
        bar.end_in(job.lane, failed);
        observed
    };
    jobs::each(shown.len(), lanes, work, |item, observed| {
        match observed {
            Err(why) => trouble = trouble.take().or(Some(why)),
            // Only finished runs are on the page.
            Ok(None) if interrupt::came() => {}
            Ok(None) => left_out.ignored += 1,
            Ok(Some(observed)) => {
                if let Some(why) = &observed.warning {
                    bar.suspend(|| screen.warn(&format!("forall: warning: {why}")));
                }
                told[item] = Some(observed);
            }
        }
        trouble.is_none() && !interrupt::came()
    });
    bar.end();
    if let Some(why) = trouble {
        return Err(why);
    }
    let told: Vec<Observed> = told.into_iter().flatten().collect();
    if interrupt::came() && told.is_empty() {
        return Ok(interrupt::pass_on());
    }
    left_out.not_run = shown.len() - told.len() - left_out.ignored;
    let data = data_of(told, &left_out);
    write(&arguments.output, &data)?;
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    Ok(ExitCode::from(u8::from(workspace.is_partial || data["failed"] != 0)))
}

/// The data of the page. Failures come first, each group in the order of the sources.
pub(crate) fn data_of(mut told: Vec<Observed>, left_out: &LeftOut) -> Value {
    told.sort_by_key(|observed| observed.data["text"].is_null());
    let good = told.iter().filter(|observed| observed.good).count();
    let failed = told.len() - good;
    let summary = summary(good, failed, left_out);
    let properties: Vec<Value> = told.into_iter().map(|observed| observed.data).collect();
    json!({"title": "Test report", "summary": summary, "failed": failed, "properties": properties})
}

/// The totals of the page, in one line.
pub(crate) fn summary(good: usize, failed: usize, left_out: &LeftOut) -> String {
    let what = words::count((good + failed) as u64, "property");
    format!("{what}: {good} passed, {failed} failed{}", left_out.text())
}

/// The number of properties that are not on the page, and why.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    pub(crate) ignored: usize,
    pub(crate) should_panic: usize,
    pub(crate) not_run: usize,
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

/// The whole page, without external resources.
fn page(data: &Value) -> String {
    page_with(data, "")
}

/// The same with another script at its end.
pub(crate) fn page_with(data: &Value, more: &str) -> String {
    // Only `<` can end a script element, and JSON strings can escape it.
    let data = data.to_string().replace('<', "\\u003c");
    let script = [
        include_str!("report/charts.js"),
        include_str!("report/page.js"),
        include_str!("report/campaign.js"),
        include_str!("report/begin.js"),
        more,
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
    fn data_is_escaped_in_html() {
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
