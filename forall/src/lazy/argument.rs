//! How generated functions distinguish their arguments.

use super::Lazy;
use super::list::List;
use std::rc::Rc;
use std::sync::Arc;

/// A type that generated functions can take as an argument: a sum of products whose constructors they can distinguish.
///
/// Derive it together with `Arbitrary`. To implement it by hand, list the constructors, return the one of a value, and
/// push its parts:
///
/// ```
/// use forall::lazy::{Argument, Case, Domain, Parts, Tag};
///
/// enum Shape { Dot, Box(u8, u8) }
///
/// impl Argument for Shape {
///     fn domain() -> Domain {
///         Domain::Constructors(const { &[Case::new("Dot", &[]), Case::new("Box", &[u8::domain, u8::domain])] })
///     }
///     fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
///         match self {
///             Shape::Dot => Tag::Constructor(0),
///             Shape::Box(width, height) => { parts.push(width); parts.push(height); Tag::Constructor(1) }
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "generated functions cannot take `{Self}` as an argument",
    label = "not an `Argument`",
    note = "put `#[derive(forall::lazy::Argument)]` on the type; functions cannot be arguments, because \
            they cannot be compared: pass the values that the function is called with, or its results, instead"
)]
#[doc(hidden)]
pub trait Argument {
    /// Returns how values of this type are distinguished.
    fn domain() -> Domain
    where
        Self: Sized;

    /// Returns the constructor of a value, by index, or its number, and pushes its parts without inspecting them.
    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag;

    /// Like [`inspect`], for a part that is not a value of its own, such as the rest of a vector: the one pushed by
    /// [`Parts::push_rest`] with this number.
    ///
    /// ```
    /// use forall::lazy::{Argument, Parts, Tag};
    /// let two = vec![true, false];
    /// assert_eq!(two.inspect_rest(1, &mut Parts::default()), Tag::Constructor(1), "an element and the rest");
    /// assert_eq!(two.inspect_rest(2, &mut Parts::default()), Tag::Constructor(0), "nothing is left");
    /// ```
    fn inspect_rest<'a>(&'a self, _: usize, parts: &mut Parts<'a>) -> Tag {
        self.inspect(parts)
    }
}

/// The part of a value that a function sees at once: its constructor or its number.
///
/// ```
/// use forall::lazy::{Argument, Parts, Tag};
/// assert_eq!(true.inspect(&mut Parts::default()), Tag::Constructor(1));
/// assert_eq!((-1i8).inspect(&mut Parts::default()), Tag::Number(2), "0, 1, -1, …");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub enum Tag {
    /// A constructor, by its index in the domain.
    Constructor(u32),
    /// This number.
    Number(u64),
}

/// How the values of a type are distinguished.
///
/// ```
/// use forall::lazy::{Argument, Domain};
/// let Domain::Constructors(cases) = bool::domain() else { panic!("there are two") };
/// assert_eq!((cases[0].name, cases[1].name), ("false", "true"));
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Domain {
    /// By their constructors.
    Constructors(&'static [Case]),
    /// As numbers from 0, simplest first; the function prints a number.
    Numbers(fn(u64) -> String),
}

/// A constructor of an [`Argument`].
///
/// ```
/// use forall::lazy::{Argument, Case};
/// const SOME: Case = Case::new("Some", &[bool::domain]);
/// assert_eq!(SOME.parts.len(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// The domains of its parts.
    pub parts: &'static [fn() -> Domain],
}

impl Case {
    /// Creates a constructor of this name, with these parts.
    ///
    /// ```
    /// assert_eq!(forall::lazy::Case::new("None", &[]).name, "None");
    /// ```
    pub const fn new(name: &'static str, parts: &'static [fn() -> Domain]) -> Self {
        Self { name, parts }
    }
}

/// The parts of a value that a function may inspect next.
#[derive(Default)]
#[doc(hidden)]
pub struct Parts<'a>(pub(super) Vec<Rest<'a>>);

/// A part: a value, or the rest of a value, identified by a number that the value interprets.
#[derive(Clone, Copy)]
pub(super) enum Rest<'a> {
    Whole(&'a dyn Argument),
    From(&'a dyn Argument, usize),
}

impl<'a> Rest<'a> {
    pub(super) fn inspect(self, parts: &mut Parts<'a>) -> Tag {
        match self {
            Rest::Whole(value) => value.inspect(parts),
            Rest::From(value, number) => value.inspect_rest(number, parts),
        }
    }
}

impl<'a> Parts<'a> {
    /// Appends a part.
    ///
    /// ```
    /// use forall::lazy::Parts;
    /// let mut parts = Parts::default();
    /// parts.push(&true);
    /// ```
    pub fn push(&mut self, part: &'a dyn Argument) {
        self.0.push(Rest::Whole(part));
    }

    /// Appends a part that is not a value of its own: it is inspected by calling [`Argument::inspect_rest`] on `whole`
    /// with this number.
    ///
    /// ```
    /// use forall::lazy::Parts;
    /// let (mut parts, whole) = (Parts::default(), vec![1u8, 2, 3]);
    /// parts.push_rest(&whole, 1);
    /// ```
    pub fn push_rest(&mut self, whole: &'a dyn Argument, number: usize) {
        self.0.push(Rest::From(whole, number));
    }
}

impl std::fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} parts", self.0.len())
    }
}

impl Argument for () {
    fn domain() -> Domain {
        Domain::Constructors(const { &[Case::new("()", &[])] })
    }

    fn inspect<'a>(&'a self, _: &mut Parts<'a>) -> Tag {
        Tag::Constructor(0)
    }
}

