//! The specification of the machine: indistinguishable states stay indistinguishable after a step.

use super::machine::State;
use super::observe::{Observer, is_well_stamped};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &["SSNI"];

/// The precondition: the states are indistinguishable to the observer, and both are well formed.
pub fn start_alike(observer: Observer, one: &State, other: &State) -> bool {
    observer.confuses(one, other) && is_well_stamped(one) && is_well_stamped(other)
}

/// Single-step non-interference. `None` if a state that must take a step is stuck.
pub fn single_step(observer: Observer, one: &State, other: &State) -> Option<bool> {
    let alike =
        |one: &State, other: &State| observer.confuses(one, other) && is_well_stamped(one) && is_well_stamped(other);
    let one_next = one.step()?;
    let (sees_one, sees_next) = (observer.sees(one.pc.label), observer.sees(one_next.pc.label));
    if !sees_one && !sees_next {
        // Nothing that the observer sees may have changed.
        return Some(observer.confuses(one, &one_next) && is_well_stamped(&one_next));
    }
    let other_next = other.step()?;
    if !sees_one && !observer.sees(other_next.pc.label) {
        return Some(true);
    }
    Some(alike(&one_next, &other_next))
}
