//! Shrinking candidates of a property: by the program's shrinker, or by type.
//!
//! Both produce lists of candidates, tried from the front. A shrinker that takes a random number is called with a few;
//! a shrinker that returns a status is called with tactic 0, 1, 2 and so on, until it reports that there are no more.

use super::candidate::{Candidate, Origin};
use super::random::SplitMix;
use super::simpler::{by_type, magnitude};
use super::testing::Testing;
use super::validate::Shrinking;
use crate::client::{Ended, Got, Script, Server, Wanted};
use crate::data::Value;
use crate::datum::{Datum, Native};
use std::cmp::Ordering;
use std::rc::Rc;

/// The number of calls of the program's shrinker per value.
const SHRINKS: u64 = 64;

/// The maximum number of tactics of a shrinker that returns a status.
const TACTICS: u64 = 64;

/// The maximum number of shrink steps for opaque values: each step needs a variable on the server.
const MOST_STEPS: usize = 64;

/// The number of candidates whose shrinks are cached.
const REMEMBERED: usize = 4096;

/// The status of a shrinker that returned a candidate.
const GO_ON: i8 = 0;

/// The status of a shrinker whose tactic has no candidate; the next tactic may have one.
const NEXT_TACTIC: i8 = 1;

/// The result of a shrinker for one number: its status and value, as far as they are requested.
type Offer = Result<Vec<Vec<Value>>, Ended>;

impl Candidate {
    /// Returns the smaller candidates.
    pub(super) fn smaller(&self) -> impl Iterator<Item = Self> + use<> {
        let smaller = self.testing.smaller_than(self);
        let testing = self.testing.clone();
        (0..smaller.len()).map(move |at| Self { origin: smaller[at].clone(), testing: testing.clone() })
    }

    /// Returns the cache key of the candidate.
    fn key(&self) -> Vec<u8> {
        match &self.origin {
            Origin::Made { size, seed, steps } => {
                let mut key = [size.to_le_bytes(), seed.to_le_bytes()].concat();
                steps.iter().for_each(|step| key.extend(step.to_le_bytes()));
                key
            }
            _ => self.testing.leaves(self).iter().flat_map(Value::to_bytes).collect(),
        }
    }
}

