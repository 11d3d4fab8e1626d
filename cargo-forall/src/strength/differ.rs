//! An input on which a mutant and the original differ.
//!
//! For a function whose arguments can be generated, a property is written next to it, in the copy of the workspace: it calls the function
//! with the mutant and without, and fails where the results differ. So finding the input and shrinking it is a run like any other. A
//! value that a method is called on is built by a constructor of its type and calls of its methods. Where that is not possible or finds
//! nothing, the calls that tests make are compared.

mod call;
mod made;
mod observed;
mod parameter;
mod search;

pub use call::{Around, Signature, Types};
pub use made::notes;
pub use observed::Observed;
pub use search::{Difference, Search};
