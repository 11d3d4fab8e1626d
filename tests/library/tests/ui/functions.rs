//! Unsupported argument types of a generated function.

use forall::lazy::Fun;

#[forall::test(runner = exhaustive)]
fn takes_a_function(f: &Fun<Fun<bool, bool>, bool>) {
    let _ = f;
}

fn main() {}
