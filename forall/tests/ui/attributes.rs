//! Functions that cannot be properties, and keys that do not exist.
#![allow(unused)]

#[forall::test]
async fn is_async(x: u8) {}

#[forall::test]
unsafe fn is_unsafe(x: u8) {}

#[forall::property]
fn is_generic<T>(x: T) -> bool {
    true
}

#[forall::property]
fn takes_anything(x: impl Sized) -> bool {
    true
}

struct Value;

impl Value {
    #[forall::property]
    fn is_a_method(&self, x: u8) -> bool {
        true
    }
}

#[forall::property]
struct NotAFunction;

#[forall::test]
#[test]
fn is_a_test_already(x: u8) {}

#[forall::property]
fn borrows_forever(x: &'static str) {}

#[forall::test(test = 100)]
fn unknown_key(x: u8) {}

#[forall::test(tests)]
fn no_value(x: u8) {}

#[forall::test(tests = 1, tests = 2)]
fn given_twice(x: u8) {}

#[forall::test(timeout = "soon")]
fn no_time(x: u8) {}

#[forall::test(timeout = 2)]
fn no_unit(x: u8) {}

#[forall::property]
fn unknown_parameter_key(#[forall(wiht = 0..10)] x: u8) {}

#[forall::property]
fn unknown_annotation(#[forall(0..10, shrnk |x| 0..*x)] x: u8) {}

#[forall::property]
fn empty_generator(#[forall()] x: u8) {}

#[forall::test]
#[example(1)]
#[example(1, 2, 3)]
fn wrong_number_of_arguments(x: u8, y: u8) {}

fn main() {}
