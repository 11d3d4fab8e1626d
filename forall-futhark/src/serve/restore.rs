//! Reading the values of a file as servers do: in binary or text format, with types that are known in advance.
//!
//! Servers read text more leniently than the tools (`[]`, `.5`, `nan` and hexadecimal floats are values; strings and
//! `0b101` are not), and exit at a header that does not match.

use super::Datum;
use crate::data::{BinaryError, Element, Primitive, Value, f16, of_type, read_value};
use crate::datum::types::{Leaf, Structure, Types};
use std::io::Read;

/// An error that ends the server, with this message.
pub(super) struct Fatal(pub(super) String);

/// A file, and the current position.
pub(super) struct File {
    bytes: Vec<u8>,
    at: usize,
}

impl File {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns whether only blanks and comments are left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.bytes.len()
    }

    /// Reads the next value, of this type; `None` if it does not match.
    pub(super) fn value(&mut self, type_name: &str, types: &Types) -> Result<Option<Datum>, Fatal> {
        match &*types.structure_of(type_name) {
            Structure::Primitive(primitive) => self.leaf(Leaf { primitive: *primitive, rank: 0 }),
            Structure::Array { element, rank } if element.parse::<Primitive>().is_ok() => {
                let primitive = element.parse().unwrap_or(Primitive::Bool);
                self.leaf(Leaf { primitive, rank: *rank })
            }
            _ => Ok(self.composite(type_name, types)),
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> Result<Option<Datum>, Fatal> {
        self.skip_blanks();
        let value = if self.takes(b'b') { self.binary(leaf)? } else { self.text(leaf) };
        Ok(value.map(Datum::Value))
    }

    /// Reads a record, a sum, or an array of them, which exist only in the binary format.
    fn composite(&mut self, type_name: &str, types: &Types) -> Option<Datum> {
        let mut values = Vec::new();
        for _ in &*types.leaves(type_name) {
            let mut rest = &self.bytes[self.at..];
            let value = read_value(&mut rest).ok()??;
            self.at = self.bytes.len() - rest.len();
            values.push(value);
        }
        Datum::from_leaves(type_name, &mut values.into_iter(), types)
    }

    fn skip_blanks(&mut self) {
        loop {
            match &self.bytes[self.at..] {
                [first, ..] if first.is_ascii_whitespace() => self.at += 1,
                [b'-', b'-', rest @ ..] => {
                    self.at += 2 + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads the part after `b`. An invalid header ends the server.
    fn binary(&mut self, leaf: Leaf) -> Result<Option<Value>, Fatal> {
        let fatal = |message: String| Err(Fatal(format!("binary-input: {message}")));
        let header = &self.bytes[self.at..];
        match header.first() {
            None => return fatal("could not read version.".to_owned()),
            Some(2) => {}
            Some(other) => return fatal(format!("File uses version {other}, but I only understand version 2.")),
        }
        let Some(rank) = header.get(1).map(|rank| usize::from(*rank)) else {
            return fatal("Couldn't get dims.".to_owned());
        };
        let wanted = leaf.primitive;
        match leaf.rank {
            0 if rank > 0 => {
                return fatal(format!("Expected scalar (0 dimensions), but got array with {rank} dimensions."));
            }
            own if own != rank => {
                return fatal(format!("Expected {own} dimensions, but got array with {rank} dimensions."));
            }
            _ => {}
        }
        let Some(tag) = header.get(2..6) else { return fatal("Couldn't read type.".to_owned()) };
        let tag = String::from_utf8_lossy(tag);
        let Ok(primitive) = tag.trim_start().parse::<Primitive>() else {
            return fatal(format!("Did not recognize the type '{tag}'."));
        };
        if primitive != wanted {
            return fatal(match rank {
                0 => format!("Expected scalar of type {wanted} but got scalar of type {primitive}."),
                _ => format!(
                    "Expected {rank}D-array with element type '{wanted}' but got {rank}D-array with element type '{primitive}'."
                ),
            });
        }
        let dimensions = header.len().saturating_sub(6) / 8;
        if dimensions < rank {
            return fatal(format!("Couldn't read size for dimension {dimensions} of array."));
        }
        let mut whole = Read::chain(&b"b"[..], header);
        match read_value(&mut whole) {
            Ok(value) => {
                let (_, rest) = whole.into_inner();
                self.at = self.bytes.len() - rest.len();
                Ok(value)
            }
            Err(BinaryError::Truncated) if rank > 0 => {
                let length = |at: usize| {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(&header[6 + 8 * at..14 + 8 * at]);
                    u64::from_le_bytes(bytes)
                };
                let wanted: u64 = (0..rank).map(length).fold(1, u64::saturating_mul);
                let got = (header.len() - 6 - 8 * rank) / primitive.bytes();
                fatal(format!("tried to read {wanted} elements of an array, but only got {got} elements."))
            }
            Err(BinaryError::Truncated) => {
                self.at = self.bytes.len();
                Ok(None)
            }
            Err(other) => fatal(other.to_string()),
        }
    }

    fn text(&mut self, leaf: Leaf) -> Option<Value> {
        let mut bytes = Vec::new();
        if leaf.rank == 0 {
            self.scalar(leaf.primitive, &mut bytes)?;
            return made(&bytes, leaf.primitive, &[]);
        }
        let mut shape = vec![None; leaf.rank];
        if self.bytes[self.at..].starts_with(b"empty") {
            let shape = self.empty(leaf)?;
            return made(&bytes, leaf.primitive, &shape);
        }
        self.rows(leaf.primitive, &mut shape, &mut bytes)?;
        let shape: Vec<usize> = shape.into_iter().map(|length| length.unwrap_or(0)).collect();
        made(&bytes, leaf.primitive, &shape)
    }

    fn rows(&mut self, primitive: Primitive, shape: &mut [Option<usize>], bytes: &mut Vec<u8>) -> Option<()> {
        let Some((length, inner)) = shape.split_first_mut() else { return self.scalar(primitive, bytes) };
        self.skip_blanks();
        if !self.takes(b'[') {
            return None;
        }
        let mut count = 0;
        loop {
            self.skip_blanks();
            if self.takes(b']') {
                break;
            }
            if count > 0 {
                if !self.takes(b',') {
                    return None;
                }
                self.skip_blanks();
                if self.takes(b']') {
                    break;
                }
            }
            self.rows(primitive, inner, bytes)?;
            count += 1;
        }
        (*length.get_or_insert(count) == count).then_some(())
    }

    /// Parses the shape of `empty([0][3]i32)`.
    fn empty(&mut self, leaf: Leaf) -> Option<Vec<usize>> {
        self.at += "empty".len();
        self.skip_blanks();
        self.takes(b'(').then_some(())?;
        let mut shape = Vec::new();
        self.skip_blanks();
        while self.takes(b'[') {
            shape.push(self.word().parse().ok()?);
            self.takes(b']').then_some(())?;
            self.skip_blanks();
        }
        let primitive: Primitive = self.word().parse().ok()?;
        self.skip_blanks();
        let closed = self.takes(b')');
        (closed && primitive == leaf.primitive && shape.len() == leaf.rank && shape.contains(&0)).then_some(shape)
    }

    /// Reads the text up to the end of a scalar.
    fn word(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"[](),{}".contains(byte);
        let word = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        self.at += word.len();
        String::from_utf8_lossy(word).into_owned()
    }

    fn scalar(&mut self, primitive: Primitive, bytes: &mut Vec<u8>) -> Option<()> {
        self.skip_blanks();
        let word = self.word();
        match primitive {
            Primitive::Bool => match &*word {
                "true" => true.push_bytes(bytes),
                "false" => false.push_bytes(bytes),
                _ => return None,
            },
            Primitive::F16 => f16::from_f64(float(&word, primitive)?).push_bytes(bytes),
            Primitive::F32 => (float(&word, primitive)? as f32).push_bytes(bytes),
            Primitive::F64 => float(&word, primitive)?.push_bytes(bytes),
            _ => bytes.extend_from_slice(&integer(&word, primitive)?.to_le_bytes()[..primitive.bytes()]),
        }
        Some(())
    }
}

/// Creates a value from the bytes of its elements.
fn made(bytes: &[u8], primitive: Primitive, shape: &[usize]) -> Option<Value> {
    let elements = of_type!(primitive, T => T::elements(bytes.chunks(primitive.bytes()).map(T::from_bytes).collect()));
    Value::from_elements(elements, shape)
}

/// Parses an integer modulo 2⁶⁴; its type may follow it.
fn integer(word: &str, primitive: Primitive) -> Option<u64> {
    let (negative, magnitude) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let magnitude = magnitude.strip_suffix(primitive.name()).unwrap_or(magnitude);
    let digits: String = magnitude.chars().filter(|c| *c != '_').collect();
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok().filter(|hexadecimal| *hexadecimal <= i64::MAX as u64)?,
        None => {
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            digits.bytes().fold(0u64, |all, digit| all.wrapping_mul(10).wrapping_add((digit - b'0').into()))
        }
    };
    Some(if negative { integer.wrapping_neg() } else { integer })
}

fn float(word: &str, primitive: Primitive) -> Option<f64> {
    let name = primitive.name();
    let special = word.strip_prefix('-').unwrap_or(word);
    if let Some(rest) = special.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
        return match (rest, word.starts_with('-')) {
            ("nan", false) => Some(f64::NAN),
            ("inf", false) => Some(f64::INFINITY),
            ("inf", true) => Some(f64::NEG_INFINITY),
            _ => None,
        };
    }
    let plain: String = word.strip_suffix(name).unwrap_or(word).chars().filter(|c| *c != '_').collect();
    let (sign, magnitude) = match plain.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, &*plain),
    };
    match magnitude.strip_prefix("0x") {
        Some(hexadecimal) => hexadecimal_float(hexadecimal).map(|magnitude| sign * magnitude),
        None => magnitude.parse::<f64>().ok().map(|magnitude| sign * magnitude),
    }
}

/// Parses a hexadecimal float such as `1.8p1`, without its `0x`.
fn hexadecimal_float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once('p').unwrap_or((digits, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(all as f64 * 2f64.powi(exponent - 4 * part.len() as i32))
}
