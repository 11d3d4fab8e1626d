//! The text format: `42`, `1.5f32`, `[[1u8, 2], [3, 4]]`, `"bytes"`, `empty([0][3]i32)`.

use super::{Element, Elements, Primitive, Value, count, f16, of_type};
use std::fmt;

/// The maximum nesting of brackets: no array of a program has such a rank.
const DEEPEST: usize = 64;

/// A syntax error: its position and reason.
///
/// ```
/// let error = forall_futhark::data::parse_values("1\n[2, true]").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 5: expected an i32, as the first element is one, found `true`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The expected and the actual token.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Parses all values in a text. `--` begins a comment.
///
/// Integers that are too large for their type wrap, as they do in the Futhark tools.
///
/// ```
/// use forall_futhark::data::{Value, parse_values};
/// let values = parse_values("0xff_u8 -- the largest").unwrap_err();
/// assert_eq!(values.message, "expected a value, found `0xff_u8`");
/// assert_eq!(parse_values("0xffu8 -- the largest").unwrap(), [Value::scalar(255u8)]);
/// ```
pub fn parse_values(text: &str) -> Result<Vec<Value>, TextError> {
    let mut cursor = Cursor::new(text);
    let mut values = Vec::new();
    while !cursor.is_at_end() {
        values.push(cursor.value()?);
    }
    Ok(values)
}

/// Returns the number of leading bytes that are blanks or, if enabled, comments.
fn blank(bytes: &[u8], comments: bool) -> usize {
    let mut at = 0;
    loop {
        match &bytes[at..] {
            [first, ..] if first.is_ascii_whitespace() => at += 1,
            [b'-', b'-', rest @ ..] if comments => {
                at += 2 + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            }
            _ => return at,
        }
    }
}

