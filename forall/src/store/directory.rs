//! A store in a directory: a subdirectory for each property, a file for each entry.
//!
//! ```text
//! <root>/my_crate-tests-sorts-1f2e3d4c/0123456789abcdef.case
//! ```
//!
//! There is no index, and locks only show which processes are running (`working.rs`). An entry is written to a
//! temporary file in the same directory, flushed to disk and renamed, and then the directory is flushed: a file under
//! its final name is always complete, even if processes are killed, and an acknowledged entry is durable. A damaged
//! file that is in the way of a new one is renamed to `.corrupt`. The name of a file is the hash of its content, so two
//! processes that write the same name write the same entry.

use super::entry::MAX_FILE;
use super::{Backend, Cause, Cursor, Entry, EntryError, Id, Listing, StoreError, Working};
use crate::hash::Fnv;
use crate::sort::{retain, sort_by};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The extension of an entry's file.
const EXTENSION: &str = "case";

/// The prefix of a temporary file.
const TEMPORARY: &str = "tmp-";

/// Older temporary files were left by a killed process: no write takes that long. (If one does, on a machine that was
/// asleep, it is repeated.)
const STALE: Duration = Duration::from_secs(60 * 60);

/// The maximum number of bytes of a property's name in the name of its directory: the end of the name, which is the
/// most informative part. Some file systems allow only 143 bytes.
const MAX_SHOWN_NAME: usize = 80;

/// Longer files are not read just to find their property: 1 MiB.
const SHORT_FILE: u64 = 1 << 20;

/// How often a write is tried if another process meanwhile deletes the directory together with its last entry.
const ATTEMPTS: u32 = 16;

/// A store in a directory.
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Directory, Entry, Backend};
///
/// # let root = std::env::temp_dir().join(format!("forall-doc-directory-{}", std::process::id()));
/// let store = Directory::new(&root);
/// let entry = Entry::failure("my_crate::sorts", Case::default());
/// let id = store.save(&entry)?;
/// assert!(store.path("my_crate::sorts", id).is_file());
/// assert_eq!(store.fetch("my_crate::sorts", id)?, Some(entry));
/// # std::fs::remove_dir_all(&root).unwrap();
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Debug)]
#[doc(hidden)]
pub struct Directory {
    root: PathBuf,
    ignored_by_git: bool,
    /// The directories that are known to exist durably.
    settled: Mutex<Vec<PathBuf>>,
}

