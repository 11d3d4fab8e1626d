//! A list whose elements and tail are decided when they are read.

use super::Lazy;
use crate::Arbitrary;
use std::fmt;

/// A lazy list, which is decided as far as it is read.
///
/// ```
/// use forall::lazy::{Lazy, List};
///
/// fn take<T: 'static>(n: usize, xs: &Lazy<List<T>>) -> Lazy<List<T>> {
///     let xs = xs.clone();
///     Lazy::defer(move || match &*xs {
///         List::Cons(x, rest) if n > 0 => List::Cons(x.clone(), take(n - 1, rest)),
///         _ => List::Nil,
///     })
/// }
/// let three = Lazy::new(List::from([1, 2, 3]));
/// assert_eq!(*take(2, &three), List::from([1, 2]));
/// ```
///
/// It prints like a slice if all of it is decided, and with `:` and `_` otherwise:
///
/// ```
/// use forall::lazy::{Lazy, List};
/// let rest = List::Cons(Lazy::new(2), Lazy::defer(|| List::Nil));
/// assert_eq!(format!("{:?}", List::Cons(Lazy::defer(|| 1), Lazy::new(rest))), "_:2:_");
/// assert_eq!(format!("{:?}", List::from([1, 2])), "[1, 2]");
/// ```
#[derive(Arbitrary, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum List<T> {
    /// The empty list.
    #[default]
    Nil,
    /// An element and the rest.
    Cons(Lazy<T>, Lazy<List<T>>),
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        match self {
            List::Nil => List::Nil,
            List::Cons(value, rest) => List::Cons(value.clone(), rest.clone()),
        }
    }
}

impl<T> List<T> {
    /// Returns an iterator over the elements. It decides the structure as it advances, but no element.
    ///
    /// ```
    /// use forall::lazy::List;
    /// assert_eq!(List::from([1, 2, 3]).iter().map(|x| **x).sum::<i32>(), 6);
    /// ```
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(Rest::Whole(self))
    }

    /// Returns the number of elements without deciding any of them.
    ///
    /// ```
    /// use forall::lazy::{Lazy, List};
    /// let unknown = Lazy::defer(|| -> u8 { panic!("never read") });
    /// assert_eq!(List::Cons(unknown, Lazy::new(List::Nil)).len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns whether the list is empty. Decides only the first constructor.
    ///
    /// ```
    /// use forall::lazy::List;
    /// assert!(List::<u8>::Nil.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        matches!(self, List::Nil)
    }
}

/// The iterator returned by [`List::iter`].
#[derive(Debug)]
#[doc(hidden)]
pub struct Iter<'a, T>(Rest<'a, T>);

/// The remaining part of an iteration. The tail of a list is not forced before it is requested.
#[derive(Debug)]
enum Rest<'a, T> {
    Whole(&'a List<T>),
    Behind(&'a Lazy<List<T>>),
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a Lazy<T>;

    #[inline]
    fn next(&mut self) -> Option<&'a Lazy<T>> {
        let list = match self.0 {
            Rest::Whole(list) => list,
            Rest::Behind(rest) => rest,
        };
        match list {
            List::Nil => None,
            List::Cons(value, rest) => {
                self.0 = Rest::Behind(rest);
                Some(value)
            }
        }
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a Lazy<T>;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values: Vec<T> = values.into_iter().collect();
        let prepend = |rest, value| List::Cons(Lazy::new(value), Lazy::new(rest));
        values.into_iter().rev().fold(List::Nil, prepend)
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = Vec::new();
        let mut rest = Some(self);
        while let Some(List::Cons(value, next)) = rest {
            values.push(value);
            rest = next.shown();
        }
        // The text of a part shows whether something in it is undecided, whatever its type.
        let texts: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        if rest.is_some() && !texts.iter().any(|text| is_partial(text)) {
            return f.debug_list().entries(values).finish();
        }
        for text in texts {
            let needs_brackets = text.contains(':') && !text.starts_with(['[', '(', '"', '\'']);
            if needs_brackets { write!(f, "({text}):")? } else { write!(f, "{text}:")? }
        }
        f.write_str(if rest.is_some() { "[]" } else { "_" })
    }
}

/// Whether a text contains a `_` that is not part of a name.
fn is_partial(text: &str) -> bool {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"';
        if character == '_' && !is_name(before) && !characters.peek().copied().is_some_and(is_name) {
            return true;
        }
        before = character;
    }
    false
}
