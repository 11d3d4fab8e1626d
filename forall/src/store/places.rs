//! The two directories of a package: local failures, and committed regressions.

use super::directory::read;
use super::entry::MAX_FILE;
use super::setting::Store as Setting;
use super::{Backend, Cause, Directory, Entry, EntryError, Id, StoreError, Working};
use crate::kind::Kind;
use crate::sort::sort_by;
use crate::text::visible;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Local failures: written by runs, ignored by git.
const LOCAL: &str = ".forall";

/// Committed regressions: read by runs, written only on request.
const REGRESSIONS: &str = "forall-regressions";

/// The limits on the entries of one property, and on their bytes, that are read for a run; the rest are counted and
/// reported. Real stores have few, small entries; a hostile one must not fill the memory.
const MAX_ENTRIES: usize = 1000;
const MAX_BYTES: u64 = MAX_FILE;

/// The saved failures of a package, as a runner uses them.
///
/// | | [`failures`](Self::failures) | [`save`](Self::save), [`replace`](Self::replace), [`delete`](Self::delete) | [`keep`](Self::keep) |
/// | --- | --- | --- | --- |
/// | `.forall/` | yes | yes | moves from here |
/// | `forall-regressions/` | yes, first | never | to here |
/// | read-only | yes | do nothing | an error |
///
/// ```
/// use forall::run::{Case, Store};
/// use forall::store::{Entry, Places};
///
/// # let package = std::env::temp_dir().join(format!("forall-doc-places-{}", std::process::id()));
/// let places = Places::for_package(&package, &Store::Default, false);
/// let saved = places.save(&Entry::failure("sorts", Case::default()))?;
/// assert!(saved.path().unwrap().starts_with(package.join(".forall")));
///
/// let (origin, entry) = places.failures("sorts").remove(0);
/// places.keep(&entry.unwrap())?;
/// assert!(places.failures("sorts")[0].0.contains("forall-regressions"));
/// assert!(!places.delete(&origin)?, "it was moved");
/// # std::fs::remove_dir_all(&package).unwrap();
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Debug)]
#[doc(hidden)]
pub struct Places {
    local: Option<Directory>,
    regressions: Directory,
    read_only: bool,
    /// A shared corpus: only read.
    corpus: Option<Directory>,
    /// Receives each entry that is saved as a local failure.
    #[cfg(test)]
    pub(crate) witness: tests::Witness,
}

/// A saved entry.
///
/// ```
/// use forall::run::{Case, Store};
/// use forall::store::{Entry, Places};
/// let places = Places::for_package(".".as_ref(), &Store::Off, false);
/// let entry = Entry::failure("sorts", Case::default());
/// let saved = places.save(&entry)?;
/// assert_eq!((saved.id(), saved.path()), (entry.id(), None));
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Saved {
    property: String,
    id: Id,
    path: Option<PathBuf>,
}

impl Saved {
    /// Its name in the store.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// let places = Places::for_package(".".as_ref(), &Store::Off, false);
    /// let entry = Entry::failure("sorts", Case::default());
    /// assert_eq!(places.save(&entry)?.id(), entry.id());
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its file; `None` if nothing was written, because the store is read-only or off.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// let read_only = Places::for_package(".".as_ref(), &Store::Default, true);
    /// assert_eq!(read_only.save(&Entry::failure("sorts", Case::default()))?.path(), None);
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl Places {
    /// Creates the places of the package in this directory. A relative directory in `store` is relative to it. If
    /// `store` is off, regressions are still read.
    ///
    /// ```
    /// use forall::{run::Store, store::Places};
    /// let places = Places::for_package("/is/not/there".as_ref(), &Store::Directory("finds".into()), false);
    /// assert!(places.failures("sorts").is_empty());
    /// ```
    pub fn for_package(package: &Path, store: &Setting, read_only: bool) -> Self {
        let local = match store {
            Setting::Default => Some(package.join(LOCAL)),
            Setting::Directory(path) => Some(package.join(path)),
            Setting::Off => None,
        };
        let local = local.map(|root| Directory::new(root).ignored_by_git());
        Self {
            local,
            regressions: Directory::new(package.join(REGRESSIONS)),
            read_only,
            corpus: None,
            #[cfg(test)]
            witness: tests::Witness::default(),
        }
    }

    /// Adds a shared corpus, which is a directory: it is read after the local failures, and never written.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Backend, Directory, Entry, Places}};
    /// # let corpus = std::env::temp_dir().join(format!("forall-doc-with-corpus-{}", std::process::id()));
    /// Directory::new(corpus.join("failures")).save(&Entry::failure("sorts", Case::default()))?;
    /// let places = Places::for_package("/is/not/there".as_ref(), &Store::Default, false).with_corpus(&corpus);
    /// let (origin, _) = &places.failures("sorts")[0];
    /// assert!(!places.delete(origin)?, "it is not ours");
    /// # std::fs::remove_dir_all(&corpus).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn with_corpus(mut self, root: impl AsRef<Path>) -> Self {
        self.corpus = Some(Directory::new(root.as_ref().join("failures")));
        self
    }

