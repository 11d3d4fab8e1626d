//! Files of JSON, a line for each event: what `--json` writes, for properties of Rust and of Futhark. See `forall::observe`.

use crate::Error;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The version of what the lines mean.
pub const VERSION: u64 = 1;

/// Begins a file anew: better before anything is tested than after it.
pub fn begin(path: &Path) -> Result<(), Error> {
    fs::write(path, "").map_err(|error| unwritable(path, &error))
}

/// Adds events to a file.
pub fn add(path: &Path, events: &[Value]) -> Result<(), Error> {
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    let file = fs::OpenOptions::new().append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| unwritable(path, &error))
}

/// Why a file cannot be written, and what to do.
pub fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    format!("cannot write {}: {error}; name another that can be written", path.display())
}
