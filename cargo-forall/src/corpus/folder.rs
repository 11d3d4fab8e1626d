//! A corpus in a directory: local, on a network file system, a CI artifact, or copied with rsync.
//!
//! ```text
//! corpus/forall-corpus                                  marks a corpus, with its format version
//! corpus/epoch                                          a random word: another one is another corpus
//! corpus/failures/my_crate-sorts-1f2e3d4c/….case        a store of the library for each kind
//! corpus/seeds/…
//! corpus/best/…
//! corpus/statistics/…
//! ```
//!
//! Files are written under another name, flushed, and renamed, so that no reader sees a partial one, even over NFS. There are
//! no locks. A directory without the marker file counts as absent: an unmounted share leaves an empty directory behind,
//! into which failures must not be written.

use super::{Access, Corpus, KINDS};
use crate::{Error, scratch, trouble};
use forall::store::{Backend, Cursor, Directory, Entry, Id, Kind, Listing, Mark, StoreError};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The file with the epoch.
pub(super) const EPOCH: &str = "epoch";

/// A corpus in a directory.
#[derive(Debug)]
pub struct Folder {
    name: String,
    root: PathBuf,
    kinds: [OfKind; KINDS.len()],
}

/// The entries of one kind.
#[derive(Debug)]
struct OfKind {
    kind: Kind,
    mark: PathBuf,
    directory: Directory,
}

impl Folder {
    /// Opens the corpus in this directory. Creates it if the parent exists; an unreachable one may become available later.
    pub fn open(path: &str, access: Access) -> Result<Self, Error> {
        if path.trim().is_empty() {
            return Err("a corpus needs a directory; write --corpus /shared/corpus, for example".into());
        }
        let root = std::path::absolute(path).map_err(|error| trouble::no_corpus(path, error))?;
        if root.exists() && !root.is_dir() {
            return Err(format!("{} is a file, but a corpus is a directory; name another path", root.display()).into());
        }
        let name = root.display().to_string();
        match (Mark::of(&root), access) {
            (Ok(Mark::Other(found)), _) => return Err(trouble::other_corpus(&name, &found, Mark::TEXT.trim_end())),
            // If the corpus cannot be created, the first write reports why.
            (Ok(Mark::Nothing), Access::Write) => drop(make(&root)),
            // A corpus of an earlier version has no epoch.
            (Ok(Mark::Known), Access::Write) if !root.join(EPOCH).exists() => drop(begin_epoch(&root)),
            // An unreachable corpus may become available later.
            _ => {}
        }
        let mark = root.join(Mark::FILE);
        let of = |kind: Kind| OfKind { kind, mark: mark.clone(), directory: Directory::new(root.join(name_of(kind))) };
        Ok(Self { name, kinds: KINDS.map(of), root })
    }
}

/// Returns the folder of a kind.
pub(super) fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Failure => "failures",
        Kind::Seed => "seeds",
        // The names of the other kinds have no plural.
        kind => kind.word(),
    }
}

/// Creates an empty corpus; another process may do so at the same time.
fn make(root: &Path) -> io::Result<()> {
    match fs::create_dir(root) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    begin_epoch(root)?;
    let temporary = written(root, Mark::FILE, Mark::TEXT)?;
    fs::rename(temporary, root.join(Mark::FILE))
}

/// Creates the epoch of a corpus. If two processes try, only one succeeds: a hard link does not replace an existing
/// file.
fn begin_epoch(root: &Path) -> io::Result<()> {
    let temporary = written(root, EPOCH, &super::new_epoch())?;
    match fs::hard_link(&temporary, root.join(EPOCH)) {
        // Some file systems do not support hard links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(&temporary, root.join(EPOCH)),
        _ => fs::remove_file(temporary),
    }
}

/// Writes a temporary file, and returns its path.
fn written(root: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let temporary = root.join(format!("{name}.tmp-{}", scratch::own_name()));
    let mut file = fs::File::create(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(temporary)
}

impl Corpus for Folder {
    fn entries(&self, kind: Kind) -> &dyn Backend {
        self.kinds.iter().find(|known| known.kind == kind).expect("each kind has a place")
    }

    fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
        self.kinds[0].is_there()?;
        let kinds = self.kinds.iter().filter(|kind| kind.kind != Kind::Progress);
        Ok(kinds.flat_map(|kind| kind.directory.all_properties()).collect())
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn epoch(&self) -> Result<Option<String>, StoreError> {
        self.kinds[0].is_there()?;
        // Without this file, losses cannot be detected.
        Ok(fs::read_to_string(self.root.join(EPOCH)).ok())
    }
}

impl OfKind {
    fn is_there(&self) -> Result<(), StoreError> {
        match fs::metadata(&self.mark) {
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::io("find", &self.mark, &error)),
        }
    }
}

impl Backend for OfKind {
    fn save(&self, entry: &Entry) -> Result<Id, StoreError> {
        self.is_there()?;
        self.directory.save(entry)
    }

    fn fetch(&self, property: &str, id: Id) -> Result<Option<Entry>, StoreError> {
        match self.directory.fetch(property, id) {
            // An entry is missing only if the corpus itself is available.
            Ok(None) => self.is_there().map(|()| None),
            found => found,
        }
    }

    fn list(&self, property: &str, since: Option<&Cursor>) -> Result<Listing, StoreError> {
        self.is_there()?;
        self.directory.list(property, since)
    }

    fn delete(&self, property: &str, id: Id) -> Result<bool, StoreError> {
        self.is_there()?;
        self.directory.delete(property, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("forall-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn kinds_are_separate_and_properties_are_listed() {
        let path = scratch("kinds");
        let corpus = Folder::open(path.to_str().unwrap(), Access::Write).unwrap();
        corpus.entries(Kind::Failure).save(&Entry::failure("a", Case::default())).unwrap();
        corpus.entries(Kind::Statistics).save(&Entry::statistics("b", "{}")).unwrap();
        assert_eq!(corpus.properties().unwrap().into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(corpus.entries(Kind::Seed).list("a", None).unwrap().ids.is_empty());
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_share_that_is_not_mounted_is_not_written_to() {
        let path = scratch("unmounted");
        let corpus = Folder::open(path.to_str().unwrap(), Access::Write).unwrap();
        fs::remove_dir_all(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let entry = Entry::failure("a", Case::default());
        assert!(corpus.entries(Kind::Failure).save(&entry).is_err());
        assert!(
            corpus.entries(Kind::Failure).fetch("a", entry.id()).is_err(),
            "an unmounted share says nothing about its entries"
        );
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_path_that_is_not_a_corpus_is_reported() {
        let path = scratch("wrong");
        fs::create_dir(&path).unwrap();
        // An unreadable marker file is not overwritten.
        for mark in [&b"forall corpus 7\n"[..], b"\xff\xfe"] {
            fs::write(path.join(Mark::FILE), mark).unwrap();
            let wrong = Folder::open(path.to_str().unwrap(), Access::Write).unwrap_err().to_string();
            assert!(wrong.contains("another version: it is `"), "{wrong}");
            assert_eq!(fs::read(path.join(Mark::FILE)).unwrap(), mark);
        }
        let wrong = Folder::open(path.join(Mark::FILE).to_str().unwrap(), Access::Write).unwrap_err().to_string();
        assert!(wrong.contains("is a file"), "{wrong}");
        assert!(Folder::open("", Access::Write).unwrap_err().to_string().contains("--corpus"));
        fs::remove_dir_all(path).unwrap();
    }
}
