//! Laws of `Clone` and `Default`.

use super::{holds, same};
use crate::generate::Generator;
use crate::property::{Empty, Outcome, Property, Telescope};
use std::fmt::Debug;

/// Checks that a clone equals its original and leaves it unchanged, and that `clone_from` gives the same result
/// for any target.
///
/// ```
/// use forall::{laws, prelude::*};
/// forall::check("clones of texts", &laws::clone(any::<Vec<String>>()));
/// ```
pub fn clone<G: Generator<Value: Clone + PartialEq + Debug>>(generator: G) -> impl Property {
    Empty.forall("pair", move |(), source| (generator.generate(source), generator.generate(source))).check(
        |((original, before), ())| {
            let clone = original.clone();
            holds!(same(&clone, original), "Clone", "the clone differs", "original" = original, "clone" = clone);
            let mut target = before.clone();
            target.clone_from(original);
            holds!(
                same(&target, original),
                "CloneFrom",
                "after `target.clone_from(&original)` the target differs",
                "original" = original,
                "target before" = before,
                "target" = target
            );
            Outcome::Pass
        },
    )
}

/// Checks that `Default::default()` always returns the same value.
///
/// See [`identity`](super::identity) for the law that it is the neutral value of an operation.
///
/// ```
/// use forall::laws;
/// forall::check("defaults of lists", &laws::default::<Vec<u8>>());
/// ```
pub fn default<T: Default + PartialEq + Debug>() -> impl Property {
    Empty.check(|()| {
        let (first, second) = (T::default(), T::default());
        holds!(same(&first, &second), "Default", "two defaults differ", "first" = first, "second" = second);
        Outcome::Pass
    })
}
