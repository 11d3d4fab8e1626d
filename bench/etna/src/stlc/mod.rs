//! The simply typed lambda calculus: 2 properties, 10 mutants, 20 tasks.

pub mod generate;
pub mod shallow;
pub mod spec;
pub mod term;

use crate::task::all_pairs;
use crate::{Strategy, Workload};
use forall::prelude::*;
use forall::property::Property;
use spec::{PROPERTIES, multi_preserve, single_preserve};
use term::{MUTANTS, SWITCH, type_of};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "stlc",
    mutants: MUTANTS,
    properties: PROPERTIES,
    switch: &SWITCH,
    tasks: || all_pairs(MUTANTS, PROPERTIES, true),
    property,
    shallow: Some(shallow::shallow),
};

/// The property of this name, over the generators of a strategy.
pub fn property(name: &str, strategy: Strategy) -> Option<Box<dyn Property + Sync>> {
    let terms = generate::terms(strategy);
    Some(match name {
        "SinglePreserve" => Box::new(property! {
            move forall term in &terms;
            forall ty in from_fn(|_| type_of(term));
            implies ty.is_some();
            check ty.as_ref().is_none_or(|ty| single_preserve(term, ty))
        }),
        "MultiPreserve" => Box::new(property! {
            move forall term in &terms;
            forall ty in from_fn(|_| type_of(term));
            implies ty.is_some();
            check ty.as_ref().is_none_or(|ty| multi_preserve(term, ty))
        }),
        _ => panic!("the lambda calculus has no property {name:?}; it has {PROPERTIES:?}"),
    })
}
