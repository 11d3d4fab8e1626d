//! Parses constructors from printed values: `Debug`, or Rust code.
//!
//! It only affects which inputs are preferred, so other text, such as that of a `print` annotation, may be misread.

use crate::hash::Fnv;

/// A piece of a printed value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A constructor, a number or a string, as a hash; and whether its contents follow, up to [`Token::Close`].
    Constructor { name: u64, opens: bool },
    /// A function such as `Box::new`, which is skipped: only its contents count.
    Call,
    /// The end of the contents.
    Close,
}

/// Larger numbers are not constructors. Indices of variables are smaller in most terms.
const LARGE: u64 = 8;

/// The tokens of a text.
pub(super) struct Tokens<'t> {
    rest: &'t [u8],
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { rest: text.as_bytes() }
    }

    /// Takes the longest prefix of such bytes.
    fn take(&mut self, is_part: fn(u8) -> bool) -> &'t [u8] {
        let length = self.rest.iter().position(|&byte| !is_part(byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Takes an opening bracket, if it is next.
    fn take_open(&mut self) -> bool {
        let open = [&b"("[..], b"[", b"{", b" {", b"!["].into_iter().find(|open| self.rest.starts_with(open));
        self.rest = &self.rest[open.map_or(0, <[u8]>::len)..];
        open.is_some()
    }

    /// A string or a character between `quote`s: only whether it is empty counts.
    fn quoted(&mut self, quote: u8) -> Token {
        let mut length = 1;
        while length < self.rest.len() && self.rest[length] != quote {
            length += if self.rest[length] == b'\\' { 2 } else { 1 };
        }
        self.rest = self.rest.get(length + 1..).unwrap_or_default();
        let name = Fnv::of(if length == 1 { "\"\"" } else { "\"" });
        Token::Constructor { name, opens: false }
    }

    fn number(&mut self) -> Token {
        let text = self.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
        let mut hash = Fnv::default();
        let small = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i64>().ok());
        match small.filter(|number| number.unsigned_abs() < LARGE) {
            Some(number) => hash.word(number as u64),
            None => hash.bytes(b"number"),
        }
        Token::Constructor { name: hash.finish(), opens: false }
    }

    /// A name, or `None` if it is that of a field.
    fn name(&mut self) -> Option<Token> {
        let mut name;
        loop {
            name = self.take(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            match self.rest.strip_prefix(b"::") {
                // Only the last segment of a path counts.
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        if self.rest.starts_with(b":") {
            return None;
        }
        let opens = self.take_open();
        if opens && name.first().is_none_or(u8::is_ascii_lowercase) {
            return Some(Token::Call);
        }
        let mut hash = Fnv::default();
        hash.bytes(name);
        Some(Token::Constructor { name: hash.finish(), opens })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            match *self.rest.first()? {
                quote @ (b'"' | b'\'') => return Some(self.quoted(quote)),
                b'-' | b'0'..=b'9' => return Some(self.number()),
                byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                    if let Some(token) = self.name() {
                        return Some(token);
                    }
                }
                byte => {
                    self.rest = &self.rest[1..];
                    match byte {
                        b'(' | b'[' | b'{' => return Some(Token::Constructor { name: u64::from(byte), opens: true }),
                        b')' | b']' | b'}' => return Some(Token::Close),
                        _ => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens, with names in place of hashes.
    fn read(text: &str) -> String {
        let named = ["App", "Var", "Abs", "Bool", "None", "true", "\"", "\"\"", "number"];
        let mut seen = String::new();
        for token in Tokens::of(text) {
            match token {
                Token::Constructor { name, opens } => {
                    let known = named.iter().find(|known| Fnv::of(known) == name).copied();
                    let bracket =
                        [("(", b'('), ("[", b'['), ("{", b'{')].iter().find(|(_, byte)| u64::from(*byte) == name);
                    seen += known.or(bracket.map(|(text, _)| *text)).unwrap_or("n");
                    seen += if opens { "<" } else { "," };
                }
                Token::Call => seen += "<",
                Token::Close => seen += ">",
            }
        }
        seen
    }

    #[test]
    fn code_and_debug_have_the_same_constructors() {
        assert_eq!(read("App(Var(0), Abs(Bool, Var(1)))"), "App<Var<n,>Abs<Bool,Var<n,>>>");
        assert_eq!(
            read("Term::App(Box::new(Term::Var(0)), Box::new(Term::Abs(Type::Bool, Box::new(Term::Var(1)))))"),
            "App<<Var<n,>><Abs<Bool,<Var<n,>>>>>"
        );
        assert_eq!(read("Abs { ty: Bool, body: Var(200) }"), "Abs<Bool,Var<number,>>");
    }

    #[test]
    fn numbers_strings_and_lists_are_distinguished() {
        assert_eq!(read(r#"("a \" (", "", 'x', -3, 1.5e3, [None, true])"#), "(<\",\"\",\",n,number,[<None,true,>>");
        assert_eq!(read("vec![1, 70_000]"), "<n,number,>");
    }

    #[test]
    fn text_that_is_not_a_value_is_tokenized_to_the_end() {
        for text in ["", ")", "\"", "'\\", "a::", "::(", "é(ü", "x{{{", "-", "_:", "a ::b"] {
            read(text);
        }
    }
}
