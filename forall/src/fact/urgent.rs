//! Urgent facts, which cannot wait for the end of a run: a test that takes long, a process that ends.

use super::Fact;
use crate::output::print_uncaptured;

/// Passes urgent facts of a property to tools, registered by the guest that writes events.
pub(crate) struct Passing(pub(crate) fn(&str, &Fact));

inventory::collect!(Passing);

/// Prints the fact immediately, and sends it to tools.
pub(crate) fn announce(property: &str, facts: &[Fact]) {
    let mut text = String::new();
    for fact in facts {
        text += &format!("{}{fact}\n", if text.is_empty() { "forall: " } else { "" });
    }
    print_uncaptured(&text);
    for guest in inventory::iter::<Passing> {
        for fact in facts {
            (guest.0)(property, fact);
        }
    }
}