impl Testing {
    /// Returns the smaller candidates of a candidate; cached, because shrinking requests them repeatedly.
    fn smaller_than(&self, candidate: &Candidate) -> Rc<Vec<Origin>> {
        let key = candidate.key();
        if let Some(known) = self.smaller.borrow().get(&key) {
            return known.clone();
        }
        let found = Rc::new(match self.property.shrinking {
            Shrinking::Remade => Vec::new(),
            Shrinking::ByType => self.smaller_by_type(candidate),
            Shrinking::Entry | Shrinking::EntryWithStatus => self.smaller_by_entry(candidate).unwrap_or_default(),
        });
        let mut known = self.smaller.borrow_mut();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, found.clone());
        found
    }

    fn smaller_by_type(&self, candidate: &Candidate) -> Vec<Origin> {
        self.datum_of(candidate)
            .map_or_else(Vec::new, |datum| by_type(&datum).into_iter().map(Origin::Reduced).collect())
    }

    /// Returns all results of the program's shrinker for a candidate, in as few exchanges as possible; the smallest
    /// first.
    fn smaller_by_entry(&self, candidate: &Candidate) -> Option<Vec<Origin>> {
        if self.shrinker_is_bad.get() {
            return None;
        }
        let says_status = self.property.shrinking == Shrinking::EntryWithStatus;
        let numbers: Vec<u64> = match says_status {
            true => (0..TACTICS).collect(),
            false => (0..SHRINKS).map(|number| SplitMix::new(number).next_u64()).collect(),
        };
        let server = self.server.borrow();
        let is_known = server.learn_all(&self.property.parameters).is_ok();
        if matches!(&candidate.origin, Origin::Made { steps, .. } if steps.len() >= MOST_STEPS && !is_known) {
            return None;
        }
        if let (Origin::Made { size, seed, steps }, false, false) = (&candidate.origin, is_known, says_status) {
            self.shrinker_has_offered.set(true);
            return Some(numbers.iter().map(|number| Origin::longer(*size, *seed, steps, *number)).collect());
        }
        let of = &self.property.type_name;
        let mut all = Vec::new();
        let mut left = &numbers[..];
        'numbers: while !left.is_empty() {
            let (itself, offered) = self.offered(&server, candidate, left, is_known);
            let itself = Datum::from_leaves(of, &mut itself.into_iter(), &server.known()).filter(|_| is_known);
            let (asked, rest) = left.split_at(offered.len());
            left = rest;
            for (number, result) in asked.iter().zip(offered) {
                let mut values = match result {
                    Ok(values) => values.into_iter(),
                    Err(Ended::Unknown) => break 'numbers,
                    Err(ended) => {
                        self.note_shrinker(*number, &ended);
                        continue;
                    }
                };
                let status = if says_status { values.next()?.first()?.get::<i8>()? } else { GO_ON };
                match status {
                    GO_ON => {}
                    NEXT_TACTIC => continue,
                    _ => break 'numbers,
                }
                match (&candidate.origin, is_known) {
                    (Origin::Made { size, seed, steps }, false) => {
                        all.push(Origin::longer(*size, *seed, steps, *number));
                    }
                    _ => {
                        let datum = Datum::from_leaves(of, &mut values.next()?.into_iter(), &server.known())?;
                        // A shrinker without a candidate can only return its argument.
                        if itself.as_ref() == Some(&datum) {
                            self.shrinker_gave_back.set(true);
                            continue;
                        }
                        all.push(Origin::Drawn(datum));
                    }
                }
                self.shrinker_has_offered.set(true);
            }
            if !server.is_alive() {
                break;
            }
        }
        // Large steps come first; results of a shrinker with tactics keep the order of the tactics.
        if !says_status {
            all.sort_by(|one, other| one.weight().partial_cmp(&other.weight()).unwrap_or(Ordering::Equal));
            all.dedup();
        }
        Some(all)
    }

    /// Returns the value of a candidate, unless it is opaque, and the shrinker's results for as many numbers as fit
    /// into one exchange: the status, if it returns one, and the value, unless it is opaque.
    fn offered(
        &self,
        server: &Server,
        candidate: &Candidate,
        numbers: &[u64],
        is_known: bool,
    ) -> (Vec<Value>, Vec<Offer>) {
        let mut script = Script::new(server);
        let value = candidate.put_whole(&mut script);
        let mut wanted = Wanted::of(0, is_known.then_some(value));
        for number in numbers {
            let room = script.room();
            let random = script.put("u64", &number.into_datum());
            script.next_section();
            let (smaller, status) = self.property.shrink(&mut script, value, random);
            let fetched = if is_known { Some(smaller) } else { None };
            wanted.push(wanted.len(), status.into_iter().chain(fetched));
            // The next number takes as much room as this one.
            if script.room() <= room - script.room() {
                break;
            }
        }
        let offered = script.run(&wanted).into_iter();
        let mut offered: Vec<Offer> = offered.map(|offer| offer.map(Got::values)).collect();
        match offered.remove(0) {
            Ok(itself) => (itself.concat(), offered),
            // The candidate itself failed, so the shrinker's calls are inconclusive.
            Err(_) => (Vec::new(), vec![Err(Ended::Unknown)]),
        }
    }

    /// Records a failure of the program's shrinker, and disables the shrinker if it crashed the server.
    pub(super) fn note_shrinker(&self, number: u64, ended: &Ended) {
        let shrinker = self.property.attribute.shrinker.as_deref().unwrap_or_default();
        let from = match self.made_from.get() {
            Some((size, seed)) => format!(", from size={size} and seed={seed}"),
            None => String::new(),
        };
        let (why, is_lost) = match ended {
            Ended::Refused { refused, .. } => (format!("failed:\n{}", refused.message.join("\n").trim_end()), false),
            Ended::Error { error, .. } => (format!("was given up: {error}"), true),
            Ended::Unknown => return,
        };
        if is_lost {
            self.shrinker_is_bad.set(true);
        }
        let note = format!("shrinker {shrinker} with random={number}{from} {why}");
        let mut notes = self.notes.borrow_mut();
        if notes.is_empty() || is_lost {
            notes.push(note);
        }
    }
}

impl Origin {
    /// Appends one more step of the program's shrinker.
    fn longer(size: i64, seed: u64, steps: &[u64], number: u64) -> Self {
        Self::Made { size, seed, steps: [steps, &[number]].concat() }
    }

    /// Returns the size of a value: the number of its elements, then their magnitudes.
    fn weight(&self) -> (usize, f64) {
        match self {
            Self::Drawn(datum) | Self::Reduced(datum) => (datum.count(), magnitude(datum)),
            _ => (0, 0.0),
        }
    }
}
