//! The search agrees with enumeration on random formulas of connectives and quantifiers.

use forall::lazy::{Lazy, and, exists, exists_unique, explore, for_all, implies, not, or, search};
use forall::prelude::*;
use std::cell::Cell;

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Flag(bool),
    Branch(Lazy<Tree>, Lazy<Tree>),
}

/// Returns all trees up to depth 1.
fn all() -> Vec<Lazy<Tree>> {
    let leaf = || Lazy::new(Tree::Leaf);
    let mut trees = vec![leaf()];
    for flag in [false, true] {
        trees.push(Lazy::new(Tree::Flag(flag)));
    }
    trees.push(Lazy::new(Tree::Branch(leaf(), leaf())));
    trees
}

fn mix(seed: u64) -> u64 {
    let mut word = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Forces some parts of a tree, depending on those forced before. The result depends on all of them.
fn looks(seed: u64, tree: &Lazy<Tree>) -> bool {
    let (mut open, mut word) = (vec![tree.clone()], mix(seed));
    while !open.is_empty() && !word.is_multiple_of(5) {
        let seen = match &*open.swap_remove((word % open.len() as u64) as usize) {
            Tree::Leaf => 1,
            Tree::Flag(flag) => 2 + u64::from(*flag),
            Tree::Branch(left, right) => {
                open.extend([left.clone(), right.clone()]);
                4
            }
        };
        word = mix(word ^ seed ^ seen);
    }
    word % 4 != 1
}

/// A formula over two variables. With `values`, it is decided by enumeration, with Rust's own connectives.
struct Formula<'a> {
    values: Option<&'a [Lazy<Tree>]>,
    calls: &'a Cell<u64>,
}

impl Formula<'_> {
    fn holds(&self, seed: u64, depth: u32, a: &Lazy<Tree>, b: &Lazy<Tree>) -> bool {
        let form = mix(seed);
        if depth == 0 || form.is_multiple_of(7) {
            return looks(seed, if form.is_multiple_of(2) { a } else { b });
        }
        let (first, second) = (seed * 2 + 1, seed * 2 + 2);
        let left = || self.holds(first, depth - 1, a, b);
        let right = || self.holds(second, depth - 1, a, b);
        let inner = |c: &Lazy<Tree>| {
            self.calls.set(self.calls.get() + 1);
            self.holds(first, depth - 1, c, a)
        };
        match (self.values, (form >> 8) % 7) {
            (None, 0) => and(left, right),
            (None, 1) => or(left, right),
            (None, 2) => implies(left, right),
            (None, 3) => not(left),
            (None, 4) => exists().check(inner),
            (None, 5) => for_all().check(inner),
            (None, _) => exists_unique().check(inner),
            (Some(_), 0) => left() && right(),
            (Some(_), 1) => left() || right(),
            (Some(_), 2) => !left() || right(),
            (Some(_), 3) => !left(),
            (Some(values), 4) => values.iter().any(inner),
            (Some(values), 5) => values.iter().all(inner),
            (Some(values), _) => values.iter().filter(|value| inner(value)).count() == 1,
        }
    }
}

#[test]
fn formulas_are_decided_as_by_trying_all_values() {
    let (values, mut fail) = (all(), 0);
    for seed in 0..300 {
        let calls = Cell::new(0);
        let formula = Formula { values: None, calls: &calls };
        let property = property! {
            forall a: Lazy<Tree>;
            forall b: Lazy<Tree>;
            check { calls.set(calls.get() + 1); formula.holds(seed, 4, a, b) }
        };
        let found = search(&property, 1);
        assert_eq!(found.evaluations, calls.get(), "formula {seed}");
        let by_trying = Formula { values: Some(&values), calls: &calls };
        let holds = values.iter().all(|a| values.iter().all(|b| by_trying.holds(seed, 4, a, b)));
        assert_eq!((found.holds(), found.trouble), (holds, None), "formula {seed}");
        // The counterexample is reproduced and printed.
        let explored = explore(&property, 1);
        assert_eq!((explored.holds(), explored.trouble), (holds, None), "formula {seed}");
        fail += u32::from(!holds);
    }
    assert!((50..250).contains(&fail), "{fail} of 300 do not hold");
}
