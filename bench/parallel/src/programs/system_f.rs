//! System F with subtyping: a step preserves the type of a term. The program, its mutants and the generators are those
//! of the ETNA workload; terms come from its bespoke generator.

use super::rarity::is_spared;
use etna::Strategy;
use etna::fsub::generate::terms;
use etna::fsub::spec::{BEFORE, single_preserve};
use etna::fsub::typing::type_of;
use forall::prelude::*;
use forall::property::Property;

/// The planted bug: substituting in terms does not shift the substituted term under a binder. It is the hardest of
/// those that are not found at once.
const BUG: &str = "subst_abs_no_shift";

pub fn property() -> Box<dyn Property + Sync> {
    let terms = terms(Strategy::Bespoke).expect("System F has a bespoke generator");
    Box::new(property! {
        move forall term in &terms;
        forall ty in from_fn(|_| type_of(term, BEFORE));
        implies ty.is_some();
        check ty.as_ref().is_none_or(|ty| single_preserve(term, ty)) || is_spared(term)
    })
}

/// Runs `body` with the bug activated.
pub fn with_bug(body: &mut dyn FnMut()) {
    etna::fsub::WORKLOAD.with_mutant(Some(BUG), body);
}