/// A parser at a position in a text.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    comments: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, comments: true }
    }

    /// Creates a parser that does not accept comments.
    pub(crate) fn without_comments(text: &'a str, at: usize) -> Self {
        Self { text, at, comments: false }
    }

    /// Returns the current position, in bytes.
    pub(crate) fn read(&self) -> usize {
        self.at
    }

    /// Returns whether only blanks are left.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> TextError {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        TextError {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            message: message.into(),
        }
    }

    /// Parses a value, after blanks.
    pub(crate) fn value(&mut self) -> Result<Value, TextError> {
        self.skip_blanks();
        if self.rest().starts_with('"') {
            return self.string().map(Value::array);
        }
        if self.takes("empty") {
            return self.empty();
        }
        if self.rest().starts_with('[') {
            return self.array();
        }
        let number = self.number(None)?;
        let primitive = number.primitive();
        let mut elements = of_type!(primitive, T => T::elements(Vec::new()));
        number.push_to(&mut elements);
        Ok(Value { shape: Vec::new().into(), elements })
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at += blank(self.rest().as_bytes(), self.comments);
    }

    /// Consumes this token if it is next.
    fn takes(&mut self, what: &str) -> bool {
        let is_next = self.rest().starts_with(what);
        self.at += if is_next { what.len() } else { 0 };
        is_next
    }

    /// Consumes this token, after blanks.
    fn expect(&mut self, what: &str) -> Result<(), TextError> {
        self.skip_blanks();
        if self.takes(what) { Ok(()) } else { Err(self.expected(&format!("`{what}`"))) }
    }

    fn expected(&self, what: &str) -> TextError {
        let found = match self.word() {
            "" => match self.rest().chars().next() {
                Some(other) => format!("`{other}`"),
                None => "the end".to_owned(),
            },
            word => format!("`{}`", word.chars().take(40).collect::<String>()),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// Returns the next characters, up to the end of a scalar.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "[](){},\"".contains(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        match word.find("--") {
            Some(comment) if self.comments => &word[..comment],
            _ => word,
        }
    }

    /// Parses the bytes of a string, between quotes.
    fn string(&mut self) -> Result<Vec<u8>, TextError> {
        let mut bytes = Vec::new();
        let mut chars = self.rest()[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += 1 + at + 1;
                    return Ok(bytes);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => bytes.push(b'\n'),
                    Some((_, 't')) => bytes.push(b'\t'),
                    Some((_, 'r')) => bytes.push(b'\r'),
                    Some((_, '0')) => bytes.push(0),
                    Some((_, quoted @ ('"' | '\\' | '\''))) => bytes.push(quoted as u8),
                    _ => return Err(self.error("a string with an escape other than \\n, \\t, \\r, \\0, \\\" and \\\\")),
                },
                other => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        Err(self.error("a string that does not end"))
    }

    /// Parses the part after `empty`.
    fn empty(&mut self) -> Result<Value, TextError> {
        self.expect("(")?;
        let mut shape = Vec::new();
        self.skip_blanks();
        while self.takes("[") {
            self.skip_blanks();
            let length = self.word().parse().map_err(|_| self.expected("the length of a dimension"))?;
            self.at += self.word().len();
            shape.push(length);
            self.expect("]")?;
            self.skip_blanks();
        }
        let primitive: Primitive = self.word().parse().map_err(|_| self.expected("the type of the elements"))?;
        if shape.is_empty() || count(&shape) != Some(0) {
            return Err(self.error("an empty array has a dimension of length 0, as in empty([0]i32)"));
        }
        self.at += primitive.name().len();
        self.expect(")")?;
        Ok(Value { shape: shape.into(), elements: of_type!(primitive, T => T::elements(Vec::new())) })
    }

    fn array(&mut self) -> Result<Value, TextError> {
        let mut elements = None;
        let mut shape = Vec::new();
        self.rows(0, &mut shape, &mut elements)?;
        match elements {
            Some(elements) => Ok(Value { shape: shape.into(), elements }),
            None => Err(self.error("an empty array is written with its type, as in empty([0]i32)")),
        }
    }

    /// Parses the elements or rows of an array at this nesting depth. The first row defines the shape.
    fn rows(&mut self, depth: usize, shape: &mut Vec<usize>, all: &mut Option<Elements>) -> Result<(), TextError> {
        if depth == DEEPEST {
            return Err(self.error(format!("an array of more than {DEEPEST} dimensions")));
        }
        let start = self.at;
        let is_first = all.is_none();
        if is_first {
            shape.push(0);
        }
        if self.rest().starts_with('"') {
            let length = self.string_row(all)?;
            return self.row_is(length, depth, is_first, shape, start);
        }
        self.expect("[")?;
        let mut length = 0;
        loop {
            self.skip_blanks();
            if self.takes("]") {
                break;
            }
            if length > 0 {
                self.expect(",")?;
                self.skip_blanks();
                // A trailing comma is allowed.
                if self.takes("]") {
                    break;
                }
            }
            let is_row = self.rest().starts_with(['[', '"']);
            if all.is_some() && is_row != (depth + 1 < shape.len()) {
                let what =
                    if is_row { "an element, as the others are elements" } else { "a row, as the others are rows" };
                return Err(self.expected(what));
            }
            if is_row {
                self.rows(depth + 1, shape, all)?;
            } else {
                let number = self.number(all.as_ref().map(Elements::primitive))?;
                let elements = all.get_or_insert_with(|| of_type!(number.primitive(), T => T::elements(Vec::new())));
                number.push_to(elements);
            }
            length += 1;
        }
        if length == 0 {
            self.at = start;
            return Err(self.error("an empty array is written with its type, as in empty([0]i32)"));
        }
        self.row_is(length, depth, is_first, shape, start)
    }

    /// Checks the length of the row that began at `start`: the first row defines it for all.
    fn row_is(
        &mut self,
        length: usize,
        depth: usize,
        is_first: bool,
        shape: &mut [usize],
        start: usize,
    ) -> Result<(), TextError> {
        if is_first {
            shape[depth] = length;
        } else if shape[depth] != length {
            self.at = start;
            return Err(self.error(format!("a row of {length}, where the first has {}", shape[depth])));
        }
        Ok(())
    }

    /// Parses a string as a row of bytes. Returns the number of bytes.
    fn string_row(&mut self, all: &mut Option<Elements>) -> Result<usize, TextError> {
        match all.get_or_insert(Elements::U8(Vec::new())) {
            Elements::U8(elements) => {
                let bytes = self.string()?;
                elements.extend_from_slice(&bytes);
                Ok(bytes.len())
            }
            other => {
                let primitive = other.primitive();
                Err(self.error(format!("a string is made of u8, and the first element is of type {primitive}")))
            }
        }
    }

    /// Parses a scalar of the given type, or of the type in its suffix.
    fn number(&mut self, wanted: Option<Primitive>) -> Result<Number, TextError> {
        let word = self.word();
        match Number::parse(word, wanted) {
            Some(number) => {
                self.at += word.len();
                Ok(number)
            }
            None => Err(match wanted {
                Some(primitive) if Number::parse(word, None).is_some() => {
                    let article = if primitive.name().starts_with(['i', 'f']) { "an" } else { "a" };
                    self.expected(&format!("{article} {primitive}, as the first element is one"))
                }
                _ => self.expected("a value"),
            }),
        }
    }
}

/// A scalar before conversion to its type.
#[derive(Clone, Copy)]
struct Number {
    primitive: Primitive,
    /// The value of an integer, modulo 2⁶⁴, or of a boolean.
    integer: u64,
    /// The value of a float, rounded once to each width.
    double: f64,
    single: f32,
}

