//! Counterexamples of properties that are not there any more: renamed, most likely. No run tries them, so they are told of.
//!
//! Regressions that were committed are told of by the tests themselves; these are the finds of this machine.

use crate::properties::Property;
use crate::results::local_store;
use crate::screen::{Screen, visible};
use crate::words;
use crate::workspace::{Place, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// As many properties are named.
const NAMED: usize = 3;

/// What a file is of stands at its beginning.
const BEGINNING: u64 = 1 << 16;

/// What to say of finds that belong to none of all properties; nothing where only some of the tests were looked at.
pub fn told(workspace: &Workspace, all: &[Property], place: &Place, screen: &Screen) -> String {
    if place.which.test.is_some() || place.which.lib || place.which.archive.is_some() {
        return String::new();
    }
    let here: BTreeSet<&str> = all.iter().map(|property| &*property.name).collect();
    let stores = workspace.binaries.iter().filter_map(|binary| local_store(&binary.package_directory));
    let mut out = String::new();
    // Packages may share one.
    for store in stores.collect::<BTreeSet<_>>() {
        let orphans: Vec<_> = finds(&store).into_iter().filter(|(name, _)| !here.contains(&**name)).collect();
        for (name, files) in orphans.iter().take(NAMED) {
            let (number, name) = (words::count(files.len() as u64, "counterexample"), visible(name));
            let folder = files[0].parent().unwrap_or(&store).display().to_string();
            let text = format!(
                "forall: warning: {} has {number} of `{name}`, and there is no such property now: nothing tries what is kept of it. \
                 If it was renamed, `forall replay NEW_NAME 2-…` tries an input, which stands in its file behind `case`. If it is \
                 gone, delete the folder. If it is there under another `cfg` or feature only, all is well",
                visible(&folder)
            );
            out += &screen.wrap("", &text);
        }
        if orphans.len() > NAMED {
            let more = words::count((orphans.len() - NAMED) as u64, "more property");
            out += &screen.wrap(
                "",
                &format!(
                    "forall: warning: the same holds for {more} that {} has counterexamples of",
                    visible(&store.display().to_string())
                ),
            );
        }
    }
    out
}

/// The files of finds in a store, by their property. Those of values are left out: what values are called may be known only when they run.
fn finds(store: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let mut finds: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in entries(store).iter().filter(|path| path.is_dir()) {
        for file in entries(folder).into_iter().filter(|file| file.extension().is_some_and(|end| end == "case")) {
            if let Some(name) = property_of(&file).filter(|name| is_path(name)) {
                finds.entry(name).or_default().push(file);
            }
        }
    }
    finds
}

/// The property of a failing input in a file, if it is one.
fn property_of(file: &Path) -> Option<String> {
    let mut text = Vec::new();
    File::open(file).ok()?.take(BEGINNING).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut head = text.lines().take_while(|line| !line.starts_with('|'));
    head.clone().find(|line| *line == "kind failure")?;
    head.find_map(|line| line.strip_prefix("property ")).map(|name| name.trim().to_owned())
}

/// Whether this is the name of a function: its crate, modules, and itself.
fn is_path(name: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c == '_' || c == '#' || c.is_alphanumeric());
    name.contains("::") && name.split("::").all(is_name)
}
