//! The trait `Arbitrary`: generating values of a type, and operations that follow its structure.

#[cfg(feature = "full")]
use super::series::{Extent, Series, Shape};
use super::{Code, Generator, Heights, Visitor};
use crate::choice::Source;
use crate::choice::generator::OfOneChoice;
use std::fmt;
use std::marker::PhantomData;

/// A type with a default generator. It can also define how its values are shrunk, printed, mutated and measured.
///
/// Derive it. A manual impl needs only [`arbitrary`](Arbitrary::arbitrary); the other methods have defaults, and so
/// will those that later versions add.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{Arbitrary, any};
///
/// #[derive(Debug)]
/// struct Even(u32);
///
/// impl Arbitrary for Even {
///     fn arbitrary(source: &mut Source) -> Self {
///         Even(source.draw(any::<u32>()) & !1)
///     }
/// }
///
/// assert_eq!(Source::random(1, 0, 100).draw(any::<Even>()).0 % 2, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Arbitrary`",
    label = "not `Arbitrary`",
    note = "add `#[derive(forall::Arbitrary)]` to the type, or use a generator: `#[forall(with = …)]` on a field, \
            `#[forall(…)]` on a parameter, `forall x in …` in `property!`",
    note = "for types outside `#[cfg(test)]`, where `forall` is a dev-dependency, use `#[cfg_attr(test, \
            derive(forall::Arbitrary))]`",
    note = "types of `bytes`, `chrono`, `serde_json`, `time` and `uuid` require the feature of that name, such as \
            `cargo add --dev forall --features uuid`; for types of other crates, use a generator"
)]
pub trait Arbitrary: Sized {
    /// Produces a value from the choices of `source`.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// use forall::generate::Arbitrary;
    /// let mut source = Source::replay(&Sequence::from_values(100, &[1]));
    /// assert_eq!(bool::arbitrary(&mut source), true);
    /// ```
    fn arbitrary(source: &mut Source) -> Self;

