//! Challenges of the other files with loops by hand in place of their collections: they have to end at the same
//! counterexamples.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::any;

use forall::property::{Empty, Property, Telescope};
use std::collections::{BTreeMap, BTreeSet};

pub const LOOPED: [Challenge; 22] = [
    Challenge { name: "bound5_loop", property: bound5, ideal: "[], [], [], [-1], [-32768]" },
    Challenge { name: "large_union_loop", property: large_union, ideal: "[[0, 1, -1, 2, -2]]" },
    Challenge { name: "reverse_loop", property: reverse, ideal: "[0, 1]" },
    Challenge { name: "coupling_loop", property: coupling, ideal: "[1, 0]" },
    Challenge { name: "deletion_loop", property: deletion, ideal: "[0, 0], 0" },
    Challenge { name: "distinct_loop", property: distinct, ideal: "[0, 1, -1]" },
    Challenge { name: "nested_loop", property: nested, ideal: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]" },
    Challenge { name: "comes_back_loop", property: comes_back, ideal: "[0, 1, 0]" },
    Challenge { name: "three_lengths_loop", property: three_lengths, ideal: "[0, 0], [0, 0], [0, 0]" },
    Challenge { name: "both_lengths_loop", property: both_lengths, ideal: "[], [0, 0, 0]" },
    Challenge { name: "rising_loop", property: rising, ideal: "[0, 1, 2, 3]" },
    Challenge { name: "balanced_loop", property: balanced, ideal: "[1, 1, -2]" },
    Challenge { name: "chunks_loop", property: chunks, ideal: "[1, 0, 1, 0]" },
    Challenge { name: "sum_loop", property: sum, ideal: "[501, 999]" },
    Challenge { name: "dot_product_loop", property: dot_product, ideal: "[(51, 99)]" },
    Challenge { name: "vectors_loop", property: vectors, ideal: "([51], [99])" },
    Challenge { name: "trace_loop", property: trace, ideal: "[[2, 0, 0], [0, 9, 0], [0, 0, 9]]" },
    Challenge { name: "model_loop", property: model, ideal: "[Insert(0, 0), Insert(0, 0), Remove(0), Get(0)]" },
    Challenge { name: "words_by_hand", property: words, ideal: "\"a a a\"" },
    Challenge { name: "calculator_by_hand", property: calculator, ideal: "Div(Int(0), Add(Int(0), Int(0)))" },
    Challenge { name: "tree_by_hand", property: tree_order, ideal: "Node(Leaf, 1, Node(Leaf, 0, Leaf))" },
    Challenge { name: "search_by_hand", property: lists_in_lists, ideal: "[[[5]], [[5]]]" },
];

fn many<T>(s: &mut Source, mut draw: impl FnMut(&mut Source) -> T) -> Vec<T> {
    let count = s.draw(0..=20usize);
    (0..count).map(|_| draw(s)).collect()
}

fn total(xs: &[i16]) -> i16 {
    xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

fn bound5() -> Box<dyn Property> {
    fn small(s: &mut Source) -> Vec<i16> {
        many(s, |s| s.draw(any::<i16>()))
    }
    let property = Empty
        .forall("a", |(), s| small(s))
        .forall("b", |_, s| small(s))
        .forall("c", |_, s| small(s))
        .forall("d", |_, s| small(s))
        .forall("e", |_, s| small(s))
        .implies(|(e, (d, (c, (b, (a, ())))))| [a, b, c, d, e].iter().all(|xs| total(xs) < 256))
        .check(|(e, (d, (c, (b, (a, ())))))| total(&[total(a), total(b), total(c), total(d), total(e)]) < 5 * 256);
    Box::new(property)
}

fn large_union() -> Box<dyn Property> {
    let property = Empty
        .forall("xss", |(), s| many(s, |s| many(s, |s| s.draw(any::<i32>()))))
        .check(|(xss, ())| xss.iter().flatten().collect::<BTreeSet<_>>().len() <= 4);
    Box::new(property)
}

fn numbers(s: &mut Source) -> Vec<i32> {
    many(s, |s| s.draw(any::<i32>()))
}

fn bytes(s: &mut Source) -> Vec<u8> {
    many(s, |s| s.draw(any::<u8>()))
}

fn reverse() -> Box<dyn Property> {
    Box::new(Empty.forall("xs", |(), s| numbers(s)).check(|(xs, ())| xs.iter().rev().eq(xs.iter())))
}

fn coupling() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| many(s, |s| s.draw(0..=10usize)))
        .implies(|(xs, ())| xs.iter().all(|x| *x < xs.len()))
        .check(|(xs, ())| xs.iter().enumerate().all(|(i, &x)| i == x || xs[x] != i));
    Box::new(property)
}

