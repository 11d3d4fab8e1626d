//! A computation and its result, in one allocation: what [`Lazy::defer`](super::Lazy::defer) creates.

use super::needs_itself;
use super::shared::{Counted, Shared};
use crate::lazy::trail::with_current;
use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A computation of a `T` by a function that is stored in place.
pub(super) struct Computation<T, F: ?Sized = dyn Fn() -> T> {
    /// The result. Written once, by `force`.
    value: UnsafeCell<Option<T>>,
    state: Cell<State>,
    /// Dropped as soon as there is a result: it may own a lot of data.
    compute: UnsafeCell<ManuallyDrop<F>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not called yet, or it did not return.
    Waiting,
    /// It is being called.
    Busy,
    /// There is a result, and the function is dropped.
    Done,
}

/// Creates a computation that has not been called yet.
#[inline]
pub(super) fn new<T: 'static>(compute: impl Fn() -> T + 'static) -> Shared<Computation<T>> {
    // SAFETY: all fields are written; the second pointer is the first, without the type of the function.
    unsafe {
        let sized = Shared::written(|place: *mut Computation<T, _>| {
            (&raw mut (*place).value).write(UnsafeCell::new(None));
            (&raw mut (*place).state).write(Cell::new(State::Waiting));
            (&raw mut (*place).compute).write(UnsafeCell::new(ManuallyDrop::new(compute)));
        });
        Shared::from_counted(sized.into_counted() as NonNull<Counted<Computation<T>>>)
    }
}

impl<T> Computation<T> {
    /// The result, if there is one.
    #[inline]
    pub(super) fn computed(&self) -> Option<&T> {
        // SAFETY: `force` writes to it once, while it is empty and no reference into it exists.
        unsafe { &*self.value.get() }.as_ref()
    }

    /// Calls the function, unless there is a result.
    pub(super) fn force(&self) -> &T {
        if self.computed().is_none() {
            self.compute();
        }
        self.computed().expect("it was computed just now")
    }

    fn compute(&self) {
        if self.state.get() != State::Waiting {
            needs_itself();
        }
        with_current(|search| search.inspect(|search| search.burn()).is_some());
        let mut call = Call { state: &self.state, then: State::Waiting };
        self.state.set(State::Busy);
        // SAFETY: the function is alive until the state is `Done`, which only this call sets: a second one ends above.
        let value = (unsafe { &*self.compute.get() })();
        // If the function caught a signal, its result is meaningless.
        with_current(|search| search.inspect(|search| search.raise_again()).is_some());
        // SAFETY: it is empty, since only this call fills it.
        unsafe { *self.value.get() = Some(value) };
        call.then = State::Done;
        drop(call);
        // SAFETY: the call above is over, and with the state `Done` there is no other, nor a second drop.
        unsafe { ManuallyDrop::drop(&mut *self.compute.get()) };
    }
}

/// A call under way. If it unwinds, the function can be called again.
struct Call<'a> {
    state: &'a Cell<State>,
    /// The state after the call.
    then: State,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.state.set(self.then);
    }
}

impl<T, F: ?Sized> Drop for Computation<T, F> {
    fn drop(&mut self) {
        if self.state.get() != State::Done {
            // SAFETY: it was not dropped before, and is not used again.
            unsafe { ManuallyDrop::drop(self.compute.get_mut()) };
        }
    }
}