impl Directory {
    /// Creates the store in the directory `root`, which is created when something is saved.
    ///
    /// ```
    /// use forall::store::{Directory, Backend};
    /// let store = Directory::new("/is/not/there");
    /// assert!(store.list("sorts", None)?.ids.is_empty(), "nothing was saved, so nothing was made");
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), ignored_by_git: false, settled: Mutex::default() }
    }

    /// Makes git ignore the directory: a `.gitignore` is added when it is created. (An existing directory that is not
    /// called `.forall`, or behind a link, belongs to the user and is not changed.)
    ///
    /// ```
    /// use forall::{run::Case, store::{Directory, Entry, Backend}};
    /// # let root = std::env::temp_dir().join(format!("forall-doc-ignored-{}", std::process::id()));
    /// let store = Directory::new(&root).ignored_by_git();
    /// store.save(&Entry::failure("sorts", Case::default()))?;
    /// assert!(root.join(".gitignore").is_file());
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[doc(hidden)]
    pub fn ignored_by_git(mut self) -> Self {
        self.ignored_by_git = true;
        self
    }

    /// Returns the directory.
    ///
    /// ```
    /// use forall::store::Directory;
    /// assert_eq!(Directory::new("finds").root(), std::path::Path::new("finds"));
    /// ```
    #[doc(hidden)]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of an entry, whether it exists or not.
    ///
    /// ```
    /// use forall::store::{Directory, Id};
    /// let id: Id = "00c0ffee00c0ffee".parse().unwrap();
    /// assert!(Directory::new("finds").path("sorts", id).ends_with("00c0ffee00c0ffee.case"));
    /// ```
    #[doc(hidden)]
    pub fn path(&self, property: &str, id: Id) -> PathBuf {
        self.folder(property).join(file_name(id))
    }

    /// Returns the directory of a property.
    ///
    /// ```
    /// use forall::store::Directory;
    /// let folder = Directory::new("finds").folder("my_crate::sorts");
    /// assert!(folder.to_str().unwrap().contains("my_crate-sorts-"));
    /// ```
    #[doc(hidden)]
    pub fn folder(&self, property: &str) -> PathBuf {
        self.root.join(folder_name(property))
    }

    /// The files that may be entries, sorted by name; some may not have the name of an entry.
    pub(super) fn files(&self, property: &str) -> Result<Vec<(PathBuf, Option<Id>)>, StoreError> {
        let folder = self.folder(property);
        let failed = |error: io::Error| StoreError::io("list", &folder, &error);
        let mut files = Vec::new();
        for path in listing(&folder).map_err(failed)? {
            if path.extension() == Some(OsStr::new(EXTENSION)) {
                let id = path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse().ok());
                files.push((path, id));
            }
        }
        sort_by(&mut files, |(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }

    /// Returns the properties that have at least one readable entry.
    ///
    /// ```
    /// use forall::{run::Case, store::{Directory, Entry, Backend}};
    /// # let root = std::env::temp_dir().join(format!("forall-doc-all-properties-{}", std::process::id()));
    /// let store = Directory::new(&root);
    /// store.save(&Entry::failure("my_crate::sorts", Case::default()))?;
    /// assert_eq!(store.all_properties(), ["my_crate::sorts"]);
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[doc(hidden)]
    pub fn all_properties(&self) -> Vec<String> {
        self.properties(&[])
    }

    /// The other properties that have a directory, each identified by its first readable entry.
    pub(super) fn properties(&self, except: &[&str]) -> Vec<String> {
        let mut known = Vec::new();
        for property in except {
            known.push(self.folder(property));
        }
        let mut properties = Vec::new();
        for folder in &listing(&self.root).unwrap_or_default() {
            if known.contains(folder) {
                continue;
            }
            for file in &listing(folder).unwrap_or_default() {
                if let Some(property) = property_of(file)
                    && self.folder(&property) == *folder
                {
                    properties.push(property);
                    break;
                }
            }
        }
        properties
    }

    /// Declares that this process works on a failure of a property. `None` if it cannot: the directory is not writable,
    /// or its file system has no locks.
    pub(super) fn begin_work(&self, property: &str) -> Option<Working> {
        let folder = self.folder(property);
        for _ in 0..ATTEMPTS {
            self.settle(&folder).ok()?;
            match Working::begin(&folder) {
                Ok(working) => return Some(working),
                Err(error) if error.kind() == ErrorKind::NotFound => self.unsettle(&folder),
                Err(_) => return None,
            }
        }
        None
    }

    /// Ensures that the directory exists durably, and is ours.
    fn settle(&self, folder: &Path) -> Result<(), StoreError> {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if settled.iter().any(|other| other.as_os_str() == folder.as_os_str()) {
            return Ok(());
        }
        let failed = |path: &Path, error: io::Error| StoreError::io("make the directory", path, &error);
        let mut missing = Vec::new();
        for path in self.root.ancestors() {
            if path.exists() {
                break;
            }
            missing.push(path);
        }
        fs::create_dir_all(&self.root).map_err(|error| failed(&self.root, error))?;
        let ours = !missing.is_empty() || self.root.file_name() == Some(OsStr::new(".forall"));
        if self.ignored_by_git && ours {
            // Not an error: if the disk is full, saving reports it.
            let _ = ignore_by_git(&self.root);
        }
        match fs::create_dir(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(folder, error)),
            _ => {}
        }
        match fs::symlink_metadata(folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(StoreError::new("write to", folder, Cause::Link)),
            // Deleted meanwhile. The write will notice.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(folder, error)),
        }
        remove_stale(folder);
        // Another process may have just created the root without flushing it yet: so its parent is flushed even if
        // nothing was missing.
        sync_directory(&self.root).map_err(|error| failed(&self.root, error))?;
        missing.push(&self.root);
        for path in &missing {
            let Some(parent) = path.parent() else { continue };
            // An empty parent is the current directory. One without read permission cannot be flushed.
            match sync_directory(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }) {
                Err(error) if error.kind() != ErrorKind::PermissionDenied => return Err(failed(parent, error)),
                _ => {}
            }
        }
        settled.push(folder.to_owned());
        Ok(())
    }

    fn unsettle(&self, folder: &Path) {
        retain(&mut self.settled.lock().unwrap_or_else(PoisonError::into_inner), |other| {
            other.as_os_str() != folder.as_os_str()
        });
    }
}

impl Backend for Directory {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        let (id, text) = entry.to_file();
        let folder = self.folder(&entry.property);
        let path = folder.join(file_name(id));
        // An acknowledged entry can be read again: no limit of the decoder is exceeded.
        Entry::from_bytes(text.as_bytes()).map_err(|error| StoreError::new("write", &path, Cause::Entry(error)))?;
        let mut attempts = ATTEMPTS;
        loop {
            let written = self.settle(&folder).and_then(|()| {
                // A file of this name with other content was damaged. It is preserved.
                match read(&path, &entry.property, Some(id)) {
                    Ok(_) | Err(EntryError::NotAFile) => {}
                    Err(_) => set_aside(&path),
                }
                write(&folder, &path, text.as_bytes()).map_err(|error| StoreError::io("write", &path, &error))
            });
            attempts -= 1;
            match written {
                Ok(()) => return Ok(id),
                Err(StoreError { cause: Cause::Io { kind: ErrorKind::NotFound, .. }, .. }) if attempts > 0 => {
                    self.unsettle(&folder);
                }
                Err(error) => return Err(error),
            }
        }
    }

    #[inline]
    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        let path = self.path(property, id);
        match read(&path, property, Some(id)) {
            Ok(entry) => Ok(entry),
            Err(error) => Err(StoreError::new("read", path, Cause::Entry(error))),
        }
    }

    #[inline]
    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        Ok(Listing::since(self.files(property)?.into_iter().filter_map(|(_, id)| id), since))
    }

    /// Not flushed: an entry that reappears after a power failure is replayed once more.
    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        let path = self.path(property, id);
        let found = match fs::remove_file(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(StoreError::io("delete", path, &error)),
        };
        // Succeeds if it was the last entry.
        let folder = self.folder(property);
        if fs::remove_dir(&folder).is_ok() {
            self.unsettle(&folder);
        }
        Ok(found)
    }
}

