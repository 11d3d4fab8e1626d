//! `Lazy<T>`: a value that is decided when it is read. Its traits as a value are in `cell/value.rs`, computations in `cell/computation.rs`.

pub(super) mod chain;
mod computation;
mod shared;
mod value;

use super::block::Seed;
use super::clones::count_clone;
use super::late;
use super::signal::Signal;
use super::trail::with_current;
use super::unique::writes_normal_form;
use crate::choice::Source;
use crate::generate::series::Series;
use computation::Computation;
use shared::Shared;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr;
use std::thread::panicking;
pub(super) use value::made_aside;

/// A value that is chosen when it is first read, through `Deref`. It prints as `_` if it was never read.
///
/// It replaces `Box<T>` in a recursive type. Undecided values come from generators and searches; [`Lazy::new`] holds a
/// value, and [`Lazy::defer`] a computation that runs when its result is needed. Functions can therefore return parts
/// that their caller may never read, and a search does not enumerate these:
///
/// ```
/// use forall::prelude::*;
/// use forall::lazy::Lazy;
///
/// #[derive(Arbitrary, Clone, Debug, PartialEq)]
/// enum Nat {
///     Zero,
///     Succ(Lazy<Nat>),
/// }
///
/// fn add(a: &Lazy<Nat>, b: &Lazy<Nat>) -> Lazy<Nat> {
///     let (a, b) = (a.clone(), b.clone());
///     Lazy::defer(move || match &*a {
///         Nat::Zero => (*b).clone(),
///         Nat::Succ(a) => Nat::Succ(add(a, &b)),
///     })
/// }
///
/// let two = Lazy::new(Nat::Succ(Lazy::new(Nat::Succ(Lazy::new(Nat::Zero)))));
/// let four = add(&two, &two);
/// assert_eq!(format!("{four:?}"), "_");
/// assert!(matches!(&*four, Nat::Succ(_)));
/// assert_eq!(format!("{four:?}"), "Succ(_)");
/// ```
///
/// Comparing, ordering and hashing read the values as far as they need to. A clone shares the value with the original:
/// it is decided once. Cells stay on their thread.
///
/// A `Drop` of a type with cells must not read those that are undecided: after a test nothing can be decided, and the search is
/// reported as faulty. Check with [`Lazy::is_decided`].
pub struct Lazy<T> {
    /// Written only to make an undecided cell shared. Dropped by `Lazy::drop`.
    place: ManuallyDrop<UnsafeCell<Place<T>>>,
}

