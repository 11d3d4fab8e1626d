//! The binary format, version 2.
//!
//! A value is `b`, one byte for the version, one for the rank, four for the type, eight for each dimension, and the
//! elements; all little-endian. Values follow each other without separators. A file may contain text wherever a value
//! could begin.

use super::{Element, Primitive, Value, count, each, of_type, text};
use std::fmt;
use std::io::{self, Read, Write};

const VERSION: u8 = 2;

/// The number of bytes before the dimensions.
const HEADER: usize = 7;

/// The number of bytes that are read or written at once, so that a large size in a header costs nothing unless the data
/// exists.
const PIECE: usize = 1 << 16;

/// The error of reading binary data.
///
/// ```
/// use forall_futhark::data::{BinaryError, read_value};
/// assert!(matches!(read_value(&mut &b"b\x01"[..]), Err(BinaryError::Version(1))));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum BinaryError {
    /// A version other than 2.
    Version(u8),
    /// An unknown type.
    Type([u8; 4]),
    /// A number of elements that overflows `usize`.
    Shape(Vec<u64>),
    /// The data ends before the value does.
    Truncated,
    /// Text where a value should be.
    Text(text::TextError),
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "version {version} of the binary format; this reader knows version 2"),
            Self::Type(name) => write!(f, "no type is called {:?}", String::from_utf8_lossy(name)),
            Self::Shape(shape) => write!(f, "an array of shape {shape:?} has too many elements"),
            Self::Truncated => f.write_str("the data ends before the value does"),
            Self::Text(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BinaryError {}

impl From<io::Error> for BinaryError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Truncated } else { Self::Io(error) }
    }
}

/// Reads one value of the binary format; `None` if only blanks are left.
///
/// Memory use grows with the actual data, not with the size in its header.
///
/// ```
/// use forall_futhark::data::{Value, read_value};
/// let mut bytes = &b" b\x02\x00  u8\x05"[..];
/// assert_eq!(read_value(&mut bytes).unwrap(), Some(Value::scalar(5u8)));
/// assert_eq!(read_value(&mut bytes).unwrap(), None);
/// ```
pub fn read_value(from: &mut dyn Read) -> Result<Option<Value>, BinaryError> {
    match first_byte(from)? {
        None => Ok(None),
        Some(b'b') => read_after_b(from).map(Some),
        Some(other) => Err(BinaryError::Type([other, b' ', b' ', b' '])),
    }
}

/// Reads all values to the end, both binary and text.
///
/// ```
/// use forall_futhark::data::{Value, read_values};
/// let mut bytes = &b"b\x02\x00  u8\x05 2i8 true"[..];
/// assert_eq!(read_values(&mut bytes).unwrap(), [Value::scalar(5u8), Value::scalar(2i8), Value::scalar(true)]);
/// ```
pub fn read_values(from: &mut dyn Read) -> Result<Vec<Value>, BinaryError> {
    let mut values = Vec::new();
    loop {
        match first_byte(from)? {
            None => return Ok(values),
            Some(b'b') => values.push(read_after_b(from)?),
            Some(first) => {
                let mut rest = vec![first];
                from.read_to_end(&mut rest)?;
                read_text_first(&rest, &mut values)?;
                return Ok(values);
            }
        }
    }
}

/// Reads all values from bytes in memory, as [`read_values`] does, but without a call for each part of each value.
pub(crate) fn values_in(mut bytes: &[u8]) -> Result<Vec<Value>, BinaryError> {
    // The number of values if all of them are results of properties, up to a limit.
    let mut values = Vec::with_capacity((bytes.len() / (HEADER + 1)).min(64));
    while let Some(value) = binary_in(&mut bytes) {
        values.push(value);
    }
    if !bytes.is_empty() {
        // The rest is blanks, text, or an invalid value; the general reader distinguishes these.
        values.extend(read_values(&mut bytes)?);
    }
    Ok(values)
}

/// Reads a boolean from the beginning of the bytes. Consumes nothing if there is none.
pub(crate) fn truth_in(bytes: &mut &[u8]) -> Option<bool> {
    let [b'b', VERSION, 0, b'b', b'o', b'o', b'l', truth, rest @ ..] = *bytes else { return None };
    *bytes = rest;
    Some(*truth != 0)
}

/// Reads a value of the binary format from the beginning of the bytes. Consumes nothing if there is none.
pub(crate) fn binary_in(bytes: &mut &[u8]) -> Option<Value> {
    let [b'b', VERSION, rank, tag @ ..] = *bytes else { return None };
    let (tag, mut rest) = tag.split_first_chunk::<4>()?;
    let primitive = primitive_of_tag(tag)?;
    let mut shape = Vec::new();
    for _ in 0..*rank {
        let (length, after) = rest.split_first_chunk::<8>()?;
        shape.push(usize::try_from(u64::from_le_bytes(*length)).ok()?);
        rest = after;
    }
    let length = count(&shape)?.checked_mul(primitive.bytes())?;
    let (data, rest) = rest.split_at_checked(length)?;
    let elements =
        of_type!(primitive, T => T::elements(data.chunks_exact(primitive.bytes()).map(T::from_bytes).collect()));
    *bytes = rest;
    Some(Value { shape: shape.into(), elements })
}

