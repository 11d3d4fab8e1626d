//! A corpus in Redis.
//!
//! ```text
//! forall-corpus                            marks a corpus, with its format version
//! forall:1:epoch                           a random word, which changes after the database was emptied or rolled back
//! forall:1:properties                      a set of names
//! forall:1:failure:my_crate::sorts         a hash for each kind and property: ids, and the entries as the files they would be
//! forall:1:version:failure:my_crate::sorts counts changes, so that unchanged hashes are not listed again
//! forall:1:news                            a channel: something was saved
//! ```
//!
//! Names and entries are untrusted: unreadable ones are skipped, and a value larger than any entry is not fetched. A
//! key of another type is an error of this key alone. Each operation is one round trip; writes are transactions. A
//! broken connection is reopened on the next use; unsaved entries are queued at the worker, so the server may be
//! stopped at any time. Durability is configured on the server: `appendonly yes`, and for machines that may lose power
//! `appendfsync always`.
//!
//! The password comes from the address or from `redis-cli`'s variable, and is never printed.

use super::{Access, Corpus, KINDS};
use crate::{Error, trouble};
use forall::store::{Backend, Cause, Cursor, Entry, EntryError, Id, Kind, Listing, StoreError};
use forall::text::visible;
use redis::{Client, Connection, IntoConnectionInfo, RedisError};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time limit for a response.
const PATIENCE: Duration = Duration::from_secs(5);

/// The interval at which a listener checks whether the corpus is still open.
const LISTEN: Duration = Duration::from_secs(1);

const MARK: &str = "forall-corpus";
const VERSION: &str = "forall corpus 1";
const EPOCH: &str = "forall:1:epoch";
const PROPERTIES: &str = "forall:1:properties";
const NEWS: &str = "forall:1:news";

/// A script that returns a field of a hash, or a number if the field is longer than the limit.
const FETCH: &str = "if redis.call('HSTRLEN', KEYS[1], ARGV[1]) > tonumber(ARGV[2]) then return 0 end \
                     return redis.call('HGET', KEYS[1], ARGV[1])";

/// The variable with the password, as for `redis-cli`.
const PASSWORD: &str = "REDISCLI_AUTH";

/// A corpus in Redis.
pub struct Redis {
    server: Arc<Server>,
    kinds: [OfKind; KINDS.len()],
    /// Whether entries were announced since the last call. The listener ends when this is dropped.
    news: Arc<AtomicBool>,
}

struct Server {
    name: String,
    client: Client,
    access: Access,
    connection: Mutex<Option<Connection>>,
    /// The reason why transactions are refused, if they are.
    refused: Mutex<Option<String>>,
}

/// The entries of one kind.
struct OfKind {
    kind: Kind,
    server: Arc<Server>,
    /// The last listing of each property, with its version.
    listed: Mutex<BTreeMap<String, (u64, Vec<Id>)>>,
    /// Whether a version decreased: the database was emptied, or restored from an older copy.
    went_back: AtomicBool,
}

impl Redis {
    /// Opens the corpus at this address. An unreachable corpus may become available later; an unsupported version is an
    /// error.
    pub fn open(address: &str, access: Access) -> Result<Self, Error> {
        let name = without_password(address);
        let wrong = |error: RedisError| trouble::no_redis(&name, &said(&error));
        let mut info = address.into_connection_info().map_err(wrong)?;
        if info.redis_settings().password().is_none()
            && let Ok(password) = std::env::var(PASSWORD)
        {
            let settings = info.redis_settings().clone().set_password(password);
            info = info.set_redis_settings(settings);
        }
        let client = Client::open(info).map_err(wrong)?;
        let server = Arc::new(Server {
            name: name.clone(),
            client,
            access,
            connection: Mutex::default(),
            refused: Mutex::default(),
        });
        match server.connected().map(drop) {
            Err(Trouble::Version(found)) => return Err(trouble::other_corpus(&name, &found, VERSION)),
            Err(Trouble::Nothing) => return Err(trouble::empty_redis(&name)),
            // The corpus may become available later.
            Err(Trouble::Redis(_)) | Ok(()) => {}
        }
        let of =
            |kind| OfKind { kind, server: server.clone(), listed: Mutex::default(), went_back: AtomicBool::new(false) };
        let kinds = KINDS.map(of);
        let news = Arc::new(AtomicBool::new(true));
        let (listening, wanted) = (server.client.clone(), Arc::downgrade(&news));
        std::thread::spawn(move || {
            while let Some(news) = wanted.upgrade() {
                // Announcements may have been missed.
                news.store(true, Ordering::Relaxed);
                drop(news);
                let _ = listen(&listening, &wanted);
                std::thread::sleep(LISTEN);
            }
        });
        Ok(Self { server, kinds, news })
    }
}

