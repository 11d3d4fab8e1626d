//! A custom corpus: this program is `forall` with one more kind of address, `log://FILE`.
//!
//! ```text
//! cargo run -p cargo-forall --example log_corpus -- run --shard 1/2 --corpus log:///shared/corpus.log
//! ```
//!
//! The four verbs of `forall::store::Backend` are all that a store needs: an object store or a database takes their place in the same way.
//! Here, a file is only ever added to: a line of JSON for each entry that is saved or deleted. A line that was cut off, by a machine
//! that lost power, is passed over.

use cargo_forall::Error;
use cargo_forall::corpus::{self, Access, Corpus, KINDS};
use forall::store::{Backend, Cause, Cursor, Entry, Id, Kind, Listing, StoreError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

/// A corpus in one file.
pub struct Log {
    name: String,
    kinds: [OfKind; KINDS.len()],
}

/// Its entries of one kind.
struct OfKind {
    kind: Kind,
    file: PathBuf,
}

impl Log {
    /// The corpus at `log://FILE`.
    pub fn open(address: &str, access: Access) -> Result<Box<dyn Corpus>, Error> {
        let file = PathBuf::from(address.trim_start_matches("log://"));
        if access == Access::Write {
            let made = OpenOptions::new().create(true).append(true).open(&file);
            made.map_err(|error| format!("cannot write {}: {error}; name another file", file.display()))?;
        }
        Ok(Box::new(Self { name: address.to_owned(), kinds: KINDS.map(|kind| OfKind { kind, file: file.clone() }) }))
    }
}

impl Corpus for Log {
    fn entries(&self, kind: Kind) -> &dyn Backend {
        self.kinds.iter().find(|known| known.kind == kind).expect("each kind has a place")
    }

    fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut names = BTreeSet::new();
        for kind in self.kinds.iter().filter(|kind| kind.kind != Kind::Progress) {
            names.extend(kind.read()?.into_keys().map(|(property, _)| property));
        }
        Ok(names)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl OfKind {
    fn failed(&self, doing: &'static str, error: &std::io::Error) -> StoreError {
        StoreError::io(doing, &self.file, error)
    }

    /// Adds a line. A single append does not interleave with appends of other processes.
    fn add(&self, line: &Value) -> Result<(), StoreError> {
        let written = OpenOptions::new().append(true).open(&self.file).and_then(|mut file| {
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| self.failed("write", &error))
    }

    /// The lines, as they were written.
    fn read(&self) -> Result<BTreeMap<(String, String), String>, StoreError> {
        let text = fs::read_to_string(&self.file).map_err(|error| self.failed("read", &error))?;
        let mut entries = BTreeMap::new();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let field = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            if field("kind") != self.kind.word() {
                continue;
            }
            match line["entry"].as_str() {
                Some(entry) => entries.insert((field("property"), field("id")), entry.to_owned()),
                None => entries.remove(&(field("property"), field("id"))),
            };
        }
        Ok(entries)
    }

    fn line(&self, property: &str, id: Id, entry: Option<&str>) -> Value {
        json!({"kind": self.kind.word(), "property": property, "id": id.to_string(), "entry": entry})
    }
}

impl Backend for OfKind {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        let id = entry.id();
        self.add(&self.line(&entry.property, id, Some(&entry.to_text())))?;
        Ok(id)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        let found = self.read()?.remove(&(property.to_owned(), id.to_string()));
        // Other programs may write there: a line that cannot be parsed is an error, and stays.
        let read = |text: String| Entry::from_bytes(text.as_bytes());
        found.map(read).transpose().map_err(|error| StoreError::new("read", &self.file, Cause::Entry(error)))
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        let all = self.read()?.into_keys().filter(|(name, _)| name == property);
        Ok(Listing::since(all.filter_map(|(_, id)| id.parse().ok()), since))
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        let was_there = self.read()?.contains_key(&(property.to_owned(), id.to_string()));
        self.add(&self.line(property, id, None))?;
        Ok(was_there)
    }
}

#[allow(dead_code, reason = "the test of this example calls `open`")]
fn main() -> std::process::ExitCode {
    corpus::register("log", Log::open);
    cargo_forall::main()
}
