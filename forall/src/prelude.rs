//! The names that tests usually need: `use forall::prelude::*;`.
//!
//! The attributes are not included, because their names have another meaning (`#[test]`) or belong to the macro
//! (`property!`): write [`#[forall::test]`](macro@crate::test) and [`#[forall::property]`](macro@crate::property).
//!
//! ```
//! use forall::prelude::*;
//!
//! let property = property! { forall x: u32; check x.count_ones() <= 32 };
//! forall::check("bits", &property);
//! ```

#[doc(inline)]
pub use crate::__property as property;
pub use crate::choice::Source;
pub use crate::generate::{
    Arbitrary, Generator, GeneratorExt, any, constant, elements, frequency, from_fn, one_of, optional, range, vec,
};
#[doc(no_inline)]
pub use crate::{assume, classify, collect, cover, feature, label, note, tabulate, target};
#[doc(no_inline)]
pub use forall_macros::Arbitrary;
