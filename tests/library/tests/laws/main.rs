//! Every law holds where it should, and every planted violation is found, named and shrunk, in the default
//! number of tests and from every seed tried.

// Laws speak of the type that is generated: a slice would be another one.
#![allow(clippy::ptr_arg)]

mod messages;

use forall::laws;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Run, Settings, Store, Verdict};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

const SEEDS: std::ops::Range<u64> = 0..30;

/// The law that is broken, and the message, from each seed.
fn breaches(property: &dyn Property) -> Vec<(String, String)> {
    let found = SEEDS.map(|seed| {
        let settings = Settings::new().seed(seed).store(Store::Off).explain(0);
        let report = Run::new("planted", property).settings(settings).report();
        assert_eq!(report.verdict, Verdict::Failed, "not found from seed {seed}");
        let message = report.counterexample.expect("it failed").failure.message;
        (message.split(':').next().unwrap_or_default().to_owned(), message)
    });
    found.collect()
}

#[track_caller]
fn breaks(law: &str, property: &dyn Property) {
    for (broken, message) in breaches(property) {
        assert_eq!(broken, law, "{message}");
    }
}

#[track_caller]
fn keeps(property: &dyn Property) {
    let settings = Settings::new().seed(1).store(Store::Off);
    let report = Run::new("kept", property).settings(settings).report();
    assert!(report.verdict.is_success(), "{report:?}");
}

/// Equal if close.
#[derive(Arbitrary, Debug)]
struct Close(i32);

impl PartialEq for Close {
    fn eq(&self, other: &Self) -> bool {
        self.0.abs_diff(other.0) <= 1
    }
}

#[test]
fn equality_that_is_not_transitive() {
    let law = laws::eq(any::<Close>());
    breaks("Transitivity", &law);
    let message = &breaches(&law)[0].1;
    let expected = "Transitivity: a == b and b == c, but not a == c\n    a = Close(";
    assert!(message.starts_with(expected) && message.lines().count() == 4, "{message}");
}

/// Looks at the other side's flag alone.
#[derive(Arbitrary, Debug)]
struct Lopsided {
    wild: bool,
    n: u16,
}

impl PartialEq for Lopsided {
    fn eq(&self, other: &Self) -> bool {
        other.wild || self.n == other.n && self.wild == other.wild
    }
}

#[test]
fn equality_that_is_not_symmetric() {
    breaks("Symmetry", &laws::eq(any::<Lopsided>()));
}

#[test]
fn numbers_that_equal_nothing_break_reflexivity_and_nothing_else() {
    breaks("Reflexivity", &laws::eq(any::<f64>()));
    keeps(&laws::partial_eq(any::<f64>()));
    keeps(&laws::partial_ord(any::<f64>()));
}

/// Equal whatever the case of letters; the hash was derived.
#[derive(Arbitrary, Debug, Clone)]
struct Name(String);

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[test]
fn a_hash_that_differs_for_equal_values() {
    breaks("HashAgrees", &laws::hash(any::<Name>()));
}

/// Scissors, paper, stone.
#[derive(Arbitrary, Debug, PartialEq, Eq)]
struct Hand(u32);

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Hand {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0 % 3, other.0 % 3) {
            (ours, theirs) if ours == theirs => self.0.cmp(&other.0),
            (ours, theirs) if (ours + 1) % 3 == theirs => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

#[test]
fn a_cyclic_order() {
    breaks("Transitivity", &laws::ord(any::<Hand>()));
}

/// Incomparable values count as equal, as in most hand-written orders of floats.
#[derive(Arbitrary, Debug)]
struct Weight(f64);

impl PartialEq for Weight {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Weight {}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
    }
}

#[test]
fn an_order_in_which_one_value_equals_all_others() {
    let law = laws::ord(any::<Weight>());
    breaks("Transitivity", &law);
    let message = &breaches(&law)[0].1;
    assert!(
        message.contains("a and b are equal, but a.partial_cmp(c) is ") && message.contains("Weight(NaN)"),
        "{message}"
    );
}

/// `!=` was written by hand, and wrong.
#[derive(Arbitrary, Debug)]
struct Unlike(u8);

