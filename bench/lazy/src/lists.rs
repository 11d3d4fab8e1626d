//! Functions on lazy lists, as lazy as those of Haskell's Prelude.

use forall::lazy::{Lazy, List};

/// A list that is not looked at yet.
pub type L<T> = Lazy<List<T>>;

pub fn nil<T>() -> L<T> {
    Lazy::new(List::Nil)
}

pub fn cons<T>(value: Lazy<T>, rest: L<T>) -> L<T> {
    Lazy::new(List::Cons(value, rest))
}

/// `++`
pub fn append<T: 'static>(xs: &L<T>, ys: &L<T>) -> L<T> {
    let (xs, ys) = (xs.clone(), ys.clone());
    Lazy::defer(move || match &*xs {
        List::Nil => (*ys).clone(),
        List::Cons(x, rest) => List::Cons(x.clone(), append(rest, &ys)),
    })
}

/// The elements of a list, which are not looked at.
pub fn elements<T>(list: &List<T>) -> Vec<Lazy<T>> {
    list.iter().cloned().collect()
}

/// All of a list, looked at from the left.
pub fn forced<T: Copy>(list: &List<T>) -> Vec<T> {
    list.iter().map(|value| **value).collect()
}

/// Whether the elements do not get smaller.
pub fn ordered<T: Ord>(list: &List<T>) -> bool {
    let mut before: Option<&Lazy<T>> = None;
    for value in list {
        if before.is_some_and(|before| before > value) {
            return false;
        }
        before = Some(value);
    }
    true
}
