//! Common first properties: derived trees, two collections, maps, texts, arithmetic. The ideals were written down
//! first; they are the simplest inputs by the order of choices. In the last eight, numbers keep to a pattern, or floats
//! are rounded, so that failing inputs are scattered. They are from a trial, and their ideals were written down after
//! it.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::generate::{GeneratorExt, any, range, shuffle, vec};
use forall::property::{Empty, Property, Telescope};
use std::collections::{BTreeSet, HashMap};

pub const USUAL: [Challenge; 20] = [
    // A negation takes one choice, a sum takes one and another number.
    Challenge { name: "expression", property: expression, ideal: "Neg(Neg(Neg(Neg(Neg(Num(0))))))" },
    Challenge {
        name: "tree_size",
        property: tree_size,
        ideal: "Node(Leaf, 0, Node(Leaf, 0, Node(Leaf, 0, Node(Leaf, 0, Leaf))))",
    },
    Challenge { name: "tree_order", property: tree_order, ideal: "Node(Leaf, 1, Node(Leaf, 0, Leaf))" },
    Challenge { name: "tree_repeats", property: tree_repeats, ideal: "Node(Leaf, 0, Node(Leaf, 0, Leaf))" },
    Challenge { name: "both_lengths", property: both_lengths, ideal: "[], [0, 0, 0]" },
    Challenge { name: "words", property: words, ideal: "\"a a a\"" },
    Challenge { name: "rising", property: rising, ideal: "[0, 1, 2, 3]" },
    Challenge { name: "lists_by_name", property: lists_by_name, ideal: "{\"\": [0, 0, 0, 0, 0]}" },
    Challenge { name: "congruent", property: congruent, ideal: "0, 1000" },
    Challenge { name: "trace", property: trace, ideal: "[[2, 0, 0], [0, 9, 0], [0, 0, 9]]" },
    Challenge { name: "wide_sum", property: wide_sum, ideal: "1, 340282366920938463463374607431768211455" },
    Challenge { name: "letter", property: letter, ideal: "'ª'" },
    Challenge { name: "division_steps", property: division_steps, ideal: "8, 13" },
    Challenge { name: "remainder", property: remainder, ideal: "0, 5" },
    Challenge { name: "single_precision", property: single_precision, ideal: "16777217" },
    Challenge { name: "out_of_place", property: out_of_place, ideal: "[0, 1, 2, 3, 5, 4]" },
    Challenge { name: "balanced", property: balanced, ideal: "[1, 1, -2]" },
    // Integers come before fractions.
    Challenge { name: "thirds", property: thirds, ideal: "3002399751580331.0" },
    Challenge { name: "between", property: between, ideal: "0.0, 5e-324" },
    Challenge { name: "associative", property: associative, ideal: "1.0, 1.0, 9007199254740992.0" },
];

#[derive(Arbitrary, Clone, Debug)]
enum Expr {
    Num(#[allow(dead_code)] i32),
    Add(Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
}

fn nodes(expr: &Expr) -> usize {
    match expr {
        Expr::Num(_) => 1,
        Expr::Add(a, b) => 1 + nodes(a) + nodes(b),
        Expr::Neg(a) => 1 + nodes(a),
    }
}

/// Expressions have fewer than six nodes.
fn expression() -> Box<dyn Property> {
    Box::new(Empty.forall("e", |(), s| s.draw(any::<Expr>())).check(|(e, ())| nodes(e) < 6))
}

#[derive(Arbitrary, Clone, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

/// The numbers of a tree, from left to right.
fn numbers(tree: &Tree) -> Vec<u8> {
    match tree {
        Tree::Leaf => Vec::new(),
        Tree::Node(left, number, right) => [numbers(left), vec![*number], numbers(right)].concat(),
    }
}

/// Trees have fewer than four numbers.
fn tree_size() -> Box<dyn Property> {
    Box::new(Empty.forall("tree", |(), s| s.draw(any::<Tree>())).check(|(tree, ())| numbers(tree).len() < 4))
}

/// The numbers of a tree are in order.
fn tree_order() -> Box<dyn Property> {
    Box::new(Empty.forall("tree", |(), s| s.draw(any::<Tree>())).check(|(tree, ())| numbers(tree).is_sorted()))
}

/// The numbers of a tree are different.
fn tree_repeats() -> Box<dyn Property> {
    let property = Empty.forall("tree", |(), s| s.draw(any::<Tree>())).check(|(tree, ())| {
        let numbers = numbers(tree);
        numbers.iter().collect::<BTreeSet<_>>().len() == numbers.len()
    });
    Box::new(property)
}

/// Two lists have fewer than three elements together.
fn both_lengths() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<Vec<u8>>()))
        .forall("b", |_, s| s.draw(any::<Vec<u8>>()))
        .check(|(b, (a, ()))| a.len() + b.len() < 3);
    Box::new(property)
}

