//! What the quantifiers inside of a property came to in one evaluation, for people.
//!
//! Nobody listens while a search runs. When a path is run again to be shown, each quantifier says what decided it: a witness,
//! a value for which its body does not hold, or that there is no witness. What is said inside of a body counts if that call of
//! the body decided the quantifier around it.

use super::trail::Search;

/// What a quantifier says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// A value for which its body holds.
    Witness(String),
    /// Why it does not hold.
    Against(String),
}

impl Search {
    /// From now on, what quantifiers say is heard.
    pub(super) fn listen(&self) {
        self.remarks.replace(Some(Vec::new()));
    }

    /// How many remarks there are; none if nobody listens.
    pub(super) fn remarked(&self) -> Option<usize> {
        self.remarks.borrow().as_ref().map(Vec::len)
    }

    /// Forgets what was said after the first so many remarks.
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

    /// What was said.
    pub(super) fn take_remarks(&self) -> Vec<Remark> {
        self.remarks.take().unwrap_or_default()
    }
}

/// The name of a type, without the modules that it is in.
pub(super) fn short_name(name: &str) -> String {
    crate::report::type_annotation(name).unwrap_or_else(|| name.to_owned())
}
