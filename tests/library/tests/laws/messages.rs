//! The message for each violated law, pinned: one planted violation each.

// Each trait is implemented wrongly, and not as one would.
#![allow(clippy::partialeq_ne_impl, clippy::non_canonical_partial_ord_impl)]

use super::{Close, Hand, Job, Lopsided, Name};
use forall::laws;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Run, Settings, Store};
use std::cell::Cell;
use std::cmp::Ordering;

/// The message that the smallest breach has.
fn told(property: &dyn Property) -> String {
    let settings = Settings::new().seed(0).store(Store::Off).explain(0);
    let report = Run::new("planted", property).settings(settings).report();
    report.counterexample.expect("it is broken").failure.message
}

/// Not equal to nothing.
#[derive(Arbitrary, Debug)]
struct NeverUnequal(u8);

impl PartialEq for NeverUnequal {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn ne(&self, _: &Self) -> bool {
        false
    }
}

/// Less than all others.
#[derive(Arbitrary, Debug, PartialEq, Eq)]
struct AlwaysLess(u8);

impl PartialOrd for AlwaysLess {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AlwaysLess {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other { Ordering::Equal } else { Ordering::Less }
    }
}

/// Its two orders are each other's opposite.
#[derive(Arbitrary, Debug, PartialEq, Eq)]
struct Turned(u8);

impl PartialOrd for Turned {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other).reverse())
    }
}

impl Ord for Turned {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// An operator of its own.
#[derive(Arbitrary, Debug, PartialEq)]
struct NeverBelow(u8);

impl PartialOrd for NeverBelow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }

    fn lt(&self, _: &Self) -> bool {
        false
    }
}

#[test]
fn messages_of_comparison_laws() {
    let messages = [
        told(&laws::eq(any::<f64>())),
        told(&laws::eq(any::<Lopsided>())),
        told(&laws::partial_eq(any::<NeverUnequal>())),
        told(&laws::eq(any::<Close>())),
        told(&laws::ord(any::<AlwaysLess>())),
        told(&laws::ord(any::<Turned>())),
        told(&laws::partial_ord(any::<AlwaysLess>())),
        told(&laws::ord(any::<Job>())),
        told(&laws::partial_ord(any::<NeverBelow>())),
        told(&laws::ord(any::<Hand>())),
        told(&laws::hash(any::<Name>())),
    ];
    insta::assert_snapshot!(messages.join("\n\n"));
}

/// The bug of an iterator over a list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    SizeHint,
    Count,
    Last,
    Fold,
    Nth,
    AfterNth,
    Back,
    FoldBack,
    Length,
    Fused,
}

struct Faulty {
    items: std::vec::IntoIter<u8>,
    fault: Fault,
    ended: bool,
}

fn with(fault: Fault) -> impl Fn(&Vec<u8>) -> Faulty {
    move |items| Faulty { items: items.clone().into_iter(), fault, ended: false }
}

impl Iterator for Faulty {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let item = self.items.next();
        if item.is_none() && self.fault == Fault::Fused {
            self.ended = !self.ended;
            return (!self.ended).then_some(9);
        }
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.fault == Fault::SizeHint { (1, None) } else { self.items.size_hint() }
    }

    fn count(self) -> usize {
        self.items.count() + usize::from(self.fault == Fault::Count)
    }

    fn last(self) -> Option<u8> {
        if self.fault == Fault::Last { Some(9) } else { self.items.last() }
    }

    fn fold<B, F: FnMut(B, u8) -> B>(self, start: B, with: F) -> B {
        self.items.skip(usize::from(self.fault == Fault::Fold)).fold(start, with)
    }

    fn nth(&mut self, skipped: usize) -> Option<u8> {
        let item = self.items.nth(skipped + usize::from(self.fault == Fault::Nth));
        if self.fault == Fault::AfterNth {
            self.items.next();
        }
        item
    }
}

impl DoubleEndedIterator for Faulty {
    fn next_back(&mut self) -> Option<u8> {
        if self.fault == Fault::Back { self.items.next() } else { self.items.next_back() }
    }

    fn rfold<B, F: FnMut(B, u8) -> B>(self, start: B, with: F) -> B {
        self.items.rev().skip(usize::from(self.fault == Fault::FoldBack)).fold(start, with)
    }
}

