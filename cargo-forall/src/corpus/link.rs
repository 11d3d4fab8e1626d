//! The way to a corpus: what to do when it cannot be reached, and what to say of it.

use super::{Corpus, Found};
use crate::words::count;
use forall::store::{Cause, Entry, Id, Kind, StoreError};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A corpus that could not be reached is tried again after this long, then after twice as long, and so on up to the second.
const WAITS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// As many entries that make no sense are named; the rest are counted.
const NAMED: usize = 3;

/// A corpus, as far as it can be reached.
pub struct Link {
    corpus: Box<dyn Corpus>,
    /// When it is tried again, if it could not be reached, and how long that is after the last time.
    away: Option<(Instant, Duration)>,
    said: Vec<String>,
    refused: usize,
    /// The entries that wait here for it, by property.
    waiting: BTreeSet<(String, Id)>,
    /// The failures of others that do not fail here.
    stale: BTreeSet<(String, Id)>,
}

impl Link {
    /// A way to this corpus.
    pub fn new(corpus: Box<dyn Corpus>) -> Self {
        Self { corpus, away: None, said: Vec::new(), refused: 0, waiting: BTreeSet::new(), stale: BTreeSet::new() }
    }

    /// Whether it could not be reached when it was tried last.
    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// What the corpus is called.
    pub fn name(&self) -> &str {
        self.corpus.name()
    }

    /// Whether others have saved something.
    pub fn has_news(&self) -> bool {
        self.corpus.has_news()
    }

    /// What waits here for it of a property, in the place of what waited the last time.
    pub fn waits(&mut self, property: &str, ids: Vec<Id>) {
        self.waiting.retain(|(other, _)| other != property);
        self.waiting.extend(ids.into_iter().map(|id| (property.to_owned(), id)));
    }

    /// These failures of a property do not fail here. They are left for others, and not tried again.
    pub fn are_stale(&mut self, property: &str, ids: Vec<Id>) {
        self.stale.extend(ids.into_iter().map(|id| (property.to_owned(), id)));
    }

    /// Which ones they are.
    pub fn stale_of(&self, property: &str) -> BTreeSet<Id> {
        self.stale.iter().filter(|(other, _)| other == property).map(|(_, id)| *id).collect()
    }

    /// Has something told.
    pub fn say(&mut self, line: String) {
        self.said.push(line);
    }

    /// Tries at once, however long ago the last time was.
    pub fn hurry(&mut self) {
        if let Some((next, _)) = &mut self.away {
            *next = Instant::now();
        }
    }

    /// Asks it for something. None if it cannot be reached, or not yet again.
    pub fn ask<T>(&mut self, request: impl FnOnce(&dyn Corpus) -> Result<T, StoreError>) -> Option<T> {
        if self.away.is_some_and(|(next, _)| Instant::now() < next) {
            return None;
        }
        match request(&*self.corpus) {
            Ok(answer) => {
                if self.away.take().is_some() {
                    self.said.push(format!("forall: the corpus {} is back", self.corpus.name()));
                }
                Some(answer)
            }
            Err(error) => {
                if self.away.is_none() {
                    let trouble = trouble(self.corpus.name(), &error);
                    self.said.push(format!(
                        "forall: warning: {trouble}. What is found stays here, and is sent when the corpus is back"
                    ));
                }
                let wait = self.away.map_or(WAITS.0, |(_, wait)| (wait * 2).min(WAITS.1));
                self.away = Some((Instant::now() + wait, wait));
                None
            }
        }
    }

    /// An entry of it, if it is there and makes sense. What does not is counted, and stays where it is.
    pub fn fetch(&mut self, kind: Kind, property: &str, id: Id) -> Option<Entry> {
        match self.ask(|corpus| super::fetch(corpus, kind, property, id))? {
            Found::Entry(entry) => Some(entry),
            Found::Nothing => None,
            Found::Nonsense(why) => {
                self.refused += 1;
                if self.refused <= NAMED {
                    let name = self.corpus.name();
                    self.said.push(format!("forall: warning: entry {id} of the corpus {name} is not used: {why}"));
                }
                None
            }
        }
    }

    /// What is to be told since it was asked last.
    pub fn take_said(&mut self) -> String {
        self.said.drain(..).map(|line| line + "\n").collect()
    }

