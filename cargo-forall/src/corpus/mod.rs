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
use forall::store::{Backend, Kind, StoreError};
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
/// corpus::register("nowhere", |address, _| Err(format!("{address} is nowhere")));
/// assert_eq!(corpus::open("nowhere://x").map(drop), Err("nowhere://x is nowhere".to_owned()));
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
    match address.split_once("://") {
        None => Ok(Box::new(folder::Folder::open(address, access)?)),
        Some(("file", path)) => Ok(Box::new(folder::Folder::open(path, access)?)),
        Some(("redis", _)) if cfg!(not(feature = "redis")) => Err(without("Redis", "redis")),
        Some(("rediss", _)) if cfg!(not(feature = "redis-tls")) => Err(without("Redis over TLS", "redis-tls")),
        #[cfg(feature = "redis")]
        Some(("redis" | "rediss", _)) => Ok(Box::new(redis::Redis::open(address, access)?)),
        Some((other, _)) => Err(format!(
            "a corpus is a directory or in Redis, and `{other}://…` is neither; write --corpus /shared/corpus, or --corpus \
             redis://host:6379"
        )),
    }
}

/// This program was built without something.
fn without(what: &str, feature: &str) -> Error {
    format!(
        "this program was built without {what}; install it again with `cargo install --path cargo-forall --features {feature}`"
    )
}
