//! Unfinished code that tests nothing.
#![deny(unused_must_use)]

use forall::generate::{check_generator, check_shrinker};
use forall::prelude::*;
use forall::run::Run;

fn main() {
    property! { forall x: u32; check *x < 1 };
    Run::new("small", &property! { forall x: u32; check *x < 1 });
    Run::new("small", &property! { forall x: u32; check *x < 1 }).settings(Default::default());
    check_generator(any::<u32>()).valid(|_| false);
    check_shrinker(any::<u32>(), |n| Box::new(0..*n)).valid(|_| false);
}
