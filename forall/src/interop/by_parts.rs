//! Types that consist of plainer values: the common part of date and time crates.

use crate::generate::{Arbitrary, Code};

/// A value as Rust code, to be embedded in the code of another.
pub(super) fn code_of<T: Arbitrary>(value: &T) -> String {
    Code::of(value).unwrap_or_default()
}

/// The parts of each type, its construction, and its code.
macro_rules! by_parts {
    ($($t:ty: |$source:ident| $arbitrary:expr, |$it:ident| $parts:expr, $from:expr, $code:expr;)*) => {$(
        impl Arbitrary for $t {
            fn arbitrary($source: &mut Source) -> Self {
                $arbitrary
            }

            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let $it = self;
                let parts = $parts;
                let simpler: Vec<Self> = parts.shrink().filter_map($from).collect();
                Box::new(simpler.into_iter())
            }

            fn duplicate(&self) -> Option<Self> {
                Some(*self)
            }

            fn print(&self, code: &mut Code) {
                let $it = self;
                code.push(&$code);
            }
        }
    )*};
}

pub(super) use by_parts;
