//! Races under the controlled scheduler, on real threads, and ported to shuttle and loom.
//!
//! forall generates its programs; the others get the smallest program that fails, since they have no generators. The five bugs of
//! published crates are not ported; on real threads forall generates their programs.

use crate::Options;
use crate::process::{Programs, TOOL, bench_directory, run};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use std::path::Path;
use std::process::{Child, Command};

/// The package with the races on real threads and in other tools.
const PORTED: &str = "bench-races";

/// The other tools, as that package names them.
const OTHERS: [&str; 4] = [THREADS, "shuttle-random", "shuttle-pct", "loom"];

const THREADS: &str = "threads";

/// A race, with the property of its repair, and the most commands and preemptions of a minimal failure.
struct Race {
    name: &'static str,
    repaired: &'static str,
    commands: f64,
    preemptions: f64,
}

const fn race_of(name: &'static str, repaired: &'static str, commands: u32, preemptions: u32) -> Race {
    Race { name, repaired, commands: commands as f64, preemptions: preemptions as f64 }
}

/// The property of a published crate is the same for its repaired version, in another package.
const fn published(name: &'static str, commands: u32) -> Race {
    race_of(name, name, commands, 1)
}

/// The races of `examples/machines`.
const CLASSICAL: [Race; 6] = [
    race_of("check_then_act", "checked_at_once", 4, 1),
    race_of("two_state_flag", "one_state_flag", 3, 1),
    // No command of some programs with six can be deleted; there are others with five.
    race_of("aba", "tagged_pointers", 6, 1),
    race_of("lock_order", "one_lock_order", 2, 1),
    race_of("lost_wake_up", "wake_up", 2, 1),
    race_of("double_checked", "initialised_in_order", 2, 1),
];

/// The bugs of published crates of `examples/races`.
const PUBLISHED: [Race; 5] = [
    published("oneshot_close", 3),
    published("oneshot_unparking", 3),
    published("flume_shutdown", 3),
    published("once_failure", 2),
    published("full_buffer", 6),
];

/// The name of a race's property. Its last part alone may fit other properties as well.
fn property(case: &str) -> String {
    format!("races::{case}")
}

/// How long another tool searches, in seconds.
const TIME: &str = "10";

/// The number of random schedules that follow the systematic ones of a program.
const RANDOM: f64 = 100.0;

/// How often each failure is replayed, each time by a new process. With ten seeds, a race is replayed 100 times.
const REPLAYS: u64 = 10;

/// How long the repaired version is tested.
const SILENT: &str = "60s";

/// The number of busy processes while a search is repeated, and the seeds whose searches are.
const LOAD: usize = 40;
const LOADED: u64 = 2;

const SCHEDULES: &str = "schedules_to_bug";
const SECONDS: &str = "seconds";
const FOUND: &str = "found";
const REPLAYED: &str = "replays";
const COMMANDS: &str = "commands";
const PREEMPTIONS: &str = "preemptions";
const EQUAL: &str = "equal_under_load";
const REPAIRED: &str = "repaired_passes";
const RATE: &str = "schedules_per_second";

/// Where a race and its repair are, and the arguments that select its tests.
#[derive(Clone, Copy)]
struct Place {
    directory: &'static str,
    repaired: &'static str,
    arguments: &'static [&'static str],
}

const IN_MACHINES: Place =
    Place { directory: "..", repaired: "..", arguments: &["-p", "forall-example-machines", "--test", "races"] };
const IN_RACES: Place = Place {
    directory: "../examples/races/found",
    repaired: "../examples/races/repaired",
    arguments: &["--test", "races", "--instrument", "all"],
};

/// The result of one search. Other tools report less than the scheduler.
#[derive(Default)]
struct Hunted {
    schedules: Option<f64>,
    seconds: f64,
    /// The input from the line `replay:`.
    input: Option<String>,
    commands: Option<f64>,
    preemptions: Option<f64>,
}

