//! `bytes`.

use crate::choice::Source;
use crate::generate::{Arbitrary, Code};
use ::bytes::{Bytes, BytesMut};

macro_rules! like_a_vector {
    ($($t:ty, $open:literal;)*) => {$(
        impl Arbitrary for $t {
            fn arbitrary(source: &mut Source) -> Self {
                Vec::<u8>::arbitrary(source).into_iter().collect()
            }

            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let simpler: Vec<Vec<u8>> = self.to_vec().shrink().collect();
                Box::new(simpler.into_iter().map(|bytes| bytes.into_iter().collect()))
            }

            fn duplicate(&self) -> Option<Self> {
                Some(self.clone())
            }

            fn print(&self, code: &mut Code) {
                code.push($open);
                self.to_vec().print(code);
                code.push(")");
            }
        }
    )*};
}

like_a_vector! {
    Bytes, "bytes::Bytes::from(";
    BytesMut, "bytes::BytesMut::from_iter(";
}
