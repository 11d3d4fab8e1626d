//! A property that can be seen where the type of its parameter cannot.
#![allow(unused)]

#[derive(forall::Arbitrary)]
struct Private;

#[forall::property]
pub fn more_visible_than_its_parameter(x: Private) {}

fn main() {}
