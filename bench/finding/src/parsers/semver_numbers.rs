//! The installer of `base/base` (issue 4512) and many others: numeric identifiers of pre-releases were compared as strings,
//! so that `rc.10` came before `rc.9`.

use crate::Bug;
use std::cmp::Ordering;

crate::input! {
    /// One identifier of a pre-release.
    pub enum Identifier { Number(u32), Word(bool) }
}

pub fn holds(bug: Bug, a: &[Identifier], b: &[Identifier]) -> Option<bool> {
    let expected = a.iter().map(key).cmp(b.iter().map(key));
    Some(compare(bug, &text(a), &text(b)) == expected)
}

pub fn witness() -> (Vec<Identifier>, Vec<Identifier>) {
    (vec![Identifier::Word(false), Identifier::Number(9)], vec![Identifier::Word(false), Identifier::Number(10)])
}

/// Numbers come before words.
fn key(identifier: &Identifier) -> (u64, &'static str) {
    match identifier {
        Identifier::Number(number) => (u64::from(*number), ""),
        Identifier::Word(word) => (u64::MAX, if *word { "rc" } else { "beta" }),
    }
}

fn text(identifiers: &[Identifier]) -> String {
    let part = |identifier| match key(identifier) {
        (number, "") => number.to_string(),
        (_, word) => word.to_owned(),
    };
    identifiers.iter().map(part).collect::<Vec<_>>().join(".")
}

fn compare(bug: Bug, a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> Vec<_> {
        text.split('.').filter(|part| !part.is_empty()).map(|part| parsed(bug, part)).collect()
    };
    parts(a).cmp(&parts(b))
}

fn parsed(bug: Bug, part: &str) -> (u64, String) {
    match part.parse() {
        Ok(number) if bug == Bug::Fixed => (number, String::new()),
        Ok(_) => (0, part.to_owned()),
        Err(_) => (u64::MAX, part.to_owned()),
    }
}
