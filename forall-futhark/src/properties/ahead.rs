//! Trying candidates before they are asked for, many in one exchange.
//!
//! Test *i* of a run is a function of the seed and of *i*, so the next candidates are known before the library asks for them: they are
//! drawn here too, sent together, and their answers wait. When the library draws a candidate that is not the next one (it shrinks,
//! or runs one again), nothing more is tried ahead.

use super::candidate::{Candidate, Origin};
use super::testing::{Answer, Start, Testing};
use forall::run::Schedule;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// So many candidates at most go into one exchange: their commands and the answers fit into pipes.
const MOST: usize = 64;

/// Candidates that have more elements together are sent in several exchanges.
const MOST_ELEMENTS: usize = 1 << 16;

/// An exchange that takes longer is followed by smaller ones: a candidate that never ends is to be found soon.
const LONG: Duration = Duration::from_millis(20);

/// What was tried ahead.
pub(super) struct Ahead {
    waiting: VecDeque<(Origin, Answer)>,
    /// How candidates are drawn; none if nothing is tried ahead any more.
    drawing: Option<Drawing>,
    next: u64,
    /// So many go into the next exchange.
    batch: usize,
}

/// How the library draws candidates.
pub(super) struct Drawing {
    pub(super) seed: u64,
    pub(super) sizes: Schedule,
    pub(super) tests: u64,
}

impl Ahead {
    /// Nothing is tried ahead.
    pub(super) fn off() -> Self {
        Self { waiting: VecDeque::new(), drawing: None, next: 0, batch: 1 }
    }

    pub(super) fn of(drawing: Drawing) -> Self {
        Self { drawing: Some(drawing), ..Self::off() }
    }
}

impl Testing {
    /// The answer for a candidate, if it is the next one.
    pub(super) fn known_ahead(self: &Rc<Self>, candidate: &Candidate, start: Start<'_>) -> Option<Answer> {
        self.ahead.borrow().drawing.as_ref()?;
        if self.ahead.borrow().waiting.is_empty() {
            self.try_ahead(start);
        }
        let mut ahead = self.ahead.borrow_mut();
        let next = ahead.waiting.pop_front().filter(|(origin, _)| candidate.is_made_as(origin));
        match next {
            Some((_, answer @ (Answer::Discarded | Answer::Misfit | Answer::Unmade | Answer::Tried(Ok(()), _)))) => {
                Some(answer)
            }
            // From here on the library does other things than to draw the next candidate.
            Some((_, Answer::Tried(failed, label))) => {
                *ahead = Ahead::off();
                Some(Answer::Tried(failed, label))
            }
            Some((_, Answer::Unknown)) => None,
            None => {
                *ahead = Ahead::off();
                None
            }
        }
    }

    /// Tries the next candidates.
    fn try_ahead(self: &Rc<Self>, start: Start<'_>) {
        let mut ahead = self.ahead.borrow_mut();
        let Ahead { drawing: Some(drawing), next, batch, .. } = &*ahead else { return };
        let discarded = self.statistics.borrow().left_out();
        let end = (next + *batch as u64).min(drawing.tests + discarded);
        let mut candidates = Vec::new();
        let mut elements = 0;
        for index in *next..end {
            let size = drawing.sizes.size(index);
            let candidate = Candidate::of_test(self, drawing.seed, index, size);
            if let Origin::Drawn(datum) = &candidate.origin {
                elements += datum.count();
            }
            candidates.push(candidate);
            if elements > MOST_ELEMENTS {
                break;
            }
        }
        ahead.next += candidates.len() as u64;
        let begin = Instant::now();
        drop(ahead);
        let answers = self.answers(&candidates, start);
        let mut ahead = self.ahead.borrow_mut();
        ahead.batch = if begin.elapsed() > LONG { (ahead.batch / 2).max(1) } else { (ahead.batch * 2).min(MOST) };
        ahead.waiting.extend(candidates.into_iter().map(|candidate| candidate.origin).zip(answers));
    }
}
