//! Printed forms of functions as values.

use forall::lazy::{Fun, explore};
use forall::prelude::*;

#[test]
fn an_irrelevant_number_differs_from_the_listed_ones() {
    let property = property! { forall f: Fun<u8, bool>; check { let first = *f.call(&0); u8::from(first) > 1 || *f.call(&1) || !*f.call(&7) } };
    let explored = explore(&property, 3);
    assert_eq!(explored.bindings[0].printed.text(), "{ 0 -> false; 1 -> false; _ -> true }");
    let claims: Vec<String> = explored.explanation.claims.iter().map(|claim| claim.to_string()).collect();
    assert_eq!(claims, ["fails for every { 0 -> _; 1 -> false; _ -> true } up to depth 3 (2 runs)"]);
}
