//! The literals of a test, and how generators use them.
//!
//! When a tape with literals would draw at random, generators ask it for a fitting literal. The recorded choice is the
//! one that produces the value, as if it had been drawn.

mod literal;

pub(crate) use literal::Literal;

use super::Random;

/// The literals of a test.
#[derive(Clone, Debug)]
pub(crate) struct Literals {
    /// The literals in source form, one per line: for another process.
    text: String,
    /// The first one is the subject of the test.
    literals: Vec<Literal>,
    running: Option<Running>,
}

/// A string that is being written into a collection.
#[derive(Clone, Debug)]
struct Running {
    /// The number of elements before it.
    before: usize,
    chars: std::vec::IntoIter<char>,
    bytes: std::vec::IntoIter<u8>,
}

impl Literals {
    /// Parses the literals in these lines; `None` if there are none.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let literals: Vec<Literal> = text.lines().filter_map(Literal::read).filter(Literal::is_worth_trying).collect();
        (!literals.is_empty()).then(|| Self { text: text.to_owned(), literals, running: None })
    }

    /// The literals in source form, one per line.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The literal to use here: usually the test's subject, now and then another, or none; with a random number that
    /// decides how it is used.
    fn pick(&self, random: &mut Random) -> Option<(&Literal, u32)> {
        let draw = random.draw();
        let place = match draw.selector % 16 {
            0..7 => 0,
            7..11 => crate::choice::scale(draw.word, self.literals.len() as u64 - 1) as usize,
            _ => return None,
        };
        Some((&self.literals[place], draw.selector >> 4))
    }

    /// A fitting integer; in a collection of bytes, the next byte of the string that is being written.
    pub(crate) fn integer(&mut self, random: &mut Random, is_byte: bool, fits: &dyn Fn(i128) -> bool) -> Option<i128> {
        if let Some(running) = self.running.as_mut().filter(|running| is_byte && !running.is_over()) {
            return running.next_byte().map(i128::from).filter(|value| fits(*value));
        }
        let (Literal::Integer(value), way) = self.pick(random)? else { return None };
        let varied = match way % 16 {
            0..8 => *value,
            8..11 => value.wrapping_add(1),
            11..14 => value.wrapping_sub(1),
            _ => value.wrapping_neg(),
        };
        Some(varied).filter(|value| fits(*value))
    }

    pub(crate) fn float(&mut self, random: &mut Random) -> Option<f64> {
        let (literal, way) = self.pick(random)?;
        let value = match literal {
            Literal::Integer(value) => *value as f64,
            Literal::Float(value) => *value,
            Literal::Text(_) | Literal::Bytes(_) => return None,
        };
        Some(if way % 8 == 0 { -value } else { value })
    }

    /// A character: the next one of the string that is being written, or a literal.
    pub(crate) fn char(&mut self, random: &mut Random) -> Option<char> {
        if let Some(running) = self.running.as_mut().filter(|running| !running.is_over()) {
            return running.next_char();
        }
        match self.pick(random)? {
            (Literal::Text(text), _) if text.len() == 1 => Some(text[0]),
            _ => None,
        }
    }

    /// Starts a collection of this length: returns its new length if a string is written into it.
    pub(crate) fn begin(&mut self, random: &mut Random, planned: usize, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
        self.running = None;
        let (literal, way) = self.pick(random)?;
        let (chars, bytes) = match literal {
            Literal::Text(text) => (text.clone(), text.iter().collect::<String>().into_bytes()),
            Literal::Bytes(bytes) => (bytes.iter().map(|&byte| char::from(byte)).collect(), bytes.clone()),
            Literal::Integer(_) | Literal::Float(_) => return None,
        };
        let length = if let Literal::Bytes(bytes) = literal { bytes.len() } else { chars.len() };
        // All of it in half of all cases; otherwise a prefix of something longer, or a part of it.
        let (before, after) = match way % 8 {
            0..4 => (0, 0),
            4 => (0, 1),
            5 => (0, planned),
            6 => (planned, 0),
            _ => (planned / 2, planned.div_ceil(2)),
        };
        let full = before + length + after;
        let (before, all) = if fits(full) { (before, full) } else { (0, length.max(planned)) };
        if !fits(all) {
            return None;
        }
        self.running = Some(Running { before, chars: chars.into_iter(), bytes: bytes.into_iter() });
        Some(all)
    }

    /// Ends the collection.
    pub(crate) fn end(&mut self) {
        self.running = None;
    }
}

impl Running {
    /// Whether the string has been written completely.
    fn is_over(&self) -> bool {
        self.before == 0 && (self.chars.len() == 0 || self.bytes.len() == 0)
    }

    fn is_before(&mut self) -> bool {
        let is_before = self.before > 0;
        self.before = self.before.saturating_sub(1);
        is_before
    }

    fn next_char(&mut self) -> Option<char> {
        if self.is_before() { None } else { self.chars.next() }
    }

    fn next_byte(&mut self) -> Option<u8> {
        if self.is_before() { None } else { self.bytes.next() }
    }
}
