//! Stubs for platforms without the scheduler: nothing here is ever called, since no build there is instrumented.

use super::{Happened, Plan};
use std::sync::Arc;
use std::time::Duration;

pub(crate) type Job = Arc<dyn Fn(usize) + Send + Sync>;

/// Never constructed on this platform.
pub(crate) enum Crew {}

pub(crate) struct Search(());

pub(crate) struct Budget {
    pub(crate) systematic: u64,
    pub(crate) switches: usize,
    pub(crate) random: u64,
}

impl Search {
    pub(crate) fn new(_: u64, _: usize, _: Budget) -> Self {
        Self(())
    }

    pub(crate) fn is_over(&self) -> bool {
        true
    }

    pub(crate) fn exhausted(&self) -> Option<(usize, u64)> {
        None
    }
}

impl Crew {
    pub(crate) fn of(branches: usize) -> Result<Self, (usize, std::io::Error)> {
        Err((branches, std::io::ErrorKind::Unsupported.into()))
    }

    pub(crate) fn follow(self, _: Plan, _: &Job, _: Duration, _: bool) -> (Happened, Option<Self>) {
        match self {}
    }

    pub(crate) fn search(self, _: &mut Search, _: &Job, _: Duration) -> Result<(Happened, Option<Self>), Self> {
        match self {}
    }

    pub(crate) fn rest(self) {
        match self {}
    }
}

pub(crate) fn controlled<T>(body: impl FnOnce() -> T) -> T {
    body()
}

pub(crate) fn begin_command(_: usize) {}

pub(crate) fn tick() -> u64 {
    0
}

pub(crate) fn preparing<T>(body: impl FnOnce() -> T) -> T {
    body()
}

pub(crate) fn between_runs<T>(body: impl FnOnce() -> T) -> T {
    body()
}
