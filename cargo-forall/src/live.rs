//! Progress of running commands for `forall watch`: a small file for each property in `.forall/live`. The directory exists only
//! while a `forall watch` runs, so that nothing is written otherwise.

use crate::{results, scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The minimum time between two writes.
const PERIOD: Duration = Duration::from_millis(300);

/// An older file was left behind by a process that was killed.
const STALE: Duration = Duration::from_secs(5);

/// The directory of a package.
fn folder(package: &Path) -> Option<PathBuf> {
    results::local_store(package).map(|store| store.join("live"))
}

/// The progress of a running command on one property. The file is removed when the property is finished.
#[derive(Debug)]
pub struct Note {
    path: Option<PathBuf>,
    command: &'static str,
    property: String,
    written: Option<Instant>,
}

impl Note {
    /// Creates the note of a command about a property of a package.
    pub fn new(command: &'static str, package: &Path, property: &str) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = || format!("{}-{}.json", scratch::own_name(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = folder(package).map(|folder| folder.join(name()));
        Self { path, command, property: property.to_owned(), written: None }
    }

    /// Writes the note with these fields, unless it was written just before.
    pub fn write(&mut self, fields: &dyn Fn() -> Value) {
        let Some(path) = &self.path else { return };
        if self.written.is_some_and(|written| written.elapsed() < PERIOD) {
            return;
        }
        self.written = Some(Instant::now());
        if !path.parent().is_some_and(Path::is_dir) {
            return;
        }
        let mut note = fields();
        (note["command"], note["property"]) = (json!(self.command), json!(self.property));
        // Renaming is atomic: readers never see a partial file.
        let part = path.with_extension("part");
        let _ = fs::write(&part, note.to_string()).and_then(|()| fs::rename(&part, path));
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        if let (Some(path), Some(_)) = (&self.path, self.written) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Enables notes of a package: until this is dropped, commands write them.
#[derive(Debug)]
pub struct Watching {
    folder: Option<PathBuf>,
}

impl Watching {
    /// Starts to watch a package. Without a store, there are no notes.
    pub fn new(package: &Path) -> Self {
        let folder = folder(package).filter(|folder| fs::create_dir_all(folder).is_ok());
        if let Some(store) = folder.as_ref().and_then(|folder| folder.parent()) {
            let ignore = store.join(".gitignore");
            if !ignore.exists() {
                let _ = fs::write(ignore, "*\n");
            }
        }
        Self { folder }
    }

    /// The notes of running commands.
    pub fn notes(&self) -> Vec<Value> {
        let mut notes = Vec::new();
        // Another one that watched the package has removed it.
        let _ = self.folder.as_ref().map(fs::create_dir);
        for file in self.folder.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten()) {
            let written = file.metadata().and_then(|metadata| metadata.modified());
            let is_stale = written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > STALE));
            if is_stale {
                let _ = fs::remove_file(file.path());
            } else if file.path().extension().is_some_and(|end| end == "json") {
                notes.extend(fs::read(file.path()).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok()));
            }
        }
        notes.retain(|note| note["property"].is_string());
        notes.sort_by_key(|note| (note["property"].to_string(), note["command"].to_string()));
        notes
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_written_only_while_a_watch_runs() {
        let package = std::env::temp_dir().join(format!("forall-live-{}", std::process::id()));
        let _ = fs::remove_dir_all(&package);
        fs::create_dir(&package).unwrap();
        let mut unseen = Note::new("run", &package, "a::b");
        unseen.write(&|| json!({}));
        assert!(!package.join(".forall").exists());
        let watching = Watching::new(&package);
        let mut note = Note::new("fuzz", &package, "a::b");
        note.write(&|| json!({"text": "7 executions"}));
        // Too soon for another one.
        note.write(&|| json!({"text": "8 executions"}));
        fs::write(package.join(".forall/live/other.json"), "{").unwrap();
        let expected = json!({"command": "fuzz", "property": "a::b", "text": "7 executions"});
        assert_eq!(watching.notes(), [expected]);
        drop(note);
        assert_eq!(watching.notes(), [Value::Null; 0]);
        // Another one watches for a while.
        drop(Watching::new(&package));
        watching.notes();
        assert!(package.join(".forall/live").exists());
        drop(watching);
        assert!(!package.join(".forall/live").exists());
        fs::remove_dir_all(package).unwrap();
    }
}
