//! The corpus of a property: inputs with new coverage, one file each.
//!
//! ```text
//! .forall/corpus/my_crate-tests-parses-1f2e3d4c/0123456789abcdef.seed
//! ```
//!
//! A file has one [`Case`] in its text form. Unlike failures, inputs of a corpus may be lost in a power failure: they
//! are not flushed to disk one by one. But they are renamed into place, so readers never see a partial file. The name
//! is a hash of the content; many campaigns may use one corpus at once.

use super::StoreError;
use super::directory::{create_temporary, folder_name, ignore_by_git, read_some, remove_stale};
use crate::fact::Fact;
use crate::hash::Fnv;
use crate::sort::sort_by;
use crate::testing::{Case, MAX_SIZE};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The extension of a file in the corpus.
const EXTENSION: &str = "seed";

/// Larger files are neither read nor written: 1 MiB. Such an input is too slow to mutate.
const MAX_FILE: u64 = 1 << 20;

/// The limits on files and on bytes that are read, so that a foreign directory cannot fill the memory.
const MAX_FILES: usize = 100_000;
const MAX_BYTES: u64 = 256 << 20;

/// The number of unusable files that are listed; the rest are counted.
const MAX_NAMED: usize = 100;

/// The inputs that campaigns have saved for one property.
///
/// ```
/// use forall::choice::Sequence;
/// use forall::run::Case;
/// use forall::store::Seeds;
///
/// # let root = std::env::temp_dir().join(format!("forall-doc-corpus-{}", std::process::id()));
/// let corpus = Seeds::new(&root, "my_crate::parses");
/// let case = Case { sequence: Sequence::from_values(100, &[7]), steps: vec![] };
/// assert!(corpus.add(&case)?);
/// assert!(!corpus.add(&case)?, "it is there");
/// assert_eq!(corpus.load().seeds[0].1, case);
/// # std::fs::remove_dir_all(&root).unwrap();
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Seeds {
    root: PathBuf,
    folder: PathBuf,
    read_only: bool,
}

/// The result of [`Seeds::load`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Loaded {
    /// The inputs, each with its file: the smallest first.
    pub seeds: Vec<(PathBuf, Case)>,
    /// The skipped files: one fact each, with the reason.
    pub skipped: Vec<Fact>,
}

impl Seeds {
    /// Creates the corpus of a property in the store at `root`. Directories are created when something is added.
    ///
    /// ```
    /// use forall::store::Seeds;
    /// assert!(Seeds::new(".forall", "my_crate::parses").folder().starts_with(".forall/corpus"));
    /// ```
    pub fn new(root: impl Into<PathBuf>, property: &str) -> Self {
        let root = root.into();
        let folder = root.join("corpus").join(folder_name(property));
        Self { root, folder, read_only: false }
    }

