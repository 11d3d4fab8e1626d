//! Properties of hex: encoding and decoding are inverse, and errors name the character and its position.

use hex::{FromHex, FromHexError, ToHex};

crate::properties! {
    fn decoding_is_the_inverse_of_encoding(bytes: Vec<u8>) {
        assert_eq!(hex::decode(hex::encode(&bytes)).unwrap(), bytes);
        assert_eq!(hex::decode(hex::encode_upper(&bytes)).unwrap(), bytes);
    }

    fn encoding_prints_each_byte_as_two_digits(bytes: Vec<u8>) {
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex::encode(&bytes), expected);
        assert_eq!(hex::encode_upper(&bytes), expected.to_uppercase());
    }

    fn traits_encode_like_the_functions(bytes: Vec<u8>) {
        assert_eq!(bytes.encode_hex::<String>(), hex::encode(&bytes));
        assert_eq!(bytes.encode_hex_upper::<String>(), hex::encode_upper(&bytes));
    }

    fn decoding_accepts_both_cases(bytes: Vec<u8>, choice: u64) {
        let text = hex::encode(&bytes);
        let change = |(at, digit): (usize, char)| if choice >> (at % 64) & 1 == 1 { digit.to_ascii_uppercase() } else { digit };
        assert_eq!(hex::decode(text.chars().enumerate().map(change).collect::<String>()).unwrap(), bytes);
    }

    fn an_odd_number_of_digits_is_an_error(bytes: Vec<u8>, digit: u8) {
        let text = format!("{}{:x}", hex::encode(&bytes), digit % 16);
        assert_eq!(hex::decode(text), Err(FromHexError::OddLength));
    }

    fn the_first_character_that_is_not_a_digit_is_named(bytes: Vec<u8>, at: usize, other: u8) {
        let mut text = hex::encode(&bytes).into_bytes();
        if !text.is_empty() && !other.is_ascii_hexdigit() {
            let at = at % text.len();
            text[at] = other;
            let expected = FromHexError::InvalidHexCharacter { c: other as char, index: at };
            assert_eq!(hex::decode(&text), Err(expected));
        }
    }

    fn arrays_are_decoded_if_the_length_fits(bytes: Vec<u8>) {
        let text = hex::encode(&bytes);
        let result = <[u8; 4]>::from_hex(&text);
        match <[u8; 4]>::try_from(bytes) {
            Ok(array) => assert_eq!(result, Ok(array)),
            Err(_) => assert_eq!(result, Err(FromHexError::InvalidStringLength)),
        }
    }

    fn an_array_of_an_odd_number_of_digits_is_an_error(digits: u32) {
        assert_eq!(<[u8; 3]>::from_hex(format!("{:05x}", digits % 0x10_0000)), Err(FromHexError::OddLength));
    }

    fn slices_are_filled_and_checked(bytes: Vec<u8>, length: u8) {
        let mut decoded = vec![0; usize::from(length % 8)];
        let result = hex::decode_to_slice(hex::encode(&bytes), &mut decoded);
        if decoded.len() == bytes.len() {
            assert_eq!((result, decoded), (Ok(()), bytes));
        } else {
            assert_eq!(result, Err(FromHexError::InvalidStringLength));
        }
    }

    fn encoding_to_a_slice_needs_twice_the_length(bytes: Vec<u8>, length: u8) {
        let mut encoded = vec![0; usize::from(length % 16)];
        let result = hex::encode_to_slice(&bytes, &mut encoded);
        if encoded.len() == bytes.len() * 2 {
            assert_eq!((result, encoded), (Ok(()), hex::encode(&bytes).into_bytes()));
        } else {
            assert_eq!(result, Err(FromHexError::InvalidStringLength));
        }
    }

    fn a_slice_is_not_filled_from_an_odd_number_of_digits(bytes: Vec<u8>) {
        let mut decoded = vec![0; bytes.len()];
        let text = format!("{}a", hex::encode(&bytes));
        assert_eq!(hex::decode_to_slice(text, &mut decoded), Err(FromHexError::OddLength));
    }

    fn errors_are_printed_with_their_position(index: usize, c: char) {
        let text = FromHexError::InvalidHexCharacter { c, index }.to_string();
        assert!(text.contains(&format!("{c:?}")) && text.ends_with(&index.to_string()), "{text}");
        assert_ne!(FromHexError::OddLength.to_string(), FromHexError::InvalidStringLength.to_string());
    }
}
