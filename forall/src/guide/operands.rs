//! Operands of comparisons during a test: the source of magic values.

use crate::generate::Coded;

/// The two sides of the comparisons that a test made: the most likely source of values that reach the next branch.
///
/// The instrumentation of the code under test fills it, through [`Worth`](super::Worth); mutation puts one operand in
/// place of the other.
///
/// ```
/// use forall::guide::Operands;
/// let mut operands = Operands::default();
/// operands.number(7, 0xdead_beef);
/// operands.text(b"alpha", b"delta");
/// assert!(!operands.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Operands {
    numbers: Vec<(u64, u64)>,
    /// Those of them that are bytes.
    bytes: Vec<(u8, u8)>,
    texts: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The limit on comparisons of one test: a loop repeats the same one.
const MAX_PAIRS: usize = 64;

/// The limit on the length of strings.
const LONGEST: usize = 64;

impl Operands {
    /// Records a comparison of two numbers. Equal ones are ignored.
    ///
    /// ```
    /// # use forall::guide::Operands;
    /// let mut operands = Operands::default();
    /// operands.number(7, 7);
    /// assert!(operands.is_empty());
    /// ```
    pub fn number(&mut self, a: u64, b: u64) {
        if a != b && self.numbers.len() < MAX_PAIRS && !self.numbers.contains(&(a, b)) {
            self.numbers.push((a, b));
        }
    }

    /// Records a comparison of two bytes; the constant preferably first. Bytes are numbers, and elements of strings.
    ///
    /// ```
    /// # use forall::guide::Operands;
    /// let mut operands = Operands::default();
    /// operands.byte(b'[', b'x');
    /// assert!(!operands.is_empty());
    /// ```
    pub fn byte(&mut self, a: u8, b: u8) {
        self.number(u64::from(a), u64::from(b));
        if a != b && self.bytes.len() < MAX_PAIRS && !self.bytes.contains(&(a, b)) {
            self.bytes.push((a, b));
        }
    }

    /// Records a comparison of two strings. Equal and very long ones are ignored.
    ///
    /// ```
    /// # use forall::guide::Operands;
    /// let mut operands = Operands::default();
    /// operands.text(b"same", b"same");
    /// assert!(operands.is_empty());
    /// ```
    pub fn text(&mut self, a: &[u8], b: &[u8]) {
        let known = || self.texts.iter().any(|(c, d)| c == a && d == b);
        if a != b && a.len().max(b.len()) <= LONGEST && self.texts.len() < MAX_PAIRS && !known() {
            self.texts.push((a.to_vec(), b.to_vec()));
        }
    }

    /// Returns whether there are no operands.
    ///
    /// ```
    /// # use forall::guide::Operands;
    /// assert!(Operands::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.texts.is_empty()
    }

    pub(super) fn numbers(&self) -> &[(u64, u64)] {
        &self.numbers
    }

    pub(super) fn bytes(&self) -> &[(u8, u8)] {
        &self.bytes
    }

    pub(super) fn texts(&self) -> &[(Vec<u8>, Vec<u8>)] {
        &self.texts
    }
}

/// The choices that may encode a number: itself, or the code of a signed number of a common width, or of a character.
pub(super) fn codes(number: u64) -> [u64; 6] {
    let signed = number as i64;
    let character = u32::try_from(number).ok().and_then(char::from_u32);
    [
        number,
        character.map_or(number, |character| u64::from(character.encode())),
        signed.encode(),
        u64::from((number as i32).encode()),
        u64::from((number as i16).encode()),
        u64::from((number as i8).encode()),
    ]
}

/// How a choice of this maximum may represent numbers: as itself, or as a code of the type with this many values.
pub(super) fn code_for(max: u64, number: u64) -> [u64; 2] {
    let coded = if max == u64::from(char::MAX.encode()) {
        u32::try_from(number).ok().and_then(char::from_u32).map(|character| u64::from(character.encode()))
    } else if max == u64::MAX {
        Some((number as i64).encode())
    } else if max == u64::from(u32::MAX) {
        Some(u64::from((number as i32).encode()))
    } else if max == u64::from(u16::MAX) {
        Some(u64::from((number as i16).encode()))
    } else if max == u64::from(u8::MAX) {
        Some(u64::from((number as i8).encode()))
    } else {
        None
    };
    [number, coded.unwrap_or(number)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_does_not_fill_the_memory() {
        let mut operands = Operands::default();
        for n in 0..1000 {
            operands.number(n, 1000);
            operands.text(&n.to_le_bytes(), b"needle");
            operands.text(&[0; 1000], b"too long");
        }
        assert_eq!((operands.numbers.len(), operands.texts.len()), (MAX_PAIRS, MAX_PAIRS));
    }

    #[test]
    fn a_negative_number_has_the_code_of_its_width() {
        // -1 as an i32, in a comparison of 32 bits.
        assert!(codes(0xffff_ffff).contains(&u64::from((-1i32).encode())));
    }
}