/// Measures all races, and adds rows, bars and a table.
pub fn run_all(options: &Options, seeds: u64, report: &mut Report) -> Result<(), String> {
    let programs = Programs::build(options, "release", &[TOOL, PORTED])?;
    let all = CLASSICAL.iter().map(|race| (race, IN_MACHINES)).chain(PUBLISHED.iter().map(|race| (race, IN_RACES)));
    for (Race { name: case, repaired, commands, preemptions }, place) in all {
        let property = &*property(case);
        let search = |seed: u64| -> Result<Option<Hunted>, String> {
            let arguments = [property, "--include-ignored", "--seed", &seed.to_string()];
            Ok(read(&race(programs.of(TOOL), place.directory, &place, &arguments)?))
        };
        let mut hunted = Vec::new();
        let (mut replays, mut equal) = (0, 0);
        for seed in 1..=seeds {
            let Some(found) = search(seed)? else { continue };
            if let Some(input) = &found.input {
                for _ in 0..REPLAYS {
                    let replayed = race(programs.of(TOOL), place.directory, &place, &[property, input])?;
                    replays += u64::from(failed(&replayed));
                }
            }
            if seed <= LOADED {
                let _load = Load::begin()?;
                equal += u64::from(search(seed)?.is_some_and(|loaded| loaded.schedules == found.schedules));
            }
            hunted.push(found);
        }
        let repair = race(programs.of(TOOL), place.repaired, &place, &[&self::property(repaired), "--for", SILENT])?;
        rows(report, case, "forall", &hunted, seeds);
        row(report, case, "forall", REPLAYED, replays as f64 * 100.0 / (seeds * REPLAYS) as f64);
        row(report, case, "forall", EQUAL, equal as f64 * 100.0 / seeds.min(LOADED) as f64);
        row(report, case, "forall", REPAIRED, if passed(&repair) { 100.0 } else { 0.0 });
        bar(report, case, FOUND, Limit::AtLeast(100.0));
        bar(report, case, SECONDS, Limit::AtMost(10.0));
        bar(report, case, REPLAYED, Limit::AtLeast(100.0));
        bar(report, case, EQUAL, Limit::AtLeast(100.0));
        bar(report, case, REPAIRED, Limit::AtLeast(100.0));
        bar(report, case, COMMANDS, Limit::AtMost(*commands));
        bar(report, case, PREEMPTIONS, Limit::AtMost(*preemptions));
    }
    for Race { name: case, .. } in CLASSICAL {
        for tool in OTHERS.into_iter().filter(|tool| options.wants(tool)) {
            // loom has no seed.
            let seeds = if tool == "loom" { 1 } else { seeds };
            let mut hunted = Vec::new();
            for seed in 1..=seeds {
                hunted.extend(other(programs.of(PORTED), tool, case, seed)?);
            }
            rows(report, case, tool, &hunted, seeds);
        }
    }
    for Race { name: case, .. } in PUBLISHED.into_iter().filter(|_| options.wants(THREADS)) {
        let mut hunted = Vec::new();
        for seed in 1..=seeds {
            hunted.extend(on_threads(programs.of(TOOL), case, seed)?);
        }
        rows(report, case, THREADS, &hunted, seeds);
    }
    let rate = schedules_per_second(programs.of(TOOL))?;
    row(report, "2x3", "forall", RATE, rate);
    bar(report, "2x3", RATE, Limit::AtLeast(20_000.0));
    report.tables.push(table(report));
    Ok(())
}

/// The report of a race.
fn race(tool: &Path, directory: &str, place: &Place, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(tool);
    command.current_dir(bench_directory().join(directory)).arg("race").args(arguments).args(place.arguments);
    report_of(command)
}

/// Processes that are busy as long as this lives.
struct Load(Vec<Child>);

impl Load {
    fn begin() -> Result<Self, String> {
        let mut load = Self(Vec::new());
        for _ in 0..LOAD {
            let busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
            load.0.push(busy.map_err(|error| format!("cannot start a busy process: {error}"))?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for busy in &mut self.0 {
            let _ = busy.kill();
            let _ = busy.wait();
        }
    }
}

/// The report of a run, in which at most one property fails.
fn report_of(mut command: Command) -> Result<String, String> {
    command.env("FORALL_STORE", "off").env("FORALL_EXPLAIN", "0").env("NO_COLOR", "1");
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 1) => Ok(text),
        _ => Err(format!("{command:?} failed:\n{text}")),
    }
}

