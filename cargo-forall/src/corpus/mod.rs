//! The corpus of a campaign: entries that its workers share.
//!
//! A corpus holds entries of the library (`forall::store::Entry`), which are immutable and named by a hash of their
//! contents: failures, inputs with new coverage, the best input of a targeted search, workers' statistics. So there are
//! no conflicts, saving is idempotent, and merging is the union of sets. Each kind implements the four operations of
//! [`Backend`]. [`folder`] is a corpus in a directory; features of this crate add `redis`, one in Redis, and `s3`, one in
//! an object store.
//!
//! A worker does not depend on the corpus: failures are first saved in its local store, `.forall`, and [`exchange`]
//! transfers entries while the corpus is reachable ([`link`]).

pub mod command;
pub mod exchange;
pub mod folder;
pub mod known;
pub mod link;
mod outbox;
pub mod progress;
pub mod records;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(feature = "s3")]
pub mod s3;
pub mod strangers;
pub mod told;

use crate::Error;
use forall::store::{Backend, Cause, Entry, Id, Kind, StoreError};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The exit code of a worker whose failures are not all in the corpus.
pub const UNSENT: u8 = 3;

/// The kinds of entries.
pub const KINDS: [Kind; 5] = [Kind::Failure, Kind::Seed, Kind::Best, Kind::Statistics, Kind::Progress];

/// A corpus.
pub trait Corpus: Send + Sync {
    /// Returns the entries of one kind.
    fn entries(&self, kind: Kind) -> &dyn Backend;

    /// Returns the properties with entries. The progress of shards does not count: it is stored under separate names.
    fn properties(&self) -> Result<BTreeSet<String>, StoreError>;

    /// Returns the name in messages, without secrets.
    fn name(&self) -> &str;

    /// Returns a word that changes when the corpus has lost entries: it was emptied, replaced or restored from an older
    /// copy. `None` if losses cannot be detected.
    fn epoch(&self) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// Returns whether other workers announced entries since the last call. A corpus without announcements is listed
    /// periodically.
    fn has_news(&self) -> bool {
        false
    }
}

/// Returns a new word for [`Corpus::epoch`].
fn new_epoch() -> String {
    use std::hash::{BuildHasher, RandomState};
    let random = RandomState::new().hash_one((std::process::id(), std::time::SystemTime::now()));
    format!("{random:016x}")
}

/// The result of fetching an entry.
#[derive(Debug)]
pub enum Found {
    /// The entry.
    Entry(Box<Entry>),
    /// The entry does not exist any more.
    Nothing,
    /// The data is not an entry of this kind, for this reason. It is left in place.
    Nonsense(String),
}

/// Fetches an entry. Errors are those of the connection; an unreadable entry is [`Found::Nonsense`].
pub fn fetch(corpus: &dyn Corpus, kind: Kind, property: &str, id: Id) -> Result<Found, StoreError> {
    match corpus.entries(kind).fetch(property, id) {
        Ok(Some(entry)) if entry.kind == kind => Ok(Found::Entry(Box::new(entry))),
        Ok(Some(entry)) => Ok(Found::Nonsense(format!("it is a {}", entry.kind.word()))),
        Ok(None) => Ok(Found::Nothing),
        Err(StoreError { cause: Cause::Entry(error), .. }) => Ok(Found::Nonsense(error.to_string())),
        Err(error) => Err(error),
    }
}

/// Decodes an entry that a server sent under this name.
#[cfg(any(feature = "redis", feature = "s3"))]
fn checked(bytes: &[u8], property: &str, id: Id) -> Result<Entry, forall::store::EntryError> {
    use forall::store::EntryError;
    let entry = Entry::from_bytes(bytes)?;
    if entry.property != property {
        let found = forall::text::visible(&entry.property);
        return Err(EntryError::Property { expected: property.to_owned(), found });
    }
    let expected = entry.id();
    if expected == id { Ok(entry) } else { Err(EntryError::Name { expected }) }
}

/// How a corpus is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// For reading.
    Read,
    /// For writing; created if it does not exist.
    Write,
}

/// Opens a custom corpus. The address includes the scheme and `://`.
pub type Opener = fn(address: &str, access: Access) -> Result<Box<dyn Corpus>, Error>;

static OWN: Mutex<Vec<(&str, Opener)>> = Mutex::new(Vec::new());

/// Registers `open` for addresses that begin with `scheme://`, in your own build of this tool. See `examples/log_corpus.rs`.
///
/// ```
/// use cargo_forall::corpus;
/// corpus::register("nowhere", |address, _| Err(format!("{address} is nowhere").into()));
/// let why = corpus::open("nowhere://x").map(drop).unwrap_err();
/// assert_eq!(why.to_string(), "nowhere://x is nowhere");
/// ```
pub fn register(scheme: &'static str, open: Opener) {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).push((scheme, open));
}

/// Opens the corpus at an address: a directory, or an address whose scheme selects the backend.
pub fn open(address: &str) -> Result<Box<dyn Corpus>, Error> {
    open_for(address, Access::Write)
}

