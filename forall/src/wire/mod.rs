//! Communication between processes of forall: untrusted bytes, and memory that survives its writer.
//!
//! Campaigns (`fuzz/`) leave the input that is running behind in such memory; isolated tests (`isolate/`) their place,
//! and they get their requests as such bytes. Those modules define the meaning of the bytes; this one has their common
//! code.

mod bytes;
mod mapping;

pub(crate) use bytes::{Reader, Writer};
pub(crate) use mapping::Mapping;
