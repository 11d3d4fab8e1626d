//! The state of the page: a card for each property, and the current activity. Each change has a version, so that a browser gets
//! only the changes since its last request.

use crate::report;
use serde_json::{Value, json};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The state of the page, which the server reads and the command writes.
#[derive(Debug, Default)]
pub(super) struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    version: u64,
    summary: String,
    status: Value,
    cards: Vec<Card>,
}

#[derive(Debug)]
struct Card {
    key: String,
    version: u64,
    data: Value,
}

impl Board {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State, u64)) {
        let mut state = self.state();
        state.version += 1;
        let version = state.version;
        change(&mut state, version);
        self.changed.notify_all();
    }

    /// Shows the current activity.
    pub(super) fn set_status(&self, status: Value) {
        if self.state().status != status {
            self.change(|state, _| state.status = status);
        }
    }

    /// The phase of the status.
    pub(super) fn phase(&self) -> String {
        self.state().status["phase"].as_str().unwrap_or_default().to_owned()
    }

    /// Shows the totals.
    pub(super) fn set_summary(&self, summary: &str) {
        if self.state().summary != summary {
            self.change(|state, _| summary.clone_into(&mut state.summary));
        }
    }

    /// Replaces the card of a property.
    pub(super) fn put(&self, key: &str, mut data: Value) {
        data["key"] = json!(key);
        self.change(|state, version| match state.cards.iter_mut().find(|card| card.key == key) {
            Some(card) => (card.version, card.data) = (version, data),
            None => state.cards.push(Card { key: key.to_owned(), version, data }),
        });
    }

    /// Removes the cards of properties that are gone.
    pub(super) fn retain(&self, keys: &[String]) {
        let gone = |card: &Card| !keys.contains(&card.key);
        if self.state().cards.iter().any(gone) {
            self.change(|state, _| state.cards.retain(|card| !gone(card)));
        }
    }

    /// Returns the changes since a version. Waits for the first one, for at most `patience`.
    pub(super) fn news(&self, after: u64, patience: Duration) -> Value {
        let (mut state, began) = (self.state(), Instant::now());
        // A version above the current one comes from an earlier server.
        let after = if after > state.version { 0 } else { after };
        while state.version == after && after > 0 {
            let left = patience.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let cards: Vec<&Value> =
            state.cards.iter().filter(|card| card.version > after).map(|card| &card.data).collect();
        let keys: Vec<&String> = state.cards.iter().map(|card| &card.key).collect();
        json!({"version": state.version, "summary": state.summary, "status": state.status, "keys": keys, "properties": cards})
    }

    /// The page, as it is now.
    pub(super) fn page(&self) -> String {
        let mut data = self.news(0, Duration::ZERO);
        data["title"] = json!("Watching tests");
        let page = report::page_with(&data, include_str!("live.js"));
        // The page may send requests to its own server, and to no other.
        page.replacen("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn names(news: &Value) -> Vec<&str> {
        news["properties"].as_array().unwrap().iter().map(|card| card["key"].as_str().unwrap()).collect()
    }

    #[test]
    fn only_changed_properties_are_sent() {
        let board = Board::default();
        board.put("a", json!({"word": "passed"}));
        board.put("b", json!({"word": "passed"}));
        let first = board.news(0, Duration::ZERO);
        assert_eq!(names(&first), ["a", "b"]);
        let version = first["version"].as_u64().unwrap();
        assert_eq!(names(&board.news(version, Duration::ZERO)), [""; 0]);
        board.put("b", json!({"word": "FAILED"}));
        board.set_status(json!({"phase": "idle"}));
        let then = board.news(version, Duration::ZERO);
        assert_eq!((names(&then), &then["status"]["phase"]), (vec!["b"], &json!("idle")));
        board.retain(&["b".to_owned()]);
        assert_eq!(board.news(version, Duration::ZERO)["keys"], json!(["b"]));
        assert_eq!(names(&board.news(u64::MAX, Duration::ZERO)), ["b"], "another server had more versions");
    }

    #[test]
    fn a_request_waits_for_the_next_change() {
        let board = Arc::new(Board::default());
        board.set_summary("1 property");
        let other = board.clone();
        let waiting = std::thread::spawn(move || other.news(1, Duration::from_secs(60)));
        board.put("a", json!({}));
        assert_eq!(names(&waiting.join().unwrap()), ["a"]);
    }
}