    /// Returns simpler values of the same type, the simplest first: structural shrinking, for runners that shrink
    /// values rather than choices. Returns none by default.
    ///
    /// ```
    /// use forall::generate::Arbitrary;
    /// assert!(vec![3u8, 4].shrink().any(|simpler| simpler == [3]));
    /// assert_eq!(0u8.shrink().next(), None);
    /// ```
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(std::iter::empty())
    }

    /// Returns a copy, if possible: structural shrinking copies the parts that it does not shrink. `None` by default.
    ///
    /// ```
    /// use forall::Arbitrary;
    /// #[derive(Arbitrary, Debug, PartialEq)]
    /// struct NotClone(u8);
    /// assert_eq!(NotClone(3).duplicate(), Some(NotClone(3)));
    /// ```
    #[doc(hidden)]
    fn duplicate(&self) -> Option<Self> {
        None
    }

    /// Writes the value as Rust code. By default a type has no code form, and reports print its `Debug` output in a
    /// comment.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::{Arbitrary, Code};
    /// struct Even(u32);
    /// impl Arbitrary for Even {
    ///     fn arbitrary(source: &mut Source) -> Self { Even(source.draw(0..50) * 2) }
    ///     fn print(&self, code: &mut Code) { write!(code, "Even({})", self.0) }
    /// }
    /// assert_eq!(Code::of(&Some(Even(4))).as_deref(), Some("Some(Even(4))"));
    /// ```
    fn print(&self, code: &mut Code) {
        code.opaque();
    }

    /// Returns a value that differs slightly from this one. By default a new value.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::Arbitrary;
    /// let before = vec![1u8, 2, 3, 4];
    /// let after = before.clone().mutate(&mut Source::random(1, 0, 100));
    /// assert_ne!(after, before);
    /// ```
    fn mutate(self, source: &mut Source) -> Self {
        Self::arbitrary(source)
    }

    /// Passes the constructors of the value to `visitor`, outermost first, for constructor coverage. None by default.
    ///
    /// ```
    /// use forall::generate::{Arbitrary, Visitor};
    /// #[derive(Default)]
    /// struct Depth { now: u32, most: u32 }
    /// impl Visitor for Depth {
    ///     fn enter(&mut self, _: &'static str, _: &'static str, _: u32) {
    ///         self.now += 1;
    ///         self.most = self.most.max(self.now);
    ///     }
    ///     fn leave(&mut self) { self.now -= 1 }
    /// }
    /// let mut depth = Depth::default();
    /// Some(Some(true)).visit(&mut depth);
    /// assert_eq!(depth.most, 3);
    /// ```
    #[doc(hidden)]
    fn visit(&self, visitor: &mut dyn Visitor) {
        let _ = visitor;
    }

    /// The minimum nesting depth of constructors in a value of this type; it makes recursive types terminate when the
    /// size is used up. 0 for types without recursive structure. The derive computes it; see [`Heights`].
    ///
    /// ```
    /// use forall::Arbitrary;
    /// use forall::generate::Heights;
    /// #[derive(Arbitrary)]
    /// enum Tree { Leaf(u8), Node(Box<Tree>, Box<Tree>) }
    /// assert_eq!(Heights::of::<Tree>(), 0, "a leaf holds no tree");
    /// ```
    #[doc(hidden)]
    fn height(heights: &mut Heights) -> u32 {
        let _ = heights;
        0
    }

    /// Produces a value from the choices of a bounded search, see [`lazy`](crate::lazy). The derive generates it. By
    /// default it calls [`arbitrary`](Arbitrary::arbitrary) with the simplest values of each choice.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::Arbitrary;
    /// use forall::lazy::{Extent, Series};
    /// struct Digit(u64);
    /// impl Arbitrary for Digit {
    ///     fn arbitrary(source: &mut Source) -> Self { Digit(source.draw(0..10)) }
    ///     fn series(series: &mut Series<'_>) -> Self { Digit(series.choose(10)) }
    ///     fn extent(_: &mut Extent) -> f64 { 10.0 }
    /// }
    /// assert_eq!(Extent::of::<Digit>(0), 10.0);
    /// ```
    #[cfg(feature = "full")]
    #[doc(hidden)]
    fn series(series: &mut Series<'_>) -> Self {
        series.draw(any::<Self>())
    }

    /// The number of values of [`series`](Arbitrary::series) up to a depth. NaN, the default, if unknown.
    ///
    /// ```
    /// use forall::lazy::Extent;
    /// assert_eq!(Extent::of::<Option<bool>>(1), 3.0);
    /// ```
    #[cfg(feature = "full")]
    #[doc(hidden)]
    fn extent(extent: &mut Extent) -> f64 {
        let _ = extent;
        f64::NAN
    }

    /// Properties of the values that `series` produces.
    #[doc(hidden)]
    #[cfg(feature = "full")]
    const SHAPE: Shape = Shape::UNKNOWN;

    /// How values are encoded, if each is one choice that does not depend on the size.
    #[doc(hidden)]
    const ONE_CHOICE: Option<OfOneChoice<Self>> = None;

    /// Like `arbitrary`, but shares one copy of the generator's code, and uses `series` in a search.
    #[doc(hidden)]
    fn arbitrary_again(source: &mut Source) -> Self {
        #[cfg(feature = "full")]
        if source.is_search() {
            return super::series::variable();
        }
        Self::arbitrary(source)
    }
}

/// Returns the default generator of `T`.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::any;
/// let number: u8 = Source::random(1, 0, 100).draw(any());
/// # let _ = number;
/// ```
pub fn any<T: Arbitrary>() -> Any<T> {
    Any(PhantomData)
}

/// The generator that [`any`] returns.
pub struct Any<T>(PhantomData<fn() -> T>);

impl<T> Clone for Any<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Any<T> {}

impl<T> fmt::Debug for Any<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "any::<{}>()", std::any::type_name::<T>())
    }
}

impl<T: Arbitrary> Generator for Any<T> {
    type Value = T;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> T {
        T::arbitrary(source)
    }

    #[inline]
    fn one_choice(&self) -> Option<OfOneChoice<T>> {
        T::ONE_CHOICE
    }
}