fn deletion() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| many(s, |s| s.draw(-1000..=1000i32)))
        .forall("x", |_, s| s.draw(-1000..=1000i32))
        .check(|(x, (xs, ()))| xs.iter().filter(|y| *y == x).count() < 2);
    Box::new(property)
}

fn distinct() -> Box<dyn Property> {
    Box::new(Empty.forall("xs", |(), s| numbers(s)).check(|(xs, ())| xs.iter().collect::<BTreeSet<_>>().len() < 3))
}

fn nested() -> Box<dyn Property> {
    let property = Empty
        .forall("xss", |(), s| many(s, |s| many(s, |s| s.draw(any::<i32>()))))
        .check(|(xss, ())| xss.iter().map(Vec::len).sum::<usize>() <= 10);
    Box::new(property)
}

fn comes_back() -> Box<dyn Property> {
    let property = Empty.forall("xs", |(), s| bytes(s)).check(|(xs, ())| {
        let mut runs = xs.clone();
        runs.dedup();
        runs.iter().collect::<BTreeSet<_>>().len() == runs.len()
    });
    Box::new(property)
}

fn three_lengths() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| bytes(s))
        .forall("b", |_, s| bytes(s))
        .forall("c", |_, s| bytes(s))
        .check(|(c, (b, (a, ())))| a.len() < 2 || a.len() != b.len() || b.len() != c.len());
    Box::new(property)
}

fn both_lengths() -> Box<dyn Property> {
    let property =
        Empty.forall("a", |(), s| bytes(s)).forall("b", |_, s| bytes(s)).check(|(b, (a, ()))| a.len() + b.len() < 3);
    Box::new(property)
}

fn rising() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| numbers(s))
        .check(|(xs, ())| !xs.windows(4).any(|four| four.is_sorted_by(|a, b| a < b)));
    Box::new(property)
}

fn balanced() -> Box<dyn Property> {
    let property = Empty.forall("amounts", |(), s| many(s, |s| s.draw(any::<i8>()))).check(|(amounts, ())| {
        amounts.len() < 3 || amounts.contains(&0) || amounts.iter().map(|amount| i32::from(*amount)).sum::<i32>() != 0
    });
    Box::new(property)
}

fn chunks() -> Box<dyn Property> {
    let property = Empty.forall("bytes", |(), s| many(s, |s| s.draw(0..=20u8))).check(|(bytes, ())| {
        let (mut found, mut rest) = (0, &bytes[..]);
        while let Some((&length, tail)) = rest.split_first() {
            let Some(after) = tail.get(usize::from(length)..) else { break };
            found += usize::from(length > 0);
            rest = after;
        }
        found < 2
    });
    Box::new(property)
}

fn sum() -> Box<dyn Property> {
    let property =
        Empty.forall("xs", |(), s| many(s, |s| s.draw(0..1000u32))).check(|(xs, ())| xs.iter().sum::<u32>() < 1500);
    Box::new(property)
}

fn dot_product() -> Box<dyn Property> {
    let property = Empty
        .forall("pairs", |(), s| many(s, |s| (s.draw(0..100u32), s.draw(0..100u32))))
        .check(|(pairs, ())| pairs.iter().map(|(x, y)| x * y).sum::<u32>() < 5000);
    Box::new(property)
}

fn vectors() -> Box<dyn Property> {
    let pair = |s: &mut Source| {
        let count = s.draw(1..=30usize);
        let mut list = || (0..count).map(|_| s.draw(0..100u32)).collect::<Vec<_>>();
        (list(), list())
    };
    let property = Empty
        .forall("pair", move |(), s| pair(s))
        .check(|((xs, ys), ())| xs.iter().zip(ys).map(|(x, y)| x * y).sum::<u32>() < 5000);
    Box::new(property)
}

fn trace() -> Box<dyn Property> {
    let square = |s: &mut Source| {
        let n = s.draw(0..10usize);
        (0..n).map(|_| (0..n).map(|_| s.draw(0..10u32)).collect()).collect::<Vec<Vec<u32>>>()
    };
    let property = Empty
        .forall("rows", move |(), s| square(s))
        .check(|(rows, ())| rows.iter().enumerate().map(|(i, row)| row[i]).sum::<u32>() < 20);
    Box::new(property)
}

