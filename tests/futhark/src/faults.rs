//! Fault injection for servers. Whatever fault a server has, the run must end with a report that names the activity,
//! and no property whose server was lost may pass.

use forall_futhark::blocks::Blocks;
use forall_futhark::client::{Options, Server};
use forall_futhark::properties::{Failure, Property, Rules, Settings, Stopped, run, validate};
use std::cell::Cell;
use std::time::Duration;

/// The program of the faulty server: it has a generator, a false property, and a shrinker.
const PROGRAM: &str = "prop_gen_shrink";
const PROPERTY: &str = "arr_shrink";

/// The directory of the programs whose properties all hold.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/programs");

/// The time limit of a silent server, which is then killed.
const PATIENCE: Duration = Duration::from_millis(250);

/// The maximum number of bytes of answers in a run without faults.
const CONVERSATION: u64 = 30_000;

/// Injects a fault into the server of `program`, and checks the report.
///
/// # Errors
///
/// Returns the missing part of the report, with the report.
pub fn inject(program: &str, fault: u64) -> Result<(), String> {
    let what = ["die", "hang", "truncate", "garble"][(fault % 4) as usize];
    // The byte offsets are spread over all answers of a run.
    let after = (fault * fault * 7919) % CONVERSATION + 200;
    let directory = std::env::temp_dir().join(format!("forall-fault-{}-{fault}", std::process::id()));
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let mut settings = Settings::default();
    settings.seed = fault;
    settings.tests = 500;
    settings.program = directory.join("program");
    let said = report(program, what, after, &settings)?;
    let wrong = wrong_with(&said, &settings);
    std::fs::remove_dir_all(directory).map_err(|error| error.to_string())?;
    match wrong {
        Some(wrong) => Err(format!("{what} after {after} bytes: {wrong}\n{said}")),
        None => Ok(()),
    }
}

/// The result of a property that holds, on a faulty server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The run ended before the fault occurred.
    NoFault,
    /// The property did not pass, with this report.
    NotPassed(String),
    /// The property passed.
    Passed,
}

/// The servers that have the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Servers {
    /// The first server that is started.
    First,
    /// All servers.
    All,
}

/// The part of a run in which the fault occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Among the requested candidates.
    Requested,
    /// During exploration, after one requested candidate.
    Exploration,
}

/// The number of the first answer that belongs to the exploration. The server's start, the validation and one candidate
/// have fewer answers.
const FIRST_EXPLORED: u64 = 40;

/// Runs a property of the twin `steady`, whose properties all hold, on a server whose answer number `at` is faulty.
///
/// # Errors
///
/// Returns the error of the setup.
pub fn verdict(
    program: &str,
    name: &str,
    fault: &str,
    at: u64,
    servers: Servers,
    part: Part,
) -> Result<Verdict, String> {
    let text = |error: std::io::Error| error.to_string();
    let directory = std::env::temp_dir().join(format!("forall-verdict-{}-{name}-{fault}-{at}", std::process::id()));
    std::fs::create_dir_all(&directory).map_err(text)?;
    let mark = directory.join("mark");
    let property = property_of(program, "steady", &format!("{PROGRAMS}/steady.fut"), name)?;
    let mut settings = Settings::default();
    settings.seed = at;
    match part {
        // With this many tests, the last candidates are sent in several rounds of one exchange.
        Part::Requested => settings.tests = 200,
        // The number of candidates ends the exploration, even on a busy machine.
        Part::Exploration => (settings.tests, settings.extra_time) = (1, Duration::from_secs(600)),
    }
    settings.program = directory.join("program");
    let starts = Cell::new(0);
    let start = || {
        let options = Options::default().argument("steady");
        match starts.replace(starts.get() + 1) {
            0 => {}
            _ if servers == Servers::All => {}
            _ => return Server::start(program, &options.timeout(PATIENCE * 20)),
        }
        let options =
            options.argument("fault").argument(fault).argument(at.to_string()).argument(mark.to_string_lossy());
        // A long time limit, so that a busy machine does not look like a fault; short only for faults that hang.
        let hangs = ["hang", "half", "garble", "never"].contains(&fault);
        Server::start(program, &options.timeout(if hangs { PATIENCE } else { PATIENCE * 20 }))
    };
    let ran = run(&start, &property, &settings);
    let was_met = mark.exists();
    std::fs::remove_dir_all(directory).map_err(text)?;
    Ok(match ran {
        _ if !was_met => Verdict::NoFault,
        Err(Stopped::Failed(Failure { text, .. })) => Verdict::NotPassed(text),
        Err(Stopped::Lost(error)) => Verdict::NotPassed(error.to_string()),
        Err(_) => Verdict::NotPassed("another end".to_owned()),
        Ok(_) => Verdict::Passed,
    })
}