impl PartialEq for Unlike {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    #[expect(clippy::partialeq_ne_impl, reason = "that is what is tested")]
    fn ne(&self, other: &Self) -> bool {
        self.0 > other.0
    }
}

#[test]
fn an_ne_that_is_not_the_negation_of_eq() {
    breaks("Negation", &laws::eq(any::<Unlike>()));
}

/// Ordered by the priority alone, equal by all.
#[derive(Arbitrary, Debug, PartialEq, Eq)]
struct Job {
    priority: u8,
    name: char,
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.cmp(&other.priority)
    }
}

#[test]
fn an_order_that_equality_does_not_agree_with() {
    breaks("EqualityAgrees", &laws::ord(any::<Job>()));
}

/// The order was turned round in one of two places.
#[derive(Debug, PartialEq, Eq, Arbitrary)]
struct Turned(u64);

#[expect(clippy::non_canonical_partial_ord_impl, reason = "this is the mistake")]
impl PartialOrd for Turned {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl Ord for Turned {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

#[test]
fn two_orders_of_one_type() {
    breaks("PartialOrder", &laws::ord(any::<Turned>()));
}

/// Forgets what does not fit.
#[derive(Arbitrary, Debug, PartialEq)]
struct Cached {
    name: String,
    hits: u32,
}

impl Clone for Cached {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), hits: 0 }
    }
}

#[test]
fn a_clone_that_loses_a_field() {
    breaks("Clone", &laws::clone(any::<Cached>()));
}

/// Says that all of a list is left, whatever was taken.
#[derive(Debug)]
struct Forgetful<'a>(&'a [u8], usize);

impl Iterator for Forgetful<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let item = self.0.get(self.1).copied();
        self.1 += 1;
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

fn forgetful(list: &Vec<u8>) -> Forgetful<'_> {
    Forgetful(list, 0)
}

#[test]
fn a_size_hint_that_is_never_updated() {
    breaks("SizeHint", &laws::iterator(any::<Vec<u8>>(), forgetful));
}

/// The two ends do not know of each other.
#[derive(Debug)]
struct Crossing<'a> {
    front: std::slice::Iter<'a, u8>,
    back: std::slice::Iter<'a, u8>,
}

impl<'a> Iterator for Crossing<'a> {
    type Item = &'a u8;

    fn next(&mut self) -> Option<&'a u8> {
        self.front.next()
    }
}

impl DoubleEndedIterator for Crossing<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.back.next_back()
    }
}

fn crossing(list: &Vec<u8>) -> Crossing<'_> {
    Crossing { front: list.iter(), back: list.iter() }
}

#[test]
fn double_ended_iterators_that_disagree() {
    keeps(&laws::iterator(any::<Vec<u8>>(), crossing));
    breaks("BothEnds", &laws::double_ended(any::<Vec<u8>>(), crossing));
}

/// Begins again after the end.
fn circular(list: &Vec<u8>) -> impl Iterator<Item = u8> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let item = list.get(at).copied();
        at = if item.is_some() { at + 1 } else { 0 };
        item
    })
}

#[test]
fn an_iterator_that_is_not_fused() {
    keeps(&laws::iterator(any::<Vec<u8>>(), circular));
    breaks("Fused", &laws::fused(any::<Vec<u8>>(), circular));
}

#[test]
fn an_endless_iterator_is_reported_with_advice() {
    let (_, message) = &breaches(&laws::iterator(any::<u8>(), |n: &u8| std::iter::repeat(*n)))[0];
    assert!(message.starts_with("End: there are more than 10000 items") && message.contains(".take(…)"), "{message}");
}

/// An amount of money that is written without the zero of `1.05`.
#[derive(Arbitrary, Debug, PartialEq)]
struct Money(u16);

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 100, self.0 % 100)
    }
}

impl FromStr for Money {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (whole, part) = text.split_once('.').ok_or("no point")?;
        let part = format!("{part:0<2}");
        match (whole.parse::<u16>(), part.parse::<u16>()) {
            (Ok(whole), Ok(part)) => Ok(Self(whole.wrapping_mul(100).wrapping_add(part))),
            _ => Err(format!("`{text}` is no amount")),
        }
    }
}

