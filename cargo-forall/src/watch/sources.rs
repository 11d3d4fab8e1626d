//! The files whose changes start another run: sources and manifests of the workspace and of its path dependencies.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Directories that have no sources.
const SKIPPED: [&str; 2] = ["node_modules", "forall-regressions"];

/// The file by which cargo marks a target directory. A module may be called `target`.
const BUILT: &str = "CACHEDIR.TAG";

/// The maximum number of files.
const MOST: usize = 50_000;

/// The time and size of each file.
pub(super) type Snapshot = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The directories to watch.
#[derive(Debug, Default)]
pub(super) struct Sources {
    directories: Vec<PathBuf>,
    target: PathBuf,
}

impl Sources {
    /// The sources of a workspace, by cargo's metadata.
    pub(super) fn of(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map(PathBuf::from);
        let mut directories: Vec<PathBuf> = text(&metadata["workspace_root"]).into_iter().collect();
        for package in list(&metadata["packages"]) {
            directories.extend(text(&package["manifest_path"]).and_then(|path| path.parent().map(Path::to_owned)));
            directories.extend(list(&package["dependencies"]).iter().filter_map(|other| text(&other["path"])));
        }
        directories.sort();
        // A directory inside another is visited with that one.
        let mut outer: Vec<PathBuf> = Vec::new();
        for directory in directories {
            if !outer.iter().any(|known| directory.starts_with(known)) {
                outer.push(directory);
            }
        }
        Self { directories: outer, target: text(&metadata["target_directory"]).unwrap_or_default() }
    }

    /// Returns the current files.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut files = Snapshot::new();
        for directory in &self.directories {
            self.add(directory, &mut files);
        }
        files
    }

    fn add(&self, directory: &Path, files: &mut Snapshot) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            // Not the type of a link's target: links to directories may form a cycle.
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || path == self.target || files.len() >= MOST {
                continue;
            }
            if kind.is_dir() {
                if !SKIPPED.contains(&&*name) && !path.join(BUILT).exists() {
                    self.add(&path, files);
                }
            } else if name.ends_with(".rs") || name.ends_with(".toml") || name == "Cargo.lock" {
                let metadata = fs::metadata(&path).ok();
                let time = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
                files.insert(path, (time, metadata.map_or(0, |metadata| metadata.len())));
            }
        }
    }
}

/// Returns a file that differs between two snapshots.
pub(super) fn difference<'a>(before: &'a Snapshot, now: &'a Snapshot) -> Option<&'a Path> {
    let changed = now.iter().find(|(path, state)| before.get(*path) != Some(*state));
    changed.or_else(|| before.iter().find(|(path, _)| !now.contains_key(*path))).map(|(path, _)| path.as_path())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sources_of_members_and_path_dependencies_are_watched() {
        let root = std::env::temp_dir().join(format!("forall-sources-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for file in ["w/Cargo.toml", "w/a/src/lib.rs", "w/a/src/target/mod.rs", "w/a/notes.md", "w/.git/z.rs"] {
            write(file, "");
        }
        for file in ["w/built/x.rs", "w/b/target/y.rs", "w/b/target/CACHEDIR.TAG"] {
            write(file, "");
        }
        write("other/src/lib.rs", "");
        let path = |file: &str| root.join(file).display().to_string();
        let metadata = json!({"workspace_root": path("w"), "target_directory": path("w/built"), "packages": [
            {"manifest_path": path("w/a/Cargo.toml"), "dependencies": [{"path": path("other")}, {"name": "serde"}]},
        ]});
        let sources = Sources::of(&metadata);
        let before = sources.snapshot();
        let seen: Vec<PathBuf> = before.keys().map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect();
        assert_eq!(
            seen,
            ["other/src/lib.rs", "w/Cargo.toml", "w/a/src/lib.rs", "w/a/src/target/mod.rs"].map(PathBuf::from)
        );
        assert_eq!(difference(&before, &sources.snapshot()), None);
        write("other/src/lib.rs", "// longer");
        assert_eq!(difference(&before, &sources.snapshot()), Some(&*root.join("other/src/lib.rs")));
        let before = sources.snapshot();
        fs::remove_file(root.join("w/a/src/lib.rs")).unwrap();
        assert_eq!(difference(&before, &sources.snapshot()), Some(&*root.join("w/a/src/lib.rs")));
        fs::remove_dir_all(root).unwrap();
    }
}
