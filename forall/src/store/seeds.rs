//! The corpus of a property: inputs that did something new when they were found, one file each.
//!
//! ```text
//! .forall/corpus/my_crate-tests-parses-1f2e3d4c/0123456789abcdef.seed
//! ```
//!
//! A file holds one [`Case`] in its text form. Unlike failures, inputs of a corpus may be lost when the power fails: they
//! are not flushed to the disk one by one, but they are renamed into place, so no reader sees half of one. The name is a
//! hash of the content; many campaigns may use one corpus at once.

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

/// How a file of the corpus ends.
const EXTENSION: &str = "seed";

/// Larger files are neither read nor written: 1 MiB. Such an input is too slow to be worth varying.
const MAX_FILE: u64 = 1 << 20;

/// As many files are read, and as many bytes in all. A directory that somebody else filled is not to fill the memory.
const MAX_FILES: usize = 100_000;
const MAX_BYTES: u64 = 256 << 20;

/// As many files that cannot be used are named; the rest are counted.
const MAX_NAMED: usize = 100;

/// The inputs that campaigns have kept of one property.
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

/// What [`Seeds::load`] found.
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
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Where its files are.
    ///
    /// ```
    /// use forall::store::Seeds;
    /// assert!(Seeds::new(".forall", "parses").folder().to_str().unwrap().contains("parses-"));
    /// ```
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads all of it. Whatever is in the directory: what is no input is left out, and told.
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
    pub fn load(&self) -> Loaded {
        let mut loaded = Loaded::default();
        let mut files = match self.files() {
            Ok(files) => files,
            Err(error) => {
                loaded.skipped.push(Fact::StoreTrouble { error: error.to_string() });
                return loaded;
            }
        };
        // Small ones first: what a small input covers, a large one need not be kept for.
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

    /// The inputs that came since it was asked last, with `known` as it was left then: the names of all files that were there.
    /// What is no input is left out.
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

    /// The name of the file that an input has, or would have.
    ///
    /// ```
    /// use forall::{run::Case, store::Seeds};
    /// let name = Seeds::file_name(&Case::default());
    /// assert!(name.to_str().unwrap().ends_with(".seed"));
    /// ```
    pub fn file_name(case: &Case) -> OsString {
        file_name(&text(case))
    }

    /// Adds an input. Whether it is new: one that is there, or too large, or any in a corpus that is read-only, is not added.
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
    pub fn add(&self, case: &Case) -> Result<bool, StoreError> {
        let mut text = text(case);
        let path = self.folder.join(file_name(&text));
        text.push('\n');
        if self.read_only || text.len() as u64 > MAX_FILE || path.exists() {
            return Ok(false);
        }
        let failed = |error: std::io::Error| StoreError::io("write", &path, &error);
        if !self.folder.is_dir() {
            // A directory that was there before, and is not called `.forall`, is the user's: it is left as it is.
            let ours = !self.root.exists() || self.root.file_name() == Some(OsStr::new(".forall"));
            fs::create_dir_all(&self.folder).map_err(failed)?;
            if ours {
                // Not worth an error: should the disk be full, the next line will say so.
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

    /// Removes an input that another one has made needless. It may be gone.
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
    pub fn remove(&self, file: &Path) {
        if !self.read_only && file.parent() == Some(&self.folder) {
            // Nothing is lost if it stays.
            let _ = fs::remove_file(file);
        }
    }

    /// The files that are meant to be inputs, with their lengths.
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

/// An input as text: the same for one that was recorded and for one that was read, which has no shape.
fn text(case: &Case) -> String {
    case.to_text_with_shape(0)
}

fn file_name(text: &str) -> OsString {
    format!("{:016x}.{EXTENSION}", Fnv::of(text)).into()
}

/// The input in a file; none if the file is gone.
fn read(path: &Path, length: u64) -> Result<Option<Case>, String> {
    // Links are not followed, and a pipe would be waited for.
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => return Err("it is no file".to_owned()),
        Ok(_) if length > MAX_FILE => return Err(format!("it is larger than {} KiB", MAX_FILE >> 10)),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    let bytes = match read_some(path, MAX_FILE) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|error| error.to_string())?,
    };
    let text = std::str::from_utf8(&bytes).map_err(|_| "it is no text".to_owned())?;
    let case = Case::from_text(text).map_err(|error| error.to_string())?;
    // A well-formed file may still be none of a campaign's: mutants of it would draw without end, or it cannot be run at all.
    if case.sequence.size > MAX_SIZE {
        return Err(format!("its size is {}, and no run has more than {MAX_SIZE}", case.sequence.size));
    }
    if case.searched_to().is_some() {
        return Err("it was found by an exhaustive search".to_owned());
    }
    Ok(Some(case))
}