#[test]
fn a_string_that_parses_to_another_value() {
    let law = laws::display_from_str(any::<Money>());
    breaks("RoundTrip", &law);
    let message = &breaches(&law)[0].1;
    assert_eq!(
        *message,
        "RoundTrip: the value read back differs\n    value = Money(1)\n    there = \"0.1\"\n    back = Money(10)"
    );
}

#[test]
fn a_format_that_drops_empty_values() {
    let write = |list: &Vec<String>| Ok::<_, ()>(list.join(","));
    let read = |text: &String| Ok::<_, ()>(text.split(',').map(str::to_owned).collect());
    breaks("RoundTrip", &laws::round_trip(any::<Vec<String>>(), write, read));
    let read = |text: &String| text.parse::<u8>();
    breaks("Reads", &laws::round_trip(any::<u16>(), |n| Ok::<_, ()>(n.to_string()), |text| read(text).map(u16::from)));
}

#[test]
fn operations_that_violate_their_laws() {
    let trim_once = |text: &String| text.strip_prefix(' ').unwrap_or(text).to_owned();
    breaks("Idempotence", &laws::idempotent(vec(elements([' ', 'a'])).map(String::from_iter), trim_once));
    breaks("Associativity", &laws::associative(any::<i8>(), |a, b| a.saturating_add(*b)));
    breaks("Commutativity", &laws::commutative(any::<i32>(), |a, b| a.wrapping_sub(*b)));
    breaks("LeftIdentity", &laws::monoid(any::<u32>(), |a, b| if *a == 0 { 0 } else { a.wrapping_mul(*b) }, 0));
    let first = |a: &Option<u8>, b: &Option<u8>| a.and(*b);
    breaks("RightIdentity", &laws::identity(any::<Option<u8>>(), first, Some(0)));
}

/// A bag that forgets its order when it is extended.
#[derive(Debug, PartialEq)]
struct Bag(Vec<u8>);

impl FromIterator<u8> for Bag {
    fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Self {
        let mut items: Vec<u8> = items.into_iter().collect();
        items.sort_unstable();
        Self(items)
    }
}

impl Extend<u8> for Bag {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, items: I) {
        self.0.extend(items);
    }
}

#[test]
fn a_bag_that_is_extended_out_of_order() {
    breaks("Extend", &laws::extend::<Bag, _>(any::<u8>()));
}

#[test]
fn a_nondeterministic_default() {
    static MADE: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    #[derive(Debug, PartialEq)]
    struct Id(u32);
    impl Default for Id {
        fn default() -> Self {
            Self(MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        }
    }
    breaks("Default", &laws::default::<Id>());
    keeps(&laws::default::<String>());
}

#[test]
fn the_standard_library_keeps_all_laws() {
    type Value = (Option<String>, Vec<i8>);
    keeps(&laws::eq(any::<Value>()));
    keeps(&laws::ord(any::<Value>()));
    keeps(&laws::hash(any::<Value>()));
    keeps(&laws::clone(any::<Value>()));
    keeps(&laws::extend::<BTreeSet<char>, _>(any::<char>()));
    keeps(&laws::display_from_str(any::<f32>().filter(|x| !x.is_nan())));
    keeps(&laws::inverse(any::<char>(), |c| u32::from(*c), |n| char::from_u32(*n).unwrap_or('!')));
    keeps(&laws::monoid(any::<String>(), |a, b| format!("{a}{b}"), String::new()));
    fn chars(text: &String) -> std::str::Chars<'_> {
        text.chars()
    }
    keeps(&laws::iterator(any::<String>(), chars));
    keeps(&laws::double_ended(any::<String>(), chars));
    keeps(&laws::fused(any::<String>(), chars));
    keeps(&laws::exact_size(any::<Vec<u8>>(), |list: &Vec<u8>| list.clone().into_iter()));
}

#[test]
fn nan_violates_only_the_law_of_equality() {
    forall::check("clones", &laws::clone(any::<Vec<f64>>()));
    forall::check("texts", &laws::display_from_str(any::<f64>()));
    forall::check("maximum", &laws::commutative(any::<f64>(), |a: &f64, b: &f64| a + b));
    let report = Run::new("equality", &laws::eq(any::<f64>())).settings(Settings::new().store(Store::Off)).report();
    assert!(report.counterexample.is_some_and(|found| found.failure.message.starts_with("Reflexivity")));
}