enum Place<T> {
    /// Neither read nor cloned yet.
    Undecided {
        make: fn(&mut Series<'_>) -> T,
        seed: Seed,
    },
    Shared(Shared<Inner<T>>),
    /// A computation and its result.
    Deferred(Shared<Computation<T>>),
}

/// The part of a cell that its clones share.
struct Inner<T> {
    /// The value, once it is decided. Only `empty` removes it.
    value: UnsafeCell<Option<T>>,
    /// Where the value comes from.
    origin: UnsafeCell<Origin<T>>,
}

enum Origin<T> {
    /// Given at the start, or decided for good.
    Given,
    /// A choice of a search.
    Chosen { make: fn(&mut Series<'_>) -> T, seed: Seed },
    /// Choices of a test.
    Drawn { make: fn(&mut Source) -> T, source: Box<Source> },
}

/// Cells that a search decides are dropped iteratively from this depth on: shallower ones fit the stack.
const LONG: u32 = 1 << 8;

/// Panics because the value of a cell depends on itself.
#[cold]
fn needs_itself() -> ! {
    panic!("this lazy value depends on itself: check which values the closure passed to `Lazy::defer` forces")
}

impl<T> Lazy<T> {
    /// Creates a cell with a value.
    ///
    /// ```
    /// use forall::lazy::Lazy;
    /// assert_eq!(*Lazy::new(3), 3);
    /// ```
    pub fn new(value: T) -> Self {
        Self::shared(Some(value), Origin::Given)
    }

    /// Creates a cell whose value is computed once, when it is needed. (The function is called again if it did not
    /// return: because it panicked, or because [`and`](super::and) evaluates its other side first.)
    ///
    /// ```
    /// use forall::lazy::Lazy;
    /// let never = Lazy::defer(|| -> u32 { panic!("not read") });
    /// assert_eq!(format!("{never:?}"), "_");
    /// let later = Lazy::defer(|| 6 * 7);
    /// assert_eq!(*later, 42);
    /// ```
    pub fn defer(compute: impl Fn() -> T + 'static) -> Self
    where
        T: 'static,
    {
        Self::at(Place::Deferred(computation::new(compute)))
    }

    /// Returns whether the value is decided.
    ///
    /// ```
    /// use forall::lazy::Lazy;
    /// let later = Lazy::defer(|| 6 * 7);
    /// assert!(!Lazy::is_decided(&later));
    /// assert_eq!(*later, 42);
    /// assert!(Lazy::is_decided(&later));
    /// ```
    pub fn is_decided(this: &Self) -> bool {
        this.decided().is_some()
    }

    fn shared(value: Option<T>, origin: Origin<T>) -> Self {
        Self::at(Place::Shared(Inner::new(value, origin)))
    }

    fn at(place: Place<T>) -> Self {
        Self { place: ManuallyDrop::new(UnsafeCell::new(place)) }
    }

    pub(crate) fn undecided(make: fn(&mut Series<'_>) -> T, seed: Seed) -> Self {
        Self::at(Place::Undecided { make, seed })
    }

    /// The value, if it is decided.
    #[inline]
    pub(super) fn decided(&self) -> Option<&T> {
        // SAFETY: shared access. Only `share` writes to an undecided place, when no such reference is alive.
        match unsafe { &*self.place.get() } {
            Place::Shared(inner) => inner.decided(),
            Place::Deferred(computation) => computation.computed(),
            Place::Undecided { .. } => None,
        }
    }

    /// The state, converted to a shared one if it was undecided.
    #[inline(never)]
    fn share(&self) -> &Place<T> {
        // SAFETY: the cell is not `Sync`, and references to an undecided place are not handed out.
        if let Place::Undecided { make, seed } = unsafe { &*self.place.get() } {
            let inner = Inner::new(None, Origin::Chosen { make: *make, seed: *seed });
            // SAFETY: as above, and both fields of the old place are `Copy`: there is nothing to drop.
            unsafe { self.place.get().write(Place::Shared(inner)) };
        }
        // SAFETY: a shared place is never written to again.
        unsafe { &*self.place.get() }
    }

    #[cold]
    #[inline(never)]
    fn force(&self) -> &T {
        match self.share() {
            Place::Deferred(computation) => computation.force(),
            Place::Shared(inner) => {
                if inner.decided().is_none() {
                    inner.decide();
                }
                inner.decided().expect("it was decided just now")
            }
            Place::Undecided { .. } => unreachable!("it was shared just now"),
        }
    }
}

impl<T> Inner<T> {
    #[inline]
    fn new(value: Option<T>, origin: Origin<T>) -> Shared<Self> {
        // SAFETY: both fields are written.
        unsafe {
            Shared::written(|place: *mut Self| {
                (&raw mut (*place).value).write(UnsafeCell::new(value));
                (&raw mut (*place).origin).write(UnsafeCell::new(origin));
            })
        }
    }

    #[inline]
    fn decided(&self) -> Option<&T> {
        // SAFETY: `decide` writes to it while it is empty, so that there is no reference into it; and `empty`, whose caller
        // guarantees that there is none.
        unsafe { &*self.value.get() }.as_ref()
    }

    /// Fills the cell.
    fn decide(&self) {
        // SAFETY: no reference to the origin is alive outside of this module's functions, and none of them keeps one while it
        // calls user code. The choice is copied, and stays there for when the cell is emptied.
        let chosen = match unsafe { &*self.origin.get() } {
            Origin::Chosen { make, seed } => Some((*make, *seed)),
            _ => None,
        };
        let value = match chosen {
            Some((make, seed)) => self.choose(make, &seed),
            None => self.draw(),
        };
        // A series that forces its own cell has already filled it.
        if self.decided().is_none() {
            // SAFETY: the cell is empty, so there is no reference into it.
            unsafe { *self.value.get() = Some(value) };
        }
    }

    /// Draws the value of a cell in a test: it stays decided.
    fn draw(&self) -> T {
        // SAFETY: as in `decide`.
        match std::mem::replace(unsafe { &mut *self.origin.get() }, Origin::Given) {
            Origin::Drawn { make, mut source } => make(&mut source),
            Origin::Chosen { .. } | Origin::Given => needs_itself(),
        }
    }

    fn choose(&self, make: fn(&mut Series<'_>) -> T, seed: &Seed) -> T {
        with_current(|search| {
            let open = search.and_then(|search| search.begin_decision(seed, (&raw const *self).cast(), empty::<T>));
            let Some(mut open) = open else {
                if search.is_some_and(|search| search.is_frozen()) && !panicking() {
                    Signal::Undecided.unwind();
                }
                return late::look(make, seed.depth);
            };
            let value = make(&mut Series::new(
                open.search,
                Seed { parent: open.index, ordinal: 0, block: open.block as u16, ..*seed },
            ));
            open.search.raise_again();
            open.finished = true;
            value
        })
    }
}

/// Removes the value of a cell: it is undecided again.
///
/// # Safety
///
/// `cell` is an `Inner<T>` that is alive, and there is no reference into its value. See `trail.rs`.
unsafe fn empty<T>(cell: *const ()) {
    // SAFETY: by the contract.
    let value = unsafe { (*(*cell.cast::<Inner<T>>()).value.get()).take() };
    drop(value);
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self.decided() {
            Some(value) => value,
            None => self.force(),
        }
    }
}

impl<T> Clone for Lazy<T> {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: as in `decided`.
        match unsafe { &*self.place.get() } {
            Place::Deferred(computation) => Self::at(Place::Deferred(computation.clone())),
            Place::Shared(inner) => {
                inner.count_clone(1);
                Self::at(Place::Shared(inner.clone()))
            }
            Place::Undecided { .. } => {
                self.share();
                self.clone()
            }
        }
    }
}

impl<T> Inner<T> {
    /// Whether the test being printed has read the cell.
    fn was_drawn(&self) -> bool {
        // SAFETY: as in `decide`; the reference ends before anything of users is called.
        match unsafe { &*self.origin.get() } {
            Origin::Drawn { source, .. } => source.has_input(),
            _ => false,
        }
    }

    /// Whether the cell may be the start of a long chain of cells.
    fn may_be_long(&self) -> bool {
        // SAFETY: as in `decide`; nothing of it is returned.
        match unsafe { &*self.origin.get() } {
            Origin::Chosen { seed, .. } => seed.depth >= LONG,
            _ => false,
        }
    }

    fn count_clone(&self, by: i32) {
        // SAFETY: as in `decide`; the seed is copied.
        if let Origin::Chosen { seed, .. } = unsafe { &*self.origin.get() } {
            count_clone(seed, by);
        }
    }
}

impl<T> Drop for Lazy<T> {
    #[inline]
    fn drop(&mut self) {
        // Chains of cells may be long. Waiting for other drops is sound: computations own everything they use, and a search only
        // chooses values of types that outlive it.
        match self.place.get_mut() {
            Place::Undecided { .. } => {}
            Place::Shared(inner) => {
                let is_only = inner.is_only();
                if !is_only {
                    // One of several clones.
                    inner.count_clone(-1);
                }
                // SAFETY: the place is not used again.
                let inner = unsafe { ptr::read(inner) };
                if is_only && inner.may_be_long() {
                    chain::drop_in_turn(inner);
                }
            }
            Place::Deferred(computation) => {
                // SAFETY: the place is not used again.
                let computation = unsafe { ptr::read(computation) };
                if computation.is_only() {
                    chain::drop_in_turn(computation);
                }
            }
        }
    }
}

impl<T> Lazy<T> {
    /// The value, if it is decided or was decided in the test being printed. Makes no choice that was not made before.
    /// While witnesses are being compared, the only possible value counts as decided.
    pub(crate) fn shown(&self) -> Option<&T> {
        if let Some(value) = self.decided() {
            return Some(value);
        }
        if writes_normal_form(|_| ()) {
            return Some(self);
        }
        // SAFETY: as in `Lazy::decided`.
        let was_drawn = match unsafe { &*self.place.get() } {
            Place::Shared(inner) => inner.was_drawn(),
            Place::Deferred(_) | Place::Undecided { .. } => false,
        };
        was_drawn.then(|| &**self)
    }
}
