//! Terms of a small language: what is well typed is printed and read back.

use super::Pair;
use forall::lazy::Lazy;
use forall::prelude::*;
use std::fmt::Write as _;

pub const PAIR: Pair = Pair {
    name: "typed term",
    twin: || Box::new(a_term_is_read_back::property()),
    by_hand: || {
        Box::new(property! {
            forall t: Lazy<LazyTerm>;
            implies lazy_type(t).is_some();
            check {
                let mut text = String::new();
                lazy_print(t, &mut text);
                let mut printed = String::new();
                print(&parse(&mut text.bytes().peekable()), &mut printed);
                printed == text
            }
        })
    },
    depths: (2, 3),
};

#[derive(Arbitrary, Clone, Debug, PartialEq)]
#[forall(twin)]
enum Term {
    Flag(bool),
    Number(u8),
    Add(Box<Term>, Box<Term>),
    Equal(Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Flag,
    Number,
}

/// In prefix form: `?=1 2 3 4`.
fn print(term: &Term, text: &mut String) {
    match term {
        Term::Flag(flag) => text.push(if *flag { 't' } else { 'f' }),
        Term::Number(number) => _ = write!(text, "{number} "),
        Term::Add(a, b) => operator('+', &[a, b], text),
        Term::Equal(a, b) => operator('=', &[a, b], text),
        Term::If(a, b, c) => operator('?', &[a, b, c], text),
    }
}

fn operator(sign: char, terms: &[&Term], text: &mut String) {
    text.push(sign);
    for term in terms {
        print(term, text);
    }
}

type Input<'a> = std::iter::Peekable<std::str::Bytes<'a>>;

fn parse(input: &mut Input<'_>) -> Term {
    let next = |input: &mut Input<'_>| Box::new(parse(input));
    match input.next() {
        Some(b't') => Term::Flag(true),
        Some(b'+') => Term::Add(next(input), next(input)),
        Some(b'=') => Term::Equal(next(input), next(input)),
        Some(b'?') => Term::If(next(input), next(input), next(input)),
        Some(digit @ b'0'..=b'9') => {
            let mut number = digit - b'0';
            while let Some(digit) = input.next().filter(|byte| *byte != b' ') {
                number = number * 10 + digit - b'0';
            }
            Term::Number(number)
        }
        _ => Term::Flag(false),
    }
}

fn twin_type(term: &TermTwin) -> Option<Type> {
    match term {
        TermTwin::Flag(_) => Some(Type::Flag),
        TermTwin::Number(_) => Some(Type::Number),
        TermTwin::Add(a, b) => (twin_type(a)? == Type::Number && twin_type(b)? == Type::Number).then_some(Type::Number),
        TermTwin::Equal(a, b) => (twin_type(a)? == twin_type(b)?).then_some(Type::Flag),
        TermTwin::If(a, b, c) => {
            let (condition, then) = (twin_type(a)?, twin_type(b)?);
            (condition == Type::Flag && then == twin_type(c)?).then_some(then)
        }
    }
}

#[forall::property(runner = exhaustive)]
fn a_term_is_read_back(#[forall(given = |t| twin_type(t).is_some())] t: &Term) -> bool {
    let mut text = String::new();
    print(t, &mut text);
    parse(&mut text.bytes().peekable()) == *t
}

#[derive(Arbitrary, Clone, Debug)]
enum LazyTerm {
    Flag(Lazy<bool>),
    Number(Lazy<u8>),
    Add(Lazy<LazyTerm>, Lazy<LazyTerm>),
    Equal(Lazy<LazyTerm>, Lazy<LazyTerm>),
    If(Lazy<LazyTerm>, Lazy<LazyTerm>, Lazy<LazyTerm>),
}

fn lazy_print(term: &LazyTerm, text: &mut String) {
    match term {
        LazyTerm::Flag(flag) => text.push(if **flag { 't' } else { 'f' }),
        LazyTerm::Number(number) => _ = write!(text, "{} ", **number),
        LazyTerm::Add(a, b) => lazy_operator('+', &[a, b], text),
        LazyTerm::Equal(a, b) => lazy_operator('=', &[a, b], text),
        LazyTerm::If(a, b, c) => lazy_operator('?', &[a, b, c], text),
    }
}

fn lazy_operator(sign: char, terms: &[&Lazy<LazyTerm>], text: &mut String) {
    text.push(sign);
    for term in terms {
        lazy_print(term, text);
    }
}

fn lazy_type(term: &LazyTerm) -> Option<Type> {
    match term {
        LazyTerm::Flag(_) => Some(Type::Flag),
        LazyTerm::Number(_) => Some(Type::Number),
        LazyTerm::Add(a, b) => (lazy_type(a)? == Type::Number && lazy_type(b)? == Type::Number).then_some(Type::Number),
        LazyTerm::Equal(a, b) => (lazy_type(a)? == lazy_type(b)?).then_some(Type::Flag),
        LazyTerm::If(a, b, c) => {
            let (condition, then) = (lazy_type(a)?, lazy_type(b)?);
            (condition == Type::Flag && then == lazy_type(c)?).then_some(then)
        }
    }
}
