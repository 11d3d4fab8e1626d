//! The meaning of a seed is a promise: these values change only with the version of the sequence format.

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
    assert_eq!(
        [random.word(), random.word(), random.word()],
        [2892722176629885157, 8312577101523794882, 3465879921184528620]
    );
    assert_eq!(
        (random.draw().selector, random.earlier(1).word, Random::from_key(7).word()),
        (3959593056, 3465879921184528620, 11332016467709348810)
    );
}

#[test]
fn numbers_are_pinned() {
    assert_eq!(first::<u64>(), "[172419677771, 52214, 278502815682357678]");
    assert_eq!(first::<i32>(), "[40, 52214, -2264875]");
    assert_eq!(first::<f64>(), "[2.6665705519931884e-115, 4.5032840980440884e-63, 0.966250744979655]");
}

#[test]
fn text_is_pinned() {
    assert_eq!(first::<char>(), "['\\u{5}', '2', '9']");
    assert_eq!(first::<String>(), "[\"}8cZ!Yxbjb/_|yf98\\u{202e}BJ\\u{a0}5`t'nJ13^sy\", \"=\", \"MHYD*X\"]");
}

#[test]
fn collections_are_pinned() {
    assert_eq!(
        first::<Vec<u8>>(),
        "[[115, 48, 118, 14, 11, 240, 2], [16], [9, 121, 14, 255, 40, 7, 141, 5, 7, 3, 124, 41, 220]]"
    );
    assert_eq!(
        first::<std::collections::BTreeSet<i8>>(),
        "[{-16, 2, 7, 14, 48, 115, 118}, {-30}, {-115, -36, -24, -9, -8, -7, -5, -1, 2, 7, 13, 41, 124}]"
    );
    assert_eq!(
        first::<Vec<String>>(),
        "[[\"5BvMlqz\", \"\", \"(\", \"Q˒C\", \"'~tl\", \"Qb~\", \"d#|\"], [\".\\u{200d}iQ{@ND\\u{b71f0}Q9`bv厪z|nj6*j\\u{12}U@3\\u{1a}Q?Q {\"], [\"^\", \"\", \"\", \"z}\", \"\", \"gg3\", \"IcL\", \"\", \"\", \"z}\", \"P\", \"a\", \"v\"]]"
    );
}

#[test]
fn ranges_are_pinned() {
    let draw = |index| {
        let mut source = Source::random(42, index, 50);
        (source.draw(0..10), source.draw(-1000..1000), source.draw('a'..='z'), source.draw(0.0..1.0))
    };
    assert_eq!(
        format!("{:?}", [draw(0), draw(1)]),
        "[(1, -99, 'e', 0.46345549717906703), (1, 65, 'p', 0.6982199304963895)]"
    );
}
