//! Laws of iterators.
//!
//! Iterating consumes an iterator, so the laws take a function that creates it, and create a new one for each law.

use super::holds;
use crate::generate::{Generator, vec};
use crate::property::{Empty, Outcome, Property, Telescope};
use std::fmt::Debug;

/// An iterator with more items is considered endless.
const MOST_ITEMS: usize = 10_000;

/// A function from a value to an iterator, which may borrow from it: `Type::iter`, or a closure such as `|n: &u32|
/// 0..*n`.
///
/// ```
/// use forall::laws::Iterates;
/// fn count<I: for<'a> Iterates<'a, Vec<u8>>>(iterates: I) -> usize {
///     iterates.iterate(&vec![1, 2, 3]).count()
/// }
/// fn odd(list: &Vec<u8>) -> impl Iterator<Item = &u8> {
///     list.iter().filter(|n| *n % 2 == 1)
/// }
/// assert_eq!(count(odd), 2);
/// assert_eq!(count(|list: &Vec<u8>| 0..list.len()), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not return an iterator over `{V}`",
    note = "use a function that takes `&{V}`, such as `Type::iter`; its items need `PartialEq` and `Debug`",
    note = "a closure cannot return an iterator that borrows from its argument: use a `fn`"
)]
pub trait Iterates<'a, V: 'a> {
    /// The items.
    #[doc(hidden)]
    type Item: PartialEq + Debug;
    /// The iterator.
    #[doc(hidden)]
    type Iter: Iterator<Item = Self::Item>;

