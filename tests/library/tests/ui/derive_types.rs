//! Fields whose types do not fit.
#![allow(unused)]

use forall::Arbitrary;

struct Plain;

#[derive(Arbitrary)]
struct FieldIsNotArbitrary {
    good: u8,
    bad: Plain,
}

#[derive(Arbitrary)]
struct WrongGenerator {
    #[forall(with = 'a'..='z')]
    number: u8,
}

#[derive(Arbitrary)]
struct NotAGenerator {
    #[forall(with = true)]
    text: String,
}

#[derive(Arbitrary)]
struct NoDefault {
    #[forall(skip)]
    plain: Plain,
}

fn main() {}
