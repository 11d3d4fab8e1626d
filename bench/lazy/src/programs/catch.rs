//! The constraint algebra of Mitchell's Catch.

use crate::Program;
use crate::lists::L;
use forall::lazy::{Lazy, List};
use forall::prelude::*;

/// What satisfies merged patterns satisfies them.
pub const CATCH: Program = Program {
    name: "catch",
    property: || {
        Box::new(property! {
            forall value: Lazy<Value>;
            forall first: L<Pattern>;
            forall second: L<Pattern>;
            implies is_valid(value) && are_valid(first) && are_valid(second);
            check {
                let (value, first, second) = (Strict::of(value), patterns(first), patterns(second));
                let merged = merge(&first, &second);
                !satisfies(&value, &merged, &merged) || satisfies(&value, &first, &second)
            }
        })
    },
    recorded: &[6, 17, 231, 8237, 681257],
    fails_at: None,
    counterexample: &[],
    space: Some((4, 2.7e8)),
    suite: Some((4, 405.0)),
};

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Name {
    Plain,
    Field,
    Recursive,
    Both,
}

impl Name {
    fn arity(self) -> usize {
        match self {
            Name::Plain => 0,
            Name::Field | Name::Recursive => 1,
            Name::Both => 2,
        }
    }

    /// How many of the fields are not recursive. Those come first.
    fn fields(self) -> usize {
        match self {
            Name::Plain | Name::Recursive => 0,
            Name::Field | Name::Both => 1,
        }
    }
}

#[derive(Arbitrary, Debug)]
enum Value {
    Bottom,
    Value(Lazy<Name>, L<Value>),
}

#[derive(Arbitrary, Debug)]
enum Constraint {
    Times(L<Pattern>, L<Pattern>),
    Any,
}

#[derive(Arbitrary, Debug)]
struct Pattern(Lazy<Name>, L<Constraint>);

fn is_valid(value: &Value) -> bool {
    match value {
        Value::Bottom => true,
        Value::Value(name, fields) => name.arity() == fields.len() && fields.iter().all(|field| is_valid(field)),
    }
}

fn are_valid(patterns: &List<Pattern>) -> bool {
    patterns.iter().all(|pattern| {
        let Pattern(name, fields) = &**pattern;
        name.fields() == fields.len() && fields.iter().all(|field| is_valid_constraint(field))
    })
}

fn is_valid_constraint(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Any => true,
        Constraint::Times(first, rest) => are_valid(first) && are_valid(rest),
    }
}

/// What is valid was looked at completely. From here on it is plain data.
enum Strict {
    Bottom,
    Value(Name, Vec<Strict>),
}

impl Strict {
    fn of(value: &Value) -> Self {
        match value {
            Value::Bottom => Strict::Bottom,
            Value::Value(name, fields) => Strict::Value(**name, fields.iter().map(|field| Strict::of(field)).collect()),
        }
    }
}

type Patterns = Vec<(Name, Vec<Field>)>;

/// A constraint on a field: any value, or patterns for the value and for what recurs in it.
#[derive(Clone)]
enum Field {
    Any,
    Times(Patterns, Patterns),
}

fn patterns(list: &List<Pattern>) -> Patterns {
    let field = |constraint: &Constraint| match constraint {
        Constraint::Any => Field::Any,
        Constraint::Times(first, rest) => Field::Times(patterns(first), patterns(rest)),
    };
    list.iter().map(|pattern| (*pattern.0, pattern.1.iter().map(|constraint| field(constraint)).collect())).collect()
}

fn merge(first: &Patterns, second: &Patterns) -> Patterns {
    let mut merged = Vec::new();
    for (name, fields) in first {
        for (other, others) in second.iter().filter(|(other, _)| other == name) {
            merged.push((*other, fields.iter().zip(others).map(|(a, b)| merge_field(a, b)).collect()));
        }
    }
    merged
}

fn merge_field(a: &Field, b: &Field) -> Field {
    match (a, b) {
        (Field::Times(first, rest), Field::Times(other, others)) => {
            Field::Times(merge(first, other), merge(rest, others))
        }
        (Field::Any, other) | (other, Field::Any) => other.clone(),
    }
}

fn satisfies(value: &Strict, first: &Patterns, rest: &Patterns) -> bool {
    let Strict::Value(name, parts) = value else { return true };
    first.iter().any(|(other, fields)| {
        let (own, recursive) = parts.split_at(name.fields());
        other == name
            && own.iter().zip(fields).all(|(part, field)| match field {
                Field::Any => true,
                Field::Times(first, rest) => satisfies(part, first, rest),
            })
            && recursive.iter().all(|part| satisfies(part, rest, rest))
    })
}
