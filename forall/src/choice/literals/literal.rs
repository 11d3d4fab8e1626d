//! Parsing Rust literals.

/// A literal's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    /// Values of `u128` above `i128::MAX` are stored as negative numbers with the same bits.
    Integer(i128),
    Float(f64),
    /// Characters are strings of length one.
    Text(Vec<char>),
    Bytes(Vec<u8>),
}

/// Longer strings are messages, not values.
const LONGEST: usize = 64;

/// Numbers up to this one are generated often enough at random.
const SMALL: u128 = 16;

impl Literal {
    /// The value of a literal as it is written.
    pub(crate) fn read(token: &str) -> Option<Self> {
        Some(match token.as_bytes() {
            [b'0'..=b'9', ..] => number(token)?,
            [b'-', b'0'..=b'9', ..] => match number(&token[1..])? {
                Self::Float(value) => Self::Float(-value),
                Self::Integer(value) => Self::Integer(value.wrapping_neg()),
                other => other,
            },
            [b'b', b'\'', ..] => Self::Integer(u32::from(*unescaped(&token[1..], '\'')?.first()?).into()),
            [b'b', b'"', ..] => Self::Bytes(bytes(&unescaped(&token[1..], '"')?)?),
            [b'b', b'r', ..] => Self::Bytes(raw(&token[2..])?.bytes().collect()),
            [b'r', ..] => Self::Text(raw(&token[1..])?.chars().collect()),
            [b'c', b'r', ..] => Self::Text(raw(&token[2..])?.chars().collect()),
            [b'c', b'"', ..] => Self::Text(unescaped(&token[1..], '"')?),
            [b'"', ..] => Self::Text(unescaped(token, '"')?),
            [b'\'', ..] => Self::Text(unescaped(token, '\'')?),
            _ => return None,
        })
    }

    pub(crate) fn is_worth_trying(&self) -> bool {
        match self {
            Self::Integer(value) => value.unsigned_abs() > SMALL,
            Self::Float(value) => value.fract() != 0.0 || value.abs() > SMALL as f64,
            Self::Text(text) => (1..=LONGEST).contains(&text.len()),
            Self::Bytes(bytes) => (1..=LONGEST).contains(&bytes.len()),
        }
    }
}

fn number(token: &str) -> Option<Literal> {
    let plain = token.replace('_', "");
    let (digits, radix) = match plain.get(..2) {
        Some("0x") => (&plain[2..], 16),
        Some("0o") => (&plain[2..], 8),
        Some("0b") => (&plain[2..], 2),
        _ => (&*plain, 10),
    };
    if radix == 10 {
        let float = digits.strip_suffix("f64").or_else(|| digits.strip_suffix("f32"));
        if float.is_some() || digits.contains('.') || digits.contains(['e', 'E']) && !digits.ends_with("size") {
            return float.unwrap_or(digits).parse().ok().map(Literal::Float);
        }
    }
    // A suffix, such as `u8`, does not begin with a digit.
    let end = digits.find(['u', 'i']).unwrap_or(digits.len());
    u128::from_str_radix(&digits[..end], radix).ok().map(|value| Literal::Integer(value as i128))
}

/// The text between quotes and hashes.
fn raw(token: &str) -> Option<&str> {
    let inner = token.trim_matches('#');
    inner.strip_prefix('"')?.strip_suffix('"')
}

/// Each character of a byte string is a byte.
fn bytes(chars: &[char]) -> Option<Vec<u8>> {
    chars.iter().map(|&c| u8::try_from(u32::from(c)).ok()).collect()
}

/// The text between these quotes, unescaped.
fn unescaped(token: &str, quote: char) -> Option<Vec<char>> {
    let mut rest = token.strip_prefix(quote)?.strip_suffix(quote)?.chars();
    let mut text = Vec::new();
    while let Some(c) = rest.next() {
        text.push(if c == '\\' { escape(&mut rest)? } else { c });
    }
    Some(text)
}

/// The character after a backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let hexadecimal = |digits: &str| char::from_u32(u32::from_str_radix(digits, 16).ok()?);
    match rest.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        c @ ('\\' | '\'' | '"') => Some(c),
        'x' => {
            let digits = rest.as_str().get(..2)?;
            rest.nth(1);
            hexadecimal(digits)
        }
        'u' => {
            let digits = rest.as_str().strip_prefix('{')?;
            let digits = &digits[..digits.find('}')?];
            rest.nth(digits.len() + 1);
            hexadecimal(&digits.replace('_', ""))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::string, prelude::*};

    fn text(text: &str) -> Option<Literal> {
        Some(Literal::Text(text.chars().collect()))
    }

    #[test]
    fn literals_have_their_values_in_rust() {
        for (token, value) in [
            ("0x5eed_cafe", 0x5eed_cafe),
            ("1_000usize", 1_000),
            ("0b1010_1010u8", 0b1010_1010),
            ("0o777_i64", 0o777),
            ("0xffu8", 0xff),
            ("-128i8", -128),
            ("b'a'", 97),
            (r"b'\x80'", 128),
            ("340282366920938463463374607431768211400u128", -56),
        ] {
            assert_eq!(Literal::read(token), Some(Literal::Integer(value)), "{token}");
        }
        for (token, value) in
            [("1.5e3", 1500.0), ("99.", 99.0), ("1e9f64", 1e9), ("20f32", 20.0), ("2E-3", 2e-3), ("-0.25", -0.25)]
        {
            assert_eq!(Literal::read(token), Some(Literal::Float(value)), "{token}");
        }
        assert_eq!(Literal::read(r#""a\n\u{1F600}\x41\"""#), text("a\n\u{1f600}A\""));
        assert_eq!(Literal::read("r#\"a \"b\" \\n\"#"), text("a \"b\" \\n"));
        assert_eq!(Literal::read("c\"name\""), text("name"));
        assert_eq!(Literal::read("'\\''"), text("'"));
        assert_eq!(Literal::read(r#"b"\x89PNG""#), Some(Literal::Bytes(vec![0x89, b'P', b'N', b'G'])));
        assert_eq!(Literal::read("br\"\\d\""), Some(Literal::Bytes(vec![b'\\', b'd'])));
    }

    #[test]
    fn common_numbers_and_long_messages_are_left_out() {
        let long = format!("\"{}\"", "x".repeat(65));
        for token in ["0", "16u8", "1.0", "\"\"", &long] {
            assert!(!Literal::read(token).is_some_and(|literal| literal.is_worth_trying()), "{token}");
        }
        for token in ["0x", "true", "\"open", "b'", "r\"", "\"\\q\"", "'"] {
            assert_eq!(Literal::read(token), None, "{token}");
        }
    }

    #[test]
    fn anything_can_be_read() {
        let token = string(elements(vec!['b', 'c', 'r', '"', '\'', '\\', '#', 'x', 'u', '{', '}', '0', 'e', '_', 'é']));
        forall::check(
            "reading a literal",
            &property! { forall text in &token; check { let _ = Literal::read(text); } },
        );
    }
}
