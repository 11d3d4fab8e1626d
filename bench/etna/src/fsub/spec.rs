//! The specification of System F, as plain functions.

use super::reduce::{normal_form, step};
use super::syntax::{Term, Type};
use super::typing::{Effort, has_type};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &["SinglePreserve", "MultiPreserve"];

/// The maximum number of reduction steps.
const STEPS: u32 = 40;

/// The step limit for typing an input.
pub const BEFORE: Effort = Effort { depth: 40, steps: 10_000 };

/// The step limit for typing a reduct: larger, so that a larger term is not reported as ill-typed.
const AFTER: Effort = Effort { depth: 400, steps: 1_000_000 };

/// A step preserves the inferred type of a term, or narrows it to a subtype.
pub fn single_preserve(term: &Term, ty: &Type) -> bool {
    step(term).is_none_or(|reduct| has_type(&reduct, ty, AFTER))
}

/// Many steps preserve the inferred type of a term, or narrow it to a subtype.
pub fn multi_preserve(term: &Term, ty: &Type) -> bool {
    normal_form(STEPS, term).is_none_or(|result| has_type(&result, ty, AFTER))
}
