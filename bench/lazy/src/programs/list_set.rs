//! Sets as ordered lists.

use crate::Program;
use crate::lists::{L, ordered};
use forall::lazy::{Lazy, List};
use forall::prelude::*;
use std::cmp::Ordering;

/// Inserting keeps the order.
pub const INSERT: Program = Program {
    name: "listset1",
    property: || {
        Box::new(property! {
            forall c: Lazy<char>;
            forall s: L<char>;
            implies ordered(s);
            check ordered(&insert(c, s))
        })
    },
    recorded: &[4, 10, 24, 58, 140, 330, 760, 1718, 3828, 8434, 18416, 39918, 85996],
    fails_at: None,
    counterexample: &[],
    space: Some((11, 1.3e9)),
    suite: Some((11, 14.7)),
};

fn insert(value: &Lazy<char>, set: &L<char>) -> List<char> {
    match &**set {
        List::Nil => List::Cons(value.clone(), Lazy::new(List::Nil)),
        List::Cons(first, rest) => match value.cmp(first) {
            Ordering::Less => List::Cons(value.clone(), set.clone()),
            Ordering::Equal => (**set).clone(),
            Ordering::Greater => List::Cons(first.clone(), Lazy::new(insert(value, rest))),
        },
    }
}