impl ExactSizeIterator for Faulty {
    fn len(&self) -> usize {
        self.items.len() + usize::from(self.fault == Fault::Length)
    }
}

#[test]
fn messages_of_iterator_laws() {
    let lists = any::<Vec<u8>>;
    let sound = with(Fault::None);
    assert!(sound(&vec![1, 2]).eq([1, 2]));
    let changing = Cell::new(0);
    let mut messages = vec![
        told(&laws::iterator(any::<u8>(), |n: &u8| std::iter::repeat(*n))),
        told(&laws::iterator(lists(), move |_: &Vec<u8>| {
            changing.set(changing.get() % 2 + 1);
            0..changing.get()
        })),
    ];
    for fault in [Fault::SizeHint, Fault::Count, Fault::Last, Fault::Fold, Fault::Nth, Fault::AfterNth] {
        messages.push(told(&laws::iterator(lists(), with(fault))));
    }
    for fault in [Fault::Back, Fault::FoldBack] {
        messages.push(told(&laws::double_ended(lists(), with(fault))));
    }
    messages.push(told(&laws::double_ended(lists(), super::crossing)));
    messages.push(told(&laws::exact_size(lists(), with(Fault::Length))));
    messages.push(told(&laws::fused(lists(), with(Fault::Fused))));
    insta::assert_snapshot!(messages.join("\n\n"));
}

/// `clone_from` does nothing.
#[derive(Arbitrary, Debug, PartialEq)]
struct Stubborn(u8);

impl Clone for Stubborn {
    fn clone(&self) -> Self {
        Self(self.0)
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// Adds a mark each time that it is extended.
#[derive(Debug, PartialEq)]
struct Marked(Vec<u8>);

impl FromIterator<u8> for Marked {
    fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl Extend<u8> for Marked {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, items: I) {
        self.0.extend(items);
        self.0.push(7);
    }
}

/// Is full when it has been extended twice.
#[derive(Debug)]
struct SoonFull(Vec<u8>, u8);

impl PartialEq for SoonFull {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl FromIterator<u8> for SoonFull {
    fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Self {
        Self(items.into_iter().collect(), 0)
    }
}

impl Extend<u8> for SoonFull {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, items: I) {
        self.1 += 1;
        if self.1 <= 2 {
            self.0.extend(items);
        }
    }
}

#[test]
fn messages_of_copying_collecting_and_conversion_laws() {
    thread_local!(static MADE: Cell<u32> = const { Cell::new(0) });
    #[derive(Debug, PartialEq)]
    struct Id(u32);
    impl Default for Id {
        fn default() -> Self {
            // Two in turn: a failure that repeats.
            Self(MADE.replace((MADE.get() + 1) % 2))
        }
    }
    let written = |n: &u16| Ok::<_, ()>(n.to_string());
    let messages = [
        told(&laws::clone(any::<super::Cached>())),
        told(&laws::clone(any::<Stubborn>())),
        told(&laws::default::<Id>()),
        told(&laws::extend::<Marked, _>(any::<u8>())),
        told(&laws::extend::<super::Bag, _>(any::<u8>())),
        told(&laws::extend::<SoonFull, _>(any::<u8>())),
        told(&laws::round_trip(any::<u16>(), |n| u8::try_from(*n), |n: &u8| Ok::<_, ()>(u16::from(*n)))),
        told(&laws::round_trip(any::<u16>(), written, |text: &String| text.parse::<u8>().map(u16::from))),
        told(&laws::display_from_str(any::<super::Money>())),
    ];
    insta::assert_snapshot!(messages.join("\n\n"));
}

#[test]
fn messages_of_operation_laws() {
    let trim_once = |text: &String| text.strip_prefix(' ').unwrap_or(text).to_owned();
    let messages = [
        told(&laws::idempotent(vec(elements([' ', 'a'])).map(String::from_iter), trim_once)),
        told(&laws::commutative(any::<i32>(), |a, b| a.wrapping_sub(*b))),
        told(&laws::associative(any::<i8>(), |a, b| a.saturating_add(*b))),
        told(&laws::monoid(any::<u32>(), |a, b| if *a == 0 { 0 } else { a.wrapping_mul(*b) }, 0)),
        told(&laws::identity(any::<Option<u8>>(), |a: &Option<u8>, b: &Option<u8>| a.and(*b), Some(0))),
    ];
    insta::assert_snapshot!(messages.join("\n\n"));
}
