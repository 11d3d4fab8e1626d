//! The preconditions that `given` takes: functions over the twin, or existing functions over the plain value.
//!
//! `given = f` calls `holds` on `&&&&Condition::new(f)`: method lookup takes the first of the traits below that fits `f`. Closures are not
//! wrapped, because the types of their parameters are inferred from what [`holds`] expects.

use super::Twin;
use super::pruning::holds;
use crate::lazy::Lazy;
use std::marker::PhantomData;
use std::ops::Deref;

/// A precondition for values of the type `T`.
#[derive(Debug)]
pub struct Condition<T, F>(F, PhantomData<T>);

impl<T, F> Condition<T, F> {
    /// Wraps a function.
    pub fn new(condition: F) -> Self {
        Self(condition, PhantomData)
    }
}

/// A function over the twin.
pub trait OverTwin<T: Twin> {
    /// Returns whether the precondition holds.
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool;
}

impl<T: Twin, F: Fn(&T::Lazy) -> bool> OverTwin<T> for &&&Condition<T, F> {
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool {
        holds::<T>(cell, &self.0)
    }
}

/// A function over the plain value: the search prunes nothing, and warns about it.
pub trait OverPlain<T: Twin> {
    /// Returns whether the precondition holds.
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool;
}

impl<T: Twin, F: Fn(&T::Plain) -> bool> OverPlain<T> for &&Condition<T, F> {
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool {
        holds::<T>(cell, |lazy| (self.0)(&T::plain(lazy)))
    }
}

/// A function over what the plain value dereferences to: a slice for a vector.
pub trait OverTarget<T: Twin> {
    /// Returns whether the precondition holds.
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool;
}

impl<T: Twin<Plain: Deref>, F: Fn(&<T::Plain as Deref>::Target) -> bool> OverTarget<T> for &Condition<T, F> {
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool {
        holds::<T>(cell, |lazy| (self.0)(&T::plain(lazy)))
    }
}

/// Anything else: an error that says what to write.
pub trait Unfit<T: Twin, F> {
    /// Does not compile.
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool
    where
        F: Precondition<T>;
}

impl<T: Twin, F> Unfit<T, F> for Condition<T, F> {
    fn holds(&self, cell: &Lazy<T::Lazy>) -> bool
    where
        F: Precondition<T>,
    {
        holds::<T>(cell, |_| false)
    }
}

/// Implemented by nothing: the other traits come first.
#[diagnostic::on_unimplemented(
    message = "`given` does not fit a parameter of type `{T}`",
    label = "not a function over `{T}` or its twin",
    note = "write `fn condition(value: &TypeTwin) -> bool`, where `TypeTwin` is the lazy twin of the parameter's type",
    note = "a function over `&{T}` works as well, but prunes nothing"
)]
pub trait Precondition<T> {}
