//! A corpus in Redis.
//!
//! ```text
//! forall-corpus                            says that there is one, and of which version
//! forall:1:properties                      a set of names
//! forall:1:failure:my_crate::sorts         a hash for each kind and property: ids, and the entries as the files they would be
//! forall:1:version:failure:my_crate::sorts counts what was saved and deleted, so that nobody lists what did not change
//! forall:1:news                            a channel: something was saved
//! ```
//!
//! Names and entries may be anybody's: those that make no sense are passed over, and what is larger than any entry is not fetched.
//! Each verb is one round trip, writes are transactions. A connection that breaks is made again when it is needed next; what could
//! not be saved waits at the worker. So the server may be stopped at any time. Whether it keeps what it has acknowledged is its
//! business: `appendonly yes`, and for machines that may lose power `appendfsync always`.
//!
//! The password is in the address, or in the variable that `redis-cli` has for it, and in no message.

use super::{Access, Corpus, KINDS};
use crate::{Error, trouble};
use forall::store::{Backend, Cause, Cursor, Entry, EntryError, Id, Kind, Listing, StoreError};
use redis::{Client, Connection, IntoConnectionInfo, RedisError};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Nobody waits longer for the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// After this long a listener looks whether anybody still wants to know.
const LISTEN: Duration = Duration::from_secs(1);

const MARK: &str = "forall-corpus";
const VERSION: &str = "forall corpus 1";
const PROPERTIES: &str = "forall:1:properties";
const NEWS: &str = "forall:1:news";

/// A field of a hash, if it is no longer than is said; else a number.
const FETCH: &str = "if redis.call('HSTRLEN', KEYS[1], ARGV[1]) > tonumber(ARGV[2]) then return 0 end \
                     return redis.call('HGET', KEYS[1], ARGV[1])";

/// The password, where it is not in the address: what `redis-cli` reads.
const PASSWORD: &str = "REDISCLI_AUTH";

/// A corpus in Redis.
pub struct Redis {
    server: Arc<Server>,
    kinds: [OfKind; KINDS.len()],
    /// Whether something was saved since it was asked last. The listener ends with it.
    news: Arc<AtomicBool>,
}

struct Server {
    name: String,
    client: Client,
    access: Access,
    connection: Mutex<Option<Connection>>,
}

/// The entries of one kind.
struct OfKind {
    kind: Kind,
    server: Arc<Server>,
    /// What the last listing of a property was, and of which version.
    listed: Mutex<BTreeMap<String, (u64, Vec<Id>)>>,
}

impl Redis {
    /// The corpus at this address. One that cannot be reached may come back; one of another version does not.
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
        let server = Arc::new(Server { name: name.clone(), client, access, connection: Mutex::default() });
        match server.connected().map(drop) {
            Err(Trouble::Version(found)) => return Err(trouble::other_corpus(&name, &found, VERSION)),
            Err(Trouble::Nothing) => return Err(trouble::empty_redis(&name)),
            // It may come back.
            Err(Trouble::Redis(_)) | Ok(()) => {}
        }
        let of = |kind| OfKind { kind, server: server.clone(), listed: Mutex::default() };
        let kinds = KINDS.map(of);
        let news = Arc::new(AtomicBool::new(true));
        let (listening, wanted) = (server.client.clone(), Arc::downgrade(&news));
        std::thread::spawn(move || {
            while let Some(news) = wanted.upgrade() {
                // What it missed may have been something.
                news.store(true, Ordering::Relaxed);
                drop(news);
                let _ = listen(&listening, &wanted);
                std::thread::sleep(LISTEN);
            }
        });
        Ok(Self { server, kinds, news })
    }
}

