//! Types that implement `Arbitrary` of the crate `arbitrary`, as fuzzers use it.

use crate::choice::Source;
use crate::generate::{GeneratorExt, any, from_fn, misuse, vec};
use ::arbitrary::{Arbitrary, Unstructured};

/// The number of rejections in a row before the type is reported.
const PATIENCE: usize = 1000;

/// Returns a generator of the values that a type's `arbitrary::Arbitrary` produces from bytes.
///
/// Shrinking works on the bytes, and the type decides what they mean: often a smaller byte produces another value, not
/// a smaller one, and the length of a list depends on bytes far from it. Values therefore shrink less well than those
/// of a type that derives [`forall::Arbitrary`](derive@crate::Arbitrary), or of a generator of this crate.
///
/// Bytes that the type rejects are drawn again. If it rejects a thousand in a row, the run reports it.
///
/// ```
/// use forall::interop::arbitrary;
/// use forall::prelude::*;
/// let property = property! { forall pair in arbitrary::<(u8, Option<bool>)>(); check pair.0 <= 255 };
/// forall::check("pairs", &property);
/// ```
pub fn arbitrary<T: for<'a> Arbitrary<'a>>() -> impl GeneratorExt<Value = T> {
    from_fn(|source: &mut Source| {
        let (least, most) = T::size_hint(0);
        // Types without a size bound get some bytes for each unit of size: many types use one to decide whether to
        // continue.
        let most = most.unwrap_or(least.saturating_add(4 * source.size() as usize)).max(least);
        let mut refused = None;
        for _ in 0..PATIENCE {
            let mark = source.mark();
            let bytes = source.draw(vec(any::<u8>()).len(least..=most));
            match T::arbitrary_take_rest(Unstructured::new(&bytes)) {
                Ok(value) => return value,
                Err(error) => refused = Some(error),
            }
            if !source.is_random() && !source.is_at_random_end() {
                // A recorded or shrunk byte string that is not a value.
                source.reject_now();
            }
            source.rewind(mark);
        }
        misuse(format!(
            "`<{name} as arbitrary::Arbitrary>` rejected {PATIENCE} inputs in a row, the last one with \"{}\"; it must \
             accept most bytes: check where it returns an error, or write a generator for `{name}`",
            refused.map_or_else(String::new, |error| error.to_string()),
            name = std::any::type_name::<T>()
        ))
    })
}
