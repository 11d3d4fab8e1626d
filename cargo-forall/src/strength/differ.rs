//! The search for an input on which a mutant and the original differ.
//!
//! For a function whose arguments can be generated, a comparing property is written next to it in the copy of the
//! workspace. The property calls the function with and without the mutant, and fails if the results differ, so that an
//! ordinary run finds and shrinks the input. The receiver of a method is built by a constructor of its type and calls
//! of its methods. If that is impossible or finds no difference, the calls in tests are compared.

mod call;
mod made;
mod observed;
mod parameter;
mod search;

pub use call::{Around, Signature, Types};
pub use made::notes;
pub use observed::Observed;
pub use search::{Difference, Search};