    /// The last of what is to be told.
    pub fn summary(&mut self) -> String {
        if self.refused > NAMED {
            let refused = count((self.refused - NAMED) as u64, "more entry");
            self.said.push(format!("forall: warning: {refused} of the corpus cannot be used"));
        }
        if !self.stale.is_empty() {
            let which = count(self.stale.len() as u64, "counterexample");
            let (verb, they) = if self.stale.len() == 1 { ("does", "it stays") } else { ("do", "they stay") };
            self.said.push(format!("forall: {which} of the corpus {verb} not fail in this build; {they} there"));
        }
        if !self.waiting.is_empty() {
            let waiting = count(self.waiting.len() as u64, "entry");
            let verb = if self.waiting.len() == 1 { "waits" } else { "wait" };
            self.said.push(format!(
                "forall: warning: {waiting} {verb} in {} for the corpus; the next run here with --corpus sends what waits",
                crate::results::store_shown()
            ));
        }
        self.take_said()
    }
}

/// What is wrong with a corpus, and what to do about it.
pub(crate) fn trouble(name: &str, error: &StoreError) -> String {
    use std::io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull, TimedOut};
    let (text, kind) = (why(error), if let Cause::Io { kind, .. } = &error.cause { Some(*kind) } else { None });
    let is_redis = name.starts_with("redis");
    match kind {
        Some(StorageFull | QuotaExceeded) => {
            format!("the corpus {name} takes nothing more: {text}. Make room there, as with `forall corpus minimise`")
        }
        Some(PermissionDenied) if is_redis => {
            format!(
                "the corpus {name} cannot be reached: {text}. Give the password in the address, or in REDISCLI_AUTH"
            )
        }
        Some(PermissionDenied | ReadOnlyFilesystem) => {
            format!("the corpus {name} may not be written: {text}. Make it writable for this user")
        }
        Some(TimedOut) => {
            format!(
                "the corpus {name} does not answer: {text}. It is slow, or something on the way drops what is sent: try its address with \
                 another program from here"
            )
        }
        _ => format!("the corpus {name} cannot be reached: {text}"),
    }
}

/// Why a corpus could not be reached. (What a store of this machine advises does not help with another's.)
fn why(error: &StoreError) -> String {
    match &error.cause {
        Cause::Io { text, .. } => text.clone(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::{Backend, Memory};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Shaky {
        memory: Memory,
        away: Arc<AtomicBool>,
    }

    impl Corpus for Shaky {
        fn entries(&self, _: Kind) -> &dyn Backend {
            &self.memory
        }

        fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
            match self.away.load(Ordering::Relaxed) {
                true => Err(StoreError::io("reach", "it", &io::Error::other("no route to host"))),
                false => Ok(BTreeSet::new()),
            }
        }

        fn name(&self) -> &str {
            "shaky"
        }
    }

    #[test]
    fn a_corpus_that_is_away_is_told_once_and_tried_again() {
        let away = Arc::new(AtomicBool::new(true));
        let mut link = Link::new(Box::new(Shaky { memory: Memory::new(), away: away.clone() }));
        for _ in 0..3 {
            assert!(link.ask(|corpus| corpus.properties()).is_none());
            link.hurry();
        }
        let said = link.take_said();
        assert!(said.lines().count() == 1 && said.contains("shaky cannot be reached: no route to host"), "{said}");
        away.store(false, Ordering::Relaxed);
        assert!(link.ask(|corpus| corpus.properties()).is_some());
        assert_eq!(link.take_said(), "forall: the corpus shaky is back\n");
    }

    #[test]
    fn what_is_wrong_is_told_with_what_to_do() {
        let said = |name: &str, kind: io::ErrorKind| {
            trouble(name, &StoreError::io("save to", name, &io::Error::new(kind, "why")))
        };
        let told = [
            said("/x", io::ErrorKind::StorageFull),
            said("/x", io::ErrorKind::PermissionDenied),
            said("redis://x", io::ErrorKind::PermissionDenied),
            said("redis://x", io::ErrorKind::TimedOut),
            // Whoever says this adds what becomes of what was found.
            said("redis://x", io::ErrorKind::Other),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
    }

    #[test]
    fn an_entry_of_another_kind_is_refused() {
        let shaky = Shaky { memory: Memory::new(), away: Arc::default() };
        let id = shaky.memory.save(&Entry::seed("a", Case::default())).unwrap();
        let mut link = Link::new(Box::new(shaky));
        assert_eq!(link.fetch(Kind::Failure, "a", id), None);
        assert!(link.take_said().contains("is not used: it is a seed"));
    }
}
