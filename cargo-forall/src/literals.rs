//! Literals of the packages under test: collected from their sources, and handed over to their properties as test data. See
//! `forall::literals`, whose form the file has: a literal in each line, below the path of its source behind a `#`.

use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

mod scan;

/// The variable that names the file.
pub const VARIABLE: &str = "FORALL_LITERALS";

/// Larger sources are tables that a program wrote.
const LARGEST_SOURCE: u64 = 1 << 20;

/// More literals than this of one file are a table, and the first are as good as any.
const MOST_OF_A_FILE: usize = 500;

/// Where they are in an archive: beside what the tests look at.
pub const BESIDE: &str = "forall-literals.txt";

/// Where the literals for the tests of a package are.
pub fn file(target_directory: &Path, package_directory: &Path) -> PathBuf {
    let beside = package_directory.join(BESIDE);
    if beside.is_file() {
        return beside;
    }
    let mut hasher = DefaultHasher::new();
    package_directory.hash(&mut hasher);
    target_directory.join("forall-literals").join(format!("{:016x}.txt", hasher.finish()))
}

/// Writes down the literals for each package. One whose literals cannot be written is tested without them.
pub fn write(metadata: &Value, target_directory: &Path) {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for package in packages {
        let Some(directory) = directory_of(package) else { continue };
        let mut text = of_package(directory);
        // What is tested may be in another package of the workspace.
        for other in packages.iter().filter(|other| depends_on(package, other)) {
            text += &directory_of(other).map(of_package).unwrap_or_default();
        }
        let path = file(target_directory, directory);
        let folder = path.parent().unwrap_or(target_directory);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        if written.is_err() {
            let _ = fs::remove_file(&path);
        }
    }
}

fn directory_of(package: &Value) -> Option<&Path> {
    Path::new(package["manifest_path"].as_str()?).parent()
}

/// Whether a package of the workspace is one that this one is about: not forall itself, unless it tests itself.
fn depends_on(package: &Value, other: &Value) -> bool {
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names =
        |name: &str| dependencies.iter().any(|dependency| dependency["name"] == name && !dependency["path"].is_null());
    other["name"].as_str().is_some_and(|name| !matches!(name, "forall" | "forall-macros") && names(name))
}

/// The literals of all sources of a package that are not tests.
fn of_package(directory: &Path) -> String {
    let mut sources = Vec::new();
    collect_sources(&directory.join("src"), &mut sources);
    sources.sort();
    let mut text = String::new();
    for source in sources {
        let Ok(code) = fs::read_to_string(&source) else { continue };
        let mut literals = scan::literals(&code);
        literals.truncate(MOST_OF_A_FILE);
        text += &format!("# {}\n", source.display());
        for literal in literals {
            text += &format!("{literal}\n");
        }
    }
    text
}

fn collect_sources(directory: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        let is_source = || {
            let is_small = entry.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST_SOURCE);
            path.extension().is_some_and(|extension| extension == "rs") && is_small
        };
        // What is behind a link is found elsewhere, or leads in circles.
        if kind.is_dir() {
            collect_sources(&path, sources);
        } else if kind.is_file() && is_source() {
            sources.push(path);
        }
    }
}
