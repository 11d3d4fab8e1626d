//! A sorted vector: inserting keeps the order. The rewrite is `listset1`.

use super::Pair;
use crate::programs::list_set;
use forall::lazy::List;

pub const PAIR: Pair = Pair {
    name: "sorted vector",
    twin: || Box::new(insert_keeps_the_order::property()),
    by_hand: list_set::INSERT.property,
    depths: (6, 11),
};

fn insert(x: char, xs: &mut Vec<char>) {
    if let Err(place) = xs.binary_search(&x) {
        xs.insert(place, x);
    }
}

fn is_ordered(xs: &List<char>) -> bool {
    xs.iter().zip(xs.iter().skip(1)).all(|(x, y)| x <= y)
}

#[forall::property(runner = exhaustive)]
fn insert_keeps_the_order(x: char, #[forall(given = is_ordered)] mut xs: Vec<char>) -> bool {
    insert(x, &mut xs);
    xs.is_sorted()
}
