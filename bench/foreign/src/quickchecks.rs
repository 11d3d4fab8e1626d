//! Values of types that are `Arbitrary` for quickcheck.

use forall::choice::Source;
use forall::generate::{Generator, from_fn};
use quickcheck::{Arbitrary, Gen};

/// The largest size: that of an ordinary run.
const LARGEST: u64 = 100;

/// The values of a type that quickcheck can make. Its size is that of the test.
///
/// ```
/// use forall::prelude::*;
/// use foreign_generators::arbitrary;
/// let property = property! { forall xs in arbitrary::<Vec<u8>>(); check xs.len() < 100 };
/// forall::check("short", &property);
/// ```
pub fn arbitrary<A: Arbitrary>() -> impl Generator<Value = A> {
    from_fn(|source: &mut Source| {
        // A choice, so that a seed keeps its meaning when the test is shrunk at another size. No vector fits in a size of 0.
        let size = 1 + source.choice_with(LARGEST, |_, size| u64::from(size));
        let seed = source.choice(u64::MAX);
        A::arbitrary(&mut Gen::from_size_and_seed(size as usize, seed))
    })
}
