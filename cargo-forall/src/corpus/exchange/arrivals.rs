//! What came to the corpus, of one kind and property, and is not here yet.

use crate::corpus::link::Link;
use forall::store::{Cursor, Entry, Id, Kind};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Fetching is put off after this long, so that nothing else waits: a slow store has its time.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is to be fetched.
pub(super) struct Arrivals {
    kind: Kind,
    property: String,
    cursor: Option<Cursor>,
    wanted: VecDeque<Id>,
}

impl Arrivals {
    /// Nothing was looked at so far.
    pub(super) fn new(kind: Kind, property: &str) -> Self {
        Self { kind, property: property.to_owned(), cursor: None, wanted: VecDeque::new() }
    }

    /// Looks what came since it looked last: all that was not there then.
    pub(super) fn look(&mut self, link: &mut Link) -> Vec<Id> {
        let listing =
            link.ask(|corpus| corpus.entries(self.kind).list(&self.property, self.cursor.as_ref())).unwrap_or_default();
        if !link.is_away() {
            self.cursor = Some(listing.cursor);
            self.wanted.extend(&listing.ids);
        }
        listing.ids
    }

    /// Fetches some of what came, at most `most`, without those that are `known`. What there is no time for is left for the next time.
    pub(super) fn fetch(&mut self, link: &mut Link, most: usize, known: &dyn Fn(Id) -> bool) -> Vec<Entry> {
        let (began, mut entries) = (Instant::now(), Vec::new());
        while entries.len() < most && began.elapsed() < PATIENCE {
            let Some(id) = self.wanted.pop_front() else { break };
            if known(id) {
                continue;
            }
            match link.fetch(self.kind, &self.property, id) {
                Some(entry) => entries.push(entry),
                None if link.is_away() => {
                    self.wanted.push_front(id);
                    break;
                }
                None => {}
            }
        }
        entries
    }
}
