//! `uuid`.

use crate::choice::Source;
use crate::generate::{Arbitrary, Code};
use ::uuid::{Builder, Uuid};

/// Half of them are version 4, and the rest any 128 bits, including the first and the last. They shrink to nil.
impl Arbitrary for Uuid {
    fn arbitrary(source: &mut Source) -> Self {
        match source.choice(1) {
            0 => Uuid::from_u128(u128::arbitrary(source)),
            _ => Builder::from_random_bytes(u128::arbitrary(source).to_be_bytes()).into_uuid(),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        Box::new(self.as_u128().shrink().map(Uuid::from_u128).collect::<Vec<_>>().into_iter())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    fn print(&self, code: &mut Code) {
        code.push(&format!("uuid::Uuid::from_u128({:#x})", self.as_u128()));
    }
}
