//! Types for which nothing can be derived, and keys that do not exist.
#![allow(unused)]

use forall::Arbitrary;

#[derive(Arbitrary)]
enum Never {}

#[derive(Arbitrary)]
union Bits {
    number: u32,
    bytes: [u8; 4],
}

#[derive(Arbitrary)]
struct Borrowed<'a> {
    text: &'a str,
}

#[derive(Arbitrary)]
enum AllSkipped {
    #[forall(skip)]
    One,
    #[forall(weight = 0)]
    Two,
}

#[derive(Arbitrary)]
struct Endless {
    inner: Box<Endless>,
}

#[derive(Arbitrary)]
enum EndlessToo {
    Neg(Box<EndlessToo>),
    Add(Box<EndlessToo>, Box<EndlessToo>),
}

#[derive(Arbitrary)]
#[forall(name = "x")]
struct UnknownKeyOfType;

#[derive(Arbitrary)]
enum Keys {
    #[forall(wieght = 3)]
    Typo,
    #[forall(weight = "3")]
    Text,
    #[forall(weight = -1)]
    Negative,
    #[forall(weight)]
    NoValue,
    #[forall(with = 0..10)]
    GeneratorOfVariant(u8),
    Fields {
        #[forall(weight = 3)]
        weight: u8,
        #[forall(with)]
        no_generator: u8,
        #[forall(with = )]
        empty: u8,
        #[forall(skip, with = 0..3)]
        both: u8,
    },
}

#[derive(Arbitrary)]
#[forall(crate = "forall")]
struct PathIsText;

#[derive(Arbitrary)]
#[forall(crate = )]
struct NoPath;

#[derive(Arbitrary)]
enum Arguments {
    #[forall]
    None,
    #[forall = 3]
    Value,
    #[forall(skip weight = 3)]
    NoComma,
    #[forall(weight = )]
    NoWeight,
}

#[derive(Arbitrary, Debug)]
enum Depths {
    #[forall(depth = deep)]
    Deep,
    #[forall(depth = )]
    NoDepth,
}

fn main() {}
