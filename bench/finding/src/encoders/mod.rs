//! Encoders of bytes, numbers and strings: decoding inverts encoding, and encodings are canonical.

crate::tasks! {
    "encoders";
    ascii85_short_zeros(bytes: Vec<u8>);
    base58_zeros(bytes: Vec<u8>);
    bencode_key_order(keys: Vec<String>);
    char_reference(text: String);
    delta_range(values: Vec<i64>);
    der_unsigned(value: u64);
    msgpack_negative(value: i32);
    msgpack_zero(values: Vec<i32>);
    oid_zero(arcs: Vec<u32>);
    quoted_printable_space(text: String);
    signed_leb128(value: i64);
}