/// Texts have fewer than three words.
fn words() -> Box<dyn Property> {
    let property =
        Empty.forall("text", |(), s| s.draw(any::<String>())).check(|(text, ())| text.split_whitespace().count() < 3);
    Box::new(property)
}

/// No four neighbours in a list rise.
fn rising() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| s.draw(any::<Vec<i32>>()))
        .check(|(xs, ())| !xs.windows(4).any(|four| four.is_sorted_by(|a, b| a < b)));
    Box::new(property)
}

/// The lists of a map have fewer than five elements together.
fn lists_by_name() -> Box<dyn Property> {
    let property = Empty
        .forall("map", |(), s| s.draw(any::<HashMap<String, Vec<u8>>>()))
        .check(|(map, ())| map.values().map(Vec::len).sum::<usize>() < 5);
    Box::new(property)
}

/// Different numbers leave different rests.
fn congruent() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u32>()))
        .forall("b", |_, s| s.draw(any::<u32>()))
        .check(|(b, (a, ()))| a == b || a % 1000 != b % 1000);
    Box::new(property)
}

/// The diagonal of a square sums to less than 20.
fn trace() -> Box<dyn Property> {
    let square = || range(0..10usize).flat_map(|n| vec(vec(0..10u32).len(n)).len(n));
    let property = Empty
        .forall("rows", move |(), s| s.draw(square()))
        .check(|(rows, ())| rows.iter().enumerate().map(|(i, row)| row[i]).sum::<u32>() < 20);
    Box::new(property)
}

/// Sums of wide numbers do not overflow.
fn wide_sum() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u128>()))
        .forall("b", |_, s| s.draw(any::<u128>()))
        .check(|(b, (a, ()))| a.checked_add(*b).is_some());
    Box::new(property)
}

/// All letters are ASCII.
fn letter() -> Box<dyn Property> {
    let property = Empty.forall("c", |(), s| s.draw(any::<char>())).check(|(c, ())| c.is_ascii() || !c.is_alphabetic());
    Box::new(property)
}

/// It takes fewer than six steps to find the greatest common divisor.
fn division_steps() -> Box<dyn Property> {
    let steps = |mut a: u32, mut b: u32| {
        let mut steps = 0;
        while b != 0 {
            (a, b) = (b, a % b);
            steps += 1;
        }
        steps
    };
    let property = Empty
        .forall("a", |(), s| s.draw(1..10_000u32))
        .forall("b", |_, s| s.draw(1..10_000u32))
        .check(move |(b, (a, ()))| steps(*a, *b) < 6);
    Box::new(property)
}

/// No distance is 5 modulo 7.
fn remainder() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u16>()))
        .forall("b", |_, s| s.draw(any::<u16>()))
        .check(|(b, (a, ()))| a.abs_diff(*b) % 7 != 5);
    Box::new(property)
}

/// Integers survive single precision.
fn single_precision() -> Box<dyn Property> {
    Box::new(Empty.forall("n", |(), s| s.draw(any::<i32>())).check(|(n, ())| *n as f32 as i32 == *n))
}

/// Shuffling leaves everything in its place.
fn out_of_place() -> Box<dyn Property> {
    let property =
        Empty.forall("order", |(), s| s.draw(shuffle([0, 1, 2, 3, 4, 5]))).check(|(order, ())| order.is_sorted());
    Box::new(property)
}

/// Three amounts or more do not sum up to nothing, unless one of them is nothing.
fn balanced() -> Box<dyn Property> {
    let property = Empty.forall("amounts", |(), s| s.draw(any::<Vec<i8>>())).check(|(amounts, ())| {
        amounts.len() < 3 || amounts.contains(&0) || amounts.iter().map(|amount| i32::from(*amount)).sum::<i32>() != 0
    });
    Box::new(property)
}

/// Three times a third is the whole.
fn thirds() -> Box<dyn Property> {
    let property = Empty
        .forall("x", |(), s| s.draw(any::<f64>()))
        .implies(|(x, ())| x.is_finite())
        .check(|(x, ())| x * 3.0 / 3.0 == *x || !(x * 3.0).is_finite());
    Box::new(property)
}

/// Between two floats is another.
fn between() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<f64>()))
        .forall("b", |_, s| s.draw(any::<f64>()))
        .implies(|(b, (a, ()))| a.is_finite() && b.is_finite() && a < b)
        .check(|(b, (a, ()))| {
            let middle = (a + b) / 2.0;
            *a < middle && middle < *b
        });
    Box::new(property)
}

/// Sums of floats do not depend on their order.
fn associative() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<f64>()))
        .forall("b", |_, s| s.draw(any::<f64>()))
        .forall("c", |_, s| s.draw(any::<f64>()))
        .implies(|(c, (b, (a, ())))| (a + b + c).is_finite())
        .check(|(c, (b, (a, ())))| (a + b) + c == a + (b + c));
    Box::new(property)
}
