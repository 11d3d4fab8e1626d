//! Values, not codes: equal values, differences, exchanged values, wide integers, parts deep inside others,
//! permutations, sets, and numbers that must fit together.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::generate::{any, shuffle, vec};
use forall::prelude::property;
use forall::property::{Empty, Property, Telescope};
use std::collections::{BTreeMap, BTreeSet};

pub const VALUES: [Challenge; 29] = [
    Challenge { name: "wide_20", property: || Box::new(property! { forall x: u128; check *x < 20 }), ideal: "20" },
    Challenge {
        name: "wide_1000",
        property: || Box::new(property! { forall x: u128; check *x < 1000 }),
        ideal: "1000",
    },
    Challenge {
        name: "wide_negative",
        property: || Box::new(property! { forall x: i128; check *x > -1000 }),
        ideal: "-1000",
    },
    Challenge { name: "wide_list", property: wide_list, ideal: "vec![1000, 1000]" },
    Challenge { name: "wide_pair", property: wide_pair, ideal: "0, 1000" },
    Challenge { name: "three_alike", property: three_alike, ideal: "vec![0, 0, 0, 1]" },
    Challenge { name: "three_letters", property: three_letters, ideal: "String::from(\"aaab\")" },
    Challenge { name: "gap", property: gap, ideal: "0, 7" },
    Challenge { name: "gap_behind_text", property: gap_behind_text, ideal: "0, String::from(\"\"), 7" },
    Challenge { name: "gap_below", property: gap_below, ideal: "0, -7" },
    Challenge { name: "gap_wide", property: gap_wide, ideal: "0, 7" },
    Challenge { name: "union", property: union, ideal: "[{0, 1, 2, 3, 4, 5}]" },
    Challenge { name: "union_ten", property: union_ten, ideal: "[{-4, -3, -2, -1, 0, 1, 2, 3, 4, 5}]" },
    Challenge { name: "union_lists", property: union_lists, ideal: "vec![vec![0, 1, 2, 3, 4, 5]]" },
    Challenge { name: "union_map", property: union_map, ideal: "{0: [0, 1, 2, 3, 4, 5]}" },
    Challenge {
        name: "shadowed",
        property: shadowed,
        ideal: "Term::Let(0, Box::new(Term::Num(0)), Box::new(Term::Let(0, Box::new(Term::Num(0)), Box::new(Term::Num(0)))))",
    },
    Challenge { name: "deep", property: deep, ideal: "Doc::List(vec![(0, Doc::List(vec![]))])" },
    Challenge {
        name: "two_texts",
        property: two_texts,
        ideal: "Json::Array(vec![Json::Text(String::from(\"\")), Json::Text(String::from(\"\"))])",
    },
    Challenge { name: "large_number", property: large_number, ideal: "Json::Number(101)" },
    Challenge {
        name: "functions",
        property: functions,
        ideal: "Kind::Function(vec![], Box::new(Kind::Function(vec![], Box::new(Kind::Unit))))",
    },
    Challenge { name: "before_first", property: before_first, ideal: "vec![0, 1, 2, 4, 3, 5]" },
    Challenge { name: "before_far", property: before_far, ideal: "vec![0, 2, 3, 4, 5, 1]" },
    Challenge { name: "first_of_three", property: first_of_three, ideal: "vec![2, 0, 1, 3, 4, 5]" },
    Challenge { name: "palindrome", property: palindrome, ideal: "vec![0, 1, 0, 1, 0]" },
    Challenge { name: "divisor", property: divisor, ideal: "12, 18" },
    Challenge { name: "factors", property: factors, ideal: "2, 3, 5" },
    Challenge { name: "bits", property: bits, ideal: "1, 15" },
    Challenge { name: "accounts", property: accounts, ideal: "vec![Command::Open(1), Command::Move(1, 1)]" },
    Challenge { name: "twice_and_again", property: twice_and_again, ideal: "0, vec![0], 0" },
];

fn wide_list() -> Box<dyn Property> {
    Box::new(property! { forall xs: Vec<u128>; check xs.iter().filter(|x| **x >= 1000).count() < 2 })
}

fn wide_pair() -> Box<dyn Property> {
    Box::new(property! { forall a: u128; forall b: u128; check a.saturating_add(*b) < 1000 })
}