/// Listens for announcements until the connection breaks or the corpus is closed.
fn listen(client: &Client, wanted: &std::sync::Weak<AtomicBool>) -> Result<(), RedisError> {
    let mut connection = client.get_connection_with_timeout(PATIENCE)?;
    connection.set_read_timeout(Some(LISTEN))?;
    let mut channel = connection.as_pubsub();
    channel.subscribe(NEWS)?;
    loop {
        let message = channel.get_message();
        let Some(news) = wanted.upgrade() else { return Ok(()) };
        match message {
            Ok(_) => news.store(true, Ordering::Relaxed),
            Err(error) if error.is_timeout() => {}
            Err(error) => return Err(error),
        }
    }
}

impl Corpus for Redis {
    fn entries(&self, kind: Kind) -> &dyn Backend {
        self.kinds.iter().find(|known| known.kind == kind).expect("each kind has a place")
    }

    fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
        let names: Vec<Vec<u8>> = self
            .server
            .ask("list", PROPERTIES, |connection| redis::cmd("SMEMBERS").arg(PROPERTIES).query(connection))?;
        let mut names: BTreeSet<String> = names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect();
        if names.is_empty() {
            return Ok(names);
        }
        // Properties without entries are left out.
        let mut keys = redis::pipe();
        for name in &names {
            keys.cmd("EXISTS").arg(self.kinds.iter().map(|kind| kind.key(name)).collect::<Vec<_>>());
        }
        let existing: Vec<u64> = self.server.ask("list", PROPERTIES, |connection| keys.query(connection))?;
        let mut existing = existing.into_iter();
        names.retain(|_| existing.next().is_none_or(|number| number > 0));
        Ok(names)
    }

    fn name(&self) -> &str {
        &self.server.name
    }

    fn has_news(&self) -> bool {
        self.news.swap(false, Ordering::Relaxed)
    }

    fn epoch(&self) -> Result<Option<String>, StoreError> {
        let lost = self.kinds.iter().any(|kind| kind.went_back.swap(false, Ordering::Relaxed));
        let server = &self.server;
        server.ask("read from", EPOCH, |connection| {
            let mut found: Option<Vec<u8>> = redis::cmd("GET").arg(EPOCH).query(connection)?;
            if (lost || found.is_none()) && server.access == Access::Write {
                // All workers see that entries are lost: each sends its own again.
                let mut set = redis::cmd("SET");
                set.arg(EPOCH).arg(super::new_epoch());
                let set = if lost { &mut set } else { set.arg("NX") };
                // A user with read access only sees the epoch set by others.
                let _: Result<Option<String>, RedisError> = set.query(connection);
                found = redis::cmd("GET").arg(EPOCH).query(connection)?;
            }
            Ok(found.map(|epoch| String::from_utf8_lossy(&epoch).into_owned()))
        })
    }
}

/// Why a connection failed.
enum Trouble {
    Redis(RedisError),
    Version(String),
    /// There is no corpus, and it is opened for reading.
    Nothing,
}

impl From<RedisError> for Trouble {
    fn from(error: RedisError) -> Self {
        Trouble::Redis(error)
    }
}

