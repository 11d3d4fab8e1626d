//! Parameters, bodies, examples and keys whose types do not fit.
#![allow(unused)]

struct Plain;

#[forall::property]
fn parameter_is_not_arbitrary(x: u8, plain: Plain) {}

#[forall::property]
fn wrong_generator(#[forall('a'..'z')] x: u8) {}

#[forall::property]
fn later_parameter(#[forall(0..y)] x: u8, y: u8) {}

#[forall::property]
fn wrong_return(x: u8) -> u8 {
    x
}

#[forall::test]
fn body_does_not_fit(x: u8) -> bool {
    x + 1
}

#[forall::test]
#[example("text")]
fn example_does_not_fit(x: u8) {}

#[forall::test(tests = "many")]
fn key_does_not_fit(x: u8) {}

fn main() {}