pub(super) fn file_name(id: Id) -> String {
    format!("{id}.{EXTENSION}")
}

/// The name of a property's directory: the end of the property's name in plain characters, and a hash of the whole
/// name.
///
/// For any name, this is a single, ordinary path component, and distinct from those of other properties even on
/// case-insensitive file systems.
pub(super) fn folder_name(property: &str) -> String {
    let mut shown = String::new();
    for c in property.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            shown.push(c);
        } else if !shown.is_empty() && !shown.ends_with('-') {
            shown.push('-');
        }
    }
    let start = shown.len().saturating_sub(MAX_SHOWN_NAME);
    let shown = shown[start..].trim_matches('-');
    let hash = Fnv::of(property);
    format!("{}-{:08x}", if shown.is_empty() { "property" } else { shown }, (hash ^ hash >> 32) as u32)
}

/// The entry in a file, if there is one; it must belong to this property and have this id (any, if `None`).
pub(super) fn read(path: &Path, property: &str, id: Option<Id>) -> Result<Option<Entry>, EntryError> {
    let unreadable = |error: io::Error| EntryError::Unreadable(error.to_string());
    // Links are not followed, and a pipe would block.
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(found) if !found.is_file() => return Err(EntryError::NotAFile),
        Ok(found) if found.len() > MAX_FILE => return Err(EntryError::TooLarge),
        Ok(_) => {}
    }
    let bytes = match read_some(path, MAX_FILE + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        result => result.map_err(unreadable)?,
    };
    let entry = Entry::from_bytes(&bytes)?;
    if entry.property != property {
        let found = super::text::quote(&entry.property);
        return Err(EntryError::Property { expected: property.to_owned(), found });
    }
    let expected = entry.id();
    if matches!(id, Some(id) if id != expected) { Err(EntryError::Name { expected }) } else { Ok(Some(entry)) }
}

/// The entries of a directory; empty if it does not exist.
fn listing(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => {
            for entry in found? {
                paths.push(entry?.path());
            }
        }
    }
    Ok(paths)
}

/// The property of the entry in a file, if the file is an entry.
fn property_of(path: &Path) -> Option<String> {
    // Links are not followed, and a pipe would block.
    let is_entry = path.extension() == Some(OsStr::new(EXTENSION)) && fs::symlink_metadata(path).ok()?.is_file();
    let bytes = if is_entry { read_some(path, SHORT_FILE).ok()? } else { return None };
    Some(Entry::from_bytes(&bytes).ok()?.property)
}

/// A prefix of a file, which may grow meanwhile. (`Read::take` is slow to compile.)
pub(super) fn read_some(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    let mut part = [0; 1 << 13];
    while (bytes.len() as u64) < most {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

/// Writes a file atomically, and returns when it is on disk.
fn write(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(folder)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed?;
    sync_directory(folder)
}

/// Renames a damaged file to an unused name that is not the name of an entry. If that fails, the new entry is still
/// written.
fn set_aside(path: &Path) {
    let mut aside = path.with_extension("corrupt");
    while aside.exists() {
        aside.as_mut_os_string().push("-again");
    }
    let _ = fs::rename(path, aside);
}

pub(super) fn create_temporary(folder: &Path) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{TEMPORARY}{}-{count}", std::process::id()));
        // Never over an existing file or through a link. Containers that share the directory may share process ids.
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (path, file)),
        }
    }
}

pub(super) fn remove_stale(folder: &Path) {
    let Ok(files) = fs::read_dir(folder) else { return };
    for file in files {
        let Ok(file) = file else { continue };
        if matches!(file.file_name().to_str(), Some(name) if name.starts_with(TEMPORARY))
            && let Ok(found) = file.metadata()
            && let Ok(modified) = found.modified()
            && let Ok(age) = SystemTime::now().duration_since(modified)
            && age > STALE
        {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Makes git ignore our directory. The target of a link was chosen by the user, and may contain other files: it is not
/// changed.
pub(super) fn ignore_by_git(root: &Path) -> io::Result<()> {
    if fs::symlink_metadata(root)?.is_symlink() {
        return Ok(());
    }
    let path = root.join(".gitignore");
    if fs::symlink_metadata(&path).is_ok() { Ok(()) } else { write(root, &path, b"*\n") }
}

/// Flushes the file names in a directory to disk. Some file systems, and Windows, do not support it.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(path)?.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}
