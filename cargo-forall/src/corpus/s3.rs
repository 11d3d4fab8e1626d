//! A corpus in an object store with the protocol of Amazon S3.
//!
//! The objects are the files of a corpus in a directory ([`folder`]), under the same names, so programs
//! that synchronise buckets with directories also copy a corpus:
//!
//! ```text
//! s3://bucket/prefix/forall-corpus
//! s3://bucket/prefix/epoch
//! s3://bucket/prefix/failures/my_crate-sorts-1f2e3d4c/….case
//! ```
//!
//! A store shows an object only once it is complete, so there are no temporary names. A bucket that was emptied gets another
//! epoch from the next worker that reads it. Objects are untrusted: unreadable ones are skipped, and larger ones than any
//! entry are not fetched.
//!
//! Endpoint, region and credentials come from the variables of Amazon's tools. Requests are signed in their query, so no
//! message contains a URL.

use super::{Access, Corpus, KINDS, folder};
use crate::{Error, trouble};
use forall::store::{Backend, Cause, Cursor, Directory, Entry, EntryError, Id, Kind, Listing, Mark, StoreError};
use forall::text::visible;
use rusty_s3::actions::{ListObjectsV2, S3Action};
use rusty_s3::{Bucket, Credentials, UrlStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, path::Path};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, http::Response};

/// The time limit for a connection, and for the beginning of a response.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time limit for the contents of a request or a response.
const TRANSFER: Duration = Duration::from_secs(60);

/// The validity of a signature.
const VALID: Duration = Duration::from_secs(300);

/// The longest list of names in one response, and the longest text of an error.
const MAX_RESPONSE: u64 = 16 << 20;

/// A corpus in a bucket.
pub struct S3 {
    store: Arc<Store>,
    kinds: [OfKind; KINDS.len()],
}

struct Store {
    name: String,
    /// The beginning of all keys: empty, or with a slash at its end.
    prefix: String,
    bucket: Bucket,
    credentials: Credentials,
    agent: Agent,
    access: Access,
    /// Whether the mark of a corpus was read.
    is_known: Mutex<bool>,
}

/// The entries of one kind.
struct OfKind {
    kind: Kind,
    store: Arc<Store>,
    /// The names of the folders that a directory would have.
    folders: Directory,
    /// The properties of folders that were listed.
    properties: Mutex<BTreeMap<String, String>>,
}

/// The names that begin with a prefix: those of objects, and those of folders.
#[derive(Default)]
struct Names {
    objects: Vec<String>,
    folders: Vec<String>,
}

impl S3 {
    /// Opens the corpus at this address. An unreachable corpus may become available later; an unsupported version is an
    /// error.
    pub fn open(address: &str, access: Access) -> Result<Self, Error> {
        Self::open_with(address, access, &|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn open_with(address: &str, access: Access, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let store = Arc::new(Store::new(address, access, variable)?);
        match store.known() {
            Err(Trouble::Version(found)) => {
                return Err(trouble::other_corpus(&store.name, &found, Mark::TEXT.trim_end()));
            }
            Err(Trouble::Nothing) => return Err(trouble::empty_bucket(&store.name)),
            // The corpus may become available later.
            Err(Trouble::Store(_)) | Ok(()) => {}
        }
        let of = |kind| OfKind {
            kind,
            store: store.clone(),
            folders: Directory::new(folder::name_of(kind)),
            properties: Mutex::default(),
        };
        Ok(Self { kinds: KINDS.map(of), store })
    }
}

/// Why a corpus cannot be used.
enum Trouble {
    Store(StoreError),
    Version(String),
    /// There is no corpus, and it is opened for reading.
    Nothing,
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Store(error)
    }
}

impl Store {
    fn new(address: &str, access: Access, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let rest = address.strip_prefix("s3://").unwrap_or(address);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        // The wrong part may contain a secret key.
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(trouble::no_bucket());
        }
        let prefix = prefix.trim_matches('/');
        let key = variable("AWS_ACCESS_KEY_ID").zip(variable("AWS_SECRET_ACCESS_KEY"));
        let (key, secret) = key.ok_or_else(trouble::no_credentials)?;
        let credentials = match variable("AWS_SESSION_TOKEN") {
            Some(token) => Credentials::new_with_token(key, secret, token),
            None => Credentials::new(key, secret),
        };
        let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"));
        let region = region.unwrap_or_else(|| "us-east-1".to_owned());
        let endpoint = variable("AWS_ENDPOINT_URL_S3").or_else(|| variable("AWS_ENDPOINT_URL"));
        // A certificate for all buckets of a host covers no name with a dot.
        let style = match endpoint.is_none() && !bucket.contains('.') {
            true => UrlStyle::VirtualHost,
            false => UrlStyle::Path,
        };
        let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
        let wrong = |why: &dyn std::fmt::Display| trouble::no_endpoint(&endpoint, why);
        let bucket = Bucket::new(endpoint.parse().map_err(|error| wrong(&error))?, style, bucket.to_owned(), region)
            .map_err(|error| wrong(&error))?;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_send_body(Some(TRANSFER))
            .timeout_recv_body(Some(TRANSFER));
        if bucket.base_url().scheme() == "https" {
            let roots = rustls_native_certs::load_native_certs().certs;
            let roots: Vec<_> = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
            config = config.tls_config(TlsConfig::builder().root_certs(RootCerts::new_with_certs(&roots)).build());
        }
        Ok(Self {
            name: format!("s3://{}{}{prefix}", bucket.name(), if prefix.is_empty() { "" } else { "/" }),
            prefix: if prefix.is_empty() { String::new() } else { format!("{prefix}/") },
            bucket,
            credentials,
            agent: config.build().new_agent(),
            access,
            is_known: Mutex::new(false),
        })
    }