impl Server {
    /// Connects to a server that has a corpus of this version, or none so far.
    fn connected(&self) -> Result<MutexGuard<'_, Option<Connection>>, Trouble> {
        let mut place = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if place.is_none() {
            let mut connection = self.client.get_connection_with_timeout(PATIENCE)?;
            connection.set_read_timeout(Some(PATIENCE))?;
            connection.set_write_timeout(Some(PATIENCE))?;
            let mut found: Option<Vec<u8>> = redis::cmd("GET").arg(MARK).query(&mut connection)?;
            if found.is_none() && self.access == Access::Write {
                let _: Option<String> = redis::cmd("SET").arg(MARK).arg(VERSION).arg("NX").query(&mut connection)?;
                found = redis::cmd("GET").arg(MARK).query(&mut connection)?;
            }
            match found.as_deref().map(String::from_utf8_lossy) {
                Some(found) if found == VERSION => {}
                Some(found) => return Err(Trouble::Version(visible(&found))),
                None => return Err(Trouble::Nothing),
            }
            // The client cannot process a transaction that the server refuses at its beginning.
            let begun: Result<(), RedisError> = redis::cmd("MULTI").query(&mut connection);
            let refused = match begun {
                Ok(()) => redis::cmd("EXEC").query::<redis::Value>(&mut connection).map(|_| None)?,
                Err(error) if error.is_io_error() => return Err(error.into()),
                Err(error) => Some(said(&error)),
            };
            *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
            *place = Some(connection);
        }
        Ok(place)
    }

    /// Runs a transaction.
    fn change<T: redis::FromRedisValue>(
        &self,
        doing: &'static str,
        key: &str,
        writes: &redis::Pipeline,
    ) -> Result<T, StoreError> {
        // Connects if there is no connection.
        self.ask(doing, key, |_| Ok(()))?;
        if let Some(why) = &*self.refused.lock().unwrap_or_else(PoisonError::into_inner) {
            let error = io::Error::new(io::ErrorKind::ReadOnlyFilesystem, why.clone());
            return Err(StoreError::io(doing, &self.name, &error));
        }
        self.ask(doing, key, |connection| writes.query(connection))
    }

    fn ask<T>(
        &self,
        doing: &'static str,
        key: &str,
        request: impl FnOnce(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, StoreError> {
        let other = |text: &str| StoreError::io(doing, &self.name, &io::Error::other(text));
        let failed = |error: &RedisError| {
            let (kind, mut text) = (kind(error), said(error));
            if kind == io::ErrorKind::InvalidData {
                text = format!("key `{}`: {text}", visible(key));
            }
            StoreError::io(doing, &self.name, &io::Error::new(kind, text))
        };
        let mut place = self.connected().map_err(|trouble| match trouble {
            Trouble::Redis(error) if kind(&error) == io::ErrorKind::InvalidData => other(&format!(
                "it has data of another kind instead of a corpus: {}. Name another database, as in redis://host:6379/1",
                said(&error)
            )),
            Trouble::Redis(error) => failed(&error),
            Trouble::Version(found) => other(&format!("it has a corpus of another version, `{found}`")),
            Trouble::Nothing => other("it has no corpus"),
        })?;
        let connection = place.as_mut().expect("it was made");
        request(connection).map_err(|error| {
            // After any error: a partly read response must not be taken for the next one.
            *place = None;
            failed(&error)
        })
    }
}

/// Returns the kind of an error.
fn kind(error: &RedisError) -> io::ErrorKind {
    let text = said(error);
    let code = text.split(' ').next();
    match code {
        Some("OOM" | "MISCONF") => io::ErrorKind::StorageFull,
        Some("NOAUTH" | "WRONGPASS") => io::ErrorKind::PermissionDenied,
        Some("READONLY" | "NOPERM") => io::ErrorKind::ReadOnlyFilesystem,
        Some("WRONGTYPE") => io::ErrorKind::InvalidData,
        _ if error.is_timeout() => io::ErrorKind::TimedOut,
        // A counter that is not a number, or a reply of another type.
        _ if is_other_data(error) => io::ErrorKind::InvalidData,
        _ if error.kind() == redis::ErrorKind::AuthenticationFailed => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    }
}

/// Returns whether the server replied with data that a corpus does not have in this place.
fn is_other_data(error: &RedisError) -> bool {
    use redis::ErrorKind::{Parse, UnexpectedReturnType};
    matches!(error.kind(), Parse | UnexpectedReturnType) || said(error).contains("not an integer")
}

/// Returns the text of an error, beginning with the server's error code.
fn said(error: &RedisError) -> String {
    let text = error.to_string();
    // The first error of a transaction, written as `…: [(Index 0, error: "CODE": its text), …]`.
    if let Some((_, first)) = text.split_once("[(Index ").and_then(|(_, errors)| errors.split_once("error: \"")) {
        let end = first.find("), (").or(first.find(")]")).unwrap_or(first.len());
        return first[..end].replacen("\":", "", 1);
    }
    match (error.code(), error.detail()) {
        // The server's own message.
        (Some(code), Some(detail)) => format!("{code} {detail}"),
        (None, Some(detail)) if !error.is_io_error() => format!("{} ({detail})", error.category()),
        _ => text,
    }
}

/// Returns an address without its secrets.
fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("redis", address));
    // Special characters of a password should be escaped in an address, but often are not.
    let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    let place = place.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}://{place}")
}

