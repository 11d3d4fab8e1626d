//! Finds the literals in a source, without understanding anything else of it.

/// Longer literals are messages rather than values.
const LONGEST: usize = 80;

/// The literals of a source as they are written, each once, in their order. Those of one character or of several lines are left out, and
/// so are those in comments and attributes.
pub fn literals(source: &str) -> Vec<String> {
    let mut scanner = Scanner { rest: source, last: [' '; 2] };
    let mut found: Vec<String> = Vec::new();
    let (mut is_negative, mut begins) = (false, true);
    while let Some(piece) = scanner.next() {
        match piece {
            Piece::Blank => continue,
            Piece::Minus => {
                (is_negative, begins) = (begins, true);
                continue;
            }
            Piece::Mark(closes) => (is_negative, begins) = (false, !closes),
            Piece::Word => (is_negative, begins) = (false, false),
            Piece::Literal(text) => {
                let text = format!("{}{text}", if is_negative { "-" } else { "" });
                let is_worth_it = (2..=LONGEST).contains(&text.len()) && !text.contains('\n');
                if is_worth_it && !found.contains(&text) {
                    found.push(text);
                }
                (is_negative, begins) = (false, false);
            }
        }
    }
    found
}

/// What a source consists of, as far as it matters here.
enum Piece<'a> {
    /// White space, a comment or an attribute.
    Blank,
    Minus,
    /// Any other mark; whether it closes what may be subtracted from.
    Mark(bool),
    Word,
    Literal(&'a str),
}

struct Scanner<'a> {
    rest: &'a str,
    /// What the two pieces before the rest end with.
    last: [char; 2],
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let after_a_point = self.last[1] == '.' && self.last[0] != '.';
        let (length, kind): (usize, fn(&'a str) -> Piece<'a>) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), |_| Piece::Blank)
        } else if rest.starts_with("/*") {
            (comment(rest), |_| Piece::Blank)
        } else if rest.starts_with("#[") || rest.starts_with("#![") {
            (attribute(rest), |_| Piece::Blank)
        } else if let Some(length) = quoted(rest) {
            (length, Piece::Literal)
        } else if first == '\'' {
            match character(rest) {
                Some(length) => (length, Piece::Literal),
                None => (1, |_| Piece::Word),
            }
        } else if first.is_ascii_digit() {
            // The number of a field is no value.
            (number(rest), if after_a_point { |_| Piece::Word } else { Piece::Literal })
        } else if first == '_' || first.is_alphabetic() {
            let is_inside = |c: char| c == '_' || c.is_alphanumeric();
            (rest.find(|c| !is_inside(c)).unwrap_or(rest.len()), |_| Piece::Word)
        } else {
            (
                first.len_utf8(),
                match first {
                    '-' => |_| Piece::Minus,
                    ')' | ']' => |_| Piece::Mark(true),
                    first if first.is_whitespace() => |_| Piece::Blank,
                    _ => |_| Piece::Mark(false),
                },
            )
        };
        let (piece, rest) = rest.split_at(length);
        self.last = [self.last[1], piece.chars().next_back().unwrap_or(' ')];
        self.rest = rest;
        Some(kind(piece))
    }
}

/// The length of a comment, which may have comments in it.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    let bytes = rest.as_bytes();
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of an attribute.
fn attribute(rest: &str) -> usize {
    let mut depth = 0;
    let mut scanner = Scanner { rest: &rest[1..], last: [' '; 2] };
    loop {
        let before = scanner.rest;
        match before.as_bytes().first() {
            Some(b'[') => depth += 1,
            Some(b']') => depth -= 1,
            _ => {}
        }
        let is_over = scanner.next().is_none() || depth == 0 && !before.starts_with('!');
        if is_over {
            return rest.len() - scanner.rest.len();
        }
    }
}

/// The length of a text or a byte string, raw ones included, or of a byte.
fn quoted(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches(['b', 'c', 'r']);
    let prefix = &rest[..rest.len() - body.len()];
    let length = match prefix {
        "r" | "br" | "cr" => {
            let hashes = body.len() - body.trim_start_matches('#').len();
            let text = body[hashes..].strip_prefix('"')?;
            let end = format!("\"{}", "#".repeat(hashes));
            hashes + 1 + text.find(&end)? + end.len()
        }
        "" | "b" | "c" if body.starts_with('"') => escaped(body)?,
        "b" if body.starts_with('\'') => escaped(body)?,
        _ => return None,
    };
    Some(prefix.len() + length)
}

/// The length of what begins with a quote and ends with the same.
fn escaped(body: &str) -> Option<usize> {
    let mut chars = body.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at + 1);
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

/// The length of a character, if it is one and no lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.chars().skip(1);
    let first = chars.next()?;
    (first == '\\' || chars.next() == Some('\'')).then(|| escaped(rest)).flatten()
}

/// The length of a number, with its suffix.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_decimal = !matches!(bytes.get(1), Some(b'x' | b'o' | b'b'));
    let (mut at, mut has_point) = (1, false);
    while let Some(&byte) = bytes.get(at) {
        let before_a_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {}
            b'.' if is_decimal && !has_point && before_a_digit => has_point = true,
            b'+' | b'-' if is_decimal && before_a_digit && matches!(bytes[at - 1], b'e' | b'E') => {}
            _ => break,
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn every_kind_of_literal_is_found() {
        let source = r###"
            const MAGIC: u32 = 0x5eed_cafe; let x = -1_000i64 - 2.5e-3;
            match s { "key" | r#"raw "one""# => b"\x89PNG", 'x' => b'y', '\'' => c"c" , _ => br"b" }
            1..99; 3.max(44); pair.0 + pair.12; f(x) - 55;
        "###;
        let found = literals(source);
        assert_eq!(
            found,
            [
                "0x5eed_cafe",
                "-1_000i64",
                "2.5e-3",
                "\"key\"",
                "r#\"raw \"one\"\"#",
                "b\"\\x89PNG\"",
                "'x'",
                "b'y'",
                "'\\''",
                "c\"c\"",
                "br\"b\"",
                "99",
                "44",
                "55"
            ]
        );
    }

    #[test]
    fn comments_attributes_lifetimes_and_names_have_none() {
        let source = "// \"a\" 11\n/* 22 /* 33 */ 44 */ #[doc = \"][ 55\"] #![cfg(feature = \"b\")] fn f<'a>(x66: &'a str) -> i128 {}";
        assert_eq!(literals(source), [] as [&str; 0]);
    }

    #[test]
    fn anything_can_be_scanned() {
        use forall::{generate::string, prelude::*};
        let source =
            string(elements(vec!['"', '\'', '\\', '#', '[', ']', '/', '*', 'r', 'b', '1', '.', 'e', '-', '\n', 'é']));
        forall::check("scanning a source", &property! { forall text in &source; check { literals(text); } });
    }
}
