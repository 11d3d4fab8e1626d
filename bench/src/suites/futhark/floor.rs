//! CPU time: of a run, split into client and server, and of the least that a server needs for the same calls.
//!
//! The floor is a server that reads its commands from a file and writes its answers to nowhere: for each candidate the calls, on one
//! input, and a `free`. No values travel, and no other process waits.

use forall_futhark::client::{self, Server};
use forall_futhark::data::Value;
use forall_futhark::properties::{Property, Settings, run as run_property};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// Microseconds of CPU for each candidate.
pub struct Cost {
    pub client: f64,
    pub server: f64,
    pub floor: f64,
}

/// Runs a property, and the floor of its calls.
pub fn measure(
    start: &dyn Fn() -> Result<Server, client::Error>,
    property: &Property,
    settings: &Settings,
    executable: &str,
    arguments: &[&str],
    folder: &Path,
) -> Result<Cost, String> {
    let (client, server) = (used(UsageWho::RUSAGE_SELF), used(UsageWho::RUSAGE_CHILDREN));
    run_property(start, property, settings).map_err(|_| format!("{} did not pass", property.name))?;
    let tests = settings.tests as f64;
    let client = (used(UsageWho::RUSAGE_SELF) - client) / tests;
    let server = (used(UsageWho::RUSAGE_CHILDREN) - server) / tests;
    let floor = floor(property, settings.tests, executable, arguments, folder)? / tests;
    Ok(Cost { client, server, floor })
}

/// The CPU time of a server that reads its commands from a file.
fn floor(property: &Property, tests: u64, executable: &str, arguments: &[&str], folder: &Path) -> Result<f64, String> {
    let text = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(folder).map_err(text)?;
    let (values, commands) = (folder.join("floor.values"), folder.join("floor.commands"));
    let (put, names, types) = match &property.attribute.generator {
        Some(_) => (vec![Value::scalar(8i64), Value::scalar(7u64)], "size seed", ["i64", "u64"].as_slice()),
        None => (vec![Value::array((0..25).collect::<Vec<i32>>())], "input", ["[]i32"].as_slice()),
    };
    std::fs::write(&values, put.iter().flat_map(Value::to_bytes).collect::<Vec<u8>>()).map_err(text)?;
    let mut lines = format!("restore {}", values.display());
    for (name, of) in names.split(' ').zip(types) {
        let _ = write!(lines, " {name} {of}");
    }
    lines.push('\n');
    for _ in 0..tests {
        let _ = match &property.attribute.generator {
            Some(generator) => {
                let name = &property.name;
                write!(lines, "call {generator} input {names}\ncall {name} output input\nfree input output\n")
            }
            None => write!(lines, "call {} output input\nfree output\n", property.name),
        };
    }
    std::fs::write(&commands, lines).map_err(text)?;
    let before = used(UsageWho::RUSAGE_CHILDREN);
    let status = Command::new(executable)
        .args(arguments)
        .stdin(File::open(&commands).map_err(text)?)
        .stdout(Stdio::null())
        .status()
        .map_err(text)?;
    let floor = used(UsageWho::RUSAGE_CHILDREN) - before;
    std::fs::remove_file(commands).map_err(text)?;
    if status.success() { Ok(floor) } else { Err(format!("{executable} ended with {status}")) }
}

/// CPU time of this process and of all ended servers so far, in microseconds.
pub fn used_by_all() -> f64 {
    used(UsageWho::RUSAGE_SELF) + used(UsageWho::RUSAGE_CHILDREN)
}

/// CPU time so far, in microseconds.
fn used(who: UsageWho) -> f64 {
    getrusage(who)
        .map_or(0.0, |usage| (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64)
}
