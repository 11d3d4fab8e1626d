//! The store: saved failures, regressions and corpora on disk.
//!
//! An [`Entry`] is one failing input with its human-readable values; its documentation describes the file format. A
//! [`Backend`] stores entries behind four operations: save, fetch, list, delete. [`Directory`] keeps them in files and
//! is safe with many processes at once; [`Memory`] keeps them in memory. [`Places`] are the two directories of a
//! package that a runner uses: `.forall/` for local failures and `forall-regressions/` for committed regressions.
//!
//! A `.forall` that is a symbolic link is followed, to save failures on another disk or to share them. Inside it
//! nothing is written through a link, and a link in place of an entry is not read.
//!
//! This module has no policy: [`run`](crate::run) decides when a failure is saved, replayed or deleted.

mod directory;
mod entry;
mod mark;
mod memory;
mod places;
#[cfg(feature = "full")]
mod seeds;
pub(crate) mod setting;
mod text;
mod working;

pub use directory::Directory;
pub use entry::{Entry, EntryError, Kind, Variable};
pub use mark::Mark;
pub use memory::Memory;
pub use places::{Places, Saved};
#[cfg(feature = "full")]
pub use seeds::{Loaded, Seeds};
pub(crate) use working::{Others, Working};

use crate::text::visible;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A store of entries, by property and [`Id`].
///
/// The name of an entry is a hash of its content, so entries never conflict: saving one twice changes nothing, and
/// merging two stores is a union of sets ([`merge`]). Many processes and threads may use one store at once.
///
/// Your own store can use anything that stores strings by name (a database table, a bucket of an object store):
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Backend, Cause, Cursor, Entry, Id, Listing, StoreError};
/// use std::{collections::BTreeMap, sync::Mutex};
///
/// #[derive(Default)]
/// struct Bucket(Mutex<BTreeMap<(String, Id), String>>);
///
/// impl Backend for Bucket {
///     fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
///         self.0.lock().unwrap().insert((entry.property.clone(), entry.id()), entry.to_text());
///         Ok(entry.id())
///     }
///     fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
///         let objects = self.0.lock().unwrap();
///         let Some(text) = objects.get(&(property.to_owned(), id)) else { return Ok(None) };
///         // Decoding is total: invalid text is an error.
///         let wrong = |error| StoreError::new("read", "the bucket", Cause::Entry(error));
///         Entry::from_bytes(text.as_bytes()).map(Some).map_err(wrong)
///     }
///     fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
///         let objects = self.0.lock().unwrap();
///         Ok(Listing::since(objects.keys().filter(|(name, _)| name == property).map(|(_, id)| *id), since))
///     }
///     fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
///         Ok(self.0.lock().unwrap().remove(&(property.to_owned(), id)).is_some())
///     }
/// }
///
/// let bucket = Bucket::default();
/// let id = bucket.save(&Entry::failure("sorts", Case::default()))?;
/// assert_eq!(bucket.list("sorts", None)?.ids, [id]);
/// # assert!(bucket.fetch("sorts", id)?.is_some() && bucket.delete("sorts", id)?);
/// # Ok::<(), StoreError>(())
/// ```
///
/// `cargo-forall/examples/log_corpus.rs` makes `cargo forall --corpus` use such a store. How the built-in ones are used:
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Backend};
///
/// let store: &dyn Backend = &Memory::new();
/// let entry = Entry::failure("sorts", Case::default());
/// let id = store.save(&entry)?;
/// let listing = store.list("sorts", None)?;
/// assert_eq!(listing.ids, [id]);
/// assert_eq!(store.fetch("sorts", id)?, Some(entry));
/// assert_eq!(store.list("sorts", Some(&listing.cursor))?.ids, []);
/// assert!(store.delete("sorts", id)?);
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[doc(hidden)]
pub trait Backend: Send + Sync {
    /// Saves an entry. When this returns, the entry is as durable as the store makes it: [`Directory`] preserves it
    /// even if the process is killed or the power fails.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Memory, Backend}};
    /// let (store, entry) = (Memory::new(), Entry::failure("sorts", Case::default()));
    /// assert_eq!(store.save(&entry)?, entry.id());
    /// assert_eq!(store.save(&entry)?, entry.id(), "twice is once");
    /// assert_eq!(store.list("sorts", None)?.ids.len(), 1);
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    fn save(&self, entry: &Entry) -> Result<Id, StoreError>;

