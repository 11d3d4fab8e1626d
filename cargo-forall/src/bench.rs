//! `forall bench`: tests per second, and where the time goes.

use crate::arguments::number;
use crate::process::{Ended, Process, aloud};
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen};
use crate::words::grouped;
use crate::workspace::{self, Place, Workspace};
use crate::{Error, words};
use clap::Args;
use forall::protocol::{Finished, Measured, Request};
use std::process::ExitCode;

/// The arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Bench {
    /// The property: its name, or a unique part of it. Not needed if there is only one
    pub property: Option<String>,
    /// The number of tests. By default, as many as take about a second
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs one property's tests on one thread, then generates the same inputs again without checking them. The difference is the
cost of your code. Add --release to measure optimised code.

  forall bench sorts --release

Exit codes: 0 measured, 1 the property does not pass, 2 it could not run.";

/// Tests of the first round, which estimates how many fit into the time.
const FIRST: u64 = 1000;

/// The approximate length of a measurement, in seconds.
const TIME: f64 = 1.0;

/// The largest number of tests.
const MOST: f64 = 1e8;

/// The width of a full bar, in columns.
const BAR: usize = 30;

/// Measures.
pub fn bench(arguments: &Bench) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let all = properties::of(&workspace.binaries)?;
    let property = properties::choose(&all, arguments.property.as_deref())?;
    let screen = Screen::of_this_process();
    let tests = match arguments.tests {
        Some(tests) => tests,
        None => match measure(property, FIRST, &workspace, &screen)?.last::<Measured>() {
            Some(measured) => {
                let each = measured.seconds / FIRST as f64;
                (TIME / each.max(1e-12)).clamp(10.0, MOST) as u64
            }
            // Reported below.
            None => FIRST,
        },
    };
    let ended = measure(property, tests, &workspace, &screen)?;
    let Some(finished) = ended.finished() else { return Err(ended.why_nothing(property).into()) };
    let Some(measured) = ended.last() else {
        screen.print(&finished.text);
        screen.print(&screen.wrap("", &failing(&property.name, finished)));
        return Ok(ExitCode::from(1));
    };
    screen.print(&rendered(&property.name, measured, finished, &screen));
    if !arguments.place.release {
        screen.print(&screen.wrap("    ", "built without optimisation; add --release to measure optimised code"));
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(property: &Property, tests: u64, workspace: &Workspace, screen: &Screen) -> Result<Ended, Error> {
    let process = Process::new(property, workspace, screen)?.even_if_ignored();
    // Saved failures are not replayed, and no failure is saved.
    let request = Request::Bench { property: property.name.clone(), count: tests };
    process.asking(&request).with("FORALL_THREADS", "1").run(&mut aloud)
}

/// Advice for a property that does not pass, with the time that shrinking took.
fn failing(name: &str, finished: &Finished) -> String {
    let name = properties::as_argument(name);
    let next = format!(
        "`bench` measures passing properties only, and did not save this failure: `forall run {name}` finds and saves it; fix \
         it first"
    );
    let Some(found) = &finished.counterexample else { return next };
    let (runs, time) = (found.shrinking.evaluations, found.shrinking.time);
    let each = if runs == 0 { 0.0 } else { time / runs as f64 };
    let (time, runs, each) = (words::seconds(time), words::count(runs, "run"), words::seconds(each));
    format!("shrinking took {time} for {runs}, {each} each. {next}")
}

fn rendered(name: &str, measured: &Measured, finished: &Finished, screen: &Screen) -> String {
    let tests = measured.tests.max(1);
    let whole = measured.seconds.max(1e-9);
    let generating = measured.generating.min(whole);
    let speed = grouped((tests as f64 / whole) as u64);
    let first = screen.paint(Paint::Bold, name);
    let second = format!("{speed} tests per second ({} in {})", words::extent(finished), words::seconds(whole));
    let mut out = screen.line(&first, &second);
    for (what, time) in [("generating", generating), ("checking", whole - generating)] {
        let share = time / whole;
        let length = if screen.width < 60 { BAR / 3 } else { BAR };
        let full = ((share * length as f64).round() as usize).min(length);
        let (bar, each) = ("█".repeat(full) + &"·".repeat(length - full), nanoseconds(time / tests as f64));
        out += &format!("    {what:<10} {:>3.0} %  {bar}  {each}\n", share * 100.0);
    }
    out
}

/// The time of one test.
fn nanoseconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns per test", s * 1e9),
        s if s < 1e-5 => format!("{:.1} µs per test", s * 1e6),
        s => format!("{} per test", words::seconds(s)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::protocol::Verdict;

    #[test]
    fn speed_is_printed_with_the_share_of_generating_and_checking() {
        let measured = Measured { tests: 1000, seconds: 0.001, generating: 0.00025 };
        let finished = Finished { verdict: Verdict::Passed, valid: 1000, ..Finished::default() };
        let expected = "a::b  1,000,000 tests per second (1,000 tests in 1.0 ms)\n    generating  25 %  ████████······················  250 ns per \
                        test\n    checking    75 %  ███████████████████████·······  750 ns per test\n";
        assert_eq!(rendered("a::b", &measured, &finished, &Screen::plain()), expected);
    }
}
