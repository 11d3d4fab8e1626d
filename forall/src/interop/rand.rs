//! Distributions of `rand`.

use crate::choice::Source;
use crate::generate::{GeneratorExt, from_fn};
use ::rand::distr::Distribution;
use ::rand::rand_core::{Infallible, TryRng};

/// The choices of a test as a random number generator of `rand`, for code that requires one.
///
/// Each word is a choice, so the resulting values are saved, replayed and shrunk like others: towards small words.
///
/// ```
/// use forall::interop::SourceRng;
/// use forall::prelude::*;
/// use rand::seq::SliceRandom;
///
/// let cards = from_fn(|source| {
///     let mut cards: Vec<u8> = (0..10).collect();
///     cards.shuffle(&mut SourceRng(source));
///     cards
/// });
/// let property = property! { forall cards in &cards; check cards.iter().map(|card| u32::from(*card)).sum::<u32>() == 45 };
/// forall::check("cards", &property);
/// ```
#[derive(Debug)]
pub struct SourceRng<'a>(#[doc(hidden)] pub &'a mut Source);

impl TryRng for SourceRng<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.choice(u64::from(u32::MAX)) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.choice(u64::MAX))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.0.choice(u64::from(u8::MAX)) as u8;
        }
        Ok(())
    }
}

/// Returns a generator of the values of a distribution, with its frequencies and without a bias towards special values.
///
/// ```
/// use forall::interop::distribution;
/// use forall::prelude::*;
/// use rand::distr::{Alphanumeric, Uniform};
///
/// let property = property! {
///     forall dice in vec(distribution(Uniform::new_inclusive(1, 6).unwrap())).len(3);
///     forall letter in distribution(Alphanumeric);
///     check dice.iter().sum::<i32>() >= 3 && letter.is_ascii_alphanumeric()
/// };
/// forall::check("dice", &property);
/// ```
pub fn distribution<T, D: Distribution<T>>(distribution: D) -> impl GeneratorExt<Value = T> {
    from_fn(move |source: &mut Source| distribution.sample(&mut SourceRng(source)))
}