/// Returns the property, kind, answer number, servers and part of the run of fault number `number`.
pub fn place(number: u64) -> (&'static str, &'static str, u64, Servers, Part) {
    // Every fault is combined with every property. The answers are near the start at first, later all over the run.
    let pick = |from: &[&'static str], at: u64| from[(at % from.len() as u64) as usize];
    let (properties, faults) = (crate::twins::steady::PROPERTIES, crate::faulty::FAULTS);
    let round = number / (properties.len() * faults.len()) as u64;
    let property = pick(properties, number);
    let fault = pick(faults, number / properties.len() as u64);
    let at = 1 + (round * round * 7 + number * 31) % (20 + 40 * round);
    let servers = if number.is_multiple_of(3) { Servers::All } else { Servers::First };
    // Sequences of commands are not explored.
    let is_explored = !["counted", "stepped"].contains(&property) && (number / 2).is_multiple_of(2);
    match is_explored {
        true => (property, fault, FIRST_EXPLORED + at, servers, Part::Exploration),
        false => (property, fault, at, servers, Part::Requested),
    }
}

fn report(program: &str, what: &str, after: u64, settings: &Settings) -> Result<String, String> {
    let property = property(program)?;
    let is_first = Cell::new(true);
    let start = || {
        let options = Options::default().timeout(PATIENCE).argument(PROGRAM);
        match is_first.replace(false) {
            true => Server::start(program, &options.argument(what).argument(after.to_string())),
            false => Server::start(program, &options.timeout(PATIENCE * 20)),
        }
    };
    match run(&start, &property, settings) {
        Err(Stopped::Failed(Failure { text, .. })) => Ok(text),
        Err(Stopped::Lost(error)) => Ok(error.to_string()),
        Err(_) => Err("another end".to_owned()),
        Ok(_) => Err(format!("{what} after {after}: it passed, although the property is false")),
    }
}

fn property(program: &str) -> Result<Property, String> {
    let source = format!("{}/recordings/programs/{PROGRAM}.fut", env!("CARGO_MANIFEST_DIR"));
    property_of(program, PROGRAM, &source, PROPERTY)
}

fn property_of(program: &str, twin: &str, source: &str, name: &str) -> Result<Property, String> {
    let source = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
    let blocks = Blocks::parse(&source).map_err(|error| error.to_string())?;
    let server = Server::start(program, &Options::default().argument(twin)).map_err(|error| error.to_string())?;
    let validated = validate(&server, &blocks, Rules::Ours, &|_| None).map_err(|error| error.to_string())?;
    validated.0.into_iter().find(|property| property.name == name).ok_or_else(|| "no such property".to_owned())
}

/// Returns the missing part of a report.
fn wrong_with(said: &str, settings: &Settings) -> Option<&'static str> {
    let first = said.lines().next().unwrap_or_default();
    let names = [format!("Property {PROPERTY} "), format!("seed={}", settings.seed), "size=".to_owned()];
    if !names.iter().all(|name| first.contains(name)) {
        return Some("it does not name the property, the size and the seed");
    }
    let phases = ["generator ", "property ", "shrinker ", "the server did not start"];
    if said.contains("lost") && !phases.iter().any(|phase| said.contains(phase)) {
        return Some("it does not say what was being done");
    }
    let file = settings.counterexample_file(PROPERTY);
    if said.contains("\nCounterexample: ") != file.is_file() {
        return Some("the counterexample is in the report or on disk, but not both");
    }
    None
}

/// Returns the number of running servers that this process has started.
pub fn servers_left() -> usize {
    let own = std::process::id().to_string();
    let is_server = |entry: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.split(' ').nth(1) == Some(&*own) && stat.contains("(forall-futhark"))
    };
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    processes.filter_map(Result::ok).map(is_server).filter(|is| *is).count()
}
