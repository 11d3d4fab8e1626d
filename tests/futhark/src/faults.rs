//! Faults of servers, injected: whatever a server does, the run ends with a report that says what was being done.

use forall_futhark::blocks::Blocks;
use forall_futhark::client::{Options, Server};
use forall_futhark::properties::{Failure, Property, Rules, Settings, Stopped, run, validate};
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

/// The program whose server misbehaves: with a generator, a property that is false, and a shrinker.
const PROGRAM: &str = "prop_gen_shrink";
const PROPERTY: &str = "arr_shrink";

/// A server that is silent for longer is killed.
const PATIENCE: Duration = Duration::from_millis(250);

/// The longest conversation of a run that goes well, in bytes of answers.
const CONVERSATION: u64 = 30_000;

/// Injects a fault into the server that `program` serves: what was wrong with the report of it, if something was.
///
/// # Errors
///
/// What the report does not say, with the report.
pub fn inject(program: &str, fault: u64) -> Result<(), String> {
    let what = ["die", "hang", "truncate", "garble"][(fault % 4) as usize];
    // Places all over the conversation, close at first.
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
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("recordings/programs/{PROGRAM}.fut"));
    let source = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
    let blocks = Blocks::parse(&source).map_err(|error| error.to_string())?;
    let server = Server::start(program, &Options::default().argument(PROGRAM)).map_err(|error| error.to_string())?;
    let validated = validate(&server, &blocks, Rules::Ours, &|_| None).map_err(|error| error.to_string())?;
    validated.0.into_iter().find(|property| property.name == PROPERTY).ok_or_else(|| "no such property".to_owned())
}

/// What a report does not say.
fn wrong_with(said: &str, settings: &Settings) -> Option<&'static str> {
    let first = said.lines().next().unwrap_or_default();
    let names = [format!("Property {PROPERTY} "), format!("seed={}", settings.seed), "size=".to_owned()];
    if !names.iter().all(|name| first.contains(name)) {
        return Some("it does not name the property, the size and the seed");
    }
    let phases = ["generator ", "property ", "shrinker ", "when the server was started"];
    if said.contains("lost") && !phases.iter().any(|phase| said.contains(phase)) {
        return Some("it does not say what was being done");
    }
    let file = settings.counterexample_file(PROPERTY);
    if said.contains("\nCounterexample: ") != file.is_file() {
        return Some("the counterexample is in the report or on disk, but not both");
    }
    None
}

/// How many servers this process has started that still run.
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