/// Hears of what is saved until the connection breaks, or nobody wants to know.
fn listen(client: &Client, wanted: &std::sync::Weak<AtomicBool>) -> Result<(), RedisError> {
    let mut connection = client.get_connection_with_timeout(PATIENCE)?;
    connection.set_read_timeout(Some(LISTEN))?;
    let mut channel = connection.as_pubsub();
    channel.subscribe(NEWS)?;
    loop {
        let heard = channel.get_message();
        let Some(news) = wanted.upgrade() else { return Ok(()) };
        match heard {
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
        let names: Vec<Vec<u8>> =
            self.server.ask("list", |connection| redis::cmd("SMEMBERS").arg(PROPERTIES).query(connection))?;
        let mut names: BTreeSet<String> = names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect();
        if names.is_empty() {
            return Ok(names);
        }
        // Of some, everything was deleted.
        let mut keys = redis::pipe();
        for name in &names {
            keys.cmd("EXISTS").arg(self.kinds.iter().map(|kind| kind.key(name)).collect::<Vec<_>>());
        }
        let existing: Vec<u64> = self.server.ask("list", |connection| keys.query(connection))?;
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
}

/// Why there is no connection.
enum Trouble {
    Redis(RedisError),
    Version(String),
    /// There is no corpus, and none is to be made.
    Nothing,
}

impl From<RedisError> for Trouble {
    fn from(error: RedisError) -> Self {
        Trouble::Redis(error)
    }
}

impl Server {
    /// A connection to a server that has a corpus of this version, or none so far.
    fn connected(&self) -> Result<MutexGuard<'_, Option<Connection>>, Trouble> {
        let mut place = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if place.is_none() {
            let mut connection = self.client.get_connection_with_timeout(PATIENCE)?;
            connection.set_read_timeout(Some(PATIENCE))?;
            connection.set_write_timeout(Some(PATIENCE))?;
            if self.access == Access::Write {
                let _: Option<String> = redis::cmd("SET").arg(MARK).arg(VERSION).arg("NX").query(&mut connection)?;
            }
            let found: Option<Vec<u8>> = redis::cmd("GET").arg(MARK).query(&mut connection)?;
            match found.as_deref().map(String::from_utf8_lossy) {
                Some(found) if found == VERSION => {}
                Some(found) => return Err(Trouble::Version(forall::store::visible(&found).into_owned())),
                None => return Err(Trouble::Nothing),
            }
            *place = Some(connection);
        }
        Ok(place)
    }

    fn ask<T>(
        &self,
        doing: &'static str,
        request: impl FnOnce(&mut Connection) -> Result<T, RedisError>,
    ) -> Result<T, StoreError> {
        let other = |text: &str| StoreError::io(doing, &self.name, &io::Error::other(text));
        let failed = |error: &RedisError| StoreError::io(doing, &self.name, &io::Error::new(kind(error), said(error)));
        let mut place = self.connected().map_err(|trouble| match trouble {
            Trouble::Redis(error) => failed(&error),
            Trouble::Version(found) => other(&format!("it has a corpus of another version, `{found}`")),
            Trouble::Nothing => other("it has no corpus"),
        })?;
        let connection = place.as_mut().expect("it was made");
        request(connection).map_err(|error| {
            // Whatever it was: a half-read answer must not be taken for the next one.
            *place = None;
            failed(&error)
        })
    }
}

/// What kind of trouble it is.
fn kind(error: &RedisError) -> io::ErrorKind {
    match error.code() {
        Some("OOM" | "MISCONF") => io::ErrorKind::StorageFull,
        Some("NOAUTH" | "WRONGPASS" | "NOPERM") => io::ErrorKind::PermissionDenied,
        Some("READONLY") => io::ErrorKind::ReadOnlyFilesystem,
        _ if error.is_timeout() => io::ErrorKind::TimedOut,
        _ if error.kind() == redis::ErrorKind::AuthenticationFailed => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    }
}

/// What went wrong, for people.
fn said(error: &RedisError) -> String {
    match (error.code(), error.detail()) {
        // As the server says it.
        (Some(code), Some(detail)) => format!("{code} {detail}"),
        (None, Some(detail)) if !error.is_io_error() => format!("{} ({detail})", error.category()),
        _ => error.to_string(),
    }
}

/// An address without what nobody is to see.
fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("redis", address));
    // What a password may hold must be escaped in an address, but people forget that.
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
        self.server.ask("save to", |connection| {
            let mut writes = redis::pipe();
            writes.atomic().cmd("HSET").arg(&key).arg(id.to_string()).arg(&text).ignore();
            // Somebody may have emptied the database.
            writes.cmd("SET").arg(MARK).arg(VERSION).arg("NX").ignore();
            writes.cmd("SADD").arg(PROPERTIES).arg(&entry.property).ignore();
            writes.cmd("INCR").arg(self.version_key(&entry.property)).ignore();
            writes.cmd("PUBLISH").arg(NEWS).arg(&key).ignore();
            writes.query::<()>(connection)
        })?;
        Ok(id)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        let (key, field) = (self.key(property), id.to_string());
        let wrong = |error| StoreError::new("read from", &self.server.name, Cause::Entry(error));
        let found: redis::Value = self.server.ask("read from", |connection| {
            redis::cmd("EVAL").arg(FETCH).arg(1).arg(&key).arg(&field).arg(Entry::MAX_BYTES).query(connection)
        })?;
        let bytes = match found {
            redis::Value::BulkString(bytes) => bytes,
            redis::Value::Nil => return Ok(None),
            _ => return Err(wrong(EntryError::TooLarge)),
        };
        let entry = Entry::from_bytes(&bytes).map_err(wrong)?;
        if entry.property != property {
            let found = forall::store::visible(&entry.property).into_owned();
            return Err(wrong(EntryError::Property { expected: property.to_owned(), found }));
        }
        let expected = entry.id();
        if expected == id { Ok(Some(entry)) } else { Err(wrong(EntryError::Name { expected })) }
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        let (key, version_key) = (self.key(property), self.version_key(property));
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let version: Option<u64> =
            self.server.ask("list", |connection| redis::cmd("GET").arg(&version_key).query(connection))?;
        let version = version.unwrap_or(0);
        if listed.get(property).is_none_or(|(known, _)| *known != version) {
            // What comes in between is listed the next time.
            let names: Vec<Vec<u8>> =
                self.server.ask("list", |connection| redis::cmd("HKEYS").arg(&key).query(connection))?;
            let mut ids: Vec<Id> =
                names.iter().filter_map(|name| std::str::from_utf8(name).ok()?.parse().ok()).collect();
            // A listing of what is in order takes no time to speak of.
            ids.sort_unstable();
            listed.insert(property.to_owned(), (version, ids));
        }
        let (_, ids) = &listed[property];
        Ok(Listing::since(ids.iter().copied(), since))
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        let key = self.key(property);
        let (deleted,): (u64,) = self.server.ask("delete from", |connection| {
            let mut writes = redis::pipe();
            writes.atomic().cmd("HDEL").arg(&key).arg(id.to_string());
            writes.cmd("INCR").arg(self.version_key(property)).ignore();
            writes.query(connection)
        })?;
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
