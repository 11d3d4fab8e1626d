//! The properties of `RangeSet` of `rangemap`, migrated from proptest.

use forall::laws;
use forall::prelude::*;
use rangemap::RangeSet;
use std::ops::Range;

/// Ranges that are not empty: the set does not take others.
fn ranges<T: Arbitrary + Ord + Copy>() -> impl GeneratorExt<Value = Vec<Range<T>>> {
    vec(from_fn(|source| {
        let (a, b) = (T::arbitrary(source), T::arbitrary(source));
        a.min(b)..a.max(b)
    }))
    .map(|mut ranges| {
        ranges.retain(|range| range.start < range.end);
        ranges
    })
}

fn sets() -> impl GeneratorExt<Value = RangeSet<u64>> {
    ranges().map(RangeSet::from_iter)
}

#[forall::test]
fn the_first_begins_first_and_the_last_ends_last(#[forall(sets())] set: RangeSet<u64>) {
    assert_eq!(set.first(), set.iter().min_by_key(|range| range.start));
    assert_eq!(set.last(), set.iter().max_by_key(|range| range.end));
}

#[forall::test]
fn the_length_is_the_number_of_ranges(#[forall(sets())] mut set: RangeSet<u64>) {
    assert_eq!((set.len(), set.is_empty()), (set.iter().count(), set.iter().next().is_none()));
    set.clear();
    assert!(set.is_empty() && set.iter().next().is_none());
}

#[forall::test]
fn elements_of_a_range_are_in_the_set(#[forall(ranges::<u8>())] ranges: Vec<Range<u8>>) {
    let mut set = RangeSet::new();
    for range in &ranges {
        set.insert(range.clone());
    }
    for value in 0..=u8::MAX {
        assert_eq!(set.contains(&value), ranges.iter().any(|range| range.contains(&value)), "{value}");
    }
}

#[test]
fn sets_obey_the_laws_of_their_traits() {
    forall::check("equality of sets", &laws::eq(sets()));
    forall::check("order of sets", &laws::ord(sets()));
    forall::check("hash of sets", &laws::hash(sets()));
    forall::check("clones of sets", &laws::clone(sets()));
    forall::check(
        "extending sets",
        &laws::extend::<RangeSet<u8>, _>(ranges().filter_map(|ranges| ranges.first().cloned())),
    );
}

#[test]
fn iterators_obey_the_laws_of_iterators() {
    fn iter(set: &RangeSet<u64>) -> impl DoubleEndedIterator<Item = &Range<u64>> {
        set.iter()
    }
    fn into_iter(set: &RangeSet<u64>) -> impl DoubleEndedIterator<Item = Range<u64>> + use<> {
        set.clone().into_iter()
    }
    fn overlapping((set, range): &(RangeSet<u64>, Range<u64>)) -> impl DoubleEndedIterator<Item = &Range<u64>> {
        set.overlapping(range)
    }
    forall::check("iter", &laws::iterator(sets(), iter));
    forall::check("iter, both ends", &laws::double_ended(sets(), iter));
    forall::check("into_iter", &laws::iterator(sets(), into_iter));
    forall::check("into_iter, both ends", &laws::double_ended(sets(), into_iter));
    let with_range = || (sets(), ranges().filter_map(|ranges| ranges.first().cloned()));
    forall::check("overlapping", &laws::iterator(with_range(), overlapping));
    forall::check("overlapping, both ends", &laws::double_ended(with_range(), overlapping));
}