/// Searches for the bug of a published crate on real threads. `None` if it was not found in the time that other tools have.
fn on_threads(tool: &Path, case: &str, seed: u64) -> Result<Option<Hunted>, String> {
    let mut command = Command::new(tool);
    command.current_dir(bench_directory().join(IN_RACES.directory));
    command.args(["run", &property(case), "--release", "--test", "races", "--seed", &seed.to_string(), "--for"]);
    command.arg(format!("{TIME}s")).env("FORALL_SHRINK_EVALUATIONS", "0");
    let text = report_of(command)?;
    Ok(seconds(&text).map(|seconds| Hunted { seconds, ..Hunted::default() }))
}

fn failed(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("FAILED "))
}

/// Whether a property ran, and did not fail.
fn passed(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("passed "))
}

/// Reads the report of a failure under the scheduler.
fn read(text: &str) -> Option<Hunted> {
    let seconds = seconds(text)?;
    let schedules = text.split(", found after ").nth(1)?.split(' ').next()?.replace(',', "").parse().ok();
    let preemptions = text.split("schedule with ").nth(1)?.split(' ').next()?.parse().ok();
    let replay = text.lines().find(|line| line.starts_with("replay:"));
    let input = replay.and_then(|line| line.split('\'').nth(1)).map(str::to_owned);
    // Each command of the pasted test is a call, as in `Spec::push(0)`.
    let pasted = text.split_once("fn pasted() {")?.1.split_once("::of(")?.1.split(".test").next()?;
    let commands = Some(pasted.matches("::").count() as f64);
    Some(Hunted { schedules, seconds, input, commands, preemptions })
}

/// The time until a property failed, and was shrunk.
fn seconds(text: &str) -> Option<f64> {
    let (_, head) = text.split_once("FAILED ").or_else(|| text.split_once("FLAKY "))?;
    // A head that does not fit on a line is wrapped.
    let head = head.split("\n\n").next()?.split("The same input").next()?.split("The input below").next()?;
    duration(head.rsplit(',').next()?)
}

/// A duration as reports print it, in seconds.
fn duration(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    let number: f64 = number.replace(',', "").parse().ok()?;
    match unit {
        "µs" => Some(number / 1e6),
        "ms" => Some(number / 1e3),
        "s" => Some(number),
        "min" => Some(number * 60.0),
        _ => None,
    }
}

/// Searches with another tool. `None` if it found nothing.
fn other(program: &Path, tool: &str, case: &str, seed: u64) -> Result<Option<Hunted>, String> {
    let began = std::time::Instant::now();
    let output = run(Command::new(program).args([tool, case, &seed.to_string(), TIME]))?;
    let seconds = began.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    // Other lines are output of the tool itself.
    let last = text.lines().last().unwrap_or_default();
    Ok(last.trim().parse().ok().map(|schedules| Hunted { schedules: Some(schedules), seconds, ..Hunted::default() }))
}

/// How many schedules of two branches of three commands run in a second, on one core.
fn schedules_per_second(tool: &Path) -> Result<f64, String> {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(tool).current_dir(bench_directory().join(IN_MACHINES.directory));
    command.args(["race", "races::small_program", "--verbose"]).args(IN_MACHINES.arguments);
    command.env("FORALL_STORE", "off").env("NO_COLOR", "1");
    let output = run(&mut command)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    rate(&text).ok_or_else(|| format!("no rate in the report:\n{text}"))
}

/// Reads tests, schedules of each and time from `passed  races::small_program  all 20 inputs, 35 ms` and its statistics.
fn rate(text: &str) -> Option<f64> {
    let head = text.lines().find(|line| line.starts_with("passed ") && line.contains("small_program"))?;
    let (tests, time) = head.split("  all ").last()?.split_once(" inputs, ")?;
    let tests: f64 = tests.trim().parse().ok()?;
    let row = text.lines().find(|line| line.contains(" schedules with up to "))?;
    let schedules: f64 = row.split(" all ").nth(1)?.split(' ').next()?.replace(',', "").parse().ok()?;
    Some(tests * (schedules + RANDOM) / duration(time)?)
}