    /// Returns the directory of the package: the first that exists of `CARGO_MANIFEST_DIR` at run time (so that
    /// failures of a dependency's properties are saved with the package that runs them), `CARGO_MANIFEST_DIR` at
    /// compile time, and the current directory.
    ///
    /// ```
    /// use forall::store::Places;
    /// use std::path::Path;
    /// let here = std::env::current_dir().unwrap();
    /// assert_eq!(Places::package_directory(None, here.to_str().unwrap()), here);
    /// assert_eq!(Places::package_directory(Some("/is/not/there".as_ref()), ""), Path::new("."));
    /// ```
    pub fn package_directory(at_run_time: Option<&OsStr>, at_compile_time: &str) -> PathBuf {
        for candidate in &[at_run_time.unwrap_or_default(), OsStr::new(at_compile_time)] {
            if !candidate.is_empty() && Path::new(candidate).is_dir() {
                return PathBuf::from(candidate);
            }
        }
        PathBuf::from(".")
    }

    /// Returns the saved failures of a property, with their paths: regressions first, then local failures; in each
    /// group unreadable ones first, then the simplest first. Unreadable files stay in place.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// # let package = std::env::temp_dir().join(format!("forall-doc-failures-{}", std::process::id()));
    /// let places = Places::for_package(&package, &Store::Default, false);
    /// places.save(&Entry::failure("sorts", Case::default()))?;
    /// let failures = places.failures("sorts");
    /// assert!(failures[0].0.ends_with(".case"));
    /// assert_eq!(failures[0].1.as_ref().unwrap().property, "sorts");
    /// # std::fs::remove_dir_all(&package).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn failures(&self, property: &str) -> Vec<(String, Result<Entry, EntryError>)> {
        let mut failures = Vec::new();
        let mut seen = Vec::new();
        let mut bytes = 0;
        let places = [Some(&self.regressions), self.local.as_ref(), self.corpus.as_ref()];
        for &place in &places {
            let Some(place) = place else { continue };
            let first = failures.len();
            let files = match place.files(property) {
                Ok(files) => files,
                Err(StoreError { path, cause: Cause::Io { text, .. }, .. }) => {
                    failures.push((shown(&path), Err(EntryError::Unreadable(text))));
                    continue;
                }
                Err(StoreError { path, cause, .. }) => {
                    failures.push((shown(&path), Err(EntryError::Unreadable(format!("{cause:?}")))));
                    continue;
                }
            };
            for (at, (path, id)) in files.iter().enumerate() {
                if seen.contains(id) {
                    continue;
                }
                // Files above the limit are not read.
                let length = fs::symlink_metadata(path).map_or(0, |found| found.len());
                bytes += if length > MAX_FILE { 0 } else { length };
                if failures.len() >= MAX_ENTRIES || bytes > MAX_BYTES {
                    let left_out = files.len() - at;
                    failures.push((shown(&place.folder(property)), Err(EntryError::TooMany { left_out })));
                    break;
                }
                match read(path, property, *id) {
                    Ok(None) => {}
                    Ok(Some(entry)) if id.is_none() => {
                        failures.push((shown(path), Err(EntryError::Name { expected: entry.id() })));
                    }
                    Ok(Some(entry)) => {
                        seen.push(*id);
                        failures.push((shown(path), Ok(entry)));
                    }
                    Err(error) => failures.push((shown(path), Err(error))),
                }
            }
            sort_by(&mut failures[first..], |(_, a), (_, b)| match (a, b) {
                (Ok(a), Ok(b)) => {
                    let by_steps = || a.case.steps.len().cmp(&b.case.steps.len());
                    a.case.sequence.cmp(&b.case.sequence).then_with(by_steps)
                }
                (a, b) => a.is_ok().cmp(&b.is_ok()),
            });
        }
        failures
    }

    /// Saves a local failure. When this returns, the failure survives a killed process and a power failure.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// # let package = std::env::temp_dir().join(format!("forall-doc-save-{}", std::process::id()));
    /// let places = Places::for_package(&package, &Store::Directory("finds".into()), false);
    /// let saved = places.save(&Entry::failure("sorts", Case::default()))?;
    /// assert!(saved.path().unwrap().starts_with(package.join("finds")));
    /// # std::fs::remove_dir_all(&package).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn save(&self, entry: &Entry) -> Result<Saved, StoreError> {
        let property = entry.property.clone();
        Ok(match &self.local {
            Some(local) if !self.read_only => {
                let id = local.save(entry)?;
                #[cfg(test)]
                self.witness.save(entry);
                Saved { id, path: Some(local.path(&property, id)), property }
            }
            _ => Saved { id: entry.id(), property, path: None },
        })
    }

    /// Saves a failure in place of an earlier one: the new one is durable before the old one is deleted. If the process
    /// is killed in between, both remain, which is correct: both fail.
    ///
    /// ```
    /// use forall::{choice::Sequence, run::{Case, Store}, store::{Entry, Places}};
    /// # let package = std::env::temp_dir().join(format!("forall-doc-replace-{}", std::process::id()));
    /// let places = Places::for_package(&package, &Store::Default, false);
    /// let entry = |n| Entry::failure("sorts", Case { sequence: Sequence::from_values(100, &[n]), steps: vec![] });
    /// let found = places.save(&entry(99))?;
    /// places.replace(&found, &entry(10))?;
    /// assert_eq!(places.failures("sorts").len(), 1);
    /// # std::fs::remove_dir_all(&package).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn replace(&self, old: &Saved, new: &Entry) -> Result<Saved, StoreError> {
        let saved = self.save(new)?;
        if let (Some(local), Some(old_path)) = (&self.local, &old.path)
            && saved.path.as_ref() != Some(old_path)
            && !self.read_only
        {
            local.delete(&old.property, old.id)?;
        }
        Ok(saved)
    }

    /// Turns a local failure from [`failures`](Self::failures) into a saved one that can be replaced. `None` for
    /// regressions, and if the store is read-only.
    pub(crate) fn adopt(&self, origin: &str, entry: &Entry) -> Option<Saved> {
        let path = self.local_file(origin)?;
        Some(Saved { property: entry.property.clone(), id: entry.id(), path: Some(path) })
    }

    /// Deletes a local failure that no longer fails, by its origin in [`failures`](Self::failures). Returns whether it
    /// was deleted: regressions never are, nor is anything in a read-only store.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// # let package = std::env::temp_dir().join(format!("forall-doc-delete-{}", std::process::id()));
    /// let places = Places::for_package(&package, &Store::Default, false);
    /// places.save(&Entry::failure("sorts", Case::default()))?;
    /// let (origin, _) = &places.failures("sorts")[0];
    /// assert!(places.delete(origin)?);
    /// assert!(places.failures("sorts").is_empty());
    /// # std::fs::remove_dir_all(&package).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn delete(&self, origin: &str) -> Result<bool, StoreError> {
        let Some(path) = self.local_file(origin) else { return Ok(false) };
        match fs::remove_file(&path) {
            Ok(()) => {
                // Succeeds if it was the last entry.
                let _ = path.parent().map(fs::remove_dir);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io("delete", path, &error)),
        }
    }

    /// Moves a failure to the committed regressions. Returns its new path.
    ///
    /// ```
    /// use forall::{run::{Case, Store}, store::{Entry, Places}};
    /// # let package = std::env::temp_dir().join(format!("forall-doc-keep-{}", std::process::id()));
    /// let places = Places::for_package(&package, &Store::Default, false);
    /// let entry = Entry::failure("sorts", Case::default());
    /// let kept = places.keep(&entry)?;
    /// assert_eq!(kept, places.regression_path("sorts", entry.id()));
    /// # std::fs::remove_dir_all(&package).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    pub fn keep(&self, entry: &Entry) -> Result<PathBuf, StoreError> {
        let path = self.regression_path(&entry.property, entry.id());
        if self.read_only {
            return Err(StoreError::new("write", path, Cause::ReadOnly));
        }
        let id = self.regressions.save(entry)?;
        if let Some(local) = &self.local {
            local.delete(&entry.property, id)?;
        }
        Ok(path)
    }

    /// Returns the path of a local failure after [`keep`](Self::keep).
    ///
    /// ```
    /// use forall::{run::Store, store::Places};
    /// let places = Places::for_package("my_crate".as_ref(), &Store::Default, false);
    /// let path = places.regression_path("sorts", "00c0ffee00c0ffee".parse().unwrap());
    /// assert!(path.starts_with("my_crate/forall-regressions"));
    /// ```
    pub fn regression_path(&self, property: &str, id: Id) -> PathBuf {
        self.regressions.path(property, id)
    }

    /// Returns the corpus of a property, next to its local failures; `None` if the store is off.
    ///
    /// ```
    /// use forall::{run::Store, store::Places};
    /// let places = Places::for_package("my_crate".as_ref(), &Store::Default, false);
    /// assert!(places.corpus("sorts").unwrap().folder().starts_with("my_crate/.forall/corpus"));
    /// ```
    #[cfg(feature = "coverage")]
    pub fn corpus(&self, property: &str) -> Option<super::Seeds> {
        let local = self.local.as_ref()?;
        Some(super::Seeds::new(local.root(), property).read_only(self.read_only))
    }

    /// Whether an origin from [`failures`](Self::failures) is in the shared corpus.
    pub(crate) fn is_of_corpus(&self, origin: &str) -> bool {
        matches!(&self.corpus, Some(corpus) if origin.starts_with(&shown(corpus.root())))
    }

    /// Returns whether an origin from [`failures`](Self::failures) is a committed regression.
    ///
    /// ```
    /// use forall::{run::Store, store::Places};
    /// let places = Places::for_package("my_crate".as_ref(), &Store::Default, false);
    /// let path = places.regression_path("sorts", "00c0ffee00c0ffee".parse().unwrap());
    /// assert!(places.is_regression(path.to_str().unwrap()));
    /// assert!(!places.is_regression("my_crate/.forall/sorts/00c0ffee00c0ffee.case"));
    /// ```
    pub fn is_regression(&self, origin: &str) -> bool {
        origin.starts_with(&shown(self.regressions.root()))
    }

    /// The other properties that have readable committed regressions in a package.
    pub(crate) fn unclaimed(package: &Path, claimed: &[&str]) -> Vec<String> {
        Directory::new(package.join(REGRESSIONS)).properties(claimed)
    }

    /// The directory of a property's committed regressions within its package, as text.
    pub(crate) fn regressions_of(property: &str) -> String {
        shown(&Directory::new(REGRESSIONS).folder(property))
    }

    /// The folder of a property's local failures.
    pub(crate) fn local_folder(&self, property: &str) -> Option<PathBuf> {
        self.local.as_ref().map(|local| local.folder(property))
    }

    /// Declares that this process works on a failure of a property, if the store can be written.
    pub(crate) fn begin_work(&self, property: &str) -> Option<Working> {
        self.local.as_ref().filter(|_| !self.read_only)?.begin_work(property)
    }

    /// The file of a local failure that may be changed. An origin is untrusted text: only a file directly in a
    /// property's directory is accepted.
    fn local_file(&self, origin: &str) -> Option<PathBuf> {
        if self.read_only {
            return None;
        }
        let local = self.local.as_ref()?;
        let separator: Kind = std::path::is_separator;
        let within = origin.strip_prefix(&shown(local.root()))?.trim_start_matches(separator);
        let (folder, file) = within.split_once(separator)?;
        let plain = |name: &str| !name.contains(separator) && !name.starts_with('.');
        if plain(folder) && plain(file) && file.ends_with(".case") {
            return Some(local.root().join(folder).join(file));
        }
        None
    }
}

/// A path as text. The names that this store creates are plain, so they can be parsed again.
fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Backend;
    use super::Entry;
    use std::fmt;
    use std::sync::Arc;

    /// A store that receives a copy of each entry.
    #[derive(Default)]
    pub(crate) struct Witness(pub(crate) Option<Arc<dyn Backend>>);

    impl Witness {
        pub(super) fn save(&self, entry: &Entry) {
            if let Some(store) = &self.0 {
                store.save(entry).expect("a witness takes all entries");
            }
        }
    }

    impl fmt::Debug for Witness {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Witness")
        }
    }
}
