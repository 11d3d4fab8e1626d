//! Clauses that are not written right.
#![allow(unused)]

use forall::prelude::*;

fn main() {
    property! {};
    property! { forall x: u8; };
    property! { forall x: u8; implies *x > 0 };
    property! { forall x: u8; exists y in 0..10; check x == y };
    property! { forall x; check true };
    property! { forall 3: u8; check true };
    property! { forall x: u8 check true };
    property! { forall x: u8; forall x: u8; check true };
    property! { forall x: u8; check *x > 0; check *x > 1 };
    property! { forall x in ; check true };
    property! { forall x in 0..10, shrnk |x| 0..*x; check true };
    property! { forall x in 0..10, shrink; check true };
    property! { forall x: u8; implies; check true };
    property! { forall x: u8; check };
    property! { forall x: u8; for all };
    property! { forall x: ; check true };
    property! { forall x: in 0..10; check true };
    property! { forall x: Vec<u8; check 2 > 1 };
    property! { forall in 0..10; check true };
    property! { forall (x, y): (u8, u8); check true };
    property! { forall x in vec(any::<Vec<u8>()); check true };
    property! { forall x in any::<Vec<u8>; check true };
    property! { forall x: u8; implies x > 0, x < 3; check true };
    property! { forall x: u8; check x > 0, x < 3 };
    property! { forall x: u8, y: u8; check x == y };
    property! { forall x in 0..10, contract; check true };
    property! { forall x in 0..10, with; check true };
    property! { forall x: u8; exists y: u8, deeper_by; check x == y };
    property! { forall n in 1..10usize; forall m in n..=n + 5; check n <= m };
    property! { forall n: usize; forall m in 0..n; check n <= m };
}
