//! The properties of `leb128`, migrated from quickcheck.

use forall::laws;
use forall::prelude::*;
use leb128::{read, write};
use std::io;

#[forall::test]
fn the_length_of_an_unsigned_number_is_known_before(n: u64) -> io::Result<bool> {
    Ok(write::unsigned(&mut Vec::new(), n)? == write::unsigned_len(n))
}

#[forall::test]
fn the_length_of_a_signed_number_is_known_before(n: i64) -> io::Result<bool> {
    Ok(write::signed(&mut Vec::new(), n)? == write::signed_len(n))
}

fn written<T>(write: impl Fn(&mut Vec<u8>, T) -> io::Result<usize>, n: T) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes, n).map(|_| bytes)
}

#[test]
fn numbers_are_read_back() {
    let unsigned = |n: &u64| written(write::unsigned, *n);
    forall::check("unsigned", &laws::round_trip(any::<u64>(), unsigned, |bytes| read::unsigned(&mut &bytes[..])));
    let signed = |n: &i64| written(write::signed, *n);
    forall::check("signed", &laws::round_trip(any::<i64>(), signed, |bytes| read::signed(&mut &bytes[..])));
}

/// Not in the suite that was moved.
#[forall::test]
fn truncated_input_is_rejected(n: i64) -> io::Result<()> {
    let bytes = written(write::signed, n)?;
    assert!(read::signed(&mut &bytes[..bytes.len() - 1]).is_err());
    Ok(())
}