    /// Returns an entry, if it exists. An entry that cannot be parsed is an error.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Memory, Backend}};
    /// let (store, entry) = (Memory::new(), Entry::failure("sorts", Case::default()));
    /// assert_eq!(store.fetch("sorts", entry.id())?, None);
    /// store.save(&entry)?;
    /// assert_eq!(store.fetch("sorts", entry.id())?, Some(entry));
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError>;

    /// Returns the entries of a property in the order of their ids, except those that were in an earlier listing.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Memory, Backend}};
    /// let store = Memory::new();
    /// store.save(&Entry::failure("sorts", Case::default()))?;
    /// assert_eq!(store.list("sorts", None)?.ids.len(), 1);
    /// assert_eq!(store.list("reverses", None)?.ids.len(), 0);
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError>;

    /// Deletes an entry. Returns whether it existed.
    ///
    /// ```
    /// use forall::{run::Case, store::{Entry, Memory, Backend}};
    /// let store = Memory::new();
    /// let id = store.save(&Entry::failure("sorts", Case::default()))?;
    /// assert!(store.delete("sorts", id)?);
    /// assert!(!store.delete("sorts", id)?, "it was deleted");
    /// # Ok::<(), forall::store::StoreError>(())
    /// ```
    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError>;
}

/// The name of an entry in a store: a hash of its content.
///
/// ```
/// use forall::store::Id;
/// let id: Id = "00c0ffee00c0ffee".parse().unwrap();
/// assert_eq!(id.to_string(), "00c0ffee00c0ffee");
/// assert!("../../etc/passwd".parse::<Id>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(hidden)]
pub struct Id(u64);

impl Id {
    pub(crate) fn new(hash: u64) -> Self {
        Self(hash)
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({self})")
    }
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let hash = u64::from_str_radix(text, 16).ok().map(Self);
        // The only notation: 16 digits, lower case.
        hash.filter(|id| id.to_string() == text)
            .ok_or_else(|| format!("{text:?} is not 16 hexadecimal digits; use those of the file's name"))
    }
}

/// The result of [`Backend::list`].
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Backend};
/// let store = Memory::new();
/// let id = store.save(&Entry::failure("sorts", Case::default()))?;
/// let listing = store.list("sorts", None)?;
/// assert_eq!(listing.ids, [id]);
/// assert!(store.list("sorts", Some(&listing.cursor))?.ids.is_empty());
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Listing {
    /// The entries that were not in the listing of the cursor.
    pub ids: Vec<Id>,
    /// The cursor for the next listing.
    pub cursor: Cursor,
}

impl Listing {
    /// Creates the listing of a store with the entries `present`, for your own store.
    ///
    /// ```
    /// use forall::store::{Id, Listing};
    /// let [a, b] = ["000000000000000a", "000000000000000b"].map(|id| id.parse::<Id>().unwrap());
    /// let first = Listing::since([a], None);
    /// assert_eq!(Listing::since([b, a], Some(&first.cursor)).ids, [b]);
    /// ```
    pub fn since(present: impl IntoIterator<Item = Id>, cursor: Option<&Cursor>) -> Self {
        let (mut ids, mut seen) = (Vec::new(), Vec::new());
        for id in present {
            if add(&mut seen, id) && cursor.is_none_or(|cursor| cursor.seen.binary_search(&id).is_err()) {
                add(&mut ids, id);
            }
        }
        Self { ids, cursor: Cursor { seen } }
    }
}

/// The state of a listing: the entries that were present.
///
/// A set and not a time: clocks differ between machines, and a merge may add an entry long after it was written.
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Backend};
/// let store = Memory::new();
/// let before = store.list("sorts", None)?.cursor;
/// let id = store.save(&Entry::failure("sorts", Case::default()))?;
/// assert_eq!(store.list("sorts", Some(&before))?.ids, [id]);
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Cursor {
    /// Sorted.
    seen: Vec<Id>,
}

/// Adds an id to a sorted set. Returns whether it is new.
#[inline]
fn add(set: &mut Vec<Id>, id: Id) -> bool {
    let place = set.binary_search(&id);
    if let Err(at) = place {
        set.insert(at, id);
    }
    place.is_err()
}

/// The result of [`merge`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Merged {
    /// The entries copied.
    pub copied: Vec<Id>,
    /// The entries that could not be read, and stay in place.
    pub unreadable: Vec<StoreError>,
    /// The cursor for the next merge.
    pub cursor: Cursor,
}

