//! Temporary files with unique names.
//!
//! Many machines and containers may share a build or an archive, and their processes may have the same id (in containers,
//! often 1). An archive may be read-only.

use crate::{Error, trouble};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The host name.
pub fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.as_deref().map_or("unknown", str::trim).to_owned()
}

/// The PID namespace of this container; `None` outside of one.
fn namespace() -> Option<String> {
    /// The namespace of the host on Linux: `PROC_PID_INIT_INO` of the kernel.
    const OF_THE_MACHINE: &str = "4026531836";
    let link = fs::read_link("/proc/self/ns/pid").ok()?;
    let number: String = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    (number != OF_THE_MACHINE).then_some(number)
}

/// A worker's name that is unique in its campaign.
pub fn worker() -> String {
    let container = namespace().map_or(String::new(), |number| format!(":{number}"));
    format!("{}{container}:{}", host(), std::process::id())
}

/// A part of a file name that is unique among live processes that see the same files.
pub fn own_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        worker().chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().map(plain).collect()
    });
    &NAME
}

/// Creates an empty file in a directory, or among the system's temporary files if that is not writable.
pub fn file(directory: &Path, ending: &str) -> Result<PathBuf, Error> {
    place(directory, ending, &|path| {
        // Left behind by an earlier process of this name. Anything else there is not overwritten.
        let _ = fs::remove_file(path);
        fs::File::create_new(path).map(drop)
    })
}

/// The same for a directory.
pub fn folder(directory: &Path, ending: &str) -> Result<PathBuf, Error> {
    place(directory, ending, &|path| {
        let _ = fs::remove_dir_all(path);
        fs::create_dir(path)
    })
}

fn place(directory: &Path, ending: &str, make: &dyn Fn(&Path) -> io::Result<()>) -> Result<PathBuf, Error> {
    let name = format!("{}{ending}", own_name());
    let (here, elsewhere) = (directory.join(&name), std::env::temp_dir().join(format!("forall-{name}")));
    match fs::create_dir_all(directory).and_then(|()| make(&here)) {
        Ok(()) => Ok(here),
        Err(error) => match make(&elsewhere) {
            Ok(()) => Ok(elsewhere),
            Err(_) => Err(trouble::no_build("write", &here, error)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unwritable_directory_is_replaced_by_the_temporary_one() {
        let root = std::env::temp_dir().join(format!("forall-scratch-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let here = file(&root.join("events"), ".jsonl").unwrap();
        assert!(here.starts_with(&root) && here.is_file());
        assert_eq!(file(&root.join("events"), ".jsonl").unwrap(), here, "a left-over file is replaced");
        // A file has no entries, whatever the user's permissions are.
        let elsewhere = folder(&here, "-store").unwrap();
        assert!(!elsewhere.starts_with(&root) && elsewhere.is_dir());
        fs::remove_dir_all(elsewhere).unwrap();
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_name_is_one_path_component_and_differs_between_containers() {
        assert!(own_name().ends_with(&format!("-{}", std::process::id())));
        assert!(own_name().chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{}", own_name());
        let here = namespace().map_or(1, |_| 2);
        assert_eq!(worker().matches(':').count(), here + host().matches(':').count());
    }
}
