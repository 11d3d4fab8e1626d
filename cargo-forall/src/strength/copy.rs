//! The copy of a workspace that is rewritten and tested: nothing is ever written to the workspace itself.
//!
//! The copy has the workspace's own path below a build directory, with links to the directories around the workspace
//! next to it. So `path = "../other"` in a `Cargo.toml` stays valid, and no manifest has to be read. Each workspace has
//! its own build directory: in a shared one, the copy of one would be where another has a link to the original.

use crate::{Error, trouble};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A workspace and its copy.
#[derive(Debug)]
pub struct Copy {
    /// The workspace.
    pub original: PathBuf,
    /// The root of the copy.
    pub root: PathBuf,
    /// The directory in which the tests run.
    pub runs: PathBuf,
    /// The lock: other processes wait for it before they rewrite the copy.
    _alone: fs::File,
}

impl Copy {
    /// Copies a workspace to a path below `directory`, or updates its copy. Build directories and the files that will
    /// be `rewritten` are left out.
    pub fn of(original: &Path, target: &Path, directory: &Path, rewritten: &[&Path]) -> Result<Self, Error> {
        let own = format!("{:016x}", crate::shard::hash(&original.to_string_lossy()));
        let source = directory.join("source").join(own);
        let root = mirrored(&source, original);
        let alone = crate::build::lock(&root)?;
        let failed = |error| trouble::no_build("write", &root, error);
        surround(original, &source).map_err(failed)?;
        let manifest = original.join("Cargo.toml");
        copy(original, &root, &|path| {
            path == target || path == manifest || path.ends_with(".git") || rewritten.contains(&path) || is_cache(path)
        })
        .map_err(failed)?;
        let runs = mirrored(&directory.join("run"), original);
        let copy = Self { original: original.to_owned(), root, runs, _alone: alone };
        copy.end_workspace().map_err(|error| trouble::no_build("write", &copy.root.join("Cargo.toml"), error))?;
        Ok(copy)
    }

    /// The path of a workspace file in the copy.
    pub fn place(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.original).map_or_else(|_| path.to_owned(), |inside| self.root.join(inside))
    }

    /// Makes the copy a separate workspace, which is not a member of a workspace around the original.
    fn end_workspace(&self) -> io::Result<()> {
        let path = self.root.join("Cargo.toml");
        let manifest = fs::read_to_string(self.original.join("Cargo.toml"))?;
        let is_table = |line: &str| line.trim_start().starts_with("[workspace");
        let end = if manifest.lines().any(is_table) { "" } else { "\n[workspace]\n" };
        write(&path, format!("{manifest}{end}").as_bytes())
    }
}

/// Writes a file only if its contents change, since cargo rebuilds packages with newer files.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == contents) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, contents)
}

/// Returns the path below a directory that mirrors an absolute path.
pub fn mirrored(directory: &Path, path: &Path) -> PathBuf {
    let normal = path.components().filter(|component| matches!(component, Component::Normal(_)));
    directory.join(normal.collect::<PathBuf>())
}

/// Links to the siblings of the workspace and of its parent directories.
pub fn surround(original: &Path, directory: &Path) -> io::Result<()> {
    for around in original.ancestors().skip(1) {
        let here = mirrored(directory, around);
        fs::create_dir_all(&here)?;
        // A directory that cannot be listed has no package that cargo can read.
        for entry in fs::read_dir(around).into_iter().flatten().flatten() {
            let (path, link) = (entry.path(), here.join(entry.file_name()));
            let is_directory = fs::metadata(&path).is_ok_and(|found| found.is_dir());
            // A workspace around this one excludes it, and may have a package that it depends on.
            let is_manifest = entry.file_name() == "Cargo.toml";
            if original.starts_with(&path) || !(is_directory || is_manifest) || fs::symlink_metadata(&link).is_ok() {
                continue;
            }
            #[cfg(unix)]
            std::os::unix::fs::symlink(&path, &link)?;
        }
    }
    Ok(())
}

