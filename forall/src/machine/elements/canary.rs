//! Values that track whether they are alive.

use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A source of canaries, which tracks which are alive.
///
/// ```
/// use forall::machine::elements::Cage;
/// let cage = Cage::new();
/// let mut birds = vec![cage.canary(1), cage.canary(2)];
/// assert_eq!((cage.alive(), *birds[1].get()), (2, 2));
/// birds.clear();
/// assert_eq!(cage.check(), Ok(()), "all were dropped, each once");
///
/// // A collection that forgets an element.
/// std::mem::forget(cage.canary(3));
/// assert_eq!(cage.check(), Err("1 canary was never dropped".to_owned()));
/// ```
#[derive(Debug)]
pub struct Cage {
    number: u64,
}

/// A value that detects a double drop or a use after drop; its [`Cage`] detects leaks.
///
/// Its state is kept outside of the value, so that it is known even when the value's memory has been overwritten.
///
/// ```
/// use forall::machine::elements::Cage;
/// let cage = Cage::new();
/// let bird = cage.canary(7);
/// // What a collection does that copies an element and forgets to forget it.
/// let copy = std::mem::ManuallyDrop::new(unsafe { std::ptr::read(&bird) });
/// drop(bird);
/// let dead = forall::machine::protect(|| *copy.get()).unwrap_err();
/// assert!(dead.to_string().contains("a canary is used after it was dropped"), "{dead}");
/// drop(std::mem::ManuallyDrop::into_inner(copy));
/// assert_eq!(cage.check(), Err("1 canary was dropped twice; 1 canary was used after it was dropped".to_owned()));
/// ```
pub struct Canary<T> {
    cage: u64,
    number: usize,
    value: T,
}

/// The state of the canaries of a cage.
struct Known {
    /// The number of the cage.
    cage: u64,
    /// Whether each of its canaries is alive, by their numbers.
    alive: Vec<bool>,
    living: usize,
    dropped_twice: u64,
    used_dead: u64,
}

/// Only a few at a time: a cage lives for one test case.
static CAGES: Mutex<Vec<Known>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

#[inline]
fn cages() -> MutexGuard<'static, Vec<Known>> {
    CAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn find(cages: &mut [Known], cage: u64) -> Option<&mut Known> {
    cages.iter_mut().find(|known| known.cage == cage)
}

impl Cage {
    /// Creates an empty cage.
    ///
    /// See [`Cage`].
    #[allow(clippy::new_without_default, reason = "each is another one")]
    #[inline]
    pub fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        cages().push(Known { cage: number, alive: Vec::new(), living: 0, dropped_twice: 0, used_dead: 0 });
        Self { number }
    }

    /// Creates a canary with a value.
    ///
    /// See [`Cage`].
    pub fn canary<T>(&self, value: T) -> Canary<T> {
        let mut number = 0;
        if let Some(known) = find(&mut cages(), self.number) {
            number = known.alive.len();
            known.alive.push(true);
            known.living += 1;
        }
        Canary { cage: self.number, number, value }
    }

    /// Returns the number of live canaries.
    ///
    /// See [`Cage`].
    #[inline]
    pub fn alive(&self) -> usize {
        find(&mut cages(), self.number).map_or(0, |known| known.living)
    }

    /// Checks that all canaries were dropped, each once, and that none was used afterwards. Call it at the end.
    ///
    /// See [`Cage`] and [`Canary`].
    #[inline]
    pub fn check(&self) -> Result<(), String> {
        let mut cages = cages();
        let Some(known) = find(&mut cages, self.number) else { return Ok(()) };
        let count = |count: u64| if count == 1 { "1 canary was".to_owned() } else { format!("{count} canaries were") };
        let mut found = Vec::new();
        for (number, what) in [
            (known.living as u64, "never dropped"),
            (known.dropped_twice, "dropped twice"),
            (known.used_dead, "used after it was dropped"),
        ] {
            if number > 0 {
                found.push(format!("{} {what}", count(number)));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(crate::text::joined(&found, "; ")) }
    }
}

impl Drop for Cage {
    #[inline]
    fn drop(&mut self) {
        cages().retain(|known| known.cage != self.number);
    }
}