/// Reads values from bytes that begin with text; binary values and more text may follow.
fn read_text_first(mut bytes: &[u8], values: &mut Vec<Value>) -> Result<(), BinaryError> {
    loop {
        let (text, not_text) = valid_prefix(bytes);
        let mut cursor = super::Cursor::new(text);
        while !cursor.is_at_end() && !cursor.rest().starts_with('b') {
            values.push(cursor.value().map_err(BinaryError::Text)?);
            if cursor.read() == text.len() && !not_text.is_empty() {
                return Err(BinaryError::Text(cursor.error("this is not UTF-8")));
            }
        }
        match &bytes[cursor.read()..] {
            [] => return Ok(()),
            [b'b', rest @ ..] => {
                bytes = rest;
                values.push(read_after_b(&mut bytes)?);
            }
            _ => return Err(BinaryError::Text(cursor.error("this is not UTF-8"))),
        }
    }
}

/// Splits the bytes after the longest UTF-8 prefix.
fn valid_prefix(bytes: &[u8]) -> (&str, &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, &[]),
        Err(error) => {
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            (std::str::from_utf8(valid).unwrap_or_default(), rest)
        }
    }
}

/// Reads the first non-blank byte.
fn first_byte(from: &mut dyn Read) -> Result<Option<u8>, BinaryError> {
    let mut byte = [0];
    loop {
        match from.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) if byte[0].is_ascii_whitespace() => {}
            Ok(_) => return Ok(Some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn read_after_b(from: &mut dyn Read) -> Result<Value, BinaryError> {
    let [version] = read_bytes(from)?;
    if version != VERSION {
        return Err(BinaryError::Version(version));
    }
    let [rank] = read_bytes(from)?;
    let name: [u8; 4] = read_bytes(from)?;
    let primitive = primitive_of_tag(&name).ok_or(BinaryError::Type(name))?;
    let mut shape = Vec::new();
    let mut wide = Vec::new();
    for _ in 0..rank {
        let length = u64::from_le_bytes(read_bytes(from)?);
        wide.push(length);
        shape.push(usize::try_from(length).unwrap_or(usize::MAX));
    }
    let elements = count(&shape).filter(|elements| elements.checked_mul(primitive.bytes()).is_some());
    let Some(elements) = elements else { return Err(BinaryError::Shape(wide)) };
    let elements = of_type!(primitive, T => T::elements(read_elements::<T>(from, elements)?));
    Ok(Value { shape: shape.into(), elements })
}

fn read_bytes<const N: usize>(from: &mut dyn Read) -> Result<[u8; N], BinaryError> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_elements<T: Element>(from: &mut dyn Read, mut left: usize) -> Result<Vec<T>, BinaryError> {
    let size = T::PRIMITIVE.bytes();
    let mut piece = vec![0; left.saturating_mul(size).min(PIECE)];
    let mut elements = Vec::new();
    while left > 0 {
        let now = left.min(PIECE / size);
        let bytes = &mut piece[..now * size];
        from.read_exact(bytes)?;
        elements.extend(bytes.chunks_exact(size).map(T::from_bytes));
        left -= now;
    }
    Ok(elements)
}

fn tag_of(primitive: Primitive) -> [u8; 4] {
    let mut tag = [b' '; 4];
    let name = primitive.name().as_bytes();
    tag[4 - name.len()..].copy_from_slice(name);
    tag
}

fn primitive_of_tag(tag: &[u8; 4]) -> Option<Primitive> {
    if tag == b"bool" {
        // Fast path: the results of properties are booleans.
        return Some(Primitive::Bool);
    }
    super::PRIMITIVES.into_iter().find(|primitive| tag_of(*primitive) == *tag)
}

impl Value {
    /// Writes the value in the binary format.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// forall_futhark::data::Value::scalar(5u8).write(&mut bytes).unwrap();
    /// assert_eq!(bytes, b"b\x02\x00  u8\x05");
    /// ```
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        if self.shape.len() > usize::from(u8::MAX) {
            return Err(io::Error::other("arrays have at most 255 dimensions"));
        }
        let mut bytes = Vec::new();
        self.push_header(&mut bytes);
        each!(&self.elements, xs => write_elements(xs, bytes, to))
    }

    /// Returns the bytes of the binary format.
    ///
    /// ```
    /// assert_eq!(forall_futhark::data::Value::scalar(true).to_bytes(), b"b\x02\x00bool\x01");
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.push_bytes(&mut bytes);
        bytes
    }

    /// Appends the bytes of the binary format.
    pub(crate) fn push_bytes(&self, bytes: &mut Vec<u8>) {
        let data = self.elements.len() * self.primitive().bytes();
        bytes.reserve(HEADER + 8 * self.shape.len() + data);
        self.push_header(bytes);
        each!(&self.elements, xs => Element::push_all(xs, bytes));
    }

    fn push_header(&self, bytes: &mut Vec<u8>) {
        debug_assert!(self.shape.len() <= 255, "the rank is a byte");
        bytes.extend_from_slice(&[b'b', VERSION, self.shape.len() as u8]);
        bytes.extend_from_slice(&tag_of(self.primitive()));
        for length in &*self.shape {
            bytes.extend_from_slice(&(*length as u64).to_le_bytes());
        }
    }
}

fn write_elements<T: Element>(elements: &[T], mut bytes: Vec<u8>, to: &mut dyn Write) -> io::Result<()> {
    for element in elements {
        element.push_bytes(&mut bytes);
        if bytes.len() >= PIECE {
            to.write_all(&bytes)?;
            bytes.clear();
        }
    }
    to.write_all(&bytes)
}