    /// Creates the iterator.
    ///
    /// ```
    /// use forall::laws::Iterates;
    /// assert!((|n: &u32| 0..*n).iterate(&3).eq([0, 1, 2]));
    /// ```
    #[doc(hidden)]
    fn iterate(&self, value: &'a V) -> Self::Iter;
}

impl<'a, V: 'a, I: Iterator<Item: PartialEq + Debug>, F: Fn(&'a V) -> I> Iterates<'a, V> for F {
    type Item = I::Item;
    type Iter = I;

    fn iterate(&self, value: &'a V) -> I {
        self(value)
    }
}

/// Checks the laws of an iterator: `size_hint` is correct at every step; `count`, `last`, `nth` and `fold` agree with
/// `next`; and the items are the same each time.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("ranges", &laws::iterator(any::<u8>(), |n: &u8| 0..*n));
///
/// fn words(text: &String) -> std::str::SplitWhitespace<'_> { text.split_whitespace() }
/// forall::check("words", &laws::iterator(any::<String>(), words));
/// ```
pub fn iterator<G, F>(generator: G, iterates: F) -> impl Property
where
    G: Generator<Value: Debug>,
    F: for<'a> Iterates<'a, G::Value>,
{
    Empty.forall("value", move |(), source| generator.generate(source)).check(move |(value, ())| {
        let make = || iterates.iterate(value);
        let items: Vec<_> = make().take(MOST_ITEMS).collect();
        let length = items.len();
        holds!(
            length < MOST_ITEMS,
            "End",
            "there are more than {length} items: give the law an iterator that ends, for example by `.take(…)`",
            "value" = value
        );
        let again: Vec<_> = make().take(MOST_ITEMS).collect();
        holds!(
            items == again,
            "Repetition",
            "the second iteration yields other items",
            "value" = value,
            "items" = items,
            "again" = again
        );
        let mut iterator = make();
        for given in 0..=length {
            let (least, most) = iterator.size_hint();
            let left = length - given;
            holds!(
                least <= left && most.is_none_or(|most| left <= most),
                "SizeHint",
                "after {given} items, {left} remain, but size_hint is ({least}, {most:?})",
                "value" = value,
                "items" = items
            );
            iterator.next();
        }
        let count = make().count();
        holds!(count == length, "Count", "`count` is {count}, and there are {length} items", "value" = value);
        let last = make().last();
        holds!(
            last.as_ref() == items.last(),
            "Last",
            "`last` is not the last item",
            "value" = value,
            "items" = items,
            "last" = last
        );
        let mut folded = Vec::with_capacity(length);
        make().fold((), |(), item| folded.push(item));
        holds!(
            folded == items,
            "Fold",
            "`fold` visits other items than `next` returns",
            "value" = value,
            "items" = items,
            "fold" = folded
        );
        // Not every index of a long iterator: skipping items is expensive if `nth` has the default implementation.
        for skipped in (0..=length).step_by(length / 16 + 1) {
            let mut iterator = make();
            let found = iterator.nth(skipped);
            holds!(
                found.as_ref() == items.get(skipped),
                "Nth",
                "`nth({skipped})` returns a different item from `next` after {skipped} items",
                "value" = value,
                "items" = items,
                "found" = found
            );
            if skipped == length {
                // Items after the end are not part of this law.
                continue;
            }
            let next = iterator.next();
            holds!(
                next.as_ref() == items.get(skipped + 1),
                "AfterNth",
                "`next` continues at the wrong position after `nth({skipped})`",
                "value" = value,
                "items" = items,
                "next" = next
            );
        }
        Outcome::Pass
    })
}

/// Checks that iterating from both ends, in any order of calls, yields the items of forward iteration; `rev` and
/// `rfold` reverse.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("ranges", &laws::double_ended(any::<u8>(), |n: &u8| 0..*n));
/// ```
pub fn double_ended<G, F>(generator: G, iterates: F) -> impl Property
where
    G: Generator<Value: Debug>,
    F: for<'a> Iterates<'a, G::Value>,
    for<'a> <F as Iterates<'a, G::Value>>::Iter: DoubleEndedIterator,
{
    let value = move |(): &(), source: &mut crate::choice::Source| generator.generate(source);
    let turns = |_: &_, source: &mut crate::choice::Source| source.draw(vec(crate::generate::any::<bool>()));
    Empty.forall("value", value).forall("from_back", turns).check(move |(turns, (value, ()))| {
        let make = || iterates.iterate(value);
        let items: Vec<_> = make().take(MOST_ITEMS).collect();
        let mut reversed: Vec<_> = make().rev().take(MOST_ITEMS).collect();
        reversed.reverse();
        holds!(
            reversed == items,
            "Reverse",
            "iterating from the back yields different items than iterating from the front",
            "value" = value,
            "items" = items,
            "from the back, reversed" = reversed
        );
        let mut folded = Vec::with_capacity(items.len());
        make().rfold((), |(), item| folded.push(item));
        folded.reverse();
        holds!(
            folded == items,
            "ReverseFold",
            "`rfold` visits other items than `next_back` returns",
            "value" = value,
            "items" = items,
            "rfold, reversed" = folded
        );
        // From both ends in turn until both are exhausted: they meet, and no item is yielded twice.
        let (mut iterator, mut front, mut back) = (make(), 0, items.len());
        for turn in 0..=items.len() {
            let from_back = turns.get(turn % turns.len().max(1)).is_some_and(|from_back| *from_back);
            let item = if from_back { iterator.next_back() } else { iterator.next() };
            let expected = match (front < back, from_back) {
                (false, _) => None,
                (true, true) => items.get(back - 1),
                (true, false) => items.get(front),
            };
            holds!(
                item.as_ref() == expected,
                "BothEnds",
                "after taking {front} items from the front and items {back}.. from the back, the next item differs",
                "value" = value,
                "items" = items,
                "from the back" = from_back,
                "next" = item,
                "expected" = expected
            );
            match from_back {
                true => back = back.saturating_sub(1),
                false => front += 1,
            }
        }
        Outcome::Pass
    })
}

/// Checks that `len` is the number of remaining items at every step.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("ranges", &laws::exact_size(any::<u8>(), |n: &u8| 0..*n));
/// ```
pub fn exact_size<G, F>(generator: G, iterates: F) -> impl Property
where
    G: Generator<Value: Debug>,
    F: for<'a> Iterates<'a, G::Value>,
    for<'a> <F as Iterates<'a, G::Value>>::Iter: ExactSizeIterator,
{
    Empty.forall("value", move |(), source| generator.generate(source)).check(move |(value, ())| {
        let length = iterates.iterate(value).take(MOST_ITEMS).collect::<Vec<_>>().len();
        let mut iterator = iterates.iterate(value);
        for given in 0..=length {
            let (left, said, hint) = (length - given, iterator.len(), iterator.size_hint());
            holds!(
                said == left && hint == (left, Some(left)),
                "ExactSize",
                "after {given} items there are {left} more, `len` is {said} and size_hint is {hint:?}",
                "value" = value
            );
            iterator.next();
        }
        Outcome::Pass
    })
}

/// Checks that the iterator stays exhausted after its end. This is a law of each
/// [`FusedIterator`](std::iter::FusedIterator), not of every iterator.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("ranges", &laws::fused(any::<u8>(), |n: &u8| 0..*n));
/// ```
pub fn fused<G, F>(generator: G, iterates: F) -> impl Property
where
    G: Generator<Value: Debug>,
    F: for<'a> Iterates<'a, G::Value>,
{
    /// How often `next` is called after the end.
    const ASKED: usize = 8;
    Empty.forall("value", move |(), source| generator.generate(source)).check(move |(value, ())| {
        let mut iterator = iterates.iterate(value);
        let given = iterator.by_ref().take(MOST_ITEMS).count();
        for asked in 1..=ASKED {
            let item = iterator.next();
            holds!(
                item.is_none(),
                "Fused",
                "the iterator ended after {given} items, but yielded another one {asked} calls of `next` later",
                "value" = value,
                "item" = item
            );
        }
        Outcome::Pass
    })
}
