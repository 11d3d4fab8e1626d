//! What each property came to when this program ran it last: `.forall/results.jsonl`, beside the counterexamples.

use crate::Error;
use crate::properties::Property;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const FILE: &str = "results.jsonl";

/// The last results of a package, by property.
#[derive(Debug, Default)]
pub struct Results {
    by_name: BTreeMap<String, Value>,
    /// What is wrong with the file, and what to do about it.
    pub trouble: Option<String>,
}

/// The directory of local finds of a package; none when the store is off.
pub fn local_store(package: &Path) -> Option<PathBuf> {
    match std::env::var_os("FORALL_STORE").filter(|value| !value.is_empty()) {
        Some(off) if off == "off" || off == "0" => None,
        Some(path) => Some(package.join(path)),
        None => Some(package.join(".forall")),
    }
}

impl Results {
    /// Reads those of a package. What cannot be read is told, and left out.
    pub fn of(package: &Path) -> Self {
        let Some(path) = local_store(package).map(|store| store.join(FILE)) else { return Self::default() };
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Self::default(),
            Err(error) => {
                let trouble = Some(format!("cannot read {}: {error}; make it readable or delete it", path.display()));
                return Self { trouble, ..Self::default() };
            }
        };
        let (mut results, mut damaged) = (Self::default(), 0);
        for line in text.lines() {
            let read = serde_json::from_str::<Value>(line).ok();
            match read.as_ref().and_then(|value| value["property"].as_str()) {
                Some(name) => results.by_name.insert(name.to_owned(), read.clone().unwrap_or_default()),
                None => {
                    damaged += 1;
                    continue;
                }
            };
        }
        if damaged > 0 {
            let lines = if damaged == 1 { "1 line" } else { &format!("{damaged} lines") };
            let path = path.display();
            results.trouble =
                Some(format!("{lines} of {path} cannot be read, and left out; the next run repairs the file"));
        }
        results
    }

    /// The last result of a property.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.by_name.get(name)
    }
}

/// Remembers what a run of the property came to.
pub fn remember(property: &Property, finished: &Value) -> Result<(), Error> {
    let package = &property.binary.package_directory;
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    let Some(store) = local_store(package).filter(|_| !read_only) else { return Ok(()) };
    let mut results = Results::of(package);
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut result = json!({"property": property.name, "at": at});
    for field in ["verdict", "valid", "discarded", "inputs", "seed", "time", "labels"] {
        result[field] = finished[field].clone();
    }
    results.by_name.insert(property.name.clone(), result);
    let text: String = results.by_name.values().map(|result| format!("{result}\n")).collect();
    write(&store, &text).map_err(|error| {
        let path = store.join(FILE);
        format!("cannot write {}: {error}; make it writable, or set FORALL_STORE to another directory", path.display())
    })
}

/// Replaces the file in one step: two processes may do so at once.
fn write(store: &Path, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(store)?;
    let ignore = store.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    let own = store.join(format!("{FILE}.tmp-{}", std::process::id()));
    fs::write(&own, text)?;
    fs::rename(own, store.join(FILE))
}