/// Copies the entries of a property in `from` that are not in the listing `since` to another store.
///
/// ```
/// use forall::run::Case;
/// use forall::store::{Entry, Memory, Backend, merge};
///
/// let (ours, theirs) = (Memory::new(), Memory::new());
/// let id = theirs.save(&Entry::failure("sorts", Case::default()))?;
/// assert_eq!(merge(&theirs, &ours, "sorts", None)?.copied, [id]);
/// assert!(ours.fetch("sorts", id)?.is_some());
/// # Ok::<(), forall::store::StoreError>(())
/// ```
#[inline]
#[doc(hidden)]
pub fn merge(
    from: &dyn Backend,
    into: &dyn Backend,
    property: &str,
    since: Option<&Cursor>,
) -> Result<Merged, StoreError> {
    let Listing { ids, cursor } = from.list(property, since)?;
    let mut merged = Merged { cursor, ..Merged::default() };
    for id in ids {
        match from.fetch(property, id) {
            Ok(Some(entry)) => merged.copied.push(into.save(&entry)?),
            Ok(None) => {}
            Err(error) => merged.unreadable.push(error),
        }
    }
    Ok(merged)
}

/// An error of a store. Its text says what failed, where and why, and what to do.
///
/// ```
/// use forall::store::StoreError;
/// use std::io;
/// let error = StoreError::io("write", "/repo/.forall/x", &io::ErrorKind::PermissionDenied.into());
/// assert_eq!(
///     error.to_string(),
///     "cannot write /repo/.forall/x: permission denied; make it writable, or set FORALL_STORE to another directory, \
///      or to `off`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct StoreError {
    /// The operation: a verb.
    #[doc(hidden)]
    pub doing: &'static str,
    /// Its object.
    #[doc(hidden)]
    pub path: PathBuf,
    /// The cause.
    #[doc(hidden)]
    pub cause: Cause,
}

/// The cause of a store's error.
///
/// ```
/// use forall::store::{Cause, StoreError};
/// let error = StoreError::new("write", ".forall/x", Cause::ReadOnly);
/// assert!(error.to_string().contains("FORALL_READ_ONLY"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Cause {
    /// The operating system returned an error.
    Io {
        /// The kind of the error.
        kind: io::ErrorKind,
        /// The text of the error.
        text: String,
    },
    /// The entry is invalid.
    Entry(EntryError),
    /// The store is read-only.
    ReadOnly,
    /// A directory of the store is a link, and a write would leave the store.
    Link,
}

impl StoreError {
    /// Creates an error with any cause.
    ///
    /// ```
    /// use forall::store::{Cause, StoreError};
    /// let error = StoreError::new("write", "finds.sqlite", Cause::ReadOnly);
    /// assert!(error.to_string().starts_with("cannot write finds.sqlite: "));
    /// ```
    pub fn new(doing: &'static str, path: impl Into<PathBuf>, cause: Cause) -> Self {
        Self { doing, path: path.into(), cause }
    }

    /// Creates an error of the operating system.
    ///
    /// ```
    /// use forall::store::{Cause, StoreError};
    /// let error = std::fs::read("/is/not/there").unwrap_err();
    /// let error = StoreError::io("read", "/is/not/there", &error);
    /// assert!(matches!(error.cause, Cause::Io { kind: std::io::ErrorKind::NotFound, .. }));
    /// ```
    pub fn io(doing: &'static str, path: impl AsRef<Path>, error: &io::Error) -> Self {
        Self::new(doing, path.as_ref(), Cause::Io { kind: error.kind(), text: error.to_string() })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use io::ErrorKind::{
            AlreadyExists, FileTooLarge, IsADirectory, NotADirectory, PermissionDenied, QuotaExceeded,
            ReadOnlyFilesystem, StorageFull,
        };
        write!(f, "cannot {} {}: ", self.doing, visible(&self.path.to_string_lossy()))?;
        let (kind, text) = match &self.cause {
            Cause::Entry(error) => return write!(f, "{error}"),
            Cause::ReadOnly => return write!(f, "the store is read-only; unset FORALL_READ_ONLY to write"),
            Cause::Link => return write!(f, "it is a link or a file where a directory was expected; remove it"),
            Cause::Io { kind, text } => (kind, text),
        };
        let advice = match kind {
            StorageFull | QuotaExceeded | FileTooLarge => "make room",
            PermissionDenied | ReadOnlyFilesystem => {
                return write!(f, "{text}; make it writable, or set FORALL_STORE to another directory, or to `off`");
            }
            NotADirectory | AlreadyExists | IsADirectory => "remove the file that is in the way",
            _ => "check the file system",
        };
        write!(f, "{text}; {advice}, or set FORALL_STORE to another directory, or to `off`")
    }
}

impl std::error::Error for StoreError {}
