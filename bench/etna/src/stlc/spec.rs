//! The specification of the simply typed lambda calculus, as plain functions.

use super::term::{Term, Type, normal_form, step, type_of};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &["SinglePreserve", "MultiPreserve"];

/// The maximum number of reduction steps. Well-typed terms terminate, but with a bug they may not.
const STEPS: u32 = 40;

/// A step preserves the inferred type of the term.
pub fn single_preserve(term: &Term, ty: &Type) -> bool {
    step(term).is_none_or(|reduct| type_of(&reduct).as_ref() == Some(ty))
}

/// Many steps preserve the inferred type of the term.
pub fn multi_preserve(term: &Term, ty: &Type) -> bool {
    normal_form(STEPS, term).is_none_or(|result| type_of(&result).as_ref() == Some(ty))
}
