//! Twins that cannot be had.
#![allow(unused)]

use forall::lazy::Lazy;
use forall::prelude::*;
use std::collections::HashMap;

#[derive(Arbitrary, Debug)]
struct Plain(u8);

#[derive(Arbitrary, Debug)]
#[forall(twin)]
struct HasAPlainField {
    plain: Plain,
}

#[derive(Arbitrary, Debug, PartialEq, Eq, Hash)]
struct Key(u8);

#[derive(Arbitrary, Debug)]
#[forall(twin)]
struct HasKeysWithoutOrder {
    map: HashMap<Key, u8>,
}

#[derive(Arbitrary)]
#[forall(twin)]
struct Borrowed<'a> {
    text: &'a str,
}

#[derive(Arbitrary, Debug)]
struct NoTwinOfItsOwn {
    #[forall(twin = u8)]
    field: u8,
}

#[derive(Arbitrary, Debug)]
#[forall(twin = "Name")]
struct NamedByAString(u8);

#[derive(Arbitrary, Debug)]
#[forall(twin)]
struct NoTypeForTheField {
    #[forall(twin)]
    field: u8,
}

forall::twin! {
    enum WrongVariant for Option<u8> { None, Sum(u8) }
}

forall::twin! {
    enum Generic<T> for Option<T> { None, Some(T) }
}

forall::twin! { Option<u8> }

#[derive(Arbitrary, Clone, Debug)]
#[forall(twin)]
enum Tree {
    Leaf,
    Node(Box<Tree>, Box<Tree>),
}

fn is_small(number: &u8) -> bool {
    true
}

#[forall::test(runner = exhaustive)]
fn the_precondition_is_over_another_type(#[forall(given = is_small)] tree: Tree) {}

#[forall::test(runner = exhaustive)]
fn values_beside_a_twin_are_cloned(plain: Plain, #[forall(given = |_| true)] tree: Tree) {}

#[forall::test(runner = exhaustive)]
fn keys_are_checked(#[forall(given = |_| true, weight = 3)] tree: Tree) {}

#[forall::test(runner = exhaustive)]
fn the_precondition_is_missing(#[forall(given = )] tree: Tree) {}

fn main() {
    property! { forall t: Tree, given is_small; check true };
}
