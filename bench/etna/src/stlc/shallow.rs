//! The properties of the lambda calculus as closures: see `bst/shallow.rs`.

use super::generate::terms;
use super::spec::{PROPERTIES, multi_preserve, single_preserve};
use super::term::{Term, type_of};
use crate::Strategy;
use crate::runner::Closure;

/// The property of this name as a closure, over the generators of a strategy.
pub fn shallow(name: &str, strategy: Strategy) -> Box<Closure> {
    let (terms, closure) = (terms(strategy), closure(name));
    Box::new(move |source| {
        let term = source.draw(&terms);
        if source.is_rejected() { None } else { closure(&term) }
    })
}

/// The property of this name as a closure, for any source of terms.
pub fn closure(name: &str) -> fn(&Term) -> Option<bool> {
    match name {
        "SinglePreserve" => |term| Some(single_preserve(term, &type_of(term)?)),
        "MultiPreserve" => |term| Some(multi_preserve(term, &type_of(term)?)),
        _ => panic!("the lambda calculus has no property {name:?}; it has {PROPERTIES:?}"),
    }
}
