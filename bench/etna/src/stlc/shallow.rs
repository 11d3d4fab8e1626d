//! The properties of the lambda calculus once more, as closures: see `bst/shallow.rs`.

use super::generate::terms;
use super::spec::{PROPERTIES, multi_preserve, single_preserve};
use super::term::{Term, Type, type_of};
use crate::Strategy;
use crate::runner::Closure;
use forall::prelude::*;

/// The property of this name as a closure, over the generators of a strategy.
pub fn shallow(name: &str, strategy: Strategy) -> Box<Closure> {
    let terms = terms(strategy);
    match name {
        "SinglePreserve" => Box::new(move |source| {
            let (term, ty) = typed_term(&terms, source)?;
            Some(single_preserve(&term, &ty))
        }),
        "MultiPreserve" => Box::new(move |source| {
            let (term, ty) = typed_term(&terms, source)?;
            Some(multi_preserve(&term, &ty))
        }),
        _ => panic!("the lambda calculus has no property {name:?}; it has {PROPERTIES:?}"),
    }
}

fn typed_term(terms: impl Generator<Value = Term>, source: &mut Source) -> Option<(Term, Type)> {
    let term = source.draw(terms);
    if source.is_rejected() {
        return None;
    }
    let ty = type_of(&term)?;
    Some((term, ty))
}
