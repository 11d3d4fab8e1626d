//! Interoperation with other crates, one feature per crate.
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `arbitrary` | `interop::arbitrary::<T>()`: any `T: arbitrary::Arbitrary` as a generator |
//! | `rand` | `interop::distribution(…)`: any distribution of `rand` as a generator; `interop::SourceRng`: the choices of a test as a random number generator |
//! | `proptest` | `interop::strategy(…)`: a strategy of proptest as a generator; `interop::as_strategy(…)`: a generator as a strategy |
//! | `uuid`, `chrono`, `time`, `bytes`, `serde_json` | their types are [`Arbitrary`](crate::Arbitrary), dates, times, offsets, weekdays and months among them |
//! | `serde_json` | `interop::as_json(…)`: prints a value that is `Serialize` |

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(any(feature = "chrono", feature = "time"))]
mod by_parts;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "serde_json")]
mod json;
#[cfg(feature = "proptest")]
mod proptest;
#[cfg(feature = "rand")]
mod rand;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "arbitrary")]
pub use self::arbitrary::arbitrary;
#[cfg(feature = "serde_json")]
pub use self::json::as_json;
#[cfg(feature = "proptest")]
pub use self::proptest::{GeneratorStrategy, GeneratorTree, Sampled, as_strategy, strategy};
#[cfg(feature = "rand")]
pub use self::rand::{SourceRng, distribution};