    /// Makes the corpus read-only.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// let corpus = Seeds::new("/is/not/there", "my_crate::parses").read_only(true);
    /// assert!(!corpus.add(&Case::default())?);
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[inline]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Returns the directory of its files.
    ///
    /// ```
    /// use forall::store::Seeds;
    /// assert!(Seeds::new(".forall", "parses").folder().to_str().unwrap().contains("parses-"));
    /// ```
    #[inline]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads the whole corpus. Files that are not inputs are skipped and reported.
    ///
    /// ```
    /// use forall::store::Seeds;
    /// # let root = std::env::temp_dir().join(format!("forall-doc-corpus-load-{}", std::process::id()));
    /// let corpus = Seeds::new(&root, "my_crate::parses");
    /// std::fs::create_dir_all(corpus.folder()).unwrap();
    /// std::fs::write(corpus.folder().join("scribble.seed"), "scribble").unwrap();
    /// let loaded = corpus.load();
    /// assert!(loaded.seeds.is_empty());
    /// assert!(loaded.skipped[0].to_string().contains("scribble.seed"));
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// ```
    #[inline]
    pub fn load(&self) -> Loaded {
        let mut loaded = Loaded::default();
        let mut files = match self.files() {
            Ok(files) => files,
            Err(error) => {
                loaded.skipped.push(Fact::StoreTrouble { error: error.to_string() });
                return loaded;
            }
        };
        // Small ones first: an input that covers nothing new beyond a smaller one is not needed.
        sort_by(&mut files, |a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        let (mut bytes, mut unnamed) = (0, 0);
        for (path, length) in files {
            bytes += if length > MAX_FILE { 0 } else { length };
            let too_many = loaded.seeds.len() == MAX_FILES || bytes > MAX_BYTES;
            let read = if too_many { Err("the corpus is too large".to_owned()) } else { read(&path, length) };
            match read {
                Ok(Some(case)) => loaded.seeds.push((path, case)),
                Ok(None) => {}
                Err(_) if loaded.skipped.len() == MAX_NAMED => unnamed += 1,
                Err(why) => {
                    let path = path.display().to_string();
                    loaded.skipped.push(Fact::SeedSkipped { path, error: why });
                }
            }
        }
        if unnamed > 0 {
            loaded.skipped.push(Fact::SeedsSkipped { count: unnamed });
        }
        loaded
    }

    /// Returns the inputs that are new since the last call, where `known` has the names of all files seen so far. Files
    /// that are not inputs are skipped.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// # let root = std::env::temp_dir().join(format!("forall-doc-corpus-newer-{}", std::process::id()));
    /// let (corpus, mut known) = (Seeds::new(&root, "my_crate::parses"), Default::default());
    /// assert!(corpus.newer(&mut known).is_empty());
    /// corpus.add(&Case::default())?;
    /// assert_eq!(corpus.newer(&mut known).len(), 1);
    /// assert!(corpus.newer(&mut known).is_empty(), "it is known");
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[inline]
    pub fn newer(&self, known: &mut BTreeSet<OsString>) -> Vec<Case> {
        let mut cases = Vec::new();
        for (path, length) in self.files().unwrap_or_default() {
            let name = path.file_name().unwrap_or_default();
            if known.len() < MAX_FILES && !known.contains(name) {
                known.insert(name.to_owned());
                cases.extend(read(&path, length).ok().flatten());
            }
        }
        cases
    }

    /// Returns the name of the file for an input.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// let name = Seeds::file_name(&Case::default());
    /// assert!(name.to_str().unwrap().ends_with(".seed"));
    /// ```
    #[inline]
    pub fn file_name(case: &Case) -> OsString {
        file_name(&text(case))
    }

    /// Adds an input. Returns whether it was added: one that exists or is too large is not, and a read-only corpus
    /// never changes.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// # let root = std::env::temp_dir().join(format!("forall-doc-corpus-add-{}", std::process::id()));
    /// let corpus = Seeds::new(&root, "my_crate::parses");
    /// assert!(corpus.add(&Case::default())?);
    /// assert_eq!(corpus.load().seeds.len(), 1);
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[inline]
    pub fn add(&self, case: &Case) -> Result<bool, StoreError> {
        let mut text = text(case);
        let path = self.folder.join(file_name(&text));
        text.push('\n');
        if self.read_only || text.len() as u64 > MAX_FILE || path.exists() {
            return Ok(false);
        }
        let failed = |error: std::io::Error| StoreError::io("write", &path, &error);
        if !self.folder.is_dir() {
            // An existing directory that is not called `.forall` belongs to the user and is not changed.
            let ours = !self.root.exists() || self.root.file_name() == Some(OsStr::new(".forall"));
            fs::create_dir_all(&self.folder).map_err(failed)?;
            if ours {
                // Not an error: if the disk is full, the next line reports it.
                let _ = ignore_by_git(&self.root);
            }
        }
        let (temporary, mut file) = create_temporary(&self.folder).map_err(failed)?;
        let written = file.write_all(text.as_bytes());
        drop(file);
        let renamed = written.and_then(|()| fs::rename(&temporary, &path));
        if renamed.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        renamed.map(|()| true).map_err(failed)
    }

    /// Removes an input that another one has made redundant. It may be gone already.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// # let root = std::env::temp_dir().join(format!("forall-doc-corpus-remove-{}", std::process::id()));
    /// let corpus = Seeds::new(&root, "my_crate::parses");
    /// corpus.add(&Case::default())?;
    /// corpus.remove(&corpus.load().seeds[0].0);
    /// assert!(corpus.load().seeds.is_empty());
    /// # std::fs::remove_dir_all(&root).unwrap();
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    #[inline]
    pub fn remove(&self, file: &Path) {
        if !self.read_only && file.parent() == Some(&self.folder) {
            // If it cannot be removed, it stays.
            let _ = fs::remove_file(file);
        }
    }

    /// The files that may be inputs, with their lengths.
    #[inline]
    fn files(&self) -> Result<Vec<(PathBuf, u64)>, StoreError> {
        let failed = |error: std::io::Error| StoreError::io("list", &self.folder, &error);
        let listing = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing.map_err(failed)?,
        };
        if !self.read_only {
            remove_stale(&self.folder);
        }
        let mut files = Vec::new();
        for file in listing {
            let file = file.map_err(failed)?;
            let path = file.path();
            if path.extension() == Some(OsStr::new(EXTENSION)) {
                files.push((path, file.metadata().map_or(0, |found| found.len())));
            }
        }
        Ok(files)
    }
}

/// An input as text, without its shape, so that it is the same whether it was recorded or read.
#[inline]
fn text(case: &Case) -> String {
    case.to_text_with_shape(0)
}

#[inline]
fn file_name(text: &str) -> OsString {
    format!("{:016x}.{EXTENSION}", Fnv::of(text)).into()
}

/// The input in a file; `None` if the file is gone.
#[inline]
fn read(path: &Path, length: u64) -> Result<Option<Case>, String> {
    // Links are not followed, and a pipe would block.
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => return Err("it is not a file".to_owned()),
        Ok(_) if length > MAX_FILE => return Err(format!("it is larger than {} KiB", MAX_FILE >> 10)),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    let bytes = match read_some(path, MAX_FILE) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|error| error.to_string())?,
    };
    let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let case = Case::from_text(text).map_err(|error| error.to_string())?;
    // A well-formed file may not come from a campaign: its mutants might draw endlessly, or it might not run at all.
    if case.sequence.size > MAX_SIZE {
        return Err(format!("its size is {}, above the limit of {MAX_SIZE}", case.sequence.size));
    }
    if case.searched_to().is_some() {
        return Err("it was found by an exhaustive search".to_owned());
    }
    Ok(Some(case))
}
