//! The expansion of `#[derive(Arbitrary)]`: the parts that do not depend on the type.

pub use super::quantifier::draw;
pub use crate::__in_search as in_search;
pub use crate::__probe as probe;
pub use crate::choice::Source;
pub use crate::generate::{Arbitrary, Code, Heights, Visitor, child_size, must_end, pick_variant, uniform};
#[cfg(feature = "full")]
pub use crate::lazy::{Constructor, Extent, Series, Shape};
pub use std::cmp::max;

/// The derive's output for searches: empty, unless this crate has them.
#[cfg(feature = "full")]
#[doc(hidden)]
#[macro_export]
macro_rules! __in_search {
    ($($item:item)*) => { $($item)* };
}

#[cfg(not(feature = "full"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __in_search {
    ($($anything:tt)*) => {};
}

/// The simpler values that [`Arbitrary::shrink`] returns.
pub type Candidates<'a, T> = Box<dyn Iterator<Item = T> + 'a>;

/// The candidates of a derived type, in order. They are computed lazily.
pub struct Shrinks<'a, T>(Vec<Candidates<'a, T>>);

impl<'a, T: 'a> Shrinks<'a, T> {
    #[expect(clippy::new_without_default, reason = "only the derive makes one")]
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// One value, if there is one.
    pub fn candidate(&mut self, make: impl FnOnce() -> Option<T> + 'a) {
        self.0.push(Box::new(std::iter::once_with(make).flatten()));
    }

    /// Variants without fields.
    pub fn units(&mut self, units: &[fn() -> T]) {
        if !units.is_empty() {
            self.0.push(Box::new(Vec::from(units).into_iter().map(|unit| unit())));
        }
    }

    /// The candidates of a field, each in a copy of the whole.
    pub fn field<F: 'a>(&mut self, candidates: Candidates<'a, F>, put: impl Fn(F) -> Option<T> + 'a) {
        self.0.push(Box::new(candidates.map_while(put)));
    }

    pub fn finish(self) -> Candidates<'a, T> {
        Box::new(self.0.into_iter().flatten())
    }
}

/// The crate of a module.
pub fn crate_of(module: &'static str) -> &'static str {
    crate::within::split_once(module, "::").map_or(module, |(first, _)| first)
}

#[inline(always)]
pub fn open_span(source: &mut Source, label: u32) {
    source.open_span(label);
}

#[inline(always)]
pub fn close_span(source: &mut Source) {
    source.close_span();
}

/// Performs what is possible with a value of any type. Method resolution prefers the impl for more references, so
/// `(&&&Probe(value)).method()` finds the first of the impls below that applies.
pub struct Probe<'a, T>(pub &'a T);

#[doc(hidden)]
#[macro_export]
macro_rules! __probe {
    ($value:expr) => {
        (&&&$crate::__private::derive::Probe($value))
    };
}

pub trait DuplicateByClone<T> {
    fn probe_duplicate(&self) -> Option<T>;
}
impl<T: Clone> DuplicateByClone<T> for &&Probe<'_, T> {
    fn probe_duplicate(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

pub trait ByArbitrary<'a, T> {
    fn probe_duplicate(&self) -> Option<T>;
    fn probe_shrink(&self) -> Candidates<'a, T>;
    fn probe_print(&self, code: &mut Code);
    fn probe_mutate(&self, copy: Option<T>, source: &mut Source) -> Option<T>;
    fn probe_visit(&self, visitor: &mut dyn Visitor);
}
impl<'a, T: Arbitrary> ByArbitrary<'a, T> for &Probe<'a, T> {
    fn probe_duplicate(&self) -> Option<T> {
        self.0.duplicate()
    }
    fn probe_shrink(&self) -> Candidates<'a, T> {
        self.0.shrink()
    }
    fn probe_print(&self, code: &mut Code) {
        self.0.print(code);
    }
    /// Through a copy: a type with `Drop` cannot be destructured.
    fn probe_mutate(&self, copy: Option<T>, source: &mut Source) -> Option<T> {
        Some(match copy {
            Some(value) => value.mutate(source),
            None => T::arbitrary(source),
        })
    }
    fn probe_visit(&self, visitor: &mut dyn Visitor) {
        self.0.visit(visitor);
    }
}

pub trait NotAtAll<'a, T: 'a> {
    fn probe_duplicate(&self) -> Option<T> {
        None
    }
    fn probe_shrink(&self) -> Candidates<'a, T> {
        Box::new(std::iter::empty())
    }
    fn probe_print(&self, code: &mut Code) {
        code.opaque();
    }
    fn probe_mutate(&self, _: Option<T>, _: &mut Source) -> Option<T> {
        None
    }
    fn probe_visit(&self, _: &mut dyn Visitor) {}
}
impl<'a, T> NotAtAll<'a, T> for Probe<'a, T> {}

/// The traits of the probe, without names.
pub mod prelude {
    pub use super::{ByArbitrary as _, DuplicateByClone as _, NotAtAll as _};
}
