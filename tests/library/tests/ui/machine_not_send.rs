//! Commands, responses and systems of a parallel test go from thread to thread.

use forall::choice::Source;
use forall::machine::{Shared, Spec};
use std::rc::Rc;

struct Counter;

impl Spec for Counter {
    type Command = Rc<u8>;
    type Model = u8;
    type System = ();
    type Response = ();
    fn model(&self) -> u8 {
        0
    }
    fn generate(&self, _: &u8, _: &mut Source) -> Rc<u8> {
        Rc::new(1)
    }
    fn next(&self, _: &mut u8, _: &Rc<u8>) {}
    fn system(&self) {}
    fn run(&self, _: &mut (), _: &Rc<u8>) {}
    fn postcondition(&self, _: &u8, _: &Rc<u8>, _: &()) -> bool {
        true
    }
}

impl Shared for Counter {
    fn share(&self, _: &mut ()) {}
}

fn main() {}
