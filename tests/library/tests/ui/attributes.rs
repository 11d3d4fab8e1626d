//! Functions that cannot be properties, and keys that do not exist.
#![allow(unused)]

#[forall::test(runtime = tokio)]
fn is_not_async(x: u8) {}

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

#[forall::test]
#[::core::prelude::v1::test]
fn is_a_test_by_another_path(x: u8) {}

#[forall::test]
#[tokio::test(flavor = "many_threads")]
async fn has_no_such_flavor(x: u8) {}

#[forall::test(runtime = futures::block_on)]
#[tokio::test]
async fn has_two_runtimes(x: u8) {}

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

#[forall::property]
const NEITHER: u8 = 3;

#[forall::test(crate = "forall")]
fn path_is_text(x: u8) {}

#[forall::test(size = 5_000_000_000)]
fn too_large(x: u8) {}

#[forall::test(max_time = 1.5, 3)]
fn not_a_key(x: u8) {}

#[forall::test(tests 3)]
fn no_equals(x: u8) {}

#[forall::test]
#[example]
fn no_arguments(#[forall] x: u8, y: u8) {}

#[forall::property]
fn garbage(#[forall(0..10; 3)] x: u8) {}

trait Trait {
    #[forall::property]
    fn no_body(x: u8);
}

#[forall::test(shrink_on = everything)]
fn shrinks_on_what(x: u8) {}

#[forall::test(memory = 64)]
fn memory_without_a_unit(x: u8) {}

#[forall::test(stack = "lots")]
fn no_amount(x: u8) {}

#[forall::test(threads)]
fn on_how_many(x: u8) {}

#[forall::test]
#[tokio::test(flavour = "multi_thread")]
async fn no_such_argument(x: u8) {}

#[forall::test]
#[tokio::test(crate = "(")]
async fn no_such_crate(x: u8) {}

#[forall::test(allow_task_panics)]
async fn has_no_tasks(x: u8) {}

#[forall::test(runtime = tokio, allow_task_panics = true)]
async fn says_it_twice(x: u8) {}

#[forall::property]
fn draws_from_two_sources(s: &mut forall::choice::Source, t: &mut forall::choice::Source) {
    let _ = (s, t);
}

#[forall::test]
fn has_the_syntax_of_property(n in 0..10) {}

#[forall::test(cases = 100)]
fn has_the_key_of_another_library(x: u8) {}

type Index = usize;

#[forall::test]
fn ranges_over_references(n: Index, #[forall(n..=n + 5)] m: Index) {}

impl Value {
    #[forall::test]
    fn is_an_associated_function(x: u8) -> bool {
        true
    }
}

trait Checked {
    #[forall::property]
    fn is_in_a_trait(x: u8) -> bool {
        true
    }
}

#[forall::test(exhaustive = off)]
fn has_the_name_of_a_runner_as_key(x: u8) {}

#[forall::test(extra_time = "soon")]
fn explores_until(x: u8) {}

#[forall::test(extra_time = 2)]
fn explores_without_a_unit(x: u8) {}

#[forall::test(extra_time)]
fn explores_for_how_long(x: u8) {}

fn main() {}
