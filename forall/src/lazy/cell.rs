//! `Lazy<T>`: a value that is decided when it is looked at. What it does as the value that it stands for is in `cell/value.rs`.

pub(super) mod chain;
mod value;

use super::block::Seed;
use super::clones::count_clone;
use super::late;
use super::signal::Signal;
use super::trail::with_current;
use super::unique::tells;
use crate::choice::Source;
use crate::generate::series::Series;
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::rc::Rc;
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
/// A `Drop` of a type with cells must not look at those that are undecided: after a test nothing can be decided, and the search is
/// reported as faulty. [`Lazy::is_decided`] tells.
pub struct Lazy<T> {
    /// Written to by whoever needs the cell to be shared, and only ever from undecided to shared.
    place: UnsafeCell<Place<T>>,
}

enum Place<T> {
    /// Nobody looked at it or cloned it yet.
    Undecided {
        make: fn(&mut Series<'_>) -> T,
        seed: Seed,
    },
    Shared(Rc<Inner<T>>),
    /// It is being dropped.
    Gone,
}

/// What the clones of a cell share.
struct Inner<T> {
    /// The value, once it is decided. Taken away again only by `empty`.
    value: UnsafeCell<Option<T>>,
    /// Where the value comes from.
    origin: UnsafeCell<Origin<T>>,
}

enum Origin<T> {
    /// It was there from the beginning, or is decided for good.
    Given,
    /// A choice of a search.
    Chosen { make: fn(&mut Series<'_>) -> T, seed: Seed },
    /// Choices of a test.
    Drawn { make: fn(&mut Source) -> T, source: Box<Source> },
    /// A computation.
    Deferred(Box<dyn Fn() -> T>),
    /// It is being decided.
    Busy,
    /// It was computed.
    Computed,
}

/// Cells that a search decides are dropped in turn from this depth on: what is less deep fits the stack.
const LONG: u32 = 1 << 8;

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
    /// let never = Lazy::defer(|| -> u32 { panic!("nobody looks") });
    /// assert_eq!(format!("{never:?}"), "_");
    /// let later = Lazy::defer(|| 6 * 7);
    /// assert_eq!(*later, 42);
    /// ```
    pub fn defer(compute: impl Fn() -> T + 'static) -> Self
    where
        T: 'static,
    {
        Self::shared(None, Origin::Deferred(Box::new(compute)))
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
        let inner = Inner { value: UnsafeCell::new(value), origin: UnsafeCell::new(origin) };
        Self { place: UnsafeCell::new(Place::Shared(Rc::new(inner))) }
    }

    pub(crate) fn undecided(make: fn(&mut Series<'_>) -> T, seed: Seed) -> Self {
        Self { place: UnsafeCell::new(Place::Undecided { make, seed }) }
    }

    /// The value, if it is decided.
    #[inline]
    pub(super) fn decided(&self) -> Option<&T> {
        // SAFETY: shared access. What is undecided is written to in `inner` only, when no such reference is alive.
        match unsafe { &*self.place.get() } {
            Place::Shared(inner) => inner.decided(),
            Place::Undecided { .. } | Place::Gone => None,
        }
    }

    /// What clones share; made now, if there is none.
    fn inner(&self) -> &Rc<Inner<T>> {
        // SAFETY: the cell is not `Sync`, and nobody has a reference to an undecided place: it is not handed out.
        if let Place::Undecided { make, seed } = unsafe { &*self.place.get() } {
            let origin = Origin::Chosen { make: *make, seed: *seed };
            let inner = Inner { value: UnsafeCell::new(None), origin: UnsafeCell::new(origin) };
            // SAFETY: as above, and both fields of the old place are `Copy`: there is nothing to drop.
            unsafe { *self.place.get() = Place::Shared(Rc::new(inner)) };
        }
        // SAFETY: a shared place is never written to again.
        match unsafe { &*self.place.get() } {
            Place::Shared(inner) => inner,
            Place::Undecided { .. } | Place::Gone => unreachable!("it was shared just now, and is not being dropped"),
        }
    }

    #[cold]
    #[inline(never)]
    fn force(&self) -> &T {
        let inner = self.inner();
        if inner.decided().is_none() {
            inner.decide();
        }
        inner.decided().expect("it was decided just now")
    }
}

impl<T> Inner<T> {
    #[inline]
    fn decided(&self) -> Option<&T> {
        // SAFETY: it is written to by `decide`, when it is still empty, so that there is no reference into it; and by `empty`,
        // whose caller knows that there is none.
        unsafe { &*self.value.get() }.as_ref()
    }

    /// Fills the cell.
    fn decide(&self) {
        // SAFETY: no reference to the origin is alive outside of this module's functions, and none of them keeps one while it
        // calls anything that is not ours. What is copied here stays as it is, for when the cell is emptied.
        let chosen = match unsafe { &*self.origin.get() } {
            Origin::Chosen { make, seed } => Some((*make, *seed)),
            _ => None,
        };
        let value = match chosen {
            Some((make, seed)) => self.choose(make, &seed),
            None => self.compute(),
        };
        // A series that forces the cell that it is being called for has filled it already.
        if self.decided().is_none() {
            // SAFETY: the cell is empty, so nobody has a reference into it.
            unsafe { *self.value.get() = Some(value) };
        }
    }

    /// The value of a cell that is decided for good.
    #[inline(never)]
    fn compute(&self) -> T {
        // SAFETY: as in `decide`.
        match std::mem::replace(unsafe { &mut *self.origin.get() }, Origin::Busy) {
            Origin::Drawn { make, mut source } => make(&mut source),
            Origin::Deferred(compute) => {
                with_current(|search| search.inspect(|search| search.burn()).is_some());
                let mut under_way = UnderWay { cell: self, then: Some(Origin::Deferred(compute)) };
                let Some(Origin::Deferred(compute)) = &under_way.then else {
                    unreachable!("it was put there just now")
                };
                let value = compute();
                // What it came to means nothing if it caught a signal.
                with_current(|search| search.inspect(|search| search.raise_again()).is_some());
                under_way.then = Some(Origin::Computed);
                value
            }
            Origin::Chosen { .. } | Origin::Given | Origin::Busy | Origin::Computed => panic!(
                "a lazy value needs itself to be computed; look at what the function given to `Lazy::defer` forces"
            ),
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

/// A computation under way: the cell is busy as long as it lives. If the computation unwinds it can begin again.
struct UnderWay<'a, T> {
    cell: &'a Inner<T>,
    /// What the cell's value comes from then.
    then: Option<Origin<T>>,
}

impl<T> Drop for UnderWay<'_, T> {
    fn drop(&mut self) {
        if let Some(then) = self.then.take() {
            // SAFETY: as in `decide`; what is there is `Busy`, which has nothing to drop.
            unsafe { *self.cell.origin.get() = then };
        }
    }
}

/// Takes the value of a cell away: it is undecided again.
///
/// # Safety
///
/// `cell` is an `Inner<T>` that is alive, and nobody has a reference into its value. See `trail.rs`.
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
    fn clone(&self) -> Self {
        let inner = self.inner();
        inner.count_clone(1);
        Self { place: UnsafeCell::new(Place::Shared(Rc::clone(inner))) }
    }
}

impl<T> Inner<T> {
    /// Whether the test that is being shown looked at the cell.
    fn was_drawn(&self) -> bool {
        // SAFETY: as in `decide`; the reference ends before anything of users is called.
        match unsafe { &*self.origin.get() } {
            Origin::Drawn { source, .. } => source.has_input(),
            _ => false,
        }
    }

    /// Whether there may be many behind it.
    fn may_be_long(&self) -> bool {
        // SAFETY: as in `decide`; nothing of it is returned.
        match unsafe { &*self.origin.get() } {
            Origin::Deferred(_) | Origin::Computed => true,
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
    fn drop(&mut self) {
        let Place::Shared(inner) = self.place.get_mut() else { return };
        if Rc::strong_count(inner) > 1 {
            inner.count_clone(-1);
        } else if inner.may_be_long()
            && let Place::Shared(inner) = std::mem::replace(self.place.get_mut(), Place::Gone)
        {
            // What is computed borrows nothing, and what a search chooses is of a type that outlives the search.
            chain::drop_in_turn(inner);
        }
    }
}

impl<T> Lazy<T> {
    /// The value, if it is decided, or was in the test that is being shown. Makes no choice that was not made before. While
    /// witnesses are told apart there is only one that it can be.
    pub(crate) fn shown(&self) -> Option<&T> {
        if let Some(value) = self.decided() {
            return Some(value);
        }
        if tells(|_| ()) {
            return Some(self);
        }
        // SAFETY: as in `Lazy::decided`.
        let was_drawn = match unsafe { &*self.place.get() } {
            Place::Shared(inner) => inner.was_drawn(),
            Place::Undecided { .. } | Place::Gone => false,
        };
        was_drawn.then(|| &**self)
    }
}
