//! The corpus of a campaign: what its workers tell each other, in a place that all of them reach.
//!
//! A corpus holds entries of the library (`forall::store::Entry`) that are never changed and are named by a hash of what they are:
//! failures, inputs that did something new, the best input of a targeted search, what a worker did. So there are no conflicts, saving twice is saving once, and two
//! corpora are merged by uniting them. Each kind is behind the four verbs of [`Backend`]. [`folder`] is a corpus in a directory, `redis` (a feature
//! of this program) one in Redis.
//!
//! A worker never depends on it: what it finds is in its own store first, `.forall`, and [`exchange`] carries entries to and fro when
//! the corpus can be reached ([`link`]).

pub mod command;
pub mod exchange;
pub mod folder;
pub mod known;
pub mod link;
#[cfg(feature = "redis")]
pub mod redis;
pub mod strangers;
pub mod told;

use crate::Error;
use forall::store::{Backend, Cause, Entry, Id, Kind, StoreError};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// What a corpus has.
pub const KINDS: [Kind; 4] = [Kind::Failure, Kind::Seed, Kind::Best, Kind::Statistics];

/// A place that holds a corpus.
pub trait Corpus: Send + Sync {
    /// Its entries of one kind.
    fn entries(&self, kind: Kind) -> &dyn Backend;

    /// The properties that it has entries of.
    fn properties(&self) -> Result<BTreeSet<String>, StoreError>;

    /// What it is called in messages: nothing secret.
    fn name(&self) -> &str;

    /// Whether others have saved something since this was asked last, as far as they tell. Who does not hear of it looks now
    /// and then.
    fn has_news(&self) -> bool {
        false
    }
}

/// What is where an entry should be.
#[derive(Debug)]
pub enum Found {
    /// The entry.
    Entry(Entry),
    /// Nothing: somebody has deleted it.
    Nothing,
    /// What is no entry of this kind, and why. It is left where it is.
    Nonsense(String),
}

/// Fetches an entry, whoever wrote it. What fails is the way to the corpus.
pub fn fetch(corpus: &dyn Corpus, kind: Kind, property: &str, id: Id) -> Result<Found, StoreError> {
    match corpus.entries(kind).fetch(property, id) {
        Ok(Some(entry)) if entry.kind == kind => Ok(Found::Entry(entry)),
        Ok(Some(entry)) => Ok(Found::Nonsense(format!("it is a {}", entry.kind.word()))),
        Ok(None) => Ok(Found::Nothing),
        Err(StoreError { cause: Cause::Entry(error), .. }) => Ok(Found::Nonsense(error.to_string())),
        Err(error) => Err(error),
    }
}

/// What a corpus is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing is written, not even that there is a corpus.
    Read,
    /// One that is not there is made.
    Write,
}

/// Opens a corpus of a kind of one's own. The address is whole, with the scheme and `://`.
pub type Opener = fn(address: &str, access: Access) -> Result<Box<dyn Corpus>, Error>;

static OWN: Mutex<Vec<(&str, Opener)>> = Mutex::new(Vec::new());

/// Has addresses that begin with `scheme://` opened by `open`: for a program of your own that is this one with one more kind of
/// corpus. `examples/log_corpus.rs` is such a program.
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

/// The corpus at an address: a directory, or what comes before `://` says how it is reached.
pub fn open(address: &str) -> Result<Box<dyn Corpus>, Error> {
    open_for(address, Access::Write)
}

/// The same, perhaps only to look at.
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
        other => Err(format!(
            "a corpus is a directory or in Redis, and `{}://…` is neither; write --corpus /shared/corpus, or --corpus \
             redis://host:6379",
            other.map_or("", |(scheme, _)| scheme)
        )
        .into()),
    }
}

/// The directory that an address means, if it means one.
fn directory(address: &str) -> Result<Option<&str>, Error> {
    match address.split_once("://") {
        Some(("file", path)) => Ok(Some(path)),
        Some(_) => Ok(None),
        // What was to be an address may have a password in it: it is not taken for a directory, and not said.
        None if ["redis:", "rediss:"].iter().any(|scheme| address.to_lowercase().starts_with(scheme)) => {
            Err("an address of Redis has two strokes: write redis://host:6379, or rediss://… for TLS".into())
        }
        None => Ok(Some(address)),
    }
}

/// A corpus that can be listed, and goes away before anything is fetched.
#[cfg(test)]
pub(crate) struct Leaving(pub(crate) Vec<Entry>);

#[cfg(test)]
mod tests {
    use super::*;
    use forall::store::{Cursor, Listing};
    use std::io;

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
    fn an_address_that_is_not_quite_one_is_no_directory_and_not_said() {
        for address in ["redis:/:secret@host:6379", "rediss::secret@host", "REDIS:secret@host", "redis:secret"] {
            for wrong in [open(address).map(drop), command::to_read(address).map(drop)] {
                let wrong = wrong.unwrap_err().to_string();
                assert!(wrong.contains("write redis://host:6379") && !wrong.contains("secret"), "{wrong}");
            }
        }
        let wrong = open("s3://:secret@bucket").map(drop).unwrap_err().to_string();
        assert!(wrong.contains("`s3://…` is neither") && !wrong.contains("secret"), "{wrong}");
    }
}
