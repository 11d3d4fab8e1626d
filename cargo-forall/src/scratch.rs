//! Files that this process needs for a while, in places that are its own.
//!
//! A build or an archive may be used by many machines and containers at once, whose processes may have the same numbers: in a container
//! the number is often 1. And an archive may be one that nobody may write.

use crate::{Error, trouble};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What this machine is called.
pub fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.as_deref().map_or("unknown", str::trim).to_owned()
}

/// Where processes of this container are counted, if it is one: they begin with 1 in each. Nothing where there is only the machine.
fn namespace() -> Option<String> {
    /// That of the machine, on every Linux: `PROC_PID_INIT_INO` of the kernel.
    const OF_THE_MACHINE: &str = "4026531836";
    let link = fs::read_link("/proc/self/ns/pid").ok()?;
    let number: String = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    (number != OF_THE_MACHINE).then_some(number)
}

/// This process among all of a campaign, for people: no two have the same name at a time.
pub fn worker() -> String {
    let container = namespace().map_or(String::new(), |number| format!(":{number}"));
    format!("{}{container}:{}", host(), std::process::id())
}

/// A part of a file's name that no other process has which sees the same files, as long as this one lives.
pub fn own_name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        worker().chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().map(plain).collect()
    });
    &NAME
}

/// An empty file of this process in a directory; among the system's temporary files, if nothing can be written there.
pub fn file(directory: &Path, ending: &str) -> Result<PathBuf, Error> {
    place(directory, ending, &|path| {
        // What a process of the same name left behind. Whatever else stands there is not written to.
        let _ = fs::remove_file(path);
        fs::File::create_new(path).map(drop)
    })
}

/// The same, a directory.
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
    fn what_cannot_be_put_where_it_should_be_is_put_elsewhere() {
        let root = std::env::temp_dir().join(format!("forall-scratch-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let here = file(&root.join("events"), ".jsonl").unwrap();
        assert!(here.starts_with(&root) && here.is_file());
        assert_eq!(file(&root.join("events"), ".jsonl").unwrap(), here, "what was left behind is no trouble");
        // Below a file there is no directory, whoever one is.
        let elsewhere = folder(&here, "-store").unwrap();
        assert!(!elsewhere.starts_with(&root) && elsewhere.is_dir());
        fs::remove_dir_all(elsewhere).unwrap();
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_name_is_one_component_and_tells_containers_apart() {
        assert!(own_name().ends_with(&format!("-{}", std::process::id())));
        assert!(own_name().chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{}", own_name());
        let here = namespace().map_or(1, |_| 2);
        assert_eq!(worker().matches(':').count(), here + host().matches(':').count());
    }
}
