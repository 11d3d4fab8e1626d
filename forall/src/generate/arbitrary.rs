//! What a type knows about itself: how to generate its values, and everything else that follows its structure.

use super::{Code, Generator, Heights, Visitor};
use crate::choice::Source;
use std::fmt;
use std::marker::PhantomData;

/// A type that knows how to generate its values, and how to shrink, print, mutate and measure them.
///
/// Derive it. Only [`arbitrary`](Arbitrary::arbitrary) must be written in an impl by hand; the other methods have
/// defaults, and so will those that later versions add.
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
    message = "`{Self}` does not know how to generate its values",
    label = "not `Arbitrary`",
    note = "put `#[derive(forall::Arbitrary)]` on the type, or say which generator to use: `#[forall(with = …)]` on a field, \
            `#[forall(…)]` on a parameter, `forall x in …` in `property!`"
)]
pub trait Arbitrary: Sized {
    /// Makes a value from the choices of `source`.
    fn arbitrary(source: &mut Source) -> Self;

    /// Simpler values of the same type, the simplest first: structural shrinking, for runners that shrink values
    /// rather than choices. None by default.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(std::iter::empty())
    }

    /// A copy, if one can be had: structural shrinking keeps the parts that it does not shrink. None by default.
    fn duplicate(&self) -> Option<Self> {
        None
    }

    /// Writes the value as Rust code. By default a type has no code form, and reports show its `Debug` in a comment.
    fn print(&self, code: &mut Code) {
        code.opaque();
    }

    /// A value that differs a little from this one. By default a new one.
    fn mutate(self, source: &mut Source) -> Self {
        Self::arbitrary(source)
    }

    /// Shows the constructors of the value to `visitor`, outermost first: constructor coverage. None by default.
    fn visit(&self, visitor: &mut dyn Visitor) {
        let _ = visitor;
    }

    /// How many constructors must at least be nested to build a value: what stops recursive types when the size is
    /// spent. 0 for types without recursive structure. The derive computes it; see [`Heights`].
    fn height(heights: &mut Heights) -> u32 {
        let _ = heights;
        0
    }
}

/// The generator that `T` brings along.
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

/// What [`any`] returns.
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
}