impl OfKind {
    fn key(&self, property: &str) -> String {
        format!("forall:1:{}:{property}", self.kind.word())
    }

    fn version_key(&self, property: &str) -> String {
        format!("forall:1:version:{}:{property}", self.kind.word())
    }
}

impl Backend for OfKind {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        let (id, key) = (entry.id(), self.key(&entry.property));
        let text = entry.to_text();
        let mut writes = redis::pipe();
        writes.atomic().cmd("HSET").arg(&key).arg(id.to_string()).arg(&text).ignore();
        // The database may have been emptied.
        writes.cmd("SET").arg(MARK).arg(VERSION).arg("NX").ignore();
        writes.cmd("SET").arg(EPOCH).arg(super::new_epoch()).arg("NX").ignore();
        writes.cmd("INCR").arg(self.version_key(&entry.property)).ignore();
        // Progress belongs to no property, so no worker is notified of it.
        if self.kind != Kind::Progress {
            writes.cmd("SADD").arg(PROPERTIES).arg(&entry.property).ignore();
            writes.cmd("PUBLISH").arg(NEWS).arg(&key).ignore();
        }
        self.server.change::<()>("save to", &key, &writes)?;
        Ok(id)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        let (key, field) = (self.key(property), id.to_string());
        let wrong = |error| StoreError::new("read from", &self.server.name, Cause::Entry(error));
        let found: redis::Value = self.server.ask("read from", &key, |connection| {
            redis::cmd("EVAL").arg(FETCH).arg(1).arg(&key).arg(&field).arg(Entry::MAX_BYTES).query(connection)
        })?;
        let bytes = match found {
            redis::Value::BulkString(bytes) => bytes,
            redis::Value::Nil => return Ok(None),
            _ => return Err(wrong(EntryError::TooLarge)),
        };
        super::checked(&bytes, property, id).map(Some).map_err(wrong)
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        let (key, version_key) = (self.key(property), self.version_key(property));
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let version: Option<u64> = self
            .server
            .ask("list", &version_key, |connection| redis::cmd("GET").arg(&version_key).query(connection))?;
        let version = version.unwrap_or(0);
        if listed.get(property).is_some_and(|(known, _)| *known > version) {
            self.went_back.store(true, Ordering::Relaxed);
        }
        if listed.get(property).is_none_or(|(known, _)| *known != version) {
            // Changes in the meantime are listed the next time.
            let names: Vec<Vec<u8>> =
                self.server.ask("list", &key, |connection| redis::cmd("HKEYS").arg(&key).query(connection))?;
            let mut ids: Vec<Id> =
                names.iter().filter_map(|name| std::str::from_utf8(name).ok()?.parse().ok()).collect();
            // Only unchanged hashes are served from memory.
            ids.sort_unstable();
            listed.insert(property.to_owned(), (version, ids));
        }
        let (_, ids) = &listed[property];
        Ok(Listing::since(ids.iter().copied(), since))
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        let key = self.key(property);
        let mut writes = redis::pipe();
        writes.atomic().cmd("HDEL").arg(&key).arg(id.to_string());
        writes.cmd("INCR").arg(self.version_key(property)).ignore();
        let (deleted,): (u64,) = self.server.change("delete from", &key, &writes)?;
        Ok(deleted > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_in_no_message() {
        assert_eq!(without_password("rediss://user:secret@db:6380/1?x=secret"), "rediss://db:6380/1");
        assert_eq!(without_password("redis://:se@cr/et@db"), "redis://db");
        for address in ["redis://:secret@", "redis://:secret@db:port", "redis://:secret@db:6379/many"] {
            let wrong = Redis::open(address, Access::Write).map(drop).unwrap_err().to_string();
            assert!(!wrong.contains("secret") && wrong.contains("redis://host:6379/0"), "{wrong}");
        }
    }
}
