//! Sequences as bytes and as text. The format is versioned, decoding is total and bounded by its input.
//!
//! ```text
//! bytes  = version (1 byte) size shape item*            shape: 8 bytes, little endian
//! item   = head                                         head, size, len: LEB128 varints
//! head   = (value << 1) as a 65-bit varint | (len << 1 | 1)
//! text   = version "-" base64url(bytes after the version, then a 4-byte checksum)
//! ```

use super::{Choice, Item, Sequence};
use crate::hash::Fnv;
use crate::whole::whole;
use std::fmt;

/// The version of the format, and of what a seed and a choice mean.
///
/// Version 1 encoded floats in ranges differently. It is unknown which choices of a sequence are such floats, so the
/// whole sequence is rejected.
pub(crate) const VERSION: u8 = 2;

/// Longer inputs are rejected: no sequence on a tape encodes to more.
const MAX_BYTES: usize = super::tape::MAX_ITEMS * 10 + 64;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The reason why bytes or a string do not decode to a sequence of choices.
///
/// ```
/// use forall::choice::{DecodeError, Sequence};
/// assert_eq!(Sequence::from_text("9-AAAA"), Err(DecodeError::Version(9)));
/// assert!(Sequence::from_text("2-AAA").unwrap_err().to_string().contains("truncated"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum DecodeError {
    /// The input ends too early.
    #[doc(hidden)]
    CutOff,
    /// The input uses a different version of the format.
    #[doc(hidden)]
    Version(u8),
    /// The string does not begin with a version and a dash.
    #[doc(hidden)]
    NoVersion,
    /// A character that cannot occur in the string form, and its position.
    #[doc(hidden)]
    Character(char, usize),
    /// The input was modified: the checksum does not match.
    #[doc(hidden)]
    Checksum,
    /// An invalid number or extent.
    #[doc(hidden)]
    Malformed,
    /// Longer than the recording limit.
    #[doc(hidden)]
    TooLong,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::CutOff => write!(f, "the sequence is truncated; paste all of it"),
            DecodeError::Version(found) if *found < VERSION => {
                write!(
                    f,
                    "the sequence has format {found}, but this version of forall reads format {VERSION}, which encodes \
                     floats in ranges differently: replay it with the version that printed it, or add its values as an \
                     `#[example(…)]`"
                )
            }
            DecodeError::Version(found) => {
                write!(
                    f,
                    "the sequence has format {found}, but this version of forall reads format {VERSION}: use a newer forall"
                )
            }
            DecodeError::NoVersion => write!(f, "a sequence begins with its version and a dash, as in `{VERSION}-…`"),
            DecodeError::Character(c, at) => {
                write!(f, "{c:?} at position {at} does not belong in a sequence; paste it as it was printed")
            }
            DecodeError::Checksum => {
                write!(f, "the sequence was changed or mistyped: its checksum differs; paste it as it was printed")
            }
            DecodeError::Malformed => write!(f, "the sequence is malformed; paste it as it was printed"),
            DecodeError::TooLong => {
                write!(f, "the sequence exceeds the recording limit of forall; paste one that forall printed")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

impl Sequence {
    /// Returns the sequence as bytes, in a compact, versioned format. Maxima and spans are not stored, only their
    /// [shape](Sequence::shape).
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// let sequence = Sequence::from_values(10, &[1, 300]);
    /// let (decoded, shape) = Sequence::from_bytes(&sequence.to_bytes()).unwrap();
    /// assert_eq!(decoded.values().collect::<Vec<_>>(), [1, 300]);
    /// assert_eq!(shape, sequence.shape());
    /// ```
    #[doc(hidden)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with_shape(self.shape())
    }

    fn to_bytes_with_shape(&self, shape: u64) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        varint(&mut bytes, u128::from(self.size));
        bytes.extend_from_slice(&shape.to_le_bytes());
        for item in &self.items {
            match item {
                Item::Choice(choice) => varint(&mut bytes, u128::from(choice.value) << 1),
                Item::Fork { len } => varint(&mut bytes, u128::from(*len) << 1 | 1),
            }
        }
        bytes
    }

    /// Decodes the output of [`Sequence::to_bytes`]: the sequence (maxima unknown, spans empty) and the shape it had.
    ///
    /// ```
    /// use forall::choice::{DecodeError, Sequence};
    /// let bytes = Sequence::from_values(10, &[1, 300]).to_bytes();
    /// assert_eq!(Sequence::from_bytes(&bytes).unwrap().0.len(), 2);
    /// assert_eq!(Sequence::from_bytes(&[]), Err(DecodeError::CutOff));
    /// ```
    #[doc(hidden)]
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, u64), DecodeError> {
        if bytes.len() > MAX_BYTES {
            return Err(DecodeError::TooLong);
        }
        let (&version, mut rest) = bytes.split_first().ok_or(DecodeError::CutOff)?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let size = u32::try_from(read_varint(&mut rest)?).map_err(|_| DecodeError::Malformed)?;
        let (shape, mut rest) = rest.split_first_chunk::<8>().ok_or(DecodeError::CutOff)?;
        let mut items = Vec::new();
        while !rest.is_empty() {
            // An item of one byte takes 24 in memory: the length of the input alone is not a good bound.
            if items.len() == super::tape::MAX_ITEMS {
                return Err(DecodeError::TooLong);
            }
            let head = read_varint(&mut rest)?;
            items.push(if head & 1 == 0 {
                let value = u64::try_from(head >> 1).map_err(|_| DecodeError::Malformed)?;
                Item::Choice(Choice { value, max: u64::MAX })
            } else {
                Item::Fork { len: u32::try_from(head >> 1).map_err(|_| DecodeError::Malformed)? }
            });
        }
        if !extents_nest(&items) {
            return Err(DecodeError::Malformed);
        }
        Ok((Self { size, items, spans: Vec::new() }, u64::from_le_bytes(*shape)))
    }

    /// Returns the sequence as a short string to paste. It starts with the version of the format.
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// let text = Sequence::from_values(10, &[1, 300]).to_text();
    /// assert!(text.starts_with("2-"));
    /// assert_eq!(Sequence::from_text(&text).unwrap().0.values().collect::<Vec<_>>(), [1, 300]);
    /// ```
    pub fn to_text(&self) -> String {
        self.to_text_with_shape(self.shape())
    }

    /// The text of a decoded sequence, which has no maxima and spans: with its original shape.
    pub(crate) fn to_text_with_shape(&self, shape: u64) -> String {
        let mut bytes = self.to_bytes_with_shape(shape);
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum);
        let mut text = format!("{VERSION}-");
        for chunk in bytes[1..].chunks(3) {
            let mut word = 0;
            for (i, &byte) in chunk.iter().enumerate() {
                word |= u32::from(byte) << (16 - 8 * i);
            }
            for i in 0..=chunk.len() {
                text.push(char::from(ALPHABET[(word >> (18 - 6 * i)) as usize & 63]));
            }
        }
        text
    }

    /// Parses the string that [`Sequence::to_text`] returns. White space around it is ignored.
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// let text = Sequence::from_values(10, &[1, 300]).to_text();
    /// let (sequence, _shape) = Sequence::from_text(&format!("  {text}\n")).unwrap();
    /// assert_eq!(sequence.values().collect::<Vec<_>>(), [1, 300]);
    /// ```
    pub fn from_text(text: &str) -> Result<(Self, u64), DecodeError> {
        let text = text.trim();
        let (version, payload) = text.split_once('-').ok_or(DecodeError::NoVersion)?;
        let version: u8 = whole(version).ok_or(DecodeError::NoVersion)?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        if payload.len() > MAX_BYTES * 4 / 3 + 8 {
            return Err(DecodeError::TooLong);
        }
        let mut bytes = vec![version];
        let (mut word, mut bits) = (0u32, 0);
        for (at, c) in payload.char_indices() {
            let digit = digit(c).ok_or(DecodeError::Character(c, text.len() - payload.len() + at))?;
            word = word << 6 | digit;
            bits += 6;
            if bits >= 8 {
                bits -= 8;
                bytes.push((word >> bits) as u8);
            }
        }
        let body = bytes.len().checked_sub(4).filter(|&body| body > 0).ok_or(DecodeError::CutOff)?;
        let (body, found) = bytes.split_at(body);
        // The last character may have bits beyond the last byte.
        if checksum(body) != *found || word & ((1 << bits) - 1) != 0 {
            // A truncated text fails here as well; that is the likelier mistake if it is short.
            return Err(if body.len() < 10 { DecodeError::CutOff } else { DecodeError::Checksum });
        }
        Self::from_bytes(body)
    }
}