    /// Returns whether there is a corpus of this version. Creates it if there is none so far.
    fn known(&self) -> Result<(), Trouble> {
        let mut is_known = self.is_known.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_known {
            return Ok(());
        }
        match self.text(Mark::FILE)? {
            Some(found) if found == Mark::TEXT => {}
            Some(found) => return Err(Trouble::Version(visible(found.lines().next().unwrap_or_default()))),
            None if self.access == Access::Read => return Err(Trouble::Nothing),
            None => self.begin()?,
        }
        *is_known = true;
        Ok(())
    }

    /// Creates an empty corpus, or one in place of a lost one. Of several workers, one creates the epoch, unless the store does not
    /// know the condition: then the last one does, and the others see that it changed.
    fn begin(&self) -> Result<(), StoreError> {
        self.put(Mark::FILE, Mark::TEXT, false)?;
        self.put(folder::EPOCH, &super::new_epoch(), true)
    }

    /// Returns an error if there is no corpus of this version.
    fn is_there(&self, doing: &'static str) -> Result<(), StoreError> {
        self.known().map_err(|trouble| match trouble {
            Trouble::Store(error) => error,
            Trouble::Version(found) => {
                self.failed(doing, ErrorKind::Other, format!("it has a corpus of another version, `{found}`"))
            }
            Trouble::Nothing => self.failed(doing, ErrorKind::Other, "it has no corpus".to_owned()),
        })
    }

    fn failed(&self, doing: &'static str, kind: ErrorKind, why: String) -> StoreError {
        StoreError::io(doing, &self.name, &io::Error::new(kind, why))
    }

