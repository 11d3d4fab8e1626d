//! Human-readable results of the nested quantifiers in one evaluation.
//!
//! Remarks are not recorded during a search. When a path is rerun to be printed, each quantifier records what decided
//! it: a witness, a value for which its body does not hold, or that there is no witness. A remark made inside a body
//! counts only if that call of the body decided the enclosing quantifier.

use super::trail::Search;

/// A remark of a quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// A value for which its body holds.
    Witness(String),
    /// Why it does not hold.
    Against(String),
}

impl Search {
    /// Starts recording remarks.
    pub(super) fn listen(&self) {
        self.remarks.replace(Some(Vec::new()));
    }

    /// The number of remarks; `None` if they are not recorded.
    pub(super) fn remarked(&self) -> Option<usize> {
        self.remarks.borrow().as_ref().map(Vec::len)
    }

    /// Drops all remarks after the first `after`.
    pub(super) fn forget_remarks(&self, after: usize) {
        if let Some(remarks) = &mut *self.remarks.borrow_mut() {
            remarks.truncate(after);
        }
    }

    pub(super) fn remark(&self, remark: Remark) {
        if let Some(remarks) = &mut *self.remarks.borrow_mut() {
            remarks.push(remark);
        }
    }

    /// Takes the remarks.
    pub(super) fn take_remarks(&self) -> Vec<Remark> {
        self.remarks.take().unwrap_or_default()
    }
}

/// The name of a type without its module path.
pub(super) fn short_name(name: &str) -> String {
    crate::report::type_annotation(name).unwrap_or_else(|| name.to_owned())
}