/// The index of a character in [`ALPHABET`], without a search: texts may be long, and tests are unoptimised.
fn digit(c: char) -> Option<u32> {
    Some(match c {
        'A'..='Z' => c as u32 - 'A' as u32,
        'a'..='z' => c as u32 - 'a' as u32 + 26,
        '0'..='9' => c as u32 - '0' as u32 + 52,
        '-' => 62,
        '_' => 63,
        _ => return None,
    })
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut hash = Fnv::default();
    hash.bytes(bytes);
    let hash = hash.finish();
    ((hash ^ hash >> 32) as u32).to_le_bytes()
}

fn extents_nest(items: &[Item]) -> bool {
    let mut ends = vec![items.len()];
    for (at, item) in items.iter().enumerate() {
        while matches!(ends.last(), Some(&end) if end <= at) {
            ends.pop();
        }
        if let Item::Fork { len } = item {
            let end = at + 1 + *len as usize;
            if ends.last().is_none_or(|&enclosing| end > enclosing) {
                return false;
            }
            ends.push(end);
        }
    }
    true
}

fn varint(bytes: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn read_varint(rest: &mut &[u8]) -> Result<u128, DecodeError> {
    let mut value = 0u128;
    for place in 0..10 {
        let (&byte, tail) = rest.split_first().ok_or(DecodeError::CutOff)?;
        *rest = tail;
        value |= u128::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(DecodeError::Malformed)
}