    /// Returns the response to a request, unless it is an error. The response to a request for an object that does not exist is `None`.
    fn answered(
        &self,
        doing: &'static str,
        response: Result<Response<Body>, ureq::Error>,
    ) -> Result<Option<Response<Body>>, StoreError> {
        let mut response = response.map_err(|error| self.lost(doing, &error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(Some(response));
        }
        let text = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_string().unwrap_or_default();
        let part = |name: &str| {
            let (_, rest) = text.split_once(&format!("<{name}>"))?;
            Some(visible(rest.split_once('<')?.0))
        };
        let code = part("Code").unwrap_or_default();
        if status == 404 && code != "NoSuchBucket" {
            return Ok(None);
        }
        let kind = match (status.as_u16(), &*code) {
            (401 | 403, _) => ErrorKind::PermissionDenied,
            (507, _) | (_, "QuotaExceeded" | "XMinioStorageFull") => ErrorKind::StorageFull,
            _ => ErrorKind::Other,
        };
        let why = [Some(format!("HTTP {}", status.as_u16())), Some(code), part("Message")];
        let why: Vec<String> = why.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        Err(self.failed(doing, kind, why.join(", ")))
    }

    /// Returns the error of a request without a response. The client's own text may contain the address.
    fn lost(&self, doing: &'static str, error: &ureq::Error) -> StoreError {
        match error {
            ureq::Error::Timeout(_) => self.failed(doing, ErrorKind::TimedOut, "no response in time".to_owned()),
            ureq::Error::Io(error) => self.failed(doing, error.kind(), error.to_string()),
            ureq::Error::HostNotFound => self.failed(doing, ErrorKind::Other, "the host is not found".to_owned()),
            error => self.failed(doing, ErrorKind::Other, error.to_string()),
        }
    }

    fn key(&self, object: &str) -> String {
        format!("{}{object}", self.prefix)
    }

    /// Writes an object; with `is_new`, only if it does not exist.
    fn put(&self, object: &str, text: &str, is_new: bool) -> Result<(), StoreError> {
        let key = self.key(object);
        let url = self.bucket.put_object(Some(&self.credentials), &key).sign(VALID);
        let mut request = self.agent.put(url.as_str());
        if is_new {
            request = request.header("if-none-match", "*");
        }
        match request.send(text) {
            // Another worker was first.
            Ok(response) if is_new && matches!(response.status().as_u16(), 409 | 412) => Ok(()),
            // The store does not know conditions.
            Ok(response) if is_new && response.status() == 501 => self.put(object, text, false),
            response => match self.answered("save to", response)? {
                Some(_) => Ok(()),
                None => Err(self.failed("save to", ErrorKind::Other, "HTTP 404".to_owned())),
            },
        }
    }

    /// Returns an object, up to this many bytes and one more; `None` if it does not exist.
    fn get(&self, object: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let key = self.key(object);
        let url = self.bucket.get_object(Some(&self.credentials), &key).sign(VALID);
        let response = self.answered("read from", self.agent.get(url.as_str()).call())?;
        let Some(response) = response else { return Ok(None) };
        let (mut bytes, mut body) = (Vec::new(), io::Read::take(response.into_body().into_reader(), most + 1));
        match io::Read::read_to_end(&mut body, &mut bytes) {
            Ok(_) => Ok(Some(bytes)),
            Err(error) => Err(self.failed("read from", error.kind(), error.to_string())),
        }
    }

    /// Returns a short object.
    fn text(&self, object: &str) -> Result<Option<String>, StoreError> {
        Ok(self.get(object, 100)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn delete(&self, object: &str) -> Result<bool, StoreError> {
        let key = self.key(object);
        // The store does not tell whether it deleted something.
        let url = self.bucket.head_object(Some(&self.credentials), &key).sign(VALID);
        let exists = self.answered("read from", self.agent.head(url.as_str()).call())?.is_some();
        let url = self.bucket.delete_object(Some(&self.credentials), &key).sign(VALID);
        self.answered("delete from", self.agent.delete(url.as_str()).call())?;
        Ok(exists)
    }

    /// Lists a folder: the names in it, without its own name.
    fn list(&self, within: &str) -> Result<Names, StoreError> {
        let prefix = self.key(within);
        let (mut names, mut continued) = (Names::default(), None::<String>);
        loop {
            let mut action = self.bucket.list_objects_v2(Some(&self.credentials));
            action.with_prefix(&*prefix);
            action.with_delimiter("/");
            if let Some(token) = &continued {
                action.with_continuation_token(token.clone());
            }
            let response = self.answered("list", self.agent.get(action.sign(VALID).as_str()).call())?;
            let wrong = |why: String| self.failed("list", ErrorKind::Other, why);
            let mut response = response.ok_or_else(|| wrong("HTTP 404".to_owned()))?;
            let text = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_string();
            let text = text.map_err(|error| self.lost("list", &error))?;
            let page = ListObjectsV2::parse_response(&text).map_err(|error| {
                wrong(format!("the response is not a list of objects: {}", visible(&error.to_string())))
            })?;
            let name = |key: String| key.strip_prefix(&prefix).map(str::to_owned);
            names.objects.extend(page.contents.into_iter().filter_map(|found| name(found.key)));
            let folders = page.common_prefixes.into_iter().filter_map(|found| name(found.prefix));
            names.folders.extend(folders.map(|folder| folder.trim_end_matches('/').to_owned()));
            match page.next_continuation_token {
                Some(next) if continued.as_ref() == Some(&next) => return Err(wrong("the list has no end".to_owned())),
                Some(next) => continued = Some(next),
                None => return Ok(names),
            }
        }
    }
}

impl Corpus for S3 {
    fn entries(&self, kind: Kind) -> &dyn Backend {
        self.kinds.iter().find(|known| known.kind == kind).expect("each kind has a place")
    }

    fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut properties = BTreeSet::new();
        for kind in self.kinds.iter().filter(|kind| kind.kind != Kind::Progress) {
            properties.extend(kind.properties()?);
        }
        Ok(properties)
    }

    fn name(&self) -> &str {
        &self.store.name
    }

    fn epoch(&self) -> Result<Option<String>, StoreError> {
        self.store.is_there("read from")?;
        let found = self.store.text(folder::EPOCH)?;
        if found.is_some() || self.store.access == Access::Read {
            return Ok(found);
        }
        // The bucket was emptied. All workers see another epoch, and each sends its own entries again. A user with read access only
        // sees the epoch set by others.
        match self.store.begin() {
            Ok(()) => self.store.text(folder::EPOCH),
            Err(_) => Ok(None),
        }
    }
}

impl OfKind {
    /// Returns the names of the folder and the object of an entry.
    fn object(&self, property: &str, id: Id) -> String {
        slashed(&self.folders.path(property, id))
    }

    /// Returns the properties with entries. The names of folders are abbreviated: an entry has the whole name.
    fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
        self.store.is_there("list")?;
        let mut known = self.properties.lock().unwrap_or_else(PoisonError::into_inner);
        let root = format!("{}/", folder::name_of(self.kind));
        let mut properties = BTreeSet::new();
        for name in self.store.list(&root)?.folders {
            if !known.contains_key(&name) {
                let within = format!("{root}{name}/");
                for object in self.store.list(&within)?.objects {
                    let Some(bytes) = self.store.get(&format!("{within}{object}"), Entry::MAX_BYTES)? else { continue };
                    if let Ok(entry) = Entry::from_bytes(&bytes)
                        && slashed(&self.folders.folder(&entry.property)) == within.trim_end_matches('/')
                    {
                        known.insert(name.clone(), entry.property);
                        break;
                    }
                }
            }
            properties.extend(known.get(&name).cloned());
        }
        Ok(properties)
    }
}

/// Returns a path as the key of an object, on any platform.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

impl Backend for OfKind {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        self.store.is_there("save to")?;
        let id = entry.id();
        self.store.put(&self.object(&entry.property, id), &entry.to_text(), false)?;
        Ok(id)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        self.store.is_there("read from")?;
        let Some(bytes) = self.store.get(&self.object(property, id), Entry::MAX_BYTES)? else { return Ok(None) };
        let wrong = |error: EntryError| StoreError::new("read from", &self.store.name, Cause::Entry(error));
        super::checked(&bytes, property, id).map(Some).map_err(wrong)
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        self.store.is_there("list")?;
        let names = self.store.list(&format!("{}/", slashed(&self.folders.folder(property))))?.objects;
        let ids = names.iter().filter_map(|name| name.strip_suffix(".case")?.parse().ok());
        Ok(Listing::since(ids, since))
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        self.store.is_there("delete from")?;
        self.store.delete(&self.object(property, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::Memory;
    use std::fmt::Write as _;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};

    type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

    /// Answers requests for the bucket `b`, in whose lists a page has two names. A closed port is not reused, so that each
    /// test has its own.
    fn served(objects: &Objects) -> String {
        let (listener, objects) = (TcpListener::bind("127.0.0.1:0").unwrap(), objects.clone());
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &mut objects.lock().unwrap());
            }
        });
        address
    }

    fn answer(mut stream: TcpStream, objects: &mut BTreeMap<String, Vec<u8>>) {
        let (mut reader, mut head) = (BufReader::new(stream.try_clone().unwrap()), String::new());
        while reader.read_line(&mut head).unwrap() > 2 {}
        let header = |name: &str| {
            head.lines().find_map(|line| line.to_lowercase().strip_prefix(name).map(|value| value.trim().to_owned()))
        };
        let mut body = vec![0; header("content-length:").map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        let mut words = head.split(' ');
        let (method, target) = (words.next().unwrap(), words.next().unwrap().replace("%2F", "/"));
        let (path, query) = target.split_once('?').unwrap();
        let key = path.strip_prefix("/b/").unwrap_or_default().to_owned();
        let asked = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)).map(str::to_owned);
        let (status, contents) = match (method, objects.get(&key).cloned()) {
            // A server that does not have the protocol.
            ("GET", _) if key.is_empty() && objects.contains_key("page") => (200, objects["page"].clone()),
            ("GET", _) if key.is_empty() => {
                let prefix = asked("prefix=").unwrap();
                let first = asked("continuation-token=").map_or(0, |token| token.parse().unwrap());
                (200, page(objects, &prefix, first).into_bytes())
            }
            ("PUT", Some(_)) if header("if-none-match:").is_some() => (412, Vec::new()),
            ("PUT", _) => {
                objects.insert(key, body);
                (200, Vec::new())
            }
            ("DELETE", _) => {
                objects.remove(&key);
                (204, Vec::new())
            }
            ("HEAD", Some(_)) => (200, Vec::new()),
            ("GET", Some(found)) => (200, found),
            _ => (404, b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
        };
        let head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", contents.len());
        // The client does not read more of a large object than it needs.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&contents));
    }

    fn page(objects: &BTreeMap<String, Vec<u8>>, prefix: &str, first: usize) -> String {
        let below = objects.keys().filter_map(|key| key.strip_prefix(prefix));
        let names: BTreeSet<&str> = below.map(|name| name.find('/').map_or(name, |at| &name[..=at])).collect();
        let mut text = r#"<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#.to_owned();
        for name in names.iter().skip(first).take(2) {
            let _ = if name.ends_with('/') {
                write!(text, "<CommonPrefixes><Prefix>{prefix}{name}</Prefix></CommonPrefixes>")
            } else {
                write!(
                    text,
                    "<Contents><ETag>x</ETag><Key>{prefix}{name}</Key><LastModified>x</LastModified><Size>1</Size></Contents>"
                )
            };
        }
        if first + 2 < names.len() {
            let _ = write!(text, "<NextContinuationToken>{}</NextContinuationToken>", first + 2);
        }
        text + "</ListBucketResult>"
    }

    fn open(endpoint: &str, access: Access) -> Result<S3, Error> {
        S3::open_with("s3://b/a/corpus/", access, &|name| match name {
            "AWS_ENDPOINT_URL" => Some(endpoint.to_owned()),
            "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" => Some("sesame".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn a_bucket_agrees_with_memory_and_lists_all_pages() {
        let objects = Objects::default();
        let endpoint = served(&objects);
        assert!(open(&endpoint, Access::Read).is_err(), "reading creates nothing");
        let (corpus, memory) = (open(&endpoint, Access::Write).unwrap(), Memory::new());
        let bucket = corpus.entries(Kind::Statistics);
        for number in 0..7 {
            let entry = Entry::statistics("shop::sums", number.to_string());
            assert_eq!(bucket.save(&entry).unwrap(), memory.save(&entry).unwrap());
        }
        let listing = bucket.list("shop::sums", None).unwrap();
        assert_eq!(listing, memory.list("shop::sums", None).unwrap());
        let [first, ..] = listing.ids[..] else { panic!("{listing:?}") };
        assert_eq!(bucket.fetch("shop::sums", first).unwrap(), memory.fetch("shop::sums", first).unwrap());
        assert!(bucket.delete("shop::sums", first).unwrap() && !bucket.delete("shop::sums", first).unwrap());
        assert_eq!(bucket.fetch("shop::sums", first).unwrap(), None);
        assert!(bucket.list("shop::sums", Some(&listing.cursor)).unwrap().ids.is_empty());
        for property in ["a", "b", "c"] {
            corpus.entries(Kind::Failure).save(&Entry::failure(property, Case::default())).unwrap();
        }
        let expected: Vec<String> = ["a", "b", "c", "shop::sums"].map(str::to_owned).into();
        assert_eq!(corpus.properties().unwrap().into_iter().collect::<Vec<_>>(), expected);
        assert!(objects.lock().unwrap().keys().all(|key| key.starts_with("a/corpus/")));
    }

    #[test]
    fn an_emptied_bucket_gets_another_epoch_that_all_workers_see() {
        let objects = Objects::default();
        let endpoint = served(&objects);
        let (one, two) = (open(&endpoint, Access::Write).unwrap(), open(&endpoint, Access::Write).unwrap());
        let first = one.epoch().unwrap();
        assert!(first.is_some() && first == two.epoch().unwrap());
        objects.lock().unwrap().clear();
        let second = two.epoch().unwrap();
        assert!(second.is_some() && second != first && second == one.epoch().unwrap());
        assert_eq!(open(&endpoint, Access::Read).unwrap().epoch().unwrap(), second);
    }

    #[test]
    fn foreign_objects_are_skipped_and_another_version_is_reported() {
        let objects = Objects::default();
        let endpoint = served(&objects);
        let corpus = open(&endpoint, Access::Write).unwrap();
        let failures = corpus.entries(Kind::Failure);
        let id = failures.save(&Entry::failure("a", Case::default())).unwrap();
        let key = objects.lock().unwrap().keys().find(|key| key.ends_with(".case")).unwrap().clone();
        let folder = key.rsplit_once('/').unwrap().0;
        for (name, contents) in [("00000000000000aa.case", "garbage"), ("0.case", ""), ("note.txt", "")] {
            objects.lock().unwrap().insert(format!("{folder}/{name}"), contents.into());
        }
        objects.lock().unwrap().insert("a/corpus/failures/else/00000000000000bb.case".to_owned(), b"x".to_vec());
        let garbage = "00000000000000aa".parse().unwrap();
        assert_eq!(failures.list("a", None).unwrap().ids, [garbage, id]);
        assert!(matches!(
            super::super::fetch(&corpus, Kind::Failure, "a", garbage),
            Ok(super::super::Found::Nonsense(_))
        ));
        assert_eq!(corpus.properties().unwrap().into_iter().collect::<Vec<_>>(), ["a"]);
        objects.lock().unwrap().insert("a/corpus/forall-corpus".to_owned(), b"forall corpus 7\n".to_vec());
        let wrong = open(&endpoint, Access::Write).map(drop).unwrap_err().to_string();
        assert!(wrong.contains("another version: it is `forall corpus 7`"), "{wrong}");
    }

    #[test]
    fn responses_that_are_not_those_of_a_store_are_reported() {
        let objects = Objects::default();
        let endpoint = served(&objects);
        let corpus = open(&endpoint, Access::Write).unwrap();
        let mut told = vec![super::super::open("s3:bucket").map(drop).unwrap_err().to_string()];
        let endless = r#"<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><NextContinuationToken>7</NextContinuationToken></ListBucketResult>"#;
        for page in ["hello", endless] {
            objects.lock().unwrap().insert("page".to_owned(), page.into());
            let error = corpus.entries(Kind::Failure).list("a", None).unwrap_err();
            told.push(super::super::link::trouble(corpus.name(), &error));
        }
        insta::assert_snapshot!(told.join("\n\n"));
    }

    #[test]
    fn addresses_and_credentials_are_checked_and_no_secret_is_printed() {
        let opened = |address: &str, known: &[&str]| {
            let variable = |name: &str| known.contains(&name).then(|| "sesame".to_owned());
            S3::open_with(address, Access::Read, &variable).map(drop).unwrap_err().to_string()
        };
        let keys = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
        for address in ["s3://", "s3:///x", "s3://key:secret@bucket/x", "s3://b?secret"] {
            let wrong = opened(address, &keys);
            assert!(wrong.contains("write s3://bucket/prefix") && !wrong.contains("secret"), "{wrong}");
        }
        assert!(opened("s3://b", &["AWS_ACCESS_KEY_ID"]).contains("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"));
        let wrong = opened("s3://b", &[keys[0], keys[1], "AWS_ENDPOINT_URL_S3"]);
        assert!(wrong.contains("`sesame` is not the address of an object store"), "{wrong}");
    }
}
