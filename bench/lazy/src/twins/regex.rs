//! `regex_syntax::hir::Hir`, whose fields are private: what is printed and parsed matches strings of the same lengths.

use super::Pair;
use forall::lazy::Lazy;
use forall::prelude::*;
use regex_syntax::hir::{Hir, Repetition};

pub const PAIR: Pair = Pair {
    name: "regex_syntax::Hir",
    twin: || Box::new(lengths_are_kept::property()),
    by_hand: || {
        Box::new(property! {
            forall re: Lazy<LazyRegex>;
            implies lazy_is_flat(re);
            check keeps_lengths(&lazy_hir(re))
        })
    },
    depths: (3, 3),
};

fn keeps_lengths(hir: &Hir) -> bool {
    let Ok(parsed) = regex_syntax::parse(&hir.to_string()) else { return false };
    let lengths = |hir: &Hir| (hir.properties().minimum_len(), hir.properties().maximum_len());
    lengths(&parsed) == lengths(hir)
}

fn literal(character: char) -> Hir {
    Hir::literal(character.to_string().into_bytes())
}

fn repeated(min: u32, greedy: bool, sub: Hir) -> Hir {
    Hir::repetition(Repetition { min, max: None, greedy, sub: Box::new(sub) })
}

forall::twin! {
    enum RegexTwin for Hir {
        Empty => Hir::empty,
        Literal(char) => literal,
        Repeated(u32, bool, Box<RegexTwin>) => |min, greedy, sub: Box<Hir>| repeated(min, greedy, *sub),
        Both(Box<RegexTwin>, Box<RegexTwin>) => |a: Box<Hir>, b: Box<Hir>| Hir::concat(vec![*a, *b]),
        Either(Box<RegexTwin>, Box<RegexTwin>) => |a: Box<Hir>, b: Box<Hir>| Hir::alternation(vec![*a, *b]),
    }
}

/// No repetition right below another.
fn is_flat(regex: &RegexTwin) -> bool {
    match regex {
        RegexTwin::Empty | RegexTwin::Literal(_) => true,
        RegexTwin::Repeated(_, _, sub) => !matches!(**sub, RegexTwin::Repeated(..)) && is_flat(sub),
        RegexTwin::Both(a, b) | RegexTwin::Either(a, b) => is_flat(a) && is_flat(b),
    }
}

#[forall::property(runner = exhaustive)]
fn lengths_are_kept(#[forall(twin = RegexTwin, given = is_flat)] hir: &Hir) -> bool {
    keeps_lengths(hir)
}

#[derive(Arbitrary, Clone, Debug)]
enum LazyRegex {
    Empty,
    Literal(Lazy<char>),
    Repeated(Lazy<u32>, Lazy<bool>, Lazy<LazyRegex>),
    Both(Lazy<LazyRegex>, Lazy<LazyRegex>),
    Either(Lazy<LazyRegex>, Lazy<LazyRegex>),
}

fn lazy_hir(regex: &LazyRegex) -> Hir {
    match regex {
        LazyRegex::Empty => Hir::empty(),
        LazyRegex::Literal(character) => literal(**character),
        LazyRegex::Repeated(min, greedy, sub) => repeated(**min, **greedy, lazy_hir(sub)),
        LazyRegex::Both(a, b) => Hir::concat(vec![lazy_hir(a), lazy_hir(b)]),
        LazyRegex::Either(a, b) => Hir::alternation(vec![lazy_hir(a), lazy_hir(b)]),
    }
}

fn lazy_is_flat(regex: &LazyRegex) -> bool {
    match regex {
        LazyRegex::Empty | LazyRegex::Literal(_) => true,
        LazyRegex::Repeated(_, _, sub) => !matches!(**sub, LazyRegex::Repeated(..)) && lazy_is_flat(sub),
        LazyRegex::Both(a, b) | LazyRegex::Either(a, b) => lazy_is_flat(a) && lazy_is_flat(b),
    }
}