/// Whether something comes three times, and something else is there.
fn repeats<T: Ord>(values: impl Iterator<Item = T>) -> bool {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts.len() > 1 && counts.values().any(|count| *count > 2)
}

fn three_alike() -> Box<dyn Property> {
    Box::new(property! { forall xs: Vec<u8>; check !repeats(xs.iter()) })
}

fn three_letters() -> Box<dyn Property> {
    Box::new(property! { forall text: String; check !repeats(text.chars()) })
}

fn gap() -> Box<dyn Property> {
    Box::new(property! { forall a in -10..=10i64; forall b in -10..=10i64; check a + 7 != *b })
}

fn gap_behind_text() -> Box<dyn Property> {
    Box::new(property! {
        forall a in -10..=10i64; forall text: String; forall b in -10..=10i64; check { let _ = text; a + 7 != *b }
    })
}

fn gap_below() -> Box<dyn Property> {
    Box::new(property! { forall a in -10..=10i64; forall b in -10..=10i64; check a - 7 != *b })
}

fn gap_wide() -> Box<dyn Property> {
    Box::new(property! { forall a: i32; forall b: i32; check a.wrapping_add(7) != *b })
}

fn union() -> Box<dyn Property> {
    let property = Empty
        .forall("sets", |(), s| s.draw(any::<Vec<BTreeSet<u16>>>()))
        .check(|(sets, ())| sets.iter().flatten().collect::<BTreeSet<_>>().len() < 6);
    Box::new(property)
}

fn union_ten() -> Box<dyn Property> {
    let property = Empty
        .forall("sets", |(), s| s.draw(any::<Vec<BTreeSet<i64>>>()))
        .check(|(sets, ())| sets.iter().flatten().collect::<BTreeSet<_>>().len() < 10);
    Box::new(property)
}

fn union_lists() -> Box<dyn Property> {
    Box::new(property! { forall xs: Vec<Vec<u16>>; check xs.iter().flatten().collect::<BTreeSet<_>>().len() < 6 })
}