impl Argument for bool {
    fn domain() -> Domain {
        Domain::Constructors(const { &[Case::new("false", &[]), Case::new("true", &[])] })
    }

    fn inspect<'a>(&'a self, _: &mut Parts<'a>) -> Tag {
        Tag::Constructor(u32::from(*self))
    }
}

impl<T: Argument> Argument for Option<T> {
    fn domain() -> Domain {
        Domain::Constructors(const { &[Case::new("None", &[]), Case::new("Some", &[T::domain])] })
    }

    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
        match self {
            None => Tag::Constructor(0),
            Some(value) => {
                parts.push(value);
                Tag::Constructor(1)
            }
        }
    }
}

impl<T: Argument, E: Argument> Argument for Result<T, E> {
    fn domain() -> Domain {
        Domain::Constructors(const { &[Case::new("Ok", &[T::domain]), Case::new("Err", &[E::domain])] })
    }

    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
        match self {
            Ok(value) => {
                parts.push(value);
                Tag::Constructor(0)
            }
            Err(error) => {
                parts.push(error);
                Tag::Constructor(1)
            }
        }
    }
}

/// Unsigned integers are used as is; signed ones are zigzag-encoded as 0, 1, -1, 2, -2, …
macro_rules! numbers {
    ($($unsigned:ident $signed:ident;)*) => {$(
        impl Argument for $unsigned {
            fn domain() -> Domain {
                Domain::Numbers(|number| number.to_string())
            }

            fn inspect<'a>(&'a self, _: &mut Parts<'a>) -> Tag {
                Tag::Number(*self as u64)
            }
        }

        impl Argument for $signed {
            fn domain() -> Domain {
                Domain::Numbers(|number| zigzag_back(number).to_string())
            }

            fn inspect<'a>(&'a self, _: &mut Parts<'a>) -> Tag {
                Tag::Number(zigzag(*self as i64))
            }
        }
    )*};
}

numbers! {
    u8 i8;
    u16 i16;
    u32 i32;
    u64 i64;
    usize isize;
}

fn zigzag(number: i64) -> u64 {
    if number > 0 { 2 * number as u64 - 1 } else { number.unsigned_abs().wrapping_mul(2) }
}

fn zigzag_back(code: u64) -> i64 {
    if code % 2 == 1 { (code / 2) as i64 + 1 } else { -((code / 2) as i64) }
}

/// Characters, numbered by their distance from `a`.
impl Argument for char {
    fn domain() -> Domain {
        Domain::Numbers(|number| {
            let code = i64::from(u32::from('a')) + zigzag_back(number);
            u32::try_from(code).ok().and_then(char::from_u32).map_or_else(|| "_".to_owned(), |c| format!("{c:?}"))
        })
    }

    fn inspect<'a>(&'a self, _: &mut Parts<'a>) -> Tag {
        Tag::Number(zigzag(i64::from(u32::from(*self)) - i64::from(u32::from('a'))))
    }
}

/// A wrapper around one value is inspected like that value.
macro_rules! transparent {
    ($($t:ident)*) => {$(
        impl<T: Argument> Argument for $t<T> {
            fn domain() -> Domain {
                T::domain()
            }

            fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
                (**self).inspect(parts)
            }
        }
    )*};
}

transparent!(Lazy Box Rc Arc);

macro_rules! tuple {
    ($($field:ident $index:tt)+) => {
        impl<$($field: Argument),+> Argument for ($($field,)+) {
            fn domain() -> Domain {
                Domain::Constructors(const { &[Case::new("", &[$($field::domain),+])] })
            }

            fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
                $(parts.push(&self.$index);)+
                Tag::Constructor(0)
            }
        }
    };
}

tuple!(A 0 B 1);
tuple!(A 0 B 1 C 2);
tuple!(A 0 B 1 C 2 D 3);

impl<T: Argument> Argument for List<T> {
    fn domain() -> Domain {
        Domain::Constructors(const { &[Case::new("[]", &[]), Case::new(":", &[T::domain, Self::domain])] })
    }

    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
        match self {
            List::Nil => Tag::Constructor(0),
            List::Cons(value, rest) => {
                parts.push(value);
                parts.push(rest);
                Tag::Constructor(1)
            }
        }
    }
}

/// Inspected like a list; a rest is identified by the index of its first element.
impl<T: Argument> Argument for Vec<T> {
    fn domain() -> Domain {
        List::<T>::domain()
    }

    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
        self.inspect_rest(0, parts)
    }

    fn inspect_rest<'a>(&'a self, from: usize, parts: &mut Parts<'a>) -> Tag {
        let Some(value) = self.get(from) else { return Tag::Constructor(0) };
        parts.push(value);
        parts.push_rest(self, from + 1);
        Tag::Constructor(1)
    }
}

/// Inspected like a list of characters. The number 2i denotes the rest from byte i on, and 2i + 1 the character at byte
/// i.
impl Argument for String {
    fn domain() -> Domain {
        List::<char>::domain()
    }

    fn inspect<'a>(&'a self, parts: &mut Parts<'a>) -> Tag {
        self.inspect_rest(0, parts)
    }

    fn inspect_rest<'a>(&'a self, number: usize, parts: &mut Parts<'a>) -> Tag {
        let (byte, is_character) = (number / 2, number % 2 == 1);
        match self.get(byte..).and_then(|rest| rest.chars().next()) {
            None => Tag::Constructor(0),
            Some(character) if is_character => character.inspect(&mut Parts::default()),
            Some(character) => {
                parts.push_rest(self, number + 1);
                parts.push_rest(self, 2 * (byte + character.len_utf8()));
                Tag::Constructor(1)
            }
        }
    }
}
