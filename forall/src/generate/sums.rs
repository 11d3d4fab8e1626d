//! Implementations of `Arbitrary` for sums: `bool`, `Option`, `Result`, `Ordering`, `Bound`, `()`, `PhantomData`.

#[cfg(feature = "full")]
use super::series::Constructor;
use super::{Arbitrary, Code, Heights, Visitor};
use crate::choice::{Random, Source};
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Bound;

impl Arbitrary for () {
    in_search!(plain, |_series| (), |_extent| 1.0);

    #[inline(always)]
    fn arbitrary(_: &mut Source) {}

    #[inline]
    fn duplicate(&self) -> Option<()> {
        Some(())
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("()");
    }
}

impl<T: ?Sized> Arbitrary for PhantomData<T> {
    in_search!(plain, |_series| PhantomData, |_extent| 1.0);

    #[inline(always)]
    fn arbitrary(_: &mut Source) -> Self {
        PhantomData
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(PhantomData)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("std::marker::PhantomData");
    }
}

impl Arbitrary for bool {
    in_search!(plain, |series| series.choose(2) == 1, |_extent| 2.0);

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> bool {
        source.choice(1) == 1
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(self.then_some(false).into_iter())
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push(if *self { "true" } else { "false" });
    }

    #[inline]
    fn mutate(self, _: &mut Source) -> Self {
        !self
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.enter("bool", if *self { "true" } else { "false" }, u32::from(*self));
        visitor.leave();
    }
}

impl Arbitrary for Ordering {
    in_search!(
        plain,
        |series| [Ordering::Less, Ordering::Equal, Ordering::Greater][series.choose(3) as usize],
        |_extent| 3.0
    );

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        [Ordering::Equal, Ordering::Less, Ordering::Greater][source.choice(2) as usize]
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let simpler: &[Ordering] = match self {
            Ordering::Equal => &[],
            Ordering::Less => &[Ordering::Equal],
            Ordering::Greater => &[Ordering::Equal, Ordering::Less],
        };
        Box::new(simpler.iter().copied())
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        write!(code, "std::cmp::Ordering::{self:?}");
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        let (name, index) = match self {
            Ordering::Less => ("Less", 0),
            Ordering::Equal => ("Equal", 1),
            Ordering::Greater => ("Greater", 2),
        };
        visitor.enter("Ordering", name, index);
        visitor.leave();
    }
}

/// Whether the type is recursive, so that an alternative without it must be chosen when the size is used up.
#[inline(always)]
fn is_high<T: Arbitrary>() -> bool {
    Heights::of::<T>() > 0
}

/// Whether the size is used up. On tape, whether that is certain: an upper limit suffices for termination.
#[inline(always)]
fn is_spent(source: &mut Source) -> bool {
    if source.is_random() { source.stream().1 == 0 } else { source.size_limit() == 0 }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    in_search!(
        plain,
        |series| match series.constructor(const { &[Constructor::UNIT, Constructor::holding::<T>()] }) {
            0 => None,
            _ => Some(series.field()),
        },
        |extent| extent.constructors(&[Constructor::UNIT, Constructor::holding::<T>()])
    );

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        // Heights are computed only when the size is used up: computing them costs more than most values.
        let most = u64::from(!(is_spent(source) && is_high::<T>()));
        let pick = |random: &mut Random, size| (random.word() >> 62 != 0 && (size > 0 || !is_high::<T>())) as u64;
        let there = source.choice_with(most, pick) == 1;
        if there { Some(T::arbitrary(source)) } else { None }
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        match self {
            None => Box::new(std::iter::empty()),
            Some(value) => Box::new(std::iter::once(None).chain(value.shrink().map(Some))),
        }
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        match self {
            None => Some(None),
            Some(value) => value.duplicate().map(Some),
        }
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self {
            None => code.push("None"),
            Some(value) => code.list("Some(", [value], ")"),
        }
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        match self {
            Some(value) if source.choice(7) > 0 => Some(value.mutate(source)),
            Some(_) => None,
            None => Self::arbitrary(source),
        }
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        match self {
            None => visitor.enter("Option", "None", 0),
            Some(value) => {
                visitor.enter("Option", "Some", 1);
                value.visit(visitor);
            }
        }
        visitor.leave();
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}

