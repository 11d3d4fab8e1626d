//! What a generated function cannot take.

use forall::lazy::Fun;

#[forall::test(runner = exhaustive)]
fn takes_a_function(f: &Fun<Fun<bool, bool>, bool>) {
    let _ = f;
}

fn main() {}
