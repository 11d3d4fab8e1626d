//! The inputs of a small domain by their index.
//!
//! A worker that runs consecutive inputs enumerates them itself, each from the one before. Elsewhere it begins at
//! the nearest input for which the domain has the state of the enumeration.

use crate::choice::Sequence;
use crate::run::domain::{Domain, STRIDE, scattered, scattering};
use crate::run::{Case, Enumeration};
use crate::testing::Tester;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The inputs of a domain by their index, in the order of `Inputs`, for several threads.
pub(super) struct ByIndex<'a> {
    domain: &'a Domain,
    /// The distance between consecutive inputs, if they are in memory.
    step: usize,
    /// For each worker, the index after its last input, and the enumeration there.
    reached: Vec<Mutex<Option<(u64, Enumeration)>>>,
}

impl<'a> ByIndex<'a> {
    pub(super) fn of(domain: &'a Domain, workers: usize) -> Self {
        let mut reached = Vec::new();
        reached.resize_with(workers, Mutex::default);
        let step = domain.few.as_ref().map_or(0, |few| scattering(few.len()));
        Self { domain, step, reached }
    }

    /// Runs the input with this index. `run` returns the choices that it drew.
    pub(super) fn run<T>(&self, index: u64, tester: &Tester<'_>, run: impl FnOnce(Sequence) -> (Case, T)) -> T {
        if let Some(few) = &self.domain.few {
            return run(few[scattered(index, self.step, few.len())].clone()).1;
        }
        let mut enumeration = self.enumeration_at(index, tester);
        let (case, ended) = run(enumeration.next().expect("the domain has an input with this index"));
        enumeration.ran(&case.sequence);
        *self.reached_by(tester) = Some((index + 1, enumeration));
        ended
    }

    /// The choices of the input with this index.
    pub(super) fn drawn(&self, index: u64, tester: &Tester<'_>) -> Sequence {
        self.run(index, tester, |sequence| {
            let drawn = tester.drawn(&Case { sequence, steps: Vec::new() });
            (Case { sequence: drawn.clone(), steps: Vec::new() }, drawn)
        })
    }

    /// The enumeration before the input with this index: continued from the worker's last input, or from one before
    /// this at which it can begin.
    fn enumeration_at(&self, index: u64, tester: &Tester<'_>) -> Enumeration {
        let first = index - index % STRIDE;
        let (mut at, mut enumeration) = match self.reached_by(tester).take() {
            Some((at, enumeration)) if (first..=index).contains(&at) => (at, enumeration),
            _ => (first, self.domain.starts[(first / STRIDE) as usize].clone()),
        };
        while at < index {
            let sequence = enumeration.next().expect("the domain has an input with this index");
            enumeration.ran(&tester.drawn(&Case { sequence, steps: Vec::new() }));
            at += 1;
        }
        enumeration
    }

    fn reached_by(&self, tester: &Tester<'_>) -> MutexGuard<'_, Option<(u64, Enumeration)>> {
        self.reached[tester.context().worker()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