/// Opens the corpus at an address, with an access mode.
pub fn open_for(address: &str, access: Access) -> Result<Box<dyn Corpus>, Error> {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme);
    let own =
        OWN.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|(name, _)| Some(*name) == scheme).copied();
    if let Some((_, open)) = own {
        return open(address, access);
    }
    if let Some(path) = directory(address)? {
        return Ok(Box::new(folder::Folder::open(path, access)?));
    }
    match address.split_once("://") {
        Some(("redis", _)) if cfg!(not(feature = "redis")) => Err(crate::without("Redis", "redis")),
        Some(("rediss", _)) if cfg!(not(feature = "redis-tls")) => Err(crate::without("Redis over TLS", "redis-tls")),
        #[cfg(feature = "redis")]
        Some(("redis" | "rediss", _)) => Ok(Box::new(redis::Redis::open(address, access)?)),
        Some(("s3", _)) if cfg!(not(feature = "s3")) => Err(crate::without("S3", "s3")),
        #[cfg(feature = "s3")]
        Some(("s3", _)) => Ok(Box::new(s3::S3::open(address, access)?)),
        other => Err(format!(
            "a corpus is a directory, in Redis or in an S3 bucket, but `{}://…` is none of them; write --corpus \
             /shared/corpus, --corpus redis://host:6379 or --corpus s3://bucket/prefix",
            other.map_or("", |(scheme, _)| scheme)
        )
        .into()),
    }
}

/// Returns the directory of an address, if it is one.
fn directory(address: &str) -> Result<Option<&str>, Error> {
    match address.split_once("://") {
        Some(("file", path)) => Ok(Some(path)),
        Some(_) => Ok(None),
        // A mistyped address may contain a password: it is neither created as a directory nor printed.
        None if ["redis:", "rediss:"].iter().any(|scheme| address.to_lowercase().starts_with(scheme)) => {
            Err("a Redis address has two slashes: write redis://host:6379, or rediss://… for TLS".into())
        }
        None if address.to_lowercase().starts_with("s3:") => {
            Err("an S3 address has two slashes: write s3://bucket/prefix".into())
        }
        None => Ok(Some(address)),
    }
}

/// A corpus that can be listed, but becomes unreachable before anything is fetched.
#[cfg(test)]
pub(crate) struct Leaving(pub(crate) Vec<Entry>);

/// A corpus in which the key of one property has other data.
#[cfg(test)]
pub(crate) struct Spoilt {
    key: &'static str,
    memory: forall::store::Memory,
    names: Mutex<BTreeSet<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::store::{Cursor, Listing};
    use std::io;

    impl Spoilt {
        pub(crate) fn new(key: &'static str) -> Self {
            Self { key, memory: forall::store::Memory::new(), names: Mutex::new(BTreeSet::from([key.to_owned()])) }
        }

        /// Adds an entry.
        pub(crate) fn fill(&self, entry: &Entry) {
            self.memory.save(entry).unwrap();
            self.names.lock().unwrap().insert(entry.property.clone());
        }

        fn open(&self, property: &str) -> Result<&dyn Backend, StoreError> {
            let text = format!("key `{property}`: WRONGTYPE");
            let error = io::Error::new(io::ErrorKind::InvalidData, text);
            if property == self.key { Err(StoreError::io("list", "spoilt", &error)) } else { Ok(&self.memory) }
        }
    }

    impl Corpus for Spoilt {
        fn entries(&self, _: Kind) -> &dyn Backend {
            self
        }

        fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
            Ok(self.names.lock().unwrap().clone())
        }

        fn name(&self) -> &str {
            "spoilt"
        }
    }

    impl Backend for Spoilt {
        fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
            self.open(&entry.property)?.save(entry)
        }

        fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
            self.open(property)?.fetch(property, id)
        }

        fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
            self.open(property)?.list(property, since)
        }

        fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
            self.open(property)?.delete(property, id)
        }
    }

    impl Corpus for Leaving {
        fn entries(&self, _: Kind) -> &dyn Backend {
            self
        }

        fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
            Ok(self.0.iter().map(|entry| entry.property.clone()).collect())
        }

        fn name(&self) -> &str {
            "leaving"
        }
    }

    impl Backend for Leaving {
        fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
            Ok(entry.id())
        }

        fn fetch(&self, _: &str, _: Id) -> Result<Option<Entry>, StoreError> {
            Err(StoreError::io("read from", "leaving", &io::Error::other("connection reset")))
        }

        fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
            let ids = self.0.iter().filter(|entry| entry.property == property).map(Entry::id);
            Ok(Listing::since(ids, since))
        }

        fn delete(&self, _: &str, _: Id) -> Result<bool, StoreError> {
            Ok(false)
        }
    }

    #[test]
    fn a_mistyped_address_is_not_a_directory_and_not_printed() {
        for address in ["redis:/:secret@host:6379", "rediss::secret@host", "REDIS:secret@host", "redis:secret"] {
            for wrong in [open(address).map(drop), command::to_read(address).map(drop)] {
                let wrong = wrong.unwrap_err().to_string();
                assert!(wrong.contains("write redis://host:6379") && !wrong.contains("secret"), "{wrong}");
            }
        }
        for wrong in ["s3:key:secret@bucket", "s3://key:secret@bucket/corpus"] {
            let wrong = open(wrong).map(drop).unwrap_err().to_string();
            assert!(wrong.contains("write s3://bucket/prefix") && !wrong.contains("secret"), "{wrong}");
        }
        let wrong = open("gs://:secret@bucket").map(drop).unwrap_err().to_string();
        assert!(wrong.contains("`gs://…` is none of them") && !wrong.contains("secret"), "{wrong}");
    }
}
