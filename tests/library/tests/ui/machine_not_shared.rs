//! A system that cannot be sent, and a model that cannot be compared.

use forall::choice::Source;
use forall::machine::{Shared, Spec};
use std::cell::RefCell;
use std::rc::Rc;

struct Model(u8);

struct Counter;

impl Spec for Counter {
    type Command = ();
    type Model = Model;
    type System = Rc<RefCell<u8>>;
    type Response = ();
    fn model(&self) -> Model {
        Model(0)
    }
    fn generate(&self, _: &Model, _: &mut Source) {}
    fn next(&self, model: &mut Model, _: &()) {
        model.0 += 1;
    }
    fn system(&self) -> Rc<RefCell<u8>> {
        Rc::default()
    }
    fn run(&self, _: &mut Rc<RefCell<u8>>, _: &()) {}
    fn postcondition(&self, _: &Model, _: &(), _: &()) -> bool {
        true
    }
}

impl Shared for Counter {
    fn share(&self, system: &mut Rc<RefCell<u8>>) -> Rc<RefCell<u8>> {
        Rc::clone(system)
    }
}

fn main() {}