#[derive(Clone, Debug)]
enum Command {
    Clear,
    Remove(u8),
    Get(u8),
    Insert(u8, u8),
}

fn model() -> Box<dyn Property> {
    let command = |s: &mut Source| match s.draw(0..4u8) {
        0 => Command::Clear,
        1 => Command::Remove(s.draw(0..=20u8)),
        2 => Command::Get(s.draw(0..=20u8)),
        _ => Command::Insert(s.draw(0..=20u8), s.draw(any::<u8>())),
    };
    let property = Empty.forall("commands", move |(), s| many(s, command)).check(|(commands, ())| {
        let (mut model, mut system) = (BTreeMap::new(), Vec::new());
        commands.iter().all(|command| {
            match command {
                Command::Clear => (model.clear(), system.clear()).0,
                Command::Insert(key, value) => {
                    model.insert(*key, *value);
                    system.push((*key, *value));
                }
                Command::Remove(key) => {
                    model.remove(key);
                    let newest = system.iter().rposition(|entry: &(u8, u8)| entry.0 == *key);
                    newest.map(|place| system.remove(place));
                }
                Command::Get(key) => {
                    let found = system.iter().rev().find(|entry| entry.0 == *key).map(|entry| entry.1);
                    return found == model.get(key).copied();
                }
            }
            true
        })
    });
    Box::new(property)
}

fn words() -> Box<dyn Property> {
    let property = Empty
        .forall("text", |(), s| many(s, |s| s.draw(any::<char>())).into_iter().collect::<String>())
        .check(|(text, ())| text.split_whitespace().count() < 3);
    Box::new(property)
}

#[derive(Clone, Debug)]
enum Calc {
    Int(i32),
    Add(Box<Calc>, Box<Calc>),
    Div(Box<Calc>, Box<Calc>),
}

fn calc(s: &mut Source, depth: u32) -> Calc {
    match if depth == 0 { 0 } else { s.draw(0..=2u8) } {
        0 => Calc::Int(s.draw(any::<i32>())),
        1 => Calc::Add(Box::new(calc(s, depth - 1)), Box::new(calc(s, depth - 1))),
        _ => Calc::Div(Box::new(calc(s, depth - 1)), Box::new(calc(s, depth - 1))),
    }
}

impl Calc {
    fn divides_by_literal_zero(&self) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Add(a, b) => a.divides_by_literal_zero() || b.divides_by_literal_zero(),
            Self::Div(a, b) => {
                matches!(**b, Self::Int(0)) || a.divides_by_literal_zero() || b.divides_by_literal_zero()
            }
        }
    }

    fn evaluate(&self) -> Option<i32> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Add(a, b) => Some(a.evaluate()?.wrapping_add(b.evaluate()?)),
            Self::Div(a, b) => {
                let (a, b) = (a.evaluate()?, b.evaluate()?);
                if b == 0 { None } else { Some(a.wrapping_div(b)) }
            }
        }
    }
}

fn calculator() -> Box<dyn Property> {
    let property = Empty
        .forall("e", |(), s| calc(s, 5))
        .implies(|(e, ())| !e.divides_by_literal_zero())
        .check(|(e, ())| e.evaluate().is_some());
    Box::new(property)
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

fn tree(s: &mut Source, depth: u32) -> Tree {
    if depth == 0 || !s.draw(any::<bool>()) {
        return Tree::Leaf;
    }
    Tree::Node(Box::new(tree(s, depth - 1)), s.draw(any::<u8>()), Box::new(tree(s, depth - 1)))
}

fn numbers_of(tree: &Tree) -> Vec<u8> {
    match tree {
        Tree::Leaf => Vec::new(),
        Tree::Node(left, number, right) => [numbers_of(left), vec![*number], numbers_of(right)].concat(),
    }
}

fn tree_order() -> Box<dyn Property> {
    Box::new(Empty.forall("tree", |(), s| tree(s, 6)).check(|(tree, ())| numbers_of(tree).is_sorted()))
}

fn lists_in_lists() -> Box<dyn Property> {
    let lists = |s: &mut Source| many(s, |s| many(s, |s| many(s, |s| s.draw(0..=9u8))));
    let has = |list: &&Vec<Vec<u8>>| list.iter().flatten().any(|n| *n >= 5);
    Box::new(
        Empty.forall("lists", move |(), s| lists(s)).check(move |(lists, ())| lists.iter().filter(has).count() < 2),
    )
}
