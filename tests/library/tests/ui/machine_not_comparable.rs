//! The responses of methods and model are compared.

struct Answer;

#[derive(Clone)]
struct System;

impl System {
    fn ask(&mut self) -> Answer {
        Answer
    }
}

forall::machine! {
    spec Asking for System = System, like System = System;
    fn ask() -> Answer;
}

fn main() {}
