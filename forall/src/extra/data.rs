//! JSON.

use crate::Arbitrary;
use crate::choice::Source;
use crate::generate::{Generator, GeneratorExt, Lengths, Parts, any, build, from_fn, string};
use std::fmt::{self, Write};

/// A JSON value. Its `Display` writes it in one line, as RFC 8259 defines it.
///
/// ```
/// use forall::extra::Json;
/// let value = Json::Object(vec![("a\"b".to_owned(), Json::Array(vec![Json::Null, Json::Number(0.5)]))]);
/// assert_eq!(value.to_string(), r#"{"a\"b":[null,0.5]}"#);
/// ```
#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction.
    Integer(i64),
    /// A finite number.
    Number(#[forall(with = finite())] f64),
    /// A string.
    Text(String),
    /// `[…]`.
    Array(Vec<Json>),
    /// `{…}`. Duplicate keys are rare; RFC 8259 leaves their meaning open.
    Object(#[forall(with = entries())] Vec<(String, Json)>),
}

/// The entries of an object: duplicate keys are rare.
fn entries() -> impl Generator<Value = Vec<(String, Json)>> {
    from_fn(|source: &mut Source| {
        let mut entries: Vec<(String, Json)> = Vec::new();
        build(source, Lengths::from(..), Parts::AsDrawn, |source| {
            let is_new = |key: &String| entries.iter().all(|entry| entry.0 != *key);
            let key = source.mostly_new(&|source| key().generate(source), &is_new);
            entries.push((key, Json::arbitrary(source)));
            true
        });
        entries
    })
}

/// Keys of typical length, independent of the remaining size: otherwise those inside objects would all be empty, and
/// so equal. One in 32 is empty.
fn key() -> impl Generator<Value = String> {
    from_fn(|source: &mut Source| match source.choice_with(1, |random, _| random.up_to(31).min(1)) {
        0 => String::new(),
        _ => source.draw(string(any::<char>()).len(1..=8)),
    })
}

fn finite() -> impl Generator<Value = f64> {
    any::<f64>().map(|number| if number.is_finite() { number } else { 0.0 })
}

impl fmt::Display for Json {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            // With a point or an exponent, so that it is read as a fraction again.
            Self::Number(value) => write!(f, "{value:?}"),
            Self::Text(text) => write_text(text, f),
            Self::Array(values) => {
                f.write_char('[')?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if at == 0 { "" } else { "," })?;
                }
                f.write_char(']')
            }
            Self::Object(entries) => {
                f.write_char('{')?;
                for (at, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    write_text(key, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

#[inline]
fn write_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\0'..=' ' if c != ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Returns a generator of JSON values, about as large as the size of the test.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::{Json, json}};
/// assert_eq!(Source::replay(&Sequence::default()).draw(json()), Json::Null);
/// ```
pub fn json() -> impl GeneratorExt<Value = Json> + Copy {
    from_fn(|source: &mut Source| Json::arbitrary(source))
}