fn rows(report: &mut Report, case: &str, tool: &str, hunted: &[Hunted], seeds: u64) {
    row(report, case, tool, FOUND, hunted.len() as f64 * 100.0 / seeds as f64);
    if hunted.is_empty() {
        return;
    }
    let mut schedules: Vec<f64> = hunted.iter().filter_map(|hunted| hunted.schedules).collect();
    schedules.sort_by(f64::total_cmp);
    if let Some(median) = schedules.get(schedules.len() / 2) {
        row(report, case, tool, SCHEDULES, *median);
    }
    row(report, case, tool, SECONDS, hunted.iter().map(|hunted| hunted.seconds).fold(0.0, f64::max));
    let most = |of: fn(&Hunted) -> Option<f64>| hunted.iter().filter_map(of).reduce(f64::max);
    for (metric, most) in [(COMMANDS, most(|hunted| hunted.commands)), (PREEMPTIONS, most(|hunted| hunted.preemptions))]
    {
        if let Some(most) = most {
            row(report, case, tool, metric, most);
        }
    }
}

fn row(report: &mut Report, case: &str, tool: &str, metric: &'static str, value: f64) {
    report.rows.push(Row { case: case.to_owned(), tool: tool.to_owned(), profile: "release", metric, value });
}

fn bar(report: &mut Report, case: &str, metric: &str, limit: Limit) {
    let value = report.value(case, "forall", "release", metric);
    report.bars.push(Bar { what: format!("{case}: {metric}"), value, limit });
}

fn table(report: &Report) -> Table {
    let mut table = Table {
        title: "Races".to_owned(),
        head: ["case", "tool", FOUND, SCHEDULES, SECONDS, COMMANDS, PREEMPTIONS, REPLAYED, EQUAL, REPAIRED]
            .map(str::to_owned)
            .to_vec(),
        ..Table::default()
    };
    for Row { case, tool, .. } in report.rows.iter().filter(|row| row.metric == FOUND) {
        let value = |metric| report.value(case, tool, "release", metric).map_or("–".to_owned(), number);
        table.rows.push(vec![
            case.clone(),
            tool.clone(),
            value(FOUND),
            value(SCHEDULES),
            value(SECONDS),
            value(COMMANDS),
            value(PREEMPTIONS),
            value(REPLAYED),
            value(EQUAL),
            value(REPAIRED),
        ]);
    }
    table.notes.push(format!(
        "`{FOUND}`, `{REPLAYED}`, `{EQUAL}` and `{REPAIRED}` in percent; `{SCHEDULES}` is the median; `{SECONDS}` (with shrinking), \
         `{COMMANDS}` and `{PREEMPTIONS}` are the worst. `{EQUAL}`: as many schedules until the failure, while {LOAD} other processes are \
         busy, for {LOADED} of the seeds. `{REPAIRED}`: the repaired version passed {SILENT}. forall generates the programs; the other tools have \
         {TIME} s for the smallest program that fails. For the published crates, `{THREADS}` is `cargo forall run` for {TIME} s, without \
         shrinking."
    ));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_a_race_is_read() {
        let text = "FAILED races::aba (src/lib.rs:1) after 15 tests with literals, 9 shrinks,\n       498 ms\n\nnotes:\n  schedule with 1 \
                    preemption, found after 4,202 schedules:\n  as a test:\n  #[test]\n  fn pasted() {\n      Parallel::<race::AbaSpec, 2>::of(\
                    vec![AbaSpec::push(0)], vec![vec![AbaSpec::pop()], vec![]]).test();\n  }\nreplay:   cargo forall race --test races \
                    races::aba '2-ZLj4'\n";
        let found = read(text).unwrap();
        assert_eq!((found.schedules, found.seconds, found.input.as_deref()), (Some(4202.0), 0.498, Some("2-ZLj4")));
        assert_eq!((found.commands, found.preemptions), (Some(2.0), Some(1.0)));
        assert!(read("passed  races::aba  256 tests, 2.3 s").is_none());
    }

    #[test]
    fn the_time_of_a_flaky_failure_is_read() {
        let text = "FLAKY races::once_failure (tests/races.rs:1) after 3 tests, 1.2 s\nThe same input failed in one run, not in another.\n\n";
        assert_eq!(seconds(text), Some(1.2));
    }

    #[test]
    fn the_rate_is_schedules_of_all_tests_in_their_time() {
        let text = "passed  races::small_program  all 20 inputs, 50 ms\n    20 valid, 0 discarded\n    schedules:\n    100.0 %  ████  \
                    all 100 schedules with up to 2 preemptions at …\n";
        assert_eq!(rate(text), Some(80_000.0));
    }
}
