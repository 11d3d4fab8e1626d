//! Clauses whose types do not fit.
#![allow(unused)]

use forall::prelude::*;

struct Plain;

fn main() {
    let _ = property! { forall x: Plain; check true };
    let _ = property! { forall x in true; check true };
    let _ = property! { forall x: u8 in 'a'..'z'; check true };
    let _ = property! { forall x in (0..10u8).map(|x| 2 * x); check true };
    let _ = property! { forall x: u8; implies x + 1; check true };
    let _ = property! { forall x: u8; check x + 1 };
    let _ = property! { forall x: u8, shrink |x| 3; check true };
    let _ = property! { forall x: u8; check y == 1 };
    let _ = property! { forall x in 0..y; forall y: u8; check true };
}
