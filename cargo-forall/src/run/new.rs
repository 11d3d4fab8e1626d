//! `--new-only` and `--new-failures`: failures that were not in the corpus when the run began.

use crate::corpus::told::{self, Sighting};
use crate::{Error, lines};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The exit code of `--new-only` if a failure is new.
pub(super) const FOUND: u8 = 4;

/// A new failure.
pub(super) struct NewFailure {
    pub(super) sighting: Sighting,
    pub(super) property: String,
    pub(super) seed: Option<String>,
    pub(super) worker: Option<String>,
}

/// Appends a line of JSON for each failure.
pub(super) fn write(path: &Path, new: &[NewFailure]) -> Result<(), Error> {
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let mut text = String::new();
    for NewFailure { sighting, property, seed, worker } in new {
        let line = json!({
            "v": 1, "event": "new-failure", "property": property, "message": sighting.message, "place": sighting.place,
            "id": sighting.id, "commit": told::commit(), "worker": worker, "seed": seed, "at": at,
        });
        text += &format!("{line}\n");
    }
    let opened = OpenOptions::new().create(true).append(true).open(path);
    // In one piece: several workers may share the file.
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| lines::unwritable(path, error))
}