/// Either side, or, when the size is used up, the one with less structure.
#[inline(always)]
fn pick_ok<T: Arbitrary, E: Arbitrary>(random: &mut Random, size: u32) -> bool {
    let either = random.word() >> 63 == 0;
    if size > 0 {
        return either;
    }
    let (ok, err) = (Heights::of::<T>(), Heights::of::<E>());
    if ok == err { either } else { ok < err }
}

/// The same on tape, where the side with less structure comes first.
#[cold]
#[inline(never)]
fn ok_on_tape<T: Arbitrary, E: Arbitrary>(source: &mut Source) -> bool {
    let (ok, err) = (Heights::of::<T>(), Heights::of::<E>());
    let first_is_ok = ok <= err;
    let most = u64::from(ok == err || !is_spent(source));
    let code = source.choice_on_tape(most, &|random, size| u64::from(pick_ok::<T, E>(random, size) != first_is_ok));
    (code == 0) == first_is_ok
}

impl<T: Arbitrary, E: Arbitrary> Arbitrary for Result<T, E> {
    in_search!(
        plain,
        |series| match series.constructor(const { &[Constructor::holding::<T>(), Constructor::holding::<E>()] }) {
            0 => Ok(series.field()),
            _ => Err(series.field()),
        },
        |extent| extent.constructors(&[Constructor::holding::<T>(), Constructor::holding::<E>()])
    );

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        let ok = if source.is_random() {
            let (random, size) = source.stream();
            pick_ok::<T, E>(random, size)
        } else {
            ok_on_tape::<T, E>(source)
        };
        if ok { Ok(T::arbitrary(source)) } else { Err(E::arbitrary(source)) }
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        match self {
            Ok(value) => Box::new(value.shrink().map(Ok)),
            Err(error) => Box::new(error.shrink().map(Err)),
        }
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        match self {
            Ok(value) => value.duplicate().map(Ok),
            Err(error) => error.duplicate().map(Err),
        }
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self {
            Ok(value) => code.list("Ok(", [value], ")"),
            Err(error) => code.list("Err(", [error], ")"),
        }
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        match self {
            _ if source.choice(7) == 0 => Self::arbitrary(source),
            Ok(value) => Ok(value.mutate(source)),
            Err(error) => Err(error.mutate(source)),
        }
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        match self {
            Ok(value) => {
                visitor.enter("Result", "Ok", 0);
                value.visit(visitor);
            }
            Err(error) => {
                visitor.enter("Result", "Err", 1);
                error.visit(visitor);
            }
        }
        visitor.leave();
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        T::height(heights).min(E::height(heights))
    }
}

impl<T: Arbitrary> Arbitrary for Bound<T> {
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        let most = if is_spent(source) && is_high::<T>() { 0 } else { 2 };
        let pick = |random: &mut Random, size| random.up_to(if size == 0 && is_high::<T>() { 0 } else { 2 });
        match source.choice_with(most, pick) {
            0 => Bound::Unbounded,
            1 => Bound::Included(T::arbitrary(source)),
            _ => Bound::Excluded(T::arbitrary(source)),
        }
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        match self {
            Bound::Unbounded => Box::new(std::iter::empty()),
            Bound::Included(value) => {
                Box::new(std::iter::once(Bound::Unbounded).chain(value.shrink().map(Bound::Included)))
            }
            Bound::Excluded(value) => {
                let included = value.duplicate().map(Bound::Included);
                let first = std::iter::once(Bound::Unbounded).chain(included);
                Box::new(first.chain(value.shrink().map(Bound::Excluded)))
            }
        }
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        match self {
            Bound::Unbounded => Some(Bound::Unbounded),
            Bound::Included(value) => value.duplicate().map(Bound::Included),
            Bound::Excluded(value) => value.duplicate().map(Bound::Excluded),
        }
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self {
            Bound::Unbounded => code.push("std::ops::Bound::Unbounded"),
            Bound::Included(value) => code.list("std::ops::Bound::Included(", [value], ")"),
            Bound::Excluded(value) => code.list("std::ops::Bound::Excluded(", [value], ")"),
        }
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        match self {
            Bound::Unbounded => visitor.enter("Bound", "Unbounded", 0),
            Bound::Included(value) => {
                visitor.enter("Bound", "Included", 1);
                value.visit(visitor);
            }
            Bound::Excluded(value) => {
                visitor.enter("Bound", "Excluded", 2);
                value.visit(visitor);
            }
        }
        visitor.leave();
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        heights.through::<T>()
    }
}
