//! Size expressions in types: `5`, `n`, `n + 1`, `k` with `def k = 300`.

use std::collections::HashMap;
use std::iter::Peekable;

/// The size of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A number.
    Number(i64),
    /// A named size.
    Named(String),
    /// An operator with two operands.
    Computed(Box<Size>, Operator, Box<Size>),
    /// Any other expression, as source text.
    Unknown(String),
}

/// The operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
    Power,
}

impl Operator {
    /// Returns the precedence: a larger one binds more tightly.
    fn tightness(self) -> u8 {
        match self {
            Self::Plus | Self::Minus => 1,
            Self::Times | Self::Over | Self::Modulo => 2,
            Self::Power => 3,
        }
    }

    fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Plus => left.checked_add(right),
            Self::Minus => left.checked_sub(right),
            Self::Times => left.checked_mul(right),
            Self::Over => left.checked_div_euclid(right),
            Self::Modulo => left.checked_rem_euclid(right),
            Self::Power => left.checked_pow(u32::try_from(right).ok()?),
        }
    }
}

impl Size {
    /// Returns the value, if `named` defines all names in it.
    pub(crate) fn value(&self, named: &mut dyn FnMut(&str) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Named(name) => named(name),
            Self::Computed(left, operator, right) => operator.apply(left.value(named)?, right.value(named)?),
            Self::Unknown(_) => None,
        }
    }

    /// Returns the unsupported part, if there is one.
    pub(crate) fn unknown(&self) -> Option<&str> {
        match self {
            Self::Unknown(written) => Some(written),
            Self::Computed(left, _, right) => left.unknown().or_else(|| right.unknown()),
            Self::Number(_) | Self::Named(_) => None,
        }
    }

    /// Returns a name from which a number is subtracted, and that number: `n - 2`.
    pub(crate) fn taken_from(&self) -> Option<(&str, i64)> {
        match self {
            Self::Computed(left, Operator::Minus, right) => match (&**left, &**right) {
                (Self::Named(name), Self::Number(number)) => Some((name, *number)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A lookup of names in size expressions.
pub(crate) trait Names {
    fn size(&self, name: &str) -> Size;
}

/// Parses a size.
pub(crate) fn size(text: &str, names: &dyn Names) -> Size {
    let mut tokens = tokens(text).into_iter().peekable();
    match sum(&mut tokens, 1, names) {
        Some(size) if tokens.peek().is_none() => size,
        _ => Size::Unknown(text.trim().to_owned()),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i64),
    Name(String),
    Operator(Operator),
    Open,
    Close,
    Other,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || "_'.".contains(c);
        let word: String = rest.chars().take_while(|c| is_word(*c)).collect();
        let (token, length) = match first {
            _ if first.is_ascii_digit() => (number(&word).map_or(Token::Other, Token::Number), word.len()),
            _ if !word.is_empty() => (Token::Name(word.clone()), word.len()),
            '*' if rest.starts_with("**") => (Token::Operator(Operator::Power), 2),
            '/' if rest.starts_with("//") => (Token::Operator(Operator::Over), 2),
            '%' if rest.starts_with("%%") => (Token::Operator(Operator::Modulo), 2),
            '+' => (Token::Operator(Operator::Plus), 1),
            '-' => (Token::Operator(Operator::Minus), 1),
            '*' => (Token::Operator(Operator::Times), 1),
            '/' => (Token::Operator(Operator::Over), 1),
            '%' => (Token::Operator(Operator::Modulo), 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            other => (Token::Other, other.len_utf8()),
        };
        all.push(token);
        rest = rest[length..].trim_start();
    }
    all
}

/// Parses a number: `300`, `1_000`, `0x1f`, `5i64`.
fn number(word: &str) -> Option<i64> {
    let plain: String = word.trim_end_matches("i64").chars().filter(|c| *c != '_').collect();
    match plain.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(&plain[2..], 16).ok(),
        Some("0b" | "0B") => i64::from_str_radix(&plain[2..], 2).ok(),
        _ => plain.parse().ok(),
    }
}

type Tokens = Peekable<std::vec::IntoIter<Token>>;

/// Parses operands and operators with at least this precedence.
fn sum(tokens: &mut Tokens, tightness: u8, names: &dyn Names) -> Option<Size> {
    let mut left = operand(tokens, names)?;
    while let Some(Token::Operator(operator)) = tokens.peek().cloned() {
        if operator.tightness() < tightness {
            break;
        }
        tokens.next();
        let right = sum(tokens, operator.tightness() + 1, names)?;
        left = match (&left, &right) {
            (Size::Number(one), Size::Number(other)) => Size::Number(operator.apply(*one, *other)?),
            _ => Size::Computed(Box::new(left), operator, Box::new(right)),
        };
    }
    Some(left)
}

fn operand(tokens: &mut Tokens, names: &dyn Names) -> Option<Size> {
    match tokens.next()? {
        Token::Number(number) => Some(Size::Number(number)),
        Token::Name(name) => Some(names.size(&name)),
        Token::Open => {
            let inside = sum(tokens, 1, names)?;
            (tokens.next()? == Token::Close).then_some(inside)
        }
        Token::Operator(_) | Token::Close | Token::Other => None,
    }
}

/// The maximum depth of constants defined by other constants.
const DEEPEST: u8 = 16;

/// The constants of a source, as source text: `def k : i64 = 2 * j`.
#[derive(Debug, Default)]
pub(crate) struct Constants(HashMap<String, String>);

impl Constants {
    /// Parses a source without comments; later declarations take precedence.
    pub(crate) fn of(plain: &str) -> Self {
        let mut all = HashMap::new();
        for line in plain.lines() {
            // A `let` inside a function is local.
            let Some(rest) = line.trim_start().strip_prefix("def ").or_else(|| line.strip_prefix("let ")) else {
                continue;
            };
            let Some((head, value)) = rest.split_once('=') else { continue };
            let name = head.split(':').next().unwrap_or_default().trim();
            if !name.contains(char::is_whitespace) {
                all.insert(name.to_owned(), value.to_owned());
            }
        }
        Self(all)
    }

    /// Returns the value of a name.
    pub(crate) fn size(&self, name: &str) -> Size {
        Deep { constants: self, depth: DEEPEST }.size(name)
    }
}

struct Deep<'a> {
    constants: &'a Constants,
    depth: u8,
}

impl Names for Deep<'_> {
    fn size(&self, name: &str) -> Size {
        // A qualified name is looked up by its last part.
        let own = name.rsplit('.').next().unwrap_or(name);
        let known = &self.constants.0;
        match known.get(name).or_else(|| known.get(own)).filter(|_| self.depth > 0) {
            Some(written) => match size(written, &Deep { constants: self.constants, depth: self.depth - 1 }) {
                Size::Number(number) => Size::Number(number),
                _ => Size::Unknown(name.to_owned()),
            },
            None => Size::Unknown(name.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Letters;

    impl Names for Letters {
        fn size(&self, name: &str) -> Size {
            Size::Named(name.to_owned())
        }
    }

    #[test]
    fn sizes_are_computed_as_futhark_does() {
        let value = |text| {
            let mut named = |name: &str| (name == "n").then_some(5);
            size(text, &Letters).value(&mut named)
        };
        for (text, expected) in [
            ("7", Some(7)),
            (" 5i64 ", Some(5)),
            ("1_000", Some(1000)),
            ("0x1f", Some(31)),
            ("n+1", Some(6)),
            ("2*n - 3", Some(7)),
            ("2 * (n - 3)", Some(4)),
            ("n / 2 % 2", Some(0)),
            ("10 - n - 1", Some(4)),
            ("2**n", Some(32)),
            ("n + m", None),
            ("n / 0", None),
            ("length xs", None),
            ("", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert_eq!(size("f n", &Letters).unknown(), Some("f n"));
        assert_eq!(size("n - 2", &Letters).taken_from(), Some(("n", 2)));
    }

    #[test]
    fn constants_are_looked_up() {
        let constants = Constants::of(
            "def k : i64 = 2 * j\nlet j = 150i64\ndef f (x: i64) = 3\n  let inside = 4\ndef circle = circle + 1\n",
        );
        assert_eq!(constants.size("k"), Size::Number(300));
        assert_eq!(constants.size("lib.j"), Size::Number(150));
        for unknown in ["f", "inside", "circle", "nothing"] {
            assert_eq!(constants.size(unknown), Size::Unknown(unknown.to_owned()));
        }
    }
}
