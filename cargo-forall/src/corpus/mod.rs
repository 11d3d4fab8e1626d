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
pub mod link;
#[cfg(feature = "redis")]
pub mod redis;
pub mod told;

use crate::Error;
use forall::store::{Backend, Kind, StoreError};
use std::collections::BTreeSet;

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

/// The corpus at an address: a directory, or what comes before `://` says how it is reached.
pub fn open(address: &str) -> Result<Box<dyn Corpus>, Error> {
    match address.split_once("://") {
        None => Ok(Box::new(folder::Folder::open(address)?)),
        Some(("file", path)) => Ok(Box::new(folder::Folder::open(path)?)),
        Some(("redis", _)) if cfg!(not(feature = "redis")) => Err(without("Redis", "redis")),
        Some(("rediss", _)) if cfg!(not(feature = "redis-tls")) => Err(without("Redis over TLS", "redis-tls")),
        #[cfg(feature = "redis")]
        Some(("redis" | "rediss", _)) => Ok(Box::new(redis::Redis::open(address)?)),
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