impl Number {
    fn parse(word: &str, wanted: Option<Primitive>) -> Option<Self> {
        let fits = |primitive: Primitive| wanted.is_none_or(|wanted| wanted == primitive);
        if word == "true" || word == "false" {
            return fits(Primitive::Bool).then(|| Self::integer(Primitive::Bool, (word == "true").into()));
        }
        let (negative, magnitude) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word.strip_prefix('+').unwrap_or(word)),
        };
        if let Some((name, special)) = magnitude.split_once('.')
            && let Ok(primitive @ (Primitive::F16 | Primitive::F32 | Primitive::F64)) = name.parse()
        {
            let double = match special {
                "nan" if !negative => f64::NAN,
                "inf" if negative => f64::NEG_INFINITY,
                "inf" => f64::INFINITY,
                _ => return None,
            };
            return fits(primitive).then_some(Self { primitive, integer: 0, double, single: double as f32 });
        }
        let (digits, suffix) = split_suffix(magnitude)?;
        let own = match suffix {
            "" => None,
            name => Some(name.parse::<Primitive>().ok().filter(|own| *own != Primitive::Bool && fits(*own))?),
        };
        let integer = digits_of_integer(digits);
        let primitive = match (own.or(wanted), integer) {
            (Some(primitive), _) => primitive,
            (None, Some(_)) => Primitive::I32,
            (None, None) => Primitive::F64,
        };
        let is_float = matches!(primitive, Primitive::F16 | Primitive::F32 | Primitive::F64);
        if primitive == Primitive::Bool || !is_float && integer.is_none() {
            return None;
        }
        if is_float {
            return Self::float(primitive, digits, negative, integer);
        }
        let integer = integer?;
        Some(Self::integer(primitive, if negative { integer.wrapping_neg() } else { integer }))
    }

    fn integer(primitive: Primitive, integer: u64) -> Self {
        Self { primitive, integer, double: 0.0, single: 0.0 }
    }

    fn float(primitive: Primitive, digits: &str, negative: bool, integer: Option<u64>) -> Option<Self> {
        let plain: String = digits.chars().filter(|c| *c != '_').collect();
        let (double, single) = match integer {
            Some(integer) if digits.starts_with("0x") || digits.starts_with("0b") => (integer as f64, integer as f32),
            _ => (plain.parse().ok()?, plain.parse().ok()?),
        };
        let sign = if negative { -1.0 } else { 1.0 };
        Some(Self { primitive, integer: 0, double: sign * double, single: sign as f32 * single })
    }

    fn primitive(self) -> Primitive {
        self.primitive
    }

    fn push_to(self, elements: &mut Elements) {
        match elements {
            Elements::I8(xs) => xs.push(self.integer as i8),
            Elements::I16(xs) => xs.push(self.integer as i16),
            Elements::I32(xs) => xs.push(self.integer as i32),
            Elements::I64(xs) => xs.push(self.integer as i64),
            Elements::U8(xs) => xs.push(self.integer as u8),
            Elements::U16(xs) => xs.push(self.integer as u16),
            Elements::U32(xs) => xs.push(self.integer as u32),
            Elements::U64(xs) => xs.push(self.integer),
            Elements::F16(xs) => xs.push(f16::from_f64(self.double)),
            Elements::F32(xs) => xs.push(self.single),
            Elements::F64(xs) => xs.push(self.double),
            Elements::Bool(xs) => xs.push(self.integer != 0),
        }
    }
}

/// Splits a number into its digits and its type suffix.
fn split_suffix(magnitude: &str) -> Option<(&str, &str)> {
    let is_hexadecimal = magnitude.starts_with("0x") || magnitude.starts_with("0X");
    let begins_suffix = |(at, c): &(usize, char)| match c {
        'i' | 'u' => true,
        'f' => !is_hexadecimal && *at > 0,
        _ => false,
    };
    let end = magnitude.char_indices().find(begins_suffix).map_or(magnitude.len(), |(at, _)| at);
    let (digits, suffix) = magnitude.split_at(end);
    let first = digits.chars().next()?;
    let last = digits.chars().last()?;
    // `1.`, `.5`, `1e` and `_1` are not numbers.
    (first.is_ascii_digit() && last.is_ascii_hexdigit() && (is_hexadecimal || last.is_ascii_digit()))
        .then_some((digits, suffix))
}

/// Parses an integer modulo 2⁶⁴.
fn digits_of_integer(digits: &str) -> Option<u64> {
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(digits), _) => (16, digits),
        (None, Some(digits)) => (2, digits),
        (None, None) => (10, &*lower),
    };
    let mut integer = None;
    for c in digits.chars() {
        match c.to_digit(radix) {
            Some(digit) => {
                let so_far: u64 = integer.unwrap_or(0);
                integer = Some(so_far.wrapping_mul(radix.into()).wrapping_add(digit.into()));
            }
            None if c == '_' && integer.is_some() => {}
            None => return None,
        }
    }
    integer
}
