//! Each function returns whether its guard was passed.

pub fn one_number(x: u32) -> bool {
    x == 0xdead_beef
}

pub fn magic_prefix(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// The last four bytes are a checksum of all others; only then the first is looked at.
pub fn checksum(bytes: &[u8]) -> bool {
    let Some((data, sum)) = bytes.split_last_chunk() else { return false };
    let mut expected = 0x811c_9dc5_u32;
    for &byte in data {
        expected = (expected ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    data.len() >= 4 && u32::from_le_bytes(*sum) == expected && data[0] == b'!'
}

pub fn keyword(text: &str) -> bool {
    text == "forall"
}

/// Whether the text is a list of at least two lists of numbers, such as `[[1,2],[3]]`.
pub fn nested(text: &str) -> bool {
    let mut parser = Parser { rest: text.as_bytes() };
    matches!(parser.list(&mut |parser| parser.list(&mut Parser::digit)), Some(2..)) && parser.rest.is_empty()
}

/// Whether a text is a version with one number, which the program reads.
pub fn printed(text: &str) -> bool {
    text.strip_prefix("v=").and_then(|number| number.parse::<u32>().ok()) == Some(219_359)
}

struct Parser<'a> {
    rest: &'a [u8],
}

impl Parser<'_> {
    fn take(&mut self, wanted: u8) -> Option<usize> {
        let (&first, rest) = self.rest.split_first()?;
        if first == wanted {
            self.rest = rest;
            Some(1)
        } else {
            None
        }
    }

    fn digit(&mut self) -> Option<usize> {
        let (&first, rest) = self.rest.split_first()?;
        if first.is_ascii_digit() {
            self.rest = rest;
            Some(1)
        } else {
            None
        }
    }

    /// The number of elements of a list that is not empty.
    fn list(&mut self, element: &mut dyn FnMut(&mut Self) -> Option<usize>) -> Option<usize> {
        self.take(b'[')?;
        element(self)?;
        let mut count = 1;
        while self.take(b',').is_some() {
            element(self)?;
            count += 1;
        }
        self.take(b']')?;
        Some(count)
    }
}
