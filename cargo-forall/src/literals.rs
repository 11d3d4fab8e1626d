//! Collects literals from the sources of the packages under test, as test data for their properties. The file has the format of
//! `forall::literals`: a literal per line, below the path of its source after a `#`.

use crate::build::Binary;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

mod scan;

/// The variable that names the file.
pub const VARIABLE: &str = "FORALL_LITERALS";

/// Larger sources are generated tables.
const LARGEST_SOURCE: u64 = 1 << 20;

/// A file with more literals is a data table; only the first ones are used.
const MOST_OF_A_FILE: usize = 500;

/// Their file in an archive.
pub const BESIDE: &str = "forall-literals.txt";

/// The file with the literals of a package's tests.
pub fn file(target_directory: &Path, package_directory: &Path) -> PathBuf {
    let beside = package_directory.join(BESIDE);
    if beside.is_file() {
        return beside;
    }
    let mut hasher = DefaultHasher::new();
    package_directory.hash(&mut hasher);
    target_directory.join("forall-literals").join(format!("{:016x}.txt", hasher.finish()))
}

/// Writes the literals of each package that has test programs. Errors are ignored: the tests run without literals.
pub fn write(metadata: &Value, target_directory: &Path, programs: &[Binary]) {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for package in packages {
        let has_programs = |directory: &&Path| programs.iter().any(|program| program.package_directory == *directory);
        let Some(directory) = directory_of(package).filter(has_programs) else { continue };
        // In tests, tables and helper functions outside of the bodies count as well.
        let mut text = of_folder(&directory.join("src")) + &of_folder(&directory.join("tests"));
        // The code under test may be in another package of the workspace.
        for other in packages.iter().filter(|other| depends_on(package, other)) {
            text += &directory_of(other).map(|other| of_folder(&other.join("src"))).unwrap_or_default();
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

/// Whether a workspace package may be under test. forall itself is not, unless its own tests run.
fn depends_on(package: &Value, other: &Value) -> bool {
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names =
        |name: &str| dependencies.iter().any(|dependency| dependency["name"] == name && !dependency["path"].is_null());
    other["name"].as_str().is_some_and(|name| !matches!(name, "forall" | "forall-macros") && names(name))
}

/// The literals of all sources in a folder.
fn of_folder(folder: &Path) -> String {
    let mut sources = Vec::new();
    collect_sources(folder, &mut sources);
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
        // Symlinks may form cycles.
        if kind.is_dir() {
            collect_sources(&path, sources);
        } else if kind.is_file() && is_source() {
            sources.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_packages_with_test_programs_are_scanned() {
        let root = std::env::temp_dir().join(format!("forall-literals-{}", std::process::id()));
        let directory = |name: &str| root.join(name);
        let package = |name: &str, dependencies: Value| {
            fs::create_dir_all(directory(name).join("src")).unwrap();
            fs::write(directory(name).join("src/lib.rs"), format!("const IT: &str = \"of {name}\";")).unwrap();
            json!({"name": name, "manifest_path": directory(name).join("Cargo.toml"), "dependencies": dependencies})
        };
        let uses = json!([{"name": "used", "path": directory("used")}]);
        let metadata =
            json!({"packages": [package("tested", uses), package("used", json!([])), package("other", json!([]))]});
        let program =
            Binary { path: directory("program"), package: "tested".into(), package_directory: directory("tested") };
        write(&metadata, &root, &[program]);
        let literals = |name: &str| fs::read_to_string(file(&root, &directory(name))).ok();
        let tested = literals("tested").unwrap();
        assert!(tested.contains("\"of tested\"") && tested.contains("\"of used\""), "{tested}");
        assert_eq!((literals("used"), literals("other")), (None, None));
        fs::remove_dir_all(root).unwrap();
    }
}
