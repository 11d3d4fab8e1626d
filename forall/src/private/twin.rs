//! What `#[forall(twin)]`, `forall::twin!` and `#[forall(given = …)]` expand to.

pub use crate::generate::Code;
pub use crate::lazy::Twin;
pub use crate::lazy::twin::condition::{Condition, OverPlain, OverTarget, OverTwin, Unfit};
pub use crate::lazy::twin::parameter::{holds, plain, printed, printed_whole, recheck, value};
pub use crate::lazy::twin::{debug, show_cell};
pub use crate::property::Implies;
pub use forall_macros::twin_type;

use crate::choice::Source;
use crate::generate::Generator;
use crate::lazy::Lazy;

/// A generator of cells that are decided: for fields of a twin that have a generator of their own.
pub fn decided<G: Generator>(generator: G) -> Decided<G> {
    Decided(generator)
}

#[derive(Debug)]
pub struct Decided<G>(G);

impl<G: Generator> Generator for Decided<G> {
    type Value = Lazy<G::Value>;

    fn generate(&self, source: &mut Source) -> Lazy<G::Value> {
        Lazy::new(self.0.generate(source))
    }
}
