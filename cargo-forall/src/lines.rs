//! JSON lines files of events, which `--json` writes. See `forall::observe`.

use crate::Error;
use forall::protocol::{Encode, Event, Told};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Truncates a file. An error is reported before the tests run.
pub fn begin(path: &Path) -> Result<(), Error> {
    fs::write(path, "").map_err(|error| unwritable(path, error))
}

/// Adds the events of a property to a file.
pub fn add(path: &Path, property: &str, events: &[Event]) -> Result<(), Error> {
    let told = |event: &Event| Told { property: property.to_owned(), event: event.clone() }.encode();
    add_lines(path, events.iter().map(told))
}

/// Adds lines to a file.
pub fn add_lines(path: &Path, lines: impl Iterator<Item = String>) -> Result<(), Error> {
    let text: String = lines.map(|line| line + "\n").collect();
    let file = fs::OpenOptions::new().append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| unwritable(path, error))
}

/// Why a file cannot be written, and what to do.
pub fn unwritable(path: &Path, source: std::io::Error) -> Error {
    Error::File { doing: "write", path: path.to_owned(), source, advice: "choose another file" }
}
