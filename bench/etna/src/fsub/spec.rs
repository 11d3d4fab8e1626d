//! The specification of System F, as plain functions.

use super::reduce::{normal_form, step};
use super::syntax::{Term, Type};
use super::typing::{Effort, has_type};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &["SinglePreserve", "MultiPreserve"];

/// How many steps are taken at most.
const STEPS: u32 = 40;

/// The step limit for typing an input.
pub const BEFORE: Effort = Effort { depth: 40, steps: 10_000 };

/// The step limit for typing a reduct: larger, so that a larger term is not reported as ill-typed.
const AFTER: Effort = Effort { depth: 400, steps: 1_000_000 };

/// A step keeps the type that the term was found to have, or makes it smaller.
pub fn single_preserve(term: &Term, ty: &Type) -> bool {
    step(term).is_none_or(|reduct| has_type(&reduct, ty, AFTER))
}

/// Many steps keep the type that the term was found to have, or make it smaller.
pub fn multi_preserve(term: &Term, ty: &Type) -> bool {
    normal_form(STEPS, term).is_none_or(|result| has_type(&result, ty, AFTER))
}