impl<T> Canary<T> {
    /// Returns the value. Panics if the canary is dead.
    ///
    /// See [`Canary`].
    #[track_caller]
    pub fn get(&self) -> &T {
        let mut cages = cages();
        if let Some(known) = find(&mut cages, self.cage)
            && !known.alive[self.number]
        {
            known.used_dead += 1;
            drop(cages);
            panic!("a canary is used after it was dropped");
        }
        &self.value
    }
}

impl<T> Drop for Canary<T> {
    #[inline]
    fn drop(&mut self) {
        // Recorded without a panic: the drop may be part of unwinding.
        if let Some(known) = find(&mut cages(), self.cage) {
            if std::mem::take(&mut known.alive[self.number]) {
                known.living -= 1;
            } else {
                known.dropped_twice += 1;
            }
        }
    }
}

impl<T: Clone> Clone for Canary<T> {
    fn clone(&self) -> Self {
        Cage { number: self.cage }.keep(|cage| cage.canary(self.get().clone()))
    }
}

impl Cage {
    /// Uses a cage that belongs to someone else.
    fn keep<T>(self, body: impl FnOnce(&Cage) -> T) -> T {
        body(&std::mem::ManuallyDrop::new(self))
    }
}

impl<T: PartialEq> PartialEq for Canary<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for Canary<T> {}

impl<T: PartialOrd> PartialOrd for Canary<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.get().partial_cmp(other.get())
    }
}

impl<T: Ord> Ord for Canary<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.get().cmp(other.get())
    }
}

impl<T: std::hash::Hash> std::hash::Hash for Canary<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for Canary<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The number of counters for zero-sized values.
const SLOTS: usize = 16;
static UNITS: [AtomicI64; SLOTS] = [const { AtomicI64::new(0) }; SLOTS];
/// For each slot, the test case that used it last, and the count at its start.
static CASES: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
static BASELINES: [AtomicI64; SLOTS] = [const { AtomicI64::new(0) }; SLOTS];

/// A counted zero-sized value. It has no room to store where it belongs, so `SLOT`, below 16, identifies it: tests that
/// run at the same time need different slots. Each test case counts from 0, even if the previous one left values behind.
///
/// ```
/// use forall::machine::elements::Unit;
/// let mut units = vec![Unit::<3>::new(), Unit::new()];
/// assert_eq!((Unit::<3>::alive(), size_of::<Unit<3>>()), (2, 0));
/// units.clear();
/// assert_eq!(Unit::<3>::alive(), 0, "less would mean that one was dropped twice");
/// ```
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit<const SLOT: usize>(());

impl<const SLOT: usize> Unit<SLOT> {
    /// Creates a counted value.
    ///
    /// See [`Unit`].
    #[allow(clippy::new_without_default, reason = "each counts")]
    #[inline]
    pub fn new() -> Self {
        Self::begin();
        UNITS[SLOT].fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// Returns how many more were created than dropped since the test case began.
    ///
    /// See [`Unit`].
    #[inline]
    pub fn alive() -> i64 {
        Self::begin();
        UNITS[SLOT].load(Ordering::Relaxed) - BASELINES[SLOT].load(Ordering::Relaxed)
    }

    /// Starts counting anew if this is a different test case. Threads without a known test case belong to the running
    /// one.
    fn begin() {
        if let Some(case) = crate::context::running_case()
            && CASES[SLOT].swap(case, Ordering::Relaxed) != case
        {
            BASELINES[SLOT].store(UNITS[SLOT].load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

impl<const SLOT: usize> Clone for Unit<SLOT> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<const SLOT: usize> Drop for Unit<SLOT> {
    #[inline]
    fn drop(&mut self) {
        UNITS[SLOT].fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::run::{Run, Settings, Store};

    #[test]
    fn state_left_by_a_test_case_does_not_fail_the_next_ones() {
        type Counted = Unit<15>;
        let forgets = property! {
            forall n in 0..100u32;
            check {
                let unit = Counted::new();
                if *n >= 50 {
                    std::mem::forget(unit);
                } else {
                    drop(unit);
                }
                assert_eq!(Counted::alive(), 0);
            }
        };
        let settings = || Settings::new().seed(1).store(Store::Off);
        let found = Run::new("forgets", &forgets).settings(settings()).report().counterexample.unwrap();
        assert_eq!(found.bindings[0].printed.text(), "50", "the minimal case, not the first that runs after a failure");
        let keeps = property! { forall n: u8; check { let _ = n; Counted::alive() == 0 } };
        assert!(Run::new("keeps", &keeps).settings(settings()).report().verdict.is_success());
    }
}