fn union_map() -> Box<dyn Property> {
    let property = Empty
        .forall("map", |(), s| s.draw(any::<BTreeMap<u8, Vec<u8>>>()))
        .check(|(map, ())| map.values().flatten().collect::<BTreeSet<_>>().len() < 6);
    Box::new(property)
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Term {
    Num(i32),
    Var(#[forall(with = 0..3u8)] u8),
    Add(Box<Term>, Box<Term>),
    Let(#[forall(with = 0..3u8)] u8, Box<Term>, Box<Term>),
}

fn shadows(term: &Term, bound: &mut Vec<u8>) -> bool {
    match term {
        Term::Num(_) | Term::Var(_) => false,
        Term::Add(a, b) => shadows(a, bound) || shadows(b, bound),
        Term::Let(name, value, body) => {
            if shadows(value, bound) || bound.contains(name) {
                return true;
            }
            bound.push(*name);
            let shadows = shadows(body, bound);
            bound.pop();
            shadows
        }
    }
}

/// No variable shadows another.
fn shadowed() -> Box<dyn Property> {
    Box::new(property! { forall term: Term; check !shadows(term, &mut Vec::new()) })
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Doc {
    Text(String),
    Number(i32),
    List(Vec<(u8, Doc)>),
    Named(BTreeMap<u8, Doc>),
}

/// Whether an empty list stands inside a list.
fn holds_empty(doc: &Doc, inside: bool) -> bool {
    match doc {
        Doc::Text(_) | Doc::Number(_) => false,
        Doc::List(list) => inside && list.is_empty() || list.iter().any(|(_, doc)| holds_empty(doc, true)),
        Doc::Named(map) => map.values().any(|doc| holds_empty(doc, false)),
    }
}

/// No list holds an empty one.
fn deep() -> Box<dyn Property> {
    Box::new(property! { forall doc: Doc; check !holds_empty(doc, false) })
}

/// 3 comes before 4.
fn before_first() -> Box<dyn Property> {
    Box::new(
        property! { forall order in shuffle([0, 1, 2, 3, 4, 5]); check order.iter().position(|n| *n == 3) < order.iter().position(|n| *n == 4) },
    )
}

/// 1 comes before 5.
fn before_far() -> Box<dyn Property> {
    Box::new(
        property! { forall order in shuffle([0, 1, 2, 3, 4, 5]); check order.iter().position(|n| *n == 1) < order.iter().position(|n| *n == 5) },
    )
}

/// The first is not larger than both that follow.
fn first_of_three() -> Box<dyn Property> {
    Box::new(
        property! { forall order in shuffle([0, 1, 2, 3, 4, 5]); check !(order[0] > order[1] && order[0] > order[2]) },
    )
}

/// No list of five reads the same backwards, if neighbours differ.
fn palindrome() -> Box<dyn Property> {
    Box::new(property! {
        forall xs in vec(0..4u8);
        check xs.len() < 5 || xs.windows(2).any(|pair| pair[0] == pair[1]) || xs.iter().rev().ne(xs)
    })
}

fn common(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common(b, a % b) }
}

/// No two numbers have 6 in common, unless one divides the other.
fn divisor() -> Box<dyn Property> {
    Box::new(property! {
        forall a in 1..2000u32; forall b in 1..2000u32; check common(*a, *b) != 6 || *a >= *b || b % a == 0
    })
}

/// No three rising numbers have a product that 30 divides.
fn factors() -> Box<dyn Property> {
    Box::new(property! {
        forall a in 2..200u32; forall b in 2..200u32; forall c in 2..200u32;
        check a * b * c % 30 != 0 || a >= b || b >= c
    })
}

/// Numbers with a bit in common differ in fewer than three.
fn bits() -> Box<dyn Property> {
    Box::new(property! { forall a: u32; forall b: u32; check a & b == 0 || (a ^ b).count_ones() < 3 })
}

#[derive(Arbitrary, Clone, Debug)]
enum Command {
    Close(u8),
    Open(u8),
    Pay(u8, u16),
    Move(u8, u8),
}

/// Nothing is moved from an account to itself. (0 is no account.)
fn accounts() -> Box<dyn Property> {
    Box::new(property! { forall commands: Vec<Command>; check {
        let mut open = BTreeSet::new();
        commands.iter().all(|command| {
            match command {
                Command::Close(id) => drop(open.remove(id)),
                Command::Open(id) => drop(*id > 0 && open.insert(*id)),
                Command::Pay(..) => {}
                Command::Move(from, to) => return from != to || !open.contains(from),
            }
            true
        })
    } })
}

/// A number is not in a list and the same as another, whatever comes between.
fn twice_and_again() -> Box<dyn Property> {
    Box::new(property! { forall a: i64; forall xs: Vec<i64>; forall b: i64; check !(xs.contains(a) && a == b) })
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Json {
    Null,
    Number(i32),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn texts(json: &Json) -> usize {
    match json {
        Json::Null | Json::Number(_) => 0,
        Json::Text(text) => usize::from(text.is_empty()),
        Json::Array(list) => list.iter().map(texts).sum(),
        Json::Object(fields) => fields.iter().map(|(_, json)| texts(json)).sum(),
    }
}

/// Fewer than two texts are empty.
fn two_texts() -> Box<dyn Property> {
    Box::new(property! { forall json: Json; check texts(json) < 2 })
}

fn largest(json: &Json) -> i32 {
    match json {
        Json::Null | Json::Text(_) => 0,
        Json::Number(n) => *n,
        Json::Array(list) => list.iter().map(largest).max().unwrap_or(0),
        Json::Object(fields) => fields.iter().map(|(_, json)| largest(json)).max().unwrap_or(0),
    }
}

/// No number is above 100.
fn large_number() -> Box<dyn Property> {
    Box::new(property! { forall json: Json; check largest(json) <= 100 })
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Kind {
    Unit,
    Pair(Box<(Kind, u8)>),
    Tuple(Vec<(u8, Option<Box<Kind>>)>),
    Function(Vec<Kind>, Box<Kind>),
}

/// Whether a function has no parameters and returns a function.
fn returns(kind: &Kind) -> bool {
    match kind {
        Kind::Unit => false,
        Kind::Pair(pair) => returns(&pair.0),
        Kind::Tuple(list) => list.iter().any(|(_, kind)| kind.as_ref().is_some_and(|kind| returns(kind))),
        Kind::Function(from, to) => {
            from.is_empty() && matches!(**to, Kind::Function(..)) || from.iter().any(returns) || returns(to)
        }
    }
}

fn functions() -> Box<dyn Property> {
    Box::new(property! { forall kind: Kind; check !returns(kind) })
}