/// Copies changed files, and removes deleted ones.
pub fn copy(from: &Path, to: &Path, is_left_out: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    // A symbolic link is never followed: it leads out of the copy.
    if fs::symlink_metadata(to).is_ok_and(|found| found.is_symlink()) {
        fs::remove_file(to)?;
    }
    fs::create_dir_all(to)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, there) = (entry.path(), to.join(entry.file_name()));
        names.push(entry.file_name());
        if is_left_out(&path) {
            continue;
        }
        // The target of a link may be outside of the workspace, where nothing may be written: files are copied,
        // directories linked.
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() && entry.file_type()?.is_symlink() => link(&path, &there)?,
            Ok(found) if found.is_dir() => copy(&path, &there, is_left_out)?,
            Ok(found) if found.is_file() => {
                let same = |found: &fs::Metadata, there: &fs::Metadata| {
                    found.len() == there.len() && found.modified().ok() <= there.modified().ok()
                };
                if !fs::metadata(&there).is_ok_and(|there| same(&found, &there)) {
                    write(&there, &fs::read(&path)?)?;
                }
            }
            // A broken link, a socket.
            _ => {}
        }
    }
    for entry in fs::read_dir(to)?.flatten() {
        if !names.contains(&entry.file_name()) {
            let path = entry.path();
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(path)?,
                false => fs::remove_file(path)?,
            }
        }
    }
    Ok(())
}

/// Whether a directory contains only generated files, such as builds.
fn is_cache(path: &Path) -> bool {
    path.join("CACHEDIR.TAG").is_file()
}

/// Creates a link to the target of another link.
fn link(path: &Path, there: &Path) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    match fs::symlink_metadata(there) {
        Ok(_) if fs::read_link(there).is_ok_and(|found| found == target) => return Ok(()),
        Ok(found) if found.is_dir() => fs::remove_dir_all(there)?,
        Ok(_) => fs::remove_file(there)?,
        Err(_) => {}
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, there)?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn workspaces_with_one_target_directory_are_copied_and_never_written_to() {
        let directory = std::env::temp_dir().join(format!("forall-copies-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        let target = directory.join("target");
        let (one, other) = (directory.join("one"), directory.join("other"));
        for workspace in [&one, &other] {
            write(&workspace.join("Cargo.toml"), b"[workspace]\n").unwrap();
            write(&workspace.join("src/lib.rs"), b"fn original() {}").unwrap();
        }
        for workspace in [&one, &other, &one] {
            let copy = Copy::of(workspace, &target, &target.join("strength"), &[]).unwrap();
            let file = copy.place(&workspace.join("src/lib.rs"));
            assert_eq!(fs::read_to_string(&file).unwrap(), "fn original() {}");
            fs::write(file, "fn rewritten() {}").unwrap();
            let beside = copy.root.join("../one/src/lib.rs");
            assert_eq!(fs::read_to_string(beside).unwrap().contains("rewritten"), *workspace == one);
            assert_eq!(fs::read_to_string(workspace.join("src/lib.rs")).unwrap(), "fn original() {}");
            let rewritten = copy.root.join("src/lib.rs");
            fs::remove_file(rewritten).unwrap();
        }
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_link_that_became_a_directory_is_copied() {
        let directory = std::env::temp_dir().join(format!("forall-links-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        let (from, to, outside) = (directory.join("from"), directory.join("to"), directory.join("outside"));
        write(&outside.join("data"), b"outside").unwrap();
        fs::create_dir_all(&from).unwrap();
        std::os::unix::fs::symlink(&outside, from.join("data")).unwrap();
        copy(&from, &to, &|_| false).unwrap();
        assert_eq!(fs::read_to_string(to.join("data/data")).unwrap(), "outside");
        fs::remove_file(from.join("data")).unwrap();
        write(&from.join("data/data"), b"inside").unwrap();
        copy(&from, &to, &|_| false).unwrap();
        assert_eq!(fs::read_to_string(to.join("data/data")).unwrap(), "inside");
        assert_eq!(fs::read_to_string(outside.join("data")).unwrap(), "outside", "nothing is written through a link");
        fs::remove_dir_all(directory).unwrap();
    }
}
