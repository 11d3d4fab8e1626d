//! Entries of one kind and property that are new in the corpus.

use crate::corpus::link::Link;
use forall::store::{Cursor, Entry, Id, Kind};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time limit of one round of fetching, so that a slow corpus blocks nothing else.
const PATIENCE: Duration = Duration::from_secs(1);

/// The entries to fetch.
pub(super) struct Arrivals {
    kind: Kind,
    property: String,
    cursor: Option<Cursor>,
    wanted: VecDeque<Id>,
}

impl Arrivals {
    /// Creates an empty list.
    pub(super) fn new(kind: Kind, property: &str) -> Self {
        Self { kind, property: property.to_owned(), cursor: None, wanted: VecDeque::new() }
    }

    /// Lists the corpus and adds entries that were not there before.
    pub(super) fn look(&mut self, link: &mut Link) -> Vec<Id> {
        let listing =
            link.ask(|corpus| corpus.entries(self.kind).list(&self.property, self.cursor.as_ref())).unwrap_or_default();
        if !link.is_away() {
            self.cursor = Some(listing.cursor);
            self.wanted.extend(&listing.ids);
        }
        listing.ids
    }

    /// Fetches at most `most` new entries, without those that are `known`; the rest is left for the next round.
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
