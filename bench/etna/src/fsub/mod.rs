//! System F with subtyping: 2 properties, 18 mutants, 36 tasks.

pub mod generate;
pub mod reduce;
pub mod spec;
pub mod syntax;
pub mod typing;

use crate::task::all_pairs;
use crate::{Strategy, Workload};
use forall::prelude::*;
use forall::property::Property;
use reduce::{MUTANTS, SWITCH};
use spec::{BEFORE, PROPERTIES, multi_preserve, single_preserve};
use typing::type_of;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "fsub",
    mutants: MUTANTS,
    properties: PROPERTIES,
    switch: &SWITCH,
    tasks: || all_pairs(MUTANTS, PROPERTIES, false),
    property,
    shallow: None,
};

/// The property of this name, over the generators of a strategy; none if System F has no such strategy.
pub fn property(name: &str, strategy: Strategy) -> Option<Box<dyn Property + Sync>> {
    let terms = generate::terms(strategy)?;
    Some(match name {
        "SinglePreserve" => Box::new(property! {
            move forall term in &terms;
            forall ty in from_fn(|_| type_of(term, BEFORE));
            implies ty.is_some();
            check ty.as_ref().is_none_or(|ty| single_preserve(term, ty))
        }),
        "MultiPreserve" => Box::new(property! {
            move forall term in &terms;
            forall ty in from_fn(|_| type_of(term, BEFORE));
            implies ty.is_some();
            check ty.as_ref().is_none_or(|ty| multi_preserve(term, ty))
        }),
        _ => panic!("System F has no property {name:?}; it has {PROPERTIES:?}"),
    })
}
