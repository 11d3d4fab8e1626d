//! The specification of the simply typed lambda calculus, as plain functions.

use super::term::{Term, Type, normal_form, step, type_of};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &["SinglePreserve", "MultiPreserve"];

/// How many steps are taken at most. Terms of the calculus end; with a bug they may not.
const STEPS: u32 = 40;

/// A step keeps the type, which the term was found to have.
pub fn single_preserve(term: &Term, ty: &Type) -> bool {
    step(term).is_none_or(|reduct| type_of(&reduct).as_ref() == Some(ty))
}

/// Many steps keep the type, which the term was found to have.
pub fn multi_preserve(term: &Term, ty: &Type) -> bool {
    normal_form(STEPS, term).is_none_or(|result| type_of(&result).as_ref() == Some(ty))
}
