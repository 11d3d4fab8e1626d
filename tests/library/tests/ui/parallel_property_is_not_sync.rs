use forall::prelude::*;
use forall::run::Run;
use std::cell::Cell;

fn main() {
    let seen = Cell::new(0);
    let property = property! { forall n: u64; check seen.get() < *n };
    Run::parallel("seen", &property).test();
}
