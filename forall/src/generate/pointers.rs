//! Implementations of `Arbitrary` for containers of one value: boxes, counted pointers, cells, wrappers.

use super::{Arbitrary, Code, Heights, Visitor};
use crate::choice::Source;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// `$with` runs a function on the value inside.
macro_rules! holds_one {
    ($($t:ident, $path:literal, $new:expr, |$it:ident| $inside:expr;)*) => {$(
        impl<T: Arbitrary> Arbitrary for $t<T> {
            in_search!(opaque, |series| $new(series.part()), |extent| extent.values::<T>());

            #[inline(always)]
            fn arbitrary(source: &mut Source) -> Self {
                $new(T::arbitrary(source))
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let $it = self;
                let inside = $inside;
                // A guard cannot be stored in an iterator: the value is shrunk immediately.
                let simpler: Vec<T> = inside.shrink().take(MOST_SHRUNK_AT_ONCE).collect();
                drop(inside);
                Box::new(simpler.into_iter().map($new))
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                let $it = self;
                $inside.duplicate().map($new)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                let $it = self;
                code.list(concat!($path, "("), [&*$inside], ")");
            }

            #[inline]
            fn visit(&self, visitor: &mut dyn Visitor) {
                let $it = self;
                $inside.visit(visitor);
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                T::height(heights)
            }
        }
    )*};
}

/// The number of candidates that are computed in advance: enough for halving any number, and for a long collection.
const MOST_SHRUNK_AT_ONCE: usize = 10_000;

holds_one! {
    RefCell, "std::cell::RefCell::new", RefCell::new, |it| it.borrow();
    Mutex, "std::sync::Mutex::new", Mutex::new, |it| it.lock().unwrap_or_else(PoisonError::into_inner);
    RwLock, "std::sync::RwLock::new", RwLock::new, |it| it.read().unwrap_or_else(PoisonError::into_inner);
}

/// The same for types whose content can be borrowed for as long as the container.
macro_rules! shows_one {
    ($($t:ident, $path:literal, $shape:ident, $new:expr, |$it:ident| $inside:expr, $take:expr;)*) => {$(
        impl<T: Arbitrary> Arbitrary for $t<T> {
            in_search!($shape, |series| $new(series.part()), |extent| extent.values::<T>());

            #[inline(always)]
            fn arbitrary(source: &mut Source) -> Self {
                $new(T::arbitrary(source))
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let $it = self;
                Box::new($inside.shrink().map($new))
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                let $it = self;
                $inside.duplicate().map($new)
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                let $it = self;
                code.list(concat!($path, "("), [$inside], ")");
            }

            #[inline]
            fn mutate(self, source: &mut Source) -> Self {
                let take: fn(Self) -> Option<T> = $take;
                match take(self) {
                    Some(value) => $new(value.mutate(source)),
                    None => Self::arbitrary(source),
                }
            }

            #[inline]
            fn visit(&self, visitor: &mut dyn Visitor) {
                let $it = self;
                $inside.visit(visitor);
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                T::height(heights)
            }
        }
    )*};
}

shows_one! {
    Box, "Box::new", plain, Box::new, |it| &**it, |it| Some(*it);
    Rc, "std::rc::Rc::new", opaque, Rc::new, |it| &**it, |it| Rc::try_unwrap(it).ok();
    Arc, "std::sync::Arc::new", opaque, Arc::new, |it| &**it, |it| Arc::try_unwrap(it).ok();
    Wrapping, "std::num::Wrapping", plain, Wrapping, |it| &it.0, |it| Some(it.0);
    Saturating, "std::num::Saturating", plain, Saturating, |it| &it.0, |it| Some(it.0);
    Reverse, "std::cmp::Reverse", plain, Reverse, |it| &it.0, |it| Some(it.0);
}

impl<T: Arbitrary + Copy> Arbitrary for Cell<T> {
    in_search!(opaque, |series| Cell::new(series.part()), |extent| extent.values::<T>());

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        Cell::new(T::arbitrary(source))
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let value = self.get();
        let simpler: Vec<T> = value.shrink().take(MOST_SHRUNK_AT_ONCE).collect();
        Box::new(simpler.into_iter().map(Cell::new))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("std::cell::Cell::new(", [&self.get()], ")");
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        Cell::new(self.get().mutate(source))
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        self.get().visit(visitor);
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        T::height(heights)
    }
}

impl<T: Arbitrary + Clone> Arbitrary for Cow<'static, T> {
    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        Cow::Owned(T::arbitrary(source))
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let value: &T = self;
        Box::new(value.shrink().map(Cow::Owned))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("std::borrow::Cow::Owned(", [&**self], ")");
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        let value: &T = self;
        value.visit(visitor);
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        T::height(heights)
    }
}

impl<T: Arbitrary + Clone> Arbitrary for Cow<'static, [T]> {
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        Cow::Owned(Vec::arbitrary(source))
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(super::shrink::shrink_values(self.iter(), 0).map(Cow::Owned))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("std::borrow::Cow::Owned(vec![", self.iter(), "])");
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for value in self.iter() {
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}

macro_rules! counted_slice {
    ($($t:ident $open:literal;)*) => {$(
        impl<T: Arbitrary> Arbitrary for $t<[T]> {
            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                Vec::arbitrary(source).into()
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                Box::new(super::shrink::shrink_values(self.iter(), 0).map(Into::into))
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                Some($t::clone(self))
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                code.list($open, self.iter(), "])");
            }

            #[inline]
            fn visit(&self, visitor: &mut dyn Visitor) {
                for value in self.iter() {
                    value.visit(visitor);
                }
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                heights.through::<T>()
            }
        }
    )*};
}

counted_slice! {
    Rc "std::rc::Rc::from([";
    Arc "std::sync::Arc::from([";
}
