//! Communication between processes of forall: untrusted bytes, and memory that survives its writer.
//!
//! Campaigns (`fuzz/`) leave the input that is running behind in such memory; isolated tests (`isolate/`) their place, and they
//! get their requests as such bytes. What the bytes mean is said there; here is what both need.

mod bytes;
mod mapping;

pub(crate) use bytes::{Reader, Writer};
pub(crate) use mapping::Mapping;
