//! Laws of operations. They take references, so that no value needs to be cloned.

use super::{holds, same};
use crate::generate::Generator;
use crate::property::{Empty, Outcome, Property, Telescope};
use std::fmt::Debug;

/// Checks idempotence: `f(f(a)) == f(a)`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("trimming", &laws::idempotent(any::<String>(), |text| text.trim().to_owned()));
/// ```
pub fn idempotent<G, F>(generator: G, function: F) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    F: Fn(&G::Value) -> G::Value,
{
    Empty.forall("a", move |(), source| generator.generate(source)).check(move |(a, ())| {
        let once = function(a);
        let twice = function(&once);
        holds!(same(&twice, &once), "Idempotence", "f(f(a)) is not f(a)", "a" = a, "f(a)" = once, "f(f(a))" = twice);
        Outcome::Pass
    })
}

/// Checks commutativity: `a ∘ b == b ∘ a`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("maximum", &laws::commutative(any::<i32>(), |a, b| *a.max(b)));
/// ```
pub fn commutative<G, U, F>(generator: G, operation: F) -> impl Property
where
    G: Generator<Value: Debug>,
    U: PartialEq + Debug,
    F: Fn(&G::Value, &G::Value) -> U,
{
    Empty.forall("pair", move |(), source| (generator.generate(source), generator.generate(source))).check(
        move |((a, b), ())| {
            let (one, other) = (operation(a, b), operation(b, a));
            let same = same(&one, &other);
            holds!(same, "Commutativity", "a ∘ b is not b ∘ a", "a" = a, "b" = b, "a ∘ b" = one, "b ∘ a" = other);
            Outcome::Pass
        },
    )
}

/// Checks associativity: `(a ∘ b) ∘ c == a ∘ (b ∘ c)`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("joining", &laws::associative(any::<String>(), |a, b| format!("{a}{b}")));
/// ```
pub fn associative<G, F>(generator: G, operation: F) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    F: Fn(&G::Value, &G::Value) -> G::Value,
{
    Empty
        .forall("triple", move |(), source| three(&generator, source))
        .check(move |((a, b, c), ())| associates(&operation, a, b, c))
}

fn three<G: Generator>(generator: &G, source: &mut crate::choice::Source) -> (G::Value, G::Value, G::Value) {
    (generator.generate(source), generator.generate(source), generator.generate(source))
}

fn associates<T: PartialEq + Debug>(operation: &dyn Fn(&T, &T) -> T, a: &T, b: &T, c: &T) -> Outcome {
    let left = operation(&operation(a, b), c);
    let right = operation(a, &operation(b, c));
    holds!(
        same(&left, &right),
        "Associativity",
        "(a ∘ b) ∘ c is not a ∘ (b ∘ c)",
        "a" = a,
        "b" = b,
        "c" = c,
        "(a ∘ b) ∘ c" = left,
        "a ∘ (b ∘ c)" = right,
    );
    Outcome::Pass
}

/// Checks that a value is neutral on both sides: `e ∘ a == a == a ∘ e`.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("nothing to add", &laws::identity(any::<u32>(), |a, b| a.wrapping_add(*b), 0));
/// ```
pub fn identity<G, F>(generator: G, operation: F, neutral: G::Value) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    F: Fn(&G::Value, &G::Value) -> G::Value,
{
    Empty
        .forall("a", move |(), source| generator.generate(source))
        .check(move |(a, ())| is_neutral(&operation, &neutral, a))
}

fn is_neutral<T: PartialEq + Debug>(operation: &dyn Fn(&T, &T) -> T, neutral: &T, a: &T) -> Outcome {
    let left = operation(neutral, a);
    holds!(same(&left, a), "LeftIdentity", "e ∘ a is not a", "e" = neutral, "a" = a, "e ∘ a" = left);
    let right = operation(a, neutral);
    holds!(same(&right, a), "RightIdentity", "a ∘ e is not a", "e" = neutral, "a" = a, "a ∘ e" = right);
    Outcome::Pass
}

/// Checks the laws of a monoid: [`associative`] and [`identity`].
///
/// ```
/// use forall::{laws, prelude::*};
/// let both = |a: &Vec<u8>, b: &Vec<u8>| [&a[..], &b[..]].concat();
/// forall::check("lists are a monoid", &laws::monoid(any::<Vec<u8>>(), both, Vec::new()));
/// ```
pub fn monoid<G, F>(generator: G, operation: F, neutral: G::Value) -> impl Property
where
    G: Generator<Value: PartialEq + Debug>,
    F: Fn(&G::Value, &G::Value) -> G::Value,
{
    Empty.forall("triple", move |(), source| three(&generator, source)).check(move |((a, b, c), ())| {
        match is_neutral(&operation, &neutral, a) {
            Outcome::Pass => associates(&operation, a, b, c),
            broken => broken,
        }
    })
}
