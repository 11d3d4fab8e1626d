//! Warnings about saved counterexamples of properties that no longer exist: no run replays them.
//!
//! The tests themselves report committed regressions; these are local failures.

use crate::properties::Property;
use crate::results::local_store;
use crate::screen::{Screen, visible};
use crate::words;
use crate::workspace::{Place, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The number of properties that are named.
const NAMED: usize = 3;

/// The property's name is within the first bytes of a file.
const BEGINNING: u64 = 1 << 16;

/// The warnings about failures that belong to none of the properties; empty if only some tests were built.
pub fn message(workspace: &Workspace, all: &[Property], place: &Place, screen: &Screen) -> String {
    if place.which.test.is_some() || place.which.lib || place.which.archive.is_some() {
        return String::new();
    }
    let here: BTreeSet<&str> = all.iter().map(|property| &*property.name).collect();
    let stores = workspace.binaries.iter().filter_map(|binary| local_store(&binary.package_directory));
    let mut out = String::new();
    // Packages may share a store.
    for store in stores.collect::<BTreeSet<_>>() {
        let orphans: Vec<_> = finds(&store).into_iter().filter(|(name, _)| !here.contains(&**name)).collect();
        for (name, files) in orphans.iter().take(NAMED) {
            let (number, name) = (words::count(files.len() as u64, "counterexample"), visible(name));
            let folder = files[0].parent().unwrap_or(&store).display().to_string();
            let text = format!(
                "forall: warning: {} has {number} of `{name}`, which is not a property of these tests, so no run replays it. \
                 If it was renamed, `forall replay NEW_NAME 2-…` replays an input; the input is on the `case` line of its file. \
                 If it was removed, delete the folder. If it exists only under another `cfg` or feature, ignore this warning",
                visible(&folder)
            );
            out += &screen.wrap("", &text);
        }
        if orphans.len() > NAMED {
            let more = words::count((orphans.len() - NAMED) as u64, "more property");
            let (have, are) = if orphans.len() == NAMED + 1 { ("has", "is") } else { ("have", "are") };
            out += &screen.wrap(
                "",
                &format!(
                    "forall: warning: {more} in {} {have} saved counterexamples but {are} not in these tests",
                    visible(&store.display().to_string())
                ),
            );
        }
    }
    out
}

/// The saved failures of a store, by property. Those of property values are left out: their names may be computed.
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
pub fn property_of(file: &Path) -> Option<String> {
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
