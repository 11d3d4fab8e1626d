//! A parallel test of a specification that is for sequences alone.

use forall::machine::Parallel;
use forall::property::Outcome;

#[derive(Clone)]
struct System;

impl System {
    fn ask(&mut self) -> u8 {
        1
    }
}

forall::machine! {
    spec Asking for System = System, like System = System;
    fn ask() -> u8;
}

#[forall::test]
fn asking(program: Parallel<Asking>) -> Outcome {
    program.check()
}

fn main() {}
