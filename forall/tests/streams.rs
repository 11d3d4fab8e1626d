//! What a seed means is a promise: these values change only with the version of the sequence format.

use forall::choice::{Random, Source};
use forall::generate::{Arbitrary, any};
use std::fmt::Debug;

/// The values of tests 0 to 2 of seed 42 at size 50.
fn first<T: Arbitrary + Debug>() -> String {
    let values: Vec<T> = [0, 1, 2].into_iter().map(|index| Source::random(42, index, 50).draw(any())).collect();
    format!("{values:?}")
}

#[test]
fn words_are_pinned() {
    let mut random = Random::for_test(42, 0);
    assert_eq!([random.word(), random.word(), random.word()], [0, 0, 0]);
    assert_eq!((random.draw().selector, random.earlier(1).word, Random::from_key(7).word()), (0, 0, 0));
}

#[test]
fn numbers_are_pinned() {
    assert_eq!(first::<u64>(), "");
    assert_eq!(first::<i32>(), "");
    assert_eq!(first::<f64>(), "");
}

#[test]
fn text_is_pinned() {
    assert_eq!(first::<char>(), "");
    assert_eq!(first::<String>(), "");
}

#[test]
fn collections_are_pinned() {
    assert_eq!(first::<Vec<u8>>(), "");
    assert_eq!(first::<std::collections::BTreeSet<i8>>(), "");
    assert_eq!(first::<Vec<String>>(), "");
}

#[test]
fn ranges_are_pinned() {
    let draw = |index| {
        let mut source = Source::random(42, index, 50);
        (source.draw(0..10), source.draw(-1000..1000), source.draw('a'..='z'), source.draw(0.0..1.0))
    };
    assert_eq!(format!("{:?}", [draw(0), draw(1)]), "");
}
